import RealmSystem

/// Why a file with the name of a lock file is not used as one.
package enum LockFileProblem: Hashable, Sendable {
  /// A symbolic link: its target belongs to somebody else.
  case symbolicLink
  /// A folder, pipe, device or socket.
  case notARegularFile
  /// Another name of the realm itself.
  case realm
  /// A file that is not from an engine.
  case otherContent
}

/// A lock file that this process holds exclusively and has emptied.
///
/// Links are not followed, and nothing but a lock file is changed: see `LockFileForm`.
struct LockFile {
  private let path: String
  private let descriptor: Int32
  private let calls: any OutputCalls
  /// For a file that was created here.
  private let made: Made?

  private struct Made {
    /// Removes the file if a signal ends the process.
    let entry: UnfinishedOutputs.Entry
    /// Whether the realm's owner can use the file as well.
    let isForOwner: Bool
  }

  // MARK: Taking

  /// Takes the lock of a realm. A missing file is created.
  ///
  /// - Parameter realm: the file that the lock file belongs to, with symbolic links followed.
  /// - Returns: nil if somebody else holds the lock.
  /// - Throws: `AccessError`.
  static func take(_ path: String, of realm: String, calls: any OutputCalls) throws -> LockFile? {
    do {
      while true {
        if let descriptor = try openExisting(path, realm, calls) {
          switch try lock(descriptor, path, calls) {
          case .taken: return LockFile(path: path, descriptor: descriptor, calls: calls, made: nil)
          case .inUse: return nil
          case .removed: continue
          }
        }
        guard let (descriptor, entry) = try make(path, calls) else { continue }
        let outcome: Outcome
        do { outcome = try lock(descriptor, path, calls) } catch {
          try? calls.unlink(path)
          UnfinishedOutputs.forget(entry)
          throw error
        }
        guard outcome == .taken else {
          // The faster process uses the file, or has removed it.
          UnfinishedOutputs.forget(entry)
          if outcome == .inUse { return nil }
          continue
        }
        let isForOwner = giveToOwner(descriptor, realm, calls)
        return LockFile(
          path: path, descriptor: descriptor, calls: calls, made: Made(entry: entry, isForOwner: isForOwner))
      }
    } catch let error as SystemCallError {
      throw AccessError.systemCall(path: path, name: error.name, errorNumber: error.number)
    }
  }

  /// Checks whether `take` could use the file, without creating or changing anything.
  ///
  /// - Throws: `AccessError.notALockFile`.
  static func check(_ path: String, of realm: String, calls: any OutputCalls) throws(AccessError) {
    do {
      guard try isThere(path, calls), let descriptor = try? calls.opened(path, .reading) else { return }
      defer { calls.close(descriptor) }
      try requireOther(descriptor, path, than: realm, calls)
      try requireLockFile(descriptor, path, calls)
    } catch let error as AccessError {
      throw error
    } catch {
      // Errors of the system are reported when the lock is taken.
    }
  }

  /// Checks whether a file of that name could be created.
  static func requireWritable(folderOf path: String, calls: any OutputCalls) throws(SystemCallError) {
    try calls.requireWritable(folder: path.lastIndex(of: "/").map { String(path[...$0]) } ?? ".")
  }

  /// Checks whether the file could be opened, or created if it is missing.
  ///
  /// - Throws: `AccessError.systemCall`.
  static func requireWritable(_ path: String, calls: any OutputCalls) throws(AccessError) {
    do {
      guard try isThere(path, calls) else { return try requireWritable(folderOf: path, calls: calls) }
      calls.close(try calls.opened(path, .existing))
    } catch let error as SystemCallError {
      throw AccessError.systemCall(path: path, name: "open", errorNumber: error.number)
    } catch {
      // If something else has that name, this is reported when the lock is taken.
    }
  }

  /// - Returns: nil if there is none.
  private static func openExisting(_ path: String, _ realm: String, _ calls: any OutputCalls) throws -> Int32? {
    guard try isThere(path, calls) else { return nil }
    let descriptor: Int32
    do { descriptor = try calls.opened(path, .existing) } catch {
      guard error.problem == .missing else { throw error }
      return nil
    }
    do {
      try requireOther(descriptor, path, than: realm, calls)
      return descriptor
    } catch {
      calls.close(descriptor)
      throw error
    }
  }

  /// - Returns: nil if somebody else was faster.
  private static func make(_ path: String, _ calls: any OutputCalls) throws -> (Int32, UnfinishedOutputs.Entry)? {
    // From its creation on, a signal removes it.
    try UnfinishedOutputs.creating {
      do throws(SystemCallError) {
        let descriptor = try calls.opened(path, .create(mode: 0o644))
        return (descriptor, UnfinishedOutputs.add(path))
      } catch {
        guard error.isExisting else { throw error }
        return nil
      }
    }
  }

  private enum Outcome {
    case taken
    case inUse
    /// The file was removed between opening and locking: others will lock a different file.
    case removed
  }

  /// Locks an open file and empties it; closes it if the lock is not taken.
  private static func lock(_ descriptor: Int32, _ path: String, _ calls: any OutputCalls) throws -> Outcome {
    var isTaken = false
    defer { if !isTaken { calls.close(descriptor) } }
    do throws(SystemCallError) {
      try calls.uninterrupted { () throws(SystemCallError) in try calls.lock(descriptor) }
    } catch {
      guard error.wouldBlock else { throw error }
      return .inUse
    }
    guard try isNamed(path, descriptor, calls) else { return .removed }
    try requireLockFile(descriptor, path, calls)
    try calls.uninterrupted { () throws(SystemCallError) in try calls.truncate(descriptor, to: 0) }
    isTaken = true
    return .taken
  }

  // MARK: What it is

  /// Checked before it is opened, because opening a device may have effects.
  private static func isThere(_ path: String, _ calls: any OutputCalls) throws -> Bool {
    let status: FileStatus?
    do throws(SystemCallError) {
      status = try calls.kind(ofName: path) == .symbolicLink ? nil : calls.status(ofPath: path)
    } catch {
      guard error.problem == .missing else { throw error }
      return false
    }
    guard let status else { throw AccessError.notALockFile(path: path, .symbolicLink) }
    guard status.kind == .regular else { throw AccessError.notALockFile(path: path, .notARegularFile) }
    return true
  }

  private static func requireOther(
    _ descriptor: Int32, _ path: String, than realm: String, _ calls: any OutputCalls
  ) throws {
    let status = try calls.status(of: descriptor)
    guard status.kind == .regular else { throw AccessError.notALockFile(path: path, .notARegularFile) }
    if let realm = try? calls.status(ofPath: realm), realm.identity == status.identity {
      throw AccessError.notALockFile(path: path, .realm)
    }
  }

  private static func requireLockFile(_ descriptor: Int32, _ path: String, _ calls: any OutputCalls) throws {
    let size = try calls.status(of: descriptor).size
    func bytes(_ count: Int) throws -> [UInt8] {
      try [UInt8](unsafeUninitializedCapacity: count) { buffer, read in
        read = try calls.readFully(descriptor, into: UnsafeMutableRawBufferPointer(buffer), at: 0)
      }
    }
    let isLockFile = try LockFileForm.isLockFile(try bytes(LockFileForm.headSize), size: size) {
      try bytes(Int(clamping: min(size, LockFileForm.mostZeros))).allSatisfy { $0 == 0 }
    }
    guard isLockFile else { throw AccessError.notALockFile(path: path, .otherContent) }
  }

  private static func isNamed(_ path: String, _ descriptor: Int32, _ calls: any OutputCalls) throws -> Bool {
    do throws(SystemCallError) {
      return try calls.kind(ofName: path) == .file(calls.status(of: descriptor).identity)
    } catch {
      guard error.problem == .missing else { throw error }
      return false
    }
  }

  /// Gives a lock file that was created here to the realm's owner: an app that runs as that user could not open one
  /// that belongs to the administrator.
  ///
  /// - Returns: whether it belongs to the same user as the realm.
  private static func giveToOwner(_ descriptor: Int32, _ realm: String, _ calls: any OutputCalls) -> Bool {
    guard let realm = try? calls.opened(realm, .reading) else { return true }
    defer { calls.close(realm) }
    guard let owner = try? calls.access(of: realm), let own = try? calls.access(of: descriptor) else { return true }
    guard (owner.owner, owner.group) != (own.owner, own.group) else { return true }
    try? calls.setOwner(of: descriptor, owner: owner.owner, group: owner.group)
    return (try? calls.access(of: descriptor).owner) == owner.owner
  }

  // MARK: Letting go

  /// Removes the file if it was created here and is not to stay, and unlocks it.
  ///
  /// It stays empty to the end: apps that wait for the lock find it empty when they get it, and start again with a file
  /// of their own. The pause is for an app that has opened the file and not yet requested the lock: it would take
  /// itself for the first, with a file that no longer has a name.
  ///
  /// - Parameter stays: whether the realm has been changed under the lock. A file that the realm's owner could not use
  ///   is removed anyway.
  func release(stays: Bool) {
    if let made {
      if !(stays && made.isForOwner), (try? Self.isNamed(path, descriptor, calls)) == true {
        try? calls.unlink(path)
        calls.pause(milliseconds: Self.pauseMilliseconds)
      }
      UnfinishedOutputs.forget(made.entry)
    }
    // A child process that was started meanwhile also has the descriptor, until it runs its program.
    calls.unlock(descriptor)
    calls.close(descriptor)
  }

  private static let pauseMilliseconds: UInt32 = 20
}

/// What a lock file of an engine looks like (Docs/Format/5-coordination.md §2).
///
/// A lock file is emptied before a realm is changed. Something else of that name must not be emptied: an output that
/// was given this name, a file of another program, the target of a link.
enum LockFileForm {
  /// Bytes that are looked at: the fixed head, which is the same on all platforms (§2.1).
  static let headSize = 48
  /// No structure with mutexes is smaller, no list of versions larger.
  static let sizes: ClosedRange<UInt64> = 100...16 << 20
  /// An engine that was killed while it created the file has left zeros.
  static let mostZeros: UInt64 = 1 << 16

  /// Whether a file with these first bytes can be a lock file.
  ///
  /// - Parameters:
  ///   - head: its first 48 bytes, or all of a shorter file.
  ///   - size: bytes of the whole file.
  ///   - isZero: whether all bytes are zero; evaluated only if it matters.
  static func isLockFile(_ head: [UInt8], size: UInt64, isZero: () throws -> Bool) rethrows -> Bool {
    if size == 0 { return true }
    guard sizes.contains(size), size % 4 == 0, head.count == headSize else { return false }
    if head.allSatisfy({ $0 == 0 }) { return size <= mostZeros ? try isZero() : false }
    return bytes.allSatisfy { $0.range.contains(head[$0.offset]) }
      && numbers.allSatisfy { field in
        field.range.contains(field.offsets.reversed().reduce(0) { $0 << 8 | UInt64(head[$1]) })
      }
  }

  /// Fields of one byte: whether the file is initialized, sizes of mutexes and of condition variables, whether a writer
  /// is in its critical phase, file format, history type, marks of sync agent and daemon.
  private static let bytes: [(offset: Int, range: ClosedRange<UInt8>)] = [
    (0, 0...1), (1, 1...128), (2, 1...128), (3, 0...1), (4, 0...64), (5, 0...8), (40, 0...1), (41, 0...1), (42, 0...1),
  ]

  /// Layout version, durability, write slots, participants, latest version, number of versions, history schema version.
  private static let numbers: [(offsets: Range<Int>, range: ClosedRange<UInt64>)] = [
    (6..<8, 5...64), (8..<10, 0...3), (10..<12, 0...255), (12..<16, 0...1 << 20), (16..<24, 0...1 << 62),
    (32..<40, 0...1 << 32), (44..<46, 0...255),
  ]
}

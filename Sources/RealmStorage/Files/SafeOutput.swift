import Libc
import RealmSystem

/// What an output may do to an existing file of its name.
package enum OutputReplacement: Hashable, Sendable {
  /// Nothing: the name must be free, even when the output is complete.
  case never
  /// Replace it.
  case any
  /// Replace it if it is still this one, and may be written.
  case only(FileIdentity)
}

/// A file that appears under its name when it is complete, or not at all: the one way in which this library writes
/// files.
///
/// It is written under a temporary name in the folder of its destination, synced and renamed; the folder is synced as
/// well, so that the file survives a power cut once `publish` has returned. If the name is a symbolic link, the link
/// stays and its target is replaced. An output that is released before `publish`, or a process that
/// `UnfinishedOutputs.signalHandler` ends, leaves nothing behind; what a killed run left is removed by the next output
/// to the same place.
///
/// Three kinds of files are never replaced, whatever the caller asks for: an input, a realm that an app has open, a lock
/// file.
///
/// Nobody may read or write a new file who could not do the same with every input it was made from. A file that replaces
/// another takes over its owner, permissions and extended attributes: they were chosen for the name. A private one does
/// not.
///
/// Standard output, devices and pipes are written to directly, front to back.
///
/// ```swift
/// let output = try SafeOutput(at: "people.json", replacing: .never, inputs: ["people.realm"])
/// try output.write(bytes)
/// try output.close()
/// try output.publish()
/// ```
package final class SafeOutput: @unchecked Sendable {
  /// As given; `-` for standard output.
  package let path: String
  /// Whether bytes are passed on as they come, so that they can only be written in order, and not be read again.
  package let isStream: Bool
  /// Where the bytes are until `publish`; nil for streams and afterwards.
  package var temporaryPath: String? { temporary?.path }
  /// Other names that lead to the file that is replaced; they keep the old content.
  package var otherNameCount: UInt64 { (replaced?.access.linkCount ?? 1) &- 1 }
  /// Bytes that `write(_:)` was given.
  package private(set) var byteCount: UInt64 = 0
  /// Called with the bytes that `write(_:)` has written; for a stream, with all of them in order.
  package var observer: (UnsafeRawBufferPointer) -> Void = { _ in }

  private let calls: any OutputCalls
  private let replacement: OutputReplacement
  private let isDurable: Bool
  private let place: OutputPath?
  private let replaced: ReplacedFile?
  /// Another file whose owner, permissions and attributes this one gets.
  private let model: ReplacedFile?
  /// Whether it takes nothing over from a file that it replaces.
  /// Whether the file takes nothing over from one that it replaces.
  private var isPrivate = false
  private var descriptor: Int32
  /// Nil for streams, and once the file has its name.
  private var temporary: (path: String, entry: UnfinishedOutputs.Entry)?

  /// - Parameters:
  ///   - inputs: files that the output is made from, `-` for standard input: they must not be replaced, whatever their
  ///     names, and only those who may use all of them may use a new file.
  ///   - resembling: a file whose owner, permissions and extended attributes a new one gets.
  ///   - family: the name of the file that this one belongs to, such as the realm of a backup, if its own name differs
  ///     from run to run: that is how the next run finds what a killed one left.
  ///   - expectedByteCount: size of the output, as far as known; 0 if unknown.
  ///   - isDurable: false lets the system decide when the bytes reach the disk.
  /// - Throws: `OutputError`.
  package convenience init(
    at path: String, replacing replacement: OutputReplacement, inputs: [String] = [], resembling model: String? = nil,
    family: String? = nil, expectedByteCount: UInt64 = 0, isDurable: Bool = true
  ) throws(OutputError) {
    try self.init(
      at: path, replacing: replacement, inputs: inputs, resembling: model, family: family,
      expectedByteCount: expectedByteCount, isDurable: isDurable, calls: FileBackend.calls)
  }

  /// Standard output.
  package static func standardOutput() -> SafeOutput { SafeOutput(calls: FileBackend.calls) }

  /// Which file standard output is; nil if it is closed.
  package static var standardOutputIdentity: FileIdentity? {
    (try? FileBackend.calls.status(of: standardOutputDescriptor))?.identity
  }

  /// Whether a path leads to the pipe or device that standard output is.
  package static func isStandardOutput(_ path: String) -> Bool {
    guard let status = try? FileBackend.calls.status(ofPath: path), case .special = status.kind else { return false }
    return status.identity == standardOutputIdentity
  }

  init(calls: any OutputCalls) {
    (path, replacement, isDurable, self.calls) = ("-", .never, false, calls)
    (isStream, place, replaced, model, descriptor) = (true, nil, nil, nil, Self.standardOutputDescriptor)
  }

  /// - Parameters:
  ///   - location: the path where the file is made, if messages are to name another.
  ///   - removesLeftovers: false if there can be none, so that the folder need not be looked through.
  init(
    at path: String, location: String? = nil, replacing replacement: OutputReplacement, inputs: [String] = [],
    resembling model: String? = nil, family: String? = nil, expectedByteCount: UInt64 = 0, isDurable: Bool = true,
    removesLeftovers: Bool = true, calls: any OutputCalls
  ) throws(OutputError) {
    self.path = path
    self.calls = calls
    self.replacement = replacement
    self.isDurable = isDurable
    let place = try OutputPath(location ?? path, family: family, calls: calls)
    self.place = place
    if removesLeftovers { Leftovers.remove(beside: place, calls: calls) }
    var modelFile: ReplacedFile?
    if let model { modelFile = try ReplacedFile(OutputPath(model, calls: calls).target, path: model, calls: calls) }
    self.model = modelFile
    switch try Self.occupant(of: place, path, replacement, inputs, calls) {
    case .stream:
      (isStream, replaced) = (true, nil)
      descriptor = try Self.openedStream(at: place, path, calls)
      return
    case .file(let file): replaced = file
    case nil: replaced = nil
    }
    isStream = false
    try Self.requireSpace(expectedByteCount, at: place, path, calls)
    var isForeign = false
    if let replaced, modelFile == nil { isForeign = try Self.isForeign(replaced, at: place, path, replacement, calls) }
    isPrivate = isForeign
    let openness =
      isForeign || (replaced ?? modelFile) == nil ? OutputOpenness(of: inputs, calls) : .closed
    let made = try Self.makeTemporary(at: place, path, openness, calls)
    descriptor = made.descriptor
    temporary = (made.path, made.entry)
  }

  deinit { abandon() }

  /// Whether a file that is replaced hands on nothing: what another user puts where everybody can may wait there for what
  /// is written, as links and pipes may. A change in place keeps the owner.
  private static func isForeign(
    _ file: ReplacedFile, at place: OutputPath, _ path: String, _ replacement: OutputReplacement,
    _ calls: any OutputCalls
  ) throws(OutputError) -> Bool {
    if case .only = replacement { return false }
    do throws(SystemCallError) {
      return try !OutputPath.mayUse(ownedBy: file.access.owner, at: place.target, calls)
    } catch { throw OutputError(path, error) }
  }

  static let standardOutputDescriptor: Int32 = 1

  /// Makes the file one that only this user may use, whatever it is made from. If it takes the place of another, it has
  /// nothing of that one, whose owner may be somebody else. A change in place, and one that resembles another, still
  /// takes over that file's permissions. Called before anything is written.
  ///
  /// - Throws: `OutputError.systemCall`.
  package func makePrivate() throws(OutputError) {
    guard !isStream, model == nil else { return }
    if case .only = replacement { return }
    isPrivate = true
    do throws(SystemCallError) { try calls.setMode(of: descriptor, 0o600) } catch { throw OutputError(path, error) }
  }

  /// Opens a pipe or device, which waits for a pipe's reader, and looks again at what was opened.
  private static func openedStream(
    at place: OutputPath, _ path: String, _ calls: any OutputCalls
  ) throws(OutputError) -> Int32 {
    let descriptor: Int32
    do throws(SystemCallError) { descriptor = try calls.opened(place.target, .device) } catch {
      throw OutputError(path, error)
    }
    do throws(OutputError) {
      let status: FileStatus
      do throws(SystemCallError) { status = try calls.status(of: descriptor) } catch { throw OutputError(path, error) }
      guard case .special = status.kind else { throw .changedMeanwhile(path: path) }
      try requireOurs(status, at: place, path, calls)
      return descriptor
    } catch {
      calls.close(descriptor)
      throw error
    }
  }

  private static func requireOurs(
    _ pipe: FileStatus, at place: OutputPath, _ path: String, _ calls: any OutputCalls
  ) throws(OutputError) {
    let isOurs: Bool
    do throws(SystemCallError) {
      isOurs = try OutputPath.mayUse(ownedBy: pipe.owner, at: place.target, calls)
    } catch { throw OutputError(path, error) }
    guard isOurs else { throw .pipeOfAnother(path: path) }
  }

  // MARK: Writing

  /// Writes where the last call ended.
  ///
  /// - Throws: `OutputError.systemCall`.
  package func write(_ bytes: UnsafeRawBufferPointer) throws(OutputError) {
    do throws(SystemCallError) {
      if isStream {
        try calls.writeFully(descriptor, bytes)
      } else {
        try calls.writeFully(descriptor, bytes, at: byteCount)
      }
    } catch { throw OutputError(path, error) }
    byteCount &+= UInt64(bytes.count)
    observer(bytes)
  }

  /// Writes at a place. Not for streams. Any number of threads may call it at the same time.
  func writeInFile(_ bytes: UnsafeRawBufferPointer, at offset: UInt64) throws(OutputError) {
    do throws(SystemCallError) {
      try calls.writeFully(descriptor, bytes, at: offset)
    } catch { throw OutputError(path, error) }
  }

  /// Ends writing: gives the file its attributes and syncs it. Several outputs can be closed first and published
  /// together.
  ///
  /// - Throws: `OutputError`.
  package func close() throws(OutputError) {
    guard temporary != nil, descriptor >= 0 else { return }
    if !isPrivate { try (replaced ?? model)?.apply(to: descriptor, path: path, calls: calls) }
    guard isDurable else { return }
    do throws(SystemCallError) {
      try calls.uninterrupted { () throws(SystemCallError) in try calls.synchronize(descriptor) }
    } catch { throw OutputError(path, error) }
  }

  /// Makes the closed file appear.
  ///
  /// - Returns: false if the folder could not be synced, so that the old file may be back after a power cut.
  /// - Throws: `OutputError`; then there is no file, or still the old one.
  @discardableResult
  package func publish() throws(OutputError) -> Bool {
    guard let place, let temporary else { return true }
    try requireSameOccupant(at: place)
    let access = try accessToReplacedFile(at: place)
    defer { access?.release() }
    try UnfinishedOutputs.publishing { () throws(OutputError) in
      do throws(SystemCallError) {
        if replaced != nil {
          try calls.rename(temporary.path, to: place.target)
        } else {
          try giveName(place.target, to: temporary.path)
        }
      } catch {
        throw error.isExisting ? .exists(path: path) : OutputError(path, error)
      }
      UnfinishedOutputs.forget(temporary.entry)
      self.temporary = nil
    }
    closeDescriptor()
    return isDurable ? syncFolder(of: place) : true
  }

  /// Gives a name that must be free.
  private func giveName(_ target: String, to path: String) throws(SystemCallError) {
    do throws(SystemCallError) { return try calls.renameExclusively(path, to: target) } catch {
      guard error.isNotSupported else { throw error }
    }
    do throws(SystemCallError) {
      // Unlike a rename, a link fails if a file of that name has appeared meanwhile.
      try calls.link(path, to: target)
      try? calls.unlink(path)
      return
    } catch {
      guard error.isLinkRefused else { throw error }
    }
    // On a file system without links, an empty file reserves the name for the moment in between.
    calls.close(try calls.open(target, .create(mode: 0o600)))
    do throws(SystemCallError) { try calls.rename(path, to: target) } catch {
      try? calls.unlink(target)
      throw error
    }
  }

  private func syncFolder(of place: OutputPath) -> Bool {
    do throws(SystemCallError) {
      let folder = try calls.opened(place.folder, .folder)
      defer { calls.close(folder) }
      try calls.uninterrupted { () throws(SystemCallError) in try calls.synchronize(folder) }
      return true
    } catch {
      // Not every file system has that for folders.
      return error.isNotSupported
    }
  }

  /// Removes a published file again, because another file of the same set could not be published. One that replaced an
  /// older file stays: the older one cannot be brought back.
  package func withdraw() {
    guard !isStream, temporary == nil, replaced == nil, let place else { return }
    try? calls.unlink(place.target)
  }

  /// Gives up: removes what was written.
  package func abandon() {
    if let temporary {
      try? calls.unlink(temporary.path)
      UnfinishedOutputs.forget(temporary.entry)
      self.temporary = nil
    }
    closeDescriptor()
  }

  /// The temporary file stays. Other runs may take it for a leftover from now on.
  func closeDescriptor() {
    guard descriptor >= 0, descriptor != Self.standardOutputDescriptor else { return }
    calls.close(descriptor)
    descriptor = -1
  }
}

// MARK: - Before anything is written

extension SafeOutput {
  /// Checks whether an output could be written, without creating anything: for dry runs, and before long work.
  ///
  /// - Throws: `OutputError`, as `init` does.
  package static func check(
    at path: String, replacing replacement: OutputReplacement, inputs: [String] = [], expectedByteCount: UInt64 = 0
  ) throws(OutputError) {
    let calls = FileBackend.calls
    let place = try OutputPath(path, calls: calls)
    if case .stream = try occupant(of: place, path, replacement, inputs, calls) { return }
    do throws(SystemCallError) { try calls.requireWritable(folder: place.folder) } catch {
      throw error.problem == .missing ? .folderMissing(path: path) : OutputError(path, error)
    }
    try requireSpace(expectedByteCount, at: place, path, calls)
  }

  /// The target of a path with symbolic links followed; the path itself if they lead nowhere.
  package static func destination(of path: String) -> String {
    (try? OutputPath(path, calls: FileBackend.calls).target) ?? path
  }

  /// Whether the name is that of a device or pipe: bytes written there cannot be taken back.
  package static func isStream(_ path: String) -> Bool {
    guard let place = try? OutputPath(path, calls: FileBackend.calls),
      case .special? = (try? FileBackend.calls.status(ofPath: place.target))?.kind
    else { return false }
    return true
  }

  /// Whether a path leads to a folder.
  package static func isFolder(_ path: String) -> Bool {
    (try? FileBackend.calls.status(ofPath: path))?.kind == .directory
  }

  /// Whether nothing is at a path.
  package static func isMissing(_ path: String) -> Bool {
    do throws(SystemCallError) {
      _ = try FileBackend.calls.status(ofPath: path)
      return false
    } catch {
      return error.number == ENOENT
    }
  }

  /// The names in a folder, in no order.
  ///
  /// - Throws: `SystemCallError`.
  package static func names(inFolder path: String) throws(SystemCallError) -> [String] {
    let calls = FileBackend.calls
    let folder = try calls.opened(path, .folder)
    defer { calls.close(folder) }
    return try calls.names(in: folder)
  }

  /// Whether there is anything under a name.
  package static func isNameTaken(_ path: String) -> Bool { (try? FileBackend.calls.kind(ofName: path)) != nil }

  private enum Occupant {
    case stream
    case file(ReplacedFile)
  }

  /// The file that has the name now. Every output passes through here, so that no command can replace what must stay.
  private static func occupant(
    of place: OutputPath, _ path: String, _ replacement: OutputReplacement, _ inputs: [String],
    _ calls: any OutputCalls
  ) throws(OutputError) -> Occupant? {
    guard !place.links.contains(where: SideFileName.isLockFile) else { throw .isLockFile(path: path) }
    let status: FileStatus
    do throws(SystemCallError) { status = try calls.status(ofPath: place.target) } catch {
      guard error.problem == .missing else { throw OutputError(path, error) }
      return nil
    }
    // A file that is changed in place is also an input; another file of its name means that it was replaced.
    if case .only(let identity) = replacement {
      guard identity == status.identity else { throw .changedMeanwhile(path: path) }
    } else {
      for input in inputs where OutputOpenness.status(of: input, calls)?.identity == status.identity {
        throw .isInput(path: path)
      }
    }
    switch status.kind {
    case .directory: throw .isDirectory(path: path)
    case .special(.socket): throw .notARegularFile(path: path)
    case .special:
      try requireOurs(status, at: place, path, calls)
      return .stream
    case .regular, .symbolicLink: break
    }
    switch replacement {
    case .never: throw .exists(path: path)
    case .any:
      try requireNotHeld(place, path)
      try requireLockFiles(place, calls)
      return .file(try ReplacedFile(place.target, path: path, calls: calls))
    case .only: return .file(try ReplacedFile(place.target, path: path, opening: .existing, calls: calls))
    }
  }

  /// Refuses to replace a realm that an app has open.
  private static func requireNotHeld(_ place: OutputPath, _ path: String) throws(OutputError) {
    guard let name = place.links.first, case .processes(let holders) = LockHolders.of(realm: name), !holders.isEmpty
    else { return }
    throw .access(.inUse(path: path, holders: .processes(holders)))
  }

  /// Refuses if something other than a lock file has a lock file's name: the lock could not be taken in the end.
  /// Neither that file nor the realm next to it is changed.
  private static func requireLockFiles(_ place: OutputPath, _ calls: any OutputCalls) throws(OutputError) {
    for name in place.links {
      do throws(AccessError) {
        try LockFile.check(SideFileName.lockFile(of: name), of: place.target, calls: calls)
      } catch { throw .access(error) }
    }
  }

  /// Keeps apps from opening a realm at the moment it is replaced. Nil for a change in place, for which the caller
  /// holds the lock, and without a lock file: then nobody has the realm open, and the file may not even be a realm.
  private func accessToReplacedFile(at place: OutputPath) throws(OutputError) -> ExclusiveAccess? {
    guard replaced != nil, replacement == .any else { return nil }
    guard try hasLockFile(place) else { return nil }
    do { return try ExclusiveAccess(toRealm: path, calls: calls) } catch {
      guard let error = error as? AccessError else { throw error as? OutputError ?? .changedMeanwhile(path: path) }
      throw .access(error)
    }
  }

  private func hasLockFile(_ place: OutputPath) throws(OutputError) -> Bool {
    for name in place.links {
      do throws(SystemCallError) {
        _ = try calls.kind(ofName: SideFileName.lockFile(of: name))
        return true
      } catch {
        guard error.problem == .missing else { throw OutputError(path, error) }
      }
    }
    return false
  }

  private static func requireSpace(
    _ needed: UInt64, at place: OutputPath, _ path: String, _ calls: any OutputCalls
  ) throws(OutputError) {
    // If the file system does not tell, there may be enough space.
    guard needed > 0, let available = try? calls.freeSpace(inFolder: place.folder) else { return }
    guard available >= needed else { throw .noSpace(path: path, needed: needed, available: available) }
  }

  private static func makeTemporary(
    at place: OutputPath, _ path: String, _ openness: OutputOpenness, _ calls: any OutputCalls
  ) throws(OutputError) -> (path: String, entry: UnfinishedOutputs.Entry, descriptor: Int32) {
    for attempt in 0..<100 {
      let name = place.temporary(process: calls.processID, attempt: attempt)
      let made: (descriptor: Int32, entry: UnfinishedOutputs.Entry)
      do throws(SystemCallError) {
        // Atomic with respect to signals: an existing file must not be taken for one of this output.
        made = try UnfinishedOutputs.creating { () throws(SystemCallError) in
          let descriptor = try calls.opened(name, .create(mode: openness.mode))
          return (descriptor, UnfinishedOutputs.add(name))
        }
      } catch {
        guard !error.isExisting else { continue }
        throw error.problem == .missing ? .folderMissing(path: path) : OutputError(path, error)
      }
      do throws(SystemCallError) {
        if try isOurs(made.descriptor, calls) {
          try openness.narrow(made.descriptor, calls)
          return (name, made.entry, made.descriptor)
        }
      } catch {
        try? calls.unlink(name)
        UnfinishedOutputs.forget(made.entry)
        calls.close(made.descriptor)
        throw OutputError(path, error)
      }
      UnfinishedOutputs.forget(made.entry)
      calls.close(made.descriptor)
    }
    throw .exists(path: path)
  }

  /// Marks a temporary file as being written. False if another run took it for a leftover in the moment before.
  private static func isOurs(_ descriptor: Int32, _ calls: any OutputCalls) throws(SystemCallError) -> Bool {
    do throws(SystemCallError) {
      try calls.uninterrupted { () throws(SystemCallError) in try calls.lock(descriptor) }
    } catch {
      guard !error.wouldBlock else { return false }
      // Without the mark, the next output of this run would take the file for a leftover.
      guard !error.isDiskFailure else { throw error }
      // On a file system without locks, the process number in the name must suffice.
      return true
    }
    return (try? calls.access(of: descriptor).linkCount) != 0
  }

  /// - Throws: `changedMeanwhile` if the file to be replaced is no longer the same.
  private func requireSameOccupant(at place: OutputPath) throws(OutputError) {
    guard case .only(let identity) = replacement else { return }
    let occupant: FileIdentity
    do throws(SystemCallError) { occupant = try calls.status(ofPath: place.target).identity } catch {
      throw error.problem == .missing ? .changedMeanwhile(path: path) : OutputError(path, error)
    }
    guard replaced?.identity == identity, occupant == identity else { throw .changedMeanwhile(path: path) }
  }
}

/// The destination of a new realm's bytes.
protocol OutputBytes: AnyObject, Sendable {
  /// Whether bytes must be written in order. Otherwise any thread may write at any place.
  var isStream: Bool { get }

  /// - Parameter offset: their place in the file. A stream must already be at this place.
  func write(_ bytes: UnsafeRawBufferPointer, at offset: UInt64) throws(OutputError)
}

extension SafeOutput: OutputBytes {
  func write(_ bytes: UnsafeRawBufferPointer, at offset: UInt64) throws(OutputError) {
    if isStream { try write(bytes) } else { try writeInFile(bytes, at: offset) }
  }
}

/// Drops all bytes, for a run that only wants to know how many there are.
final class DiscardedBytes: OutputBytes {
  let isStream = false
  func write(_ bytes: UnsafeRawBufferPointer, at offset: UInt64) throws(OutputError) {}
}

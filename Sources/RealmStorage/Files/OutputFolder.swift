import RealmSystem

/// A folder of new files that appear together when all are complete, or not at all.
///
/// A new folder is filled under a temporary name and then gets its own, in one step. A folder that exists keeps what
/// else is in it; its files get their names one after the other, each complete. If the object is released before
/// `publish`, nothing is left, not even the new folder.
package final class OutputFolder {
  package let path: String
  private let place: OutputPath
  private let replacement: OutputReplacement
  private let inputs: [String]
  private let isPrivate: Bool
  private var names: [String] = []
  private let calls: any OutputCalls
  /// The files, in the order in which they were made.
  package private(set) var files: [SafeOutput] = []
  /// Whether killed runs may have left something in the folder: looked up once, not for each of thousands of files.
  private var mayHaveLeftovers = false
  /// Set while the folder does not have its name.
  private var temporary: TemporaryFolder?

  private struct TemporaryFolder {
    let path: String
    let entry: UnfinishedOutputs.Entry
    /// Locked, which marks the folder as being filled.
    let descriptor: Int32
    /// Where the names of its files are, each with a zero byte: what the next run may remove if this one is killed.
    let list: (name: String, entry: UnfinishedOutputs.Entry, descriptor: Int32)
  }

  /// How many files stay open, and so keep the lock that marks them as being written.
  private static let mostMarkedFiles = 200

  /// - Parameters:
  ///   - replacement: for each file; it takes effect when the files appear.
  ///   - inputs: files that must not be replaced.
  ///   - isPrivate: whether nobody but their owner may use new files.
  /// - Throws: `OutputError`.
  package convenience init(
    at path: String, replacing replacement: OutputReplacement, inputs: [String], isPrivate: Bool = false
  ) throws(OutputError) {
    try self.init(
      at: path, replacing: replacement, inputs: inputs, isPrivate: isPrivate, calls: FileBackend.calls)
  }

  init(
    at path: String, replacing replacement: OutputReplacement, inputs: [String], isPrivate: Bool = false,
    calls: any OutputCalls
  ) throws(OutputError) {
    (self.path, self.replacement, self.inputs, self.calls) = (path, replacement, inputs, calls)
    self.isPrivate = isPrivate
    let place = try OutputPath(Self.withoutSlashes(path), calls: calls)
    self.place = place
    Leftovers.remove(beside: place, calls: calls)
    let kind: FileStatus.Kind
    do throws(SystemCallError) { kind = try calls.status(ofPath: place.target).kind } catch {
      guard error.problem == .missing else { throw OutputError(path, error) }
      let openness = isPrivate ? OutputOpenness.closed : OutputOpenness(of: inputs, calls)
      temporary = try Self.makeTemporary(at: place, path, openness, calls)
      return
    }
    guard kind == .directory else { throw .notADirectory(path: path) }
    mayHaveLeftovers = Leftovers.areExpected(in: place.target, calls: calls)
    if mayHaveLeftovers, let list = try? OutputPath(Self.join(path, OutputPath.listFamily), calls: calls) {
      Leftovers.remove(beside: list, calls: calls)
    }
  }

  deinit { abandon() }

  private static func withoutSlashes(_ path: String) -> String {
    let name = path.utf8.reversed().drop { $0 == UInt8(ascii: "/") }
    return name.isEmpty ? path : String(decoding: name.reversed(), as: UTF8.self)
  }

  // MARK: Files

  /// Starts a file; it is closed before the next one is started.
  package func makeFile(named name: String) throws(OutputError) -> SafeOutput {
    try closeLastFile()
    if let temporary {
      let written = (SystemText.bytes(of: name) + [0]).withUnsafeBytes { bytes in
        Result { () throws(SystemCallError) in try calls.writeFully(temporary.list.descriptor, bytes) }
      }
      do throws(SystemCallError) { try written.get() } catch { throw OutputError(path, error) }
    }
    names.append(name)
    let file = try SafeOutput(
      at: Self.join(path, name), location: Self.join(temporary?.path ?? path, name), replacing: replacement,
      inputs: inputs, removesLeftovers: mayHaveLeftovers, calls: calls)
    if isPrivate { try file.makePrivate() }
    files.append(file)
    return file
  }

  private static func join(_ folder: String, _ name: String) -> String {
    folder.hasPathSuffix("/") ? folder + name : folder + "/" + name
  }

  private func closeLastFile() throws(OutputError) {
    guard let file = files.last else { return }
    try file.close()
    if files.count > Self.mostMarkedFiles { file.closeDescriptor() }
  }

  // MARK: Temporary folder

  private static func makeTemporary(
    at place: OutputPath, _ path: String, _ openness: OutputOpenness, _ calls: any OutputCalls
  ) throws(OutputError) -> TemporaryFolder {
    for attempt in 0..<100 {
      let name = place.temporary(process: calls.processID, attempt: attempt)
      let entry: UnfinishedOutputs.Entry
      do throws(SystemCallError) {
        // Atomic with respect to signals: an existing folder must not be taken for one of this output.
        entry = try UnfinishedOutputs.creating { () throws(SystemCallError) in
          try calls.makeFolder(name, mode: openness.folderMode)
          return UnfinishedOutputs.add(name, isFolder: true)
        }
      } catch {
        guard !error.isExisting else { continue }
        throw error.problem == .missing ? .folderMissing(path: path) : OutputError(path, error)
      }
      if let folder = try marked(name, entry, path, openness, calls) { return folder }
    }
    throw .exists(path: path)
  }

  /// Marks a temporary folder as being filled, and as made by this program.
  ///
  /// - Returns: nil if another run took it for a leftover in the moment before.
  private static func marked(
    _ name: String, _ entry: UnfinishedOutputs.Entry, _ path: String, _ openness: OutputOpenness,
    _ calls: any OutputCalls
  ) throws(OutputError) -> TemporaryFolder? {
    var opened: Int32?
    do throws(SystemCallError) {
      let descriptor = try calls.opened(name, .folder)
      opened = descriptor
      do throws(SystemCallError) {
        try calls.uninterrupted { () throws(SystemCallError) in try calls.lock(descriptor) }
      } catch {
        // On a file system without locks, the process number in the name must suffice.
        guard !error.wouldBlock else { throw error }
      }
      if try calls.kind(ofName: name) == .file(calls.status(of: descriptor).identity) {
        try openness.narrow(descriptor, isFolder: true, calls)
        let list = try makeList(OutputPath.list(ofFolder: SystemText.split(name).name), in: descriptor, name, calls)
        return TemporaryFolder(path: name, entry: entry, descriptor: descriptor, list: list)
      }
    } catch {
      if let opened { calls.close(opened) }
      if error.wouldBlock || error.problem == .missing {
        UnfinishedOutputs.forget(entry)
        return nil
      }
      try? calls.removeFolder(name)
      UnfinishedOutputs.forget(entry)
      throw OutputError(path, error)
    }
    if let opened { calls.close(opened) }
    UnfinishedOutputs.forget(entry)
    return nil
  }

  private static func makeList(
    _ name: String, in folder: Int32, _ path: String, _ calls: any OutputCalls
  ) throws(SystemCallError) -> (name: String, entry: UnfinishedOutputs.Entry, descriptor: Int32) {
    try UnfinishedOutputs.creating { () throws(SystemCallError) in
      let descriptor = try calls.opened(name, in: folder, .create(mode: 0o600))
      return (name, UnfinishedOutputs.add(join(path, name)), descriptor)
    }
  }

  // MARK: End

  /// Makes the files appear.
  ///
  /// - Throws: `OutputError`; then none of the new files exists. In a folder that existed before, files that replaced
  ///   others stay.
  package func publish() throws(OutputError) {
    try closeLastFile()
    try UnfinishedOutputs.publishing { () throws(OutputError) in
      try publishFiles()
      guard let temporary else { return }
      do throws(SystemCallError) {
        try giveName(to: temporary)
      } catch {
        throw error.isExisting ? .exists(path: path) : OutputError(path, error)
      }
      removeList(temporary)
      close(temporary)
    }
    syncParent()
  }

  private func publishFiles() throws(OutputError) {
    for (index, file) in files.enumerated() {
      do throws(OutputError) { try file.publish() } catch {
        for published in files[..<index] { published.withdraw() }
        throw error
      }
    }
  }

  private func giveName(to folder: TemporaryFolder) throws(SystemCallError) {
    try calls.uninterrupted { () throws(SystemCallError) in try calls.synchronize(folder.descriptor) }
    do throws(SystemCallError) { return try calls.renameExclusively(folder.path, to: place.target) } catch {
      guard error.isNotSupported else { throw error }
    }
    // Replaces an empty folder at most.
    try calls.rename(folder.path, to: place.target)
  }

  /// If that fails, the folder may be missing after a power cut; nothing else has changed.
  private func syncParent() {
    guard let parent = try? calls.opened(place.folder, .folder) else { return }
    defer { calls.close(parent) }
    try? calls.uninterrupted { () throws(SystemCallError) in try calls.synchronize(parent) }
  }

  private func abandon() {
    // The temporary files go first, also the one that somebody still writes.
    for file in files { file.abandon() }
    files = []
    guard let temporary else { return }
    // Some may have got their own names. Descriptors for looking may be short, and names are known.
    for name in names { try? calls.unlink(name, in: temporary.descriptor) }
    removeList(temporary)
    if let status = try? calls.status(of: temporary.descriptor),
      (try? calls.kind(ofName: temporary.path)) == .file(status.identity)
    {
      try? calls.removeFolder(temporary.path)
    }
    close(temporary)
  }

  private func removeList(_ folder: TemporaryFolder) { try? calls.unlink(folder.list.name, in: folder.descriptor) }

  private func close(_ folder: TemporaryFolder) {
    for entry in [folder.list.entry, folder.entry] { UnfinishedOutputs.forget(entry) }
    for descriptor in [folder.list.descriptor, folder.descriptor] { calls.close(descriptor) }
    temporary = nil
  }
}

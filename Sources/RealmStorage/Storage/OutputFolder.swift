/// A folder of new files that appear together when all are complete, or not at all.
///
/// The folder may exist; what else is in it stays. Let go before `publish`, it leaves nothing behind, and no folder
/// that was not there before.
public final class OutputFolder {
  public let path: String
  private let replacement: OutputReplacement
  private let inputs: [String]
  private let calls: any OutputCalls
  /// The files, in the order in which they were made.
  public private(set) var files: [SafeOutput] = []
  /// Set when the folder was made for this output.
  private var entry: UnfinishedOutputs.Entry?

  /// Files that keep their descriptors, and with them the mark that they are being written.
  private static let mostMarkedFiles = 200

  /// - Parameters:
  ///   - replacement: for each file; it takes effect when the files appear.
  ///   - inputs: files that must not be replaced.
  /// - Throws: `OutputError`.
  public convenience init(at path: String, replacing replacement: OutputReplacement, inputs: [String])
    throws(OutputError)
  {
    try self.init(at: path, replacing: replacement, inputs: inputs, calls: FileBackend.calls)
  }

  init(at path: String, replacing replacement: OutputReplacement, inputs: [String], calls: any OutputCalls)
    throws(OutputError)
  {
    (self.path, self.replacement, self.inputs, self.calls) = (path, replacement, inputs, calls)
    do throws(SystemCallError) {
      // One step for a signal: a folder that was there before must not be taken for this output's.
      entry = try UnfinishedOutputs.publishing { () throws(SystemCallError) in
        try calls.makeFolder(path)
        return UnfinishedOutputs.add(path, isFolder: true)
      }
    } catch {
      if error.problem == .missing { throw .folderMissing(path: path) }
      guard error.isExisting else { throw OutputError(path, error) }
      guard (try? calls.status(ofPath: path))?.kind == .directory else { throw .notADirectory(path: path) }
    }
  }

  deinit {
    // The temporary files go first.
    files = []
    if let entry {
      try? calls.removeFolder(path)
      UnfinishedOutputs.forget(entry)
    }
  }

  /// Starts a file; it is closed before the next one is started.
  public func makeFile(named name: String) throws(OutputError) -> SafeOutput {
    try closeLastFile()
    let separator = path.hasSuffix("/") ? "" : "/"
    let file = try SafeOutput(at: path + separator + name, replacing: replacement, inputs: inputs, calls: calls)
    files.append(file)
    return file
  }

  /// Makes the files appear.
  public func publish() throws(OutputError) {
    try closeLastFile()
    if let entry {
      UnfinishedOutputs.forget(entry)
      self.entry = nil
    }
    for file in files { try file.publish() }
  }

  private func closeLastFile() throws(OutputError) {
    guard let file = files.last else { return }
    try file.close()
    if files.count > Self.mostMarkedFiles { file.closeDescriptor() }
  }
}

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// A folder of new files that appear together when all are complete, or not at all.
///
/// The folder may exist; what else is in it stays. Let go before `publish`, it leaves nothing behind, and no folder
/// that was not there before.
public final class OutputFolder {
  public let path: String
  private let isReplacing: Bool
  private let inputs: [String]
  /// The files, in the order in which they were made.
  public private(set) var files: [OutputFile] = []
  /// Set when the folder was made for this output.
  private var entry: UnfinishedOutputs.Entry?

  /// - Parameters:
  ///   - replacing: whether files may exist; they are replaced by `publish`, and only then.
  ///   - inputs: files that must not be replaced.
  public init(at path: String, replacing: Bool, inputs: [String]) throws(OutputError) {
    self.path = path
    isReplacing = replacing
    self.inputs = inputs
    let entry = UnfinishedOutputs.add(path, isFolder: true)
    if mkdir(path, 0o777) == 0 {
      self.entry = entry
      return
    }
    let errorNumber = errno
    UnfinishedOutputs.forget(entry)
    switch errorNumber {
    case EEXIST:
      var status = stat()
      guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else { throw .notADirectory(path: path) }
    case ENOENT, ENOTDIR: throw .folderMissing(path: path)
    default: throw .systemCall(path: path, name: "mkdir", errorNumber: errorNumber)
    }
  }

  deinit {
    // The temporary files go first.
    files = []
    if let entry {
      rmdir(path)
      UnfinishedOutputs.forget(entry)
    }
  }

  /// Starts a file; it is closed before the next one is started.
  public func makeFile(named name: String) throws(OutputError) -> OutputFile {
    try files.last?.close()
    let separator = path.hasSuffix("/") ? "" : "/"
    let file = try OutputFile(at: path + separator + name, replacing: isReplacing, inputs: inputs)
    files.append(file)
    return file
  }

  /// Makes the files appear.
  public func publish() throws(OutputError) {
    try files.last?.close()
    if let entry {
      UnfinishedOutputs.forget(entry)
      self.entry = nil
    }
    for file in files { try file.publish() }
  }
}

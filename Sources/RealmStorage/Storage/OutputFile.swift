#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Why an output could not be written.
public enum OutputError: Error, Hashable, Sendable {
  /// There is a file of that name, and it was not to be replaced.
  case exists(path: String)
  /// It is the file that is being read.
  case isInput(path: String)
  case isDirectory(path: String)
  /// A folder was to be written, and there is something else of that name.
  case notADirectory(path: String)
  /// The folder of the output does not exist.
  case folderMissing(path: String)
  /// A call of the operating system failed, for instance with `ENOSPC`.
  case systemCall(path: String, name: String, errorNumber: Int32)
}

/// A new file that appears under its name when it is complete, or not at all.
///
/// It is written under a temporary name in the folder of its destination, synced and renamed; the folder is synced too,
/// so that the file outlives a power cut once `publish` has returned. Let go before that, or ended by a signal whose
/// handler calls `UnfinishedOutputs.removeAll()`, it leaves nothing behind. Devices and pipes are written to directly.
///
/// ```swift
/// let file = try OutputFile(at: "people.json", replacing: false, inputs: ["people.realm"])
/// try file.write(bytes)
/// try file.close()
/// try file.publish()
/// ```
public final class OutputFile {
  /// Where the file will be.
  public let path: String
  /// Bytes written so far.
  public private(set) var byteCount: UInt64 = 0
  /// The path with symbolic links followed, so that a link's target is replaced and not the link.
  private let target: String
  private let isReplacing: Bool
  private var descriptor: Int32
  /// Nil for devices and pipes, and once the file has its name.
  private var temporary: (path: String, entry: UnfinishedOutputs.Entry)?

  /// - Parameters:
  ///   - replacing: whether a file of that name may exist; it is replaced by `publish`, and only then.
  ///   - inputs: files that must not be replaced, whatever their names.
  public init(at path: String, replacing: Bool, inputs: [String]) throws(OutputError) {
    self.path = path
    isReplacing = replacing
    target = Self.resolved(path)
    var status = stat()
    let exists = stat(target, &status) == 0
    if exists {
      for input in inputs where Self.isSame(input, status) { throw .isInput(path: path) }
      switch status.st_mode & S_IFMT {
      case S_IFDIR: throw .isDirectory(path: path)
      case S_IFREG: if !replacing { throw .exists(path: path) }
      default:
        descriptor = open(target, O_WRONLY | O_CLOEXEC | O_NOCTTY)
        guard descriptor >= 0 else { throw .systemCall(path: path, name: "open", errorNumber: errno) }
        return
      }
    }
    let temporary = try Self.makeTemporary(for: target, path)
    descriptor = temporary.descriptor
    self.temporary = (temporary.path, temporary.entry)
    // Who could read the old file can read the new one, and nobody else.
    if exists { fchmod(descriptor, status.st_mode & 0o777) }
  }

  deinit {
    closeDescriptor()
    discard()
  }

  public func write(_ bytes: UnsafeRawBufferPointer) throws(OutputError) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = systemWrite(descriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
      if count >= 0 {
        rest = rest.dropFirst(count)
        byteCount &+= UInt64(count)
      } else if errno != EINTR {
        throw .systemCall(path: path, name: "write", errorNumber: errno)
      }
    }
  }

  /// All bytes are written: brings them to the disk. Several outputs can be closed first and published together.
  public func close() throws(OutputError) {
    guard descriptor >= 0 else { return }
    if temporary != nil, fsync(descriptor) != 0 {
      throw .systemCall(path: path, name: "fsync", errorNumber: errno)
    }
    closeDescriptor()
  }

  /// Makes the closed file appear.
  ///
  /// - Throws: `OutputError`; then there is no file, or the old one.
  public func publish() throws(OutputError) {
    guard let temporary else { return }
    if isReplacing {
      guard rename(temporary.path, target) == 0 else {
        throw .systemCall(path: path, name: "rename", errorNumber: errno)
      }
      UnfinishedOutputs.forget(temporary.entry)
      self.temporary = nil
    } else {
      try giveName(to: temporary.path)
    }
    Self.syncFolder(of: target)
  }

  /// Unlike a rename, a link fails where somebody has made a file of that name meanwhile.
  private func giveName(to temporaryPath: String) throws(OutputError) {
    if link(temporaryPath, target) == 0 { return discard() }
    switch errno {
    case EEXIST: throw .exists(path: path)
    case EPERM, ENOTSUP, EOPNOTSUPP, ENOSYS:
      // A file system without hard links.
      guard access(target, F_OK) != 0 else { throw .exists(path: path) }
      guard rename(temporaryPath, target) == 0 else {
        throw .systemCall(path: path, name: "rename", errorNumber: errno)
      }
      discard()
    default: throw .systemCall(path: path, name: "link", errorNumber: errno)
    }
  }

  // MARK: - Temporary file

  private static func makeTemporary(
    for target: String, _ path: String
  ) throws(OutputError) -> (path: String, entry: UnfinishedOutputs.Entry, descriptor: Int32) {
    let (folder, name) = split(target)
    for attempt in 0..<100 {
      // Names may have 255 bytes.
      let stem = String(decoding: name.utf8.prefix(200), as: UTF8.self)
      let temporaryPath = "\(folder).\(stem).realmctl-\(getpid())-\(attempt)"
      // Registered first: a signal may come right after the file is made. The name is this process's own.
      let entry = UnfinishedOutputs.add(temporaryPath)
      let descriptor = open(temporaryPath, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
      if descriptor >= 0 { return (temporaryPath, entry, descriptor) }
      let errorNumber = errno
      UnfinishedOutputs.forget(entry)
      switch errorNumber {
      case EEXIST: continue
      case ENOENT, ENOTDIR: throw .folderMissing(path: path)
      default: throw .systemCall(path: path, name: "open", errorNumber: errorNumber)
      }
    }
    throw .systemCall(path: path, name: "open", errorNumber: EEXIST)
  }

  private func closeDescriptor() {
    guard descriptor >= 0 else { return }
    _ = systemClose(descriptor)
    descriptor = -1
  }

  private func discard() {
    guard let temporary else { return }
    unlink(temporary.path)
    UnfinishedOutputs.forget(temporary.entry)
    self.temporary = nil
  }

  // MARK: - Paths

  private static func resolved(_ path: String) -> String {
    guard let resolved = realpath(path, nil) else { return path }
    defer { free(resolved) }
    return String(cString: resolved)
  }

  private static func isSame(_ input: String, _ status: stat) -> Bool {
    var other = stat()
    return stat(input, &other) == 0 && other.st_dev == status.st_dev && other.st_ino == status.st_ino
  }

  /// The folder with its slash, empty for the current one, and the name.
  private static func split(_ path: String) -> (folder: String, name: String) {
    guard let slash = path.lastIndex(of: "/") else { return ("", path) }
    let start = path.index(after: slash)
    return (String(path[..<start]), String(path[start...]))
  }

  private static func syncFolder(of path: String) {
    let folder = split(path).folder
    let descriptor = open(folder.isEmpty ? "." : folder, O_RDONLY | O_CLOEXEC | O_DIRECTORY)
    guard descriptor >= 0 else { return }
    // Not every file system can; the file itself is there.
    fsync(descriptor)
    _ = systemClose(descriptor)
  }
}

// The methods above carry the calls' names and would hide them.
private let systemWrite: @Sendable (Int32, UnsafeRawPointer?, Int) -> Int = { write($0, $1, $2) }
private let systemClose: @Sendable (Int32) -> Int32 = { close($0) }

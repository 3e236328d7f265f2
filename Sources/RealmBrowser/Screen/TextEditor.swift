import Libc

/// Lets the user edit a text with the program that VISUAL or EDITOR names, in a temporary file that nobody else can read
/// and that is gone afterwards.
enum TextEditor {
  private static var command: String {
    for name in ["VISUAL", "EDITOR"] {
      if let value = getenv(name).map({ String(cString: $0) }), !value.isEmpty { return value }
    }
    return "vi"
  }

  /// - Parameter isJSON: for the name of the file, by which editors know what is in it.
  static func edit(_ text: [UInt8], isJSON: Bool) -> Result<[UInt8], EditorFailure> {
    let parent = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
    var template = Array("\(parent)/realmctl.XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { return .failure(.file(errorNumber: errno)) }
    let folder = template.withUnsafeBufferPointer { $0.baseAddress.map { String(cString: $0) } ?? "" }
    let path = folder + (isJSON ? "/value.json" : "/value.txt")
    defer {
      unlink(path)
      rmdir(folder)
    }
    if let number = write(text, to: path) { return .failure(.file(errorNumber: number)) }
    guard let status = run(path) else { return .failure(.notStarted(command)) }
    guard status == 0 else {
      // What the shell says of a program that it does not find.
      return .failure(status == 127 ? .notStarted(command) : .status(status))
    }
    return read(path)
  }

  /// - Returns: the number of the error; nil where there was none.
  private static func write(_ text: [UInt8], to path: String) -> Int32? {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { return errno }
    defer { close(descriptor) }
    var done = 0
    while done < text.count {
      let count = text[done...].withUnsafeBytes { Libc.write(descriptor, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return errno }
      done += count
    }
    return nil
  }

  private static let mostBytes = 64 << 20

  private static func read(_ path: String) -> Result<[UInt8], EditorFailure> {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return .failure(.file(errorNumber: errno)) }
    defer { close(descriptor) }
    var (bytes, buffer) = ([UInt8](), [UInt8](repeating: 0, count: 1 << 16))
    while bytes.count < mostBytes {
      let count = Libc.read(descriptor, &buffer, buffer.count)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { return .failure(.file(errorNumber: errno)) }
      if count == 0 { return .success(bytes) }
      bytes += buffer[..<count]
    }
    return .failure(.file(errorNumber: EFBIG))
  }

  /// Runs the editor by a shell, as the names of editors have arguments.
  ///
  /// - Returns: its status; nil where it was not started, 128 and more where a signal ended it.
  private static func run(_ path: String) -> Int32? {
    // Keys that interrupt are the editor's.
    let (interrupt, quit) = (signal(SIGINT, SIG_IGN), signal(SIGQUIT, SIG_IGN))
    defer {
      signal(SIGINT, interrupt)
      signal(SIGQUIT, quit)
    }
    let line = ["sh", "-c", "exec \(command) \"$1\"", "sh", path]
    var words: [UnsafeMutablePointer<CChar>?] = line.map { (word: String) in strdup(word) }
    words.append(nil)
    defer { for word in words { free(word) } }
    var (process, status) = (pid_t(0), Int32(0))
    var attributes = posix_spawnattr_t()
    guard posix_spawnattr_init(&attributes) == 0 else { return nil }
    defer { posix_spawnattr_destroy(&attributes) }
    var defaults = sigset_t()
    sigemptyset(&defaults)
    for number in [SIGINT, SIGQUIT, SIGTSTP, SIGPIPE] { sigaddset(&defaults, number) }
    posix_spawnattr_setsigdefault(&attributes, &defaults)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF))
    guard posix_spawn(&process, "/bin/sh", nil, &attributes, words, environ) == 0 else { return nil }
    while waitpid(process, &status, 0) < 0 { guard errno == EINTR else { return nil } }
    return status & 0x7f == 0 ? (status >> 8) & 0xff : 128 + (status & 0x7f)
  }
}

import Libc
import RealmStorage
import RealmSystem
import RealmTerminal

/// The reader of our output is gone. This is not an error: `head` does it.
struct ClosedPipe: Error {}

/// Standard output: data, nothing else.
enum StandardOutput {
  /// Where it goes; tests read it in a file.
  @TaskLocal static var descriptor = STDOUT_FILENO

  static func write(_ text: String) throws {
    var text = text
    try text.withUTF8 { try write(UnsafeRawBufferPointer($0)) }
  }

  /// - Throws: `ClosedPipe`, or a `Diagnostic` with the system's reason.
  static func write(_ bytes: UnsafeRawBufferPointer) throws {
    do {
      try SystemFileCalls().writeFully(descriptor, bytes)
    } catch  where error.isClosedPipe {
      throw ClosedPipe()
    } catch {
      var diagnostic = Diagnostic(error, path: "standard output")
      // The status alone would say that nothing was done.
      if UnfinishedOutputs.record?.hasPublished == true { diagnostic.problem += ", after files were changed" }
      throw diagnostic
    }
  }

  static func isColored(_ choice: ColorChoice) -> Bool { choice.isColored(fileDescriptor: STDOUT_FILENO) }
  static var isTerminal: Bool { isatty(STDOUT_FILENO) == 1 }

  enum Kind: Sendable { case terminal, pipe, file }

  /// What it is: a pipe is read by another program.
  static var kind: Kind {
    if isTerminal { return .terminal }
    var information = stat()
    guard fstat(STDOUT_FILENO, &information) == 0 else { return .file }
    return [S_IFIFO, S_IFSOCK].contains(information.st_mode & S_IFMT) ? .pipe : .file
  }

  /// Columns of the terminal; nil if it is not one.
  static var width: Int? {
    var size = winsize()
    guard isTerminal, ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
    return Int(size.ws_col)
  }
}

/// Standard error: messages. Its own failures are not reported.
enum StandardError {
  /// Where it goes; tests read it in a file.
  @TaskLocal static var descriptor = STDERR_FILENO

  static func write(_ text: String) {
    var text = SecretScrubber.redacted(from: text)
    text.withUTF8 { try? SystemFileCalls().writeFully(descriptor, UnsafeRawBufferPointer($0)) }
  }

  static func isColored(_ choice: ColorChoice) -> Bool { choice.isColored(fileDescriptor: STDERR_FILENO) }
  static var isTerminal: Bool { isatty(STDERR_FILENO) == 1 }

  /// Whether a user can read questions and answer them.
  static var hasConversation: Bool { isTerminal && isatty(STDIN_FILENO) == 1 }
}

extension ColorChoice {
  /// Whether output to the file descriptor has color. `NO_COLOR` is the convention of no-color.org: any value but an
  /// empty one counts.
  func isColored(fileDescriptor: Int32) -> Bool {
    switch self {
    case .always: true
    case .never: false
    case .auto:
      isatty(fileDescriptor) == 1 && (Environment.value("NO_COLOR") ?? "").isEmpty
        && Environment.value("TERM") != "dumb"
    }
  }
}

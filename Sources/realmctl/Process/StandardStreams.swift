#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Whoever read our output has gone. Not an error: `head` does it.
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
      try writeAll(bytes, to: descriptor)
    } catch  where error.errorNumber == EPIPE {
      throw ClosedPipe()
    } catch {
      throw Diagnostic(error, path: "standard output")
    }
  }

  static func isColored(_ choice: ColorChoice) -> Bool { choice.isColored(fileDescriptor: STDOUT_FILENO) }
  static var isTerminal: Bool { isatty(STDOUT_FILENO) == 1 }

  /// Columns of the terminal; what `COLUMNS` says, or 80, where it does not tell.
  static var columnCount: Int {
    var size = winsize()
    if ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 { return Int(size.ws_col) }
    return Environment.value("COLUMNS").flatMap { Int($0) }.flatMap { $0 > 0 ? $0 : nil } ?? 80
  }
}

/// Standard error: talk. Nobody is told when even that fails.
enum StandardError {
  /// Where it goes; tests read it in a file.
  @TaskLocal static var descriptor = STDERR_FILENO

  static func write(_ text: String) {
    var text = KeyLikeWords.redacted(from: text)
    text.withUTF8 { try? writeAll(UnsafeRawBufferPointer($0), to: descriptor) }
  }

  static func isColored(_ choice: ColorChoice) -> Bool { choice.isColored(fileDescriptor: STDERR_FILENO) }
  static var isTerminal: Bool { isatty(STDERR_FILENO) == 1 }

  /// Whether somebody is there who reads questions and answers them.
  static var hasConversation: Bool { isTerminal && isatty(STDIN_FILENO) == 1 }
}

private func writeAll(_ bytes: UnsafeRawBufferPointer, to fileDescriptor: Int32) throws(SystemCallFailure) {
  var rest = bytes[...]
  while !rest.isEmpty {
    let count = write(fileDescriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
    if count >= 0 {
      rest = rest.dropFirst(count)
    } else if errno == EAGAIN {
      // Somebody made the stream non-blocking, for instance a parent that shares it.
      var request = pollfd(fd: fileDescriptor, events: Int16(POLLOUT), revents: 0)
      poll(&request, 1, -1)
    } else if errno != EINTR {
      throw SystemCallFailure(name: "write")
    }
  }
}

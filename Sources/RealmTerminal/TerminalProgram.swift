import CSystem
import Libc
import RealmSystem

/// A program of the user that has the terminal to itself.
///
/// Ctrl-C at the terminal is for that program and does not end this process.
package enum TerminalProgram {
  /// Runs a line of the shell, writes to its standard input, and waits for its end.
  ///
  /// - Parameters:
  ///   - line: as typed.
  ///   - produce: called with a function that takes bytes. It stops when the program stops reading.
  /// - Returns: its exit status; 128 and the number if a signal ended it.
  /// - Throws: `ExternalCommand.Failure`; what `produce` throws.
  package static func run(
    shell line: String, writing produce: ((UnsafeRawBufferPointer) throws -> Void) throws -> Void
  ) throws -> Int32 {
    var input = Int32(-1)
    let process = try start([line], &input)
    let outcome = Result {
      do {
        try produce { try write($0, to: input) }
      } catch ExternalCommand.Failure.inputClosed {
        // It has read enough.
      }
    }
    close(input)
    let status = waitForEnd(of: process)
    try outcome.get()
    return status
  }

  /// Runs a line of the shell that reads from the terminal, and waits for its end.
  ///
  /// - Parameter argument: what the line finds as `$1`.
  /// - Returns: as above.
  /// - Throws: `ExternalCommand.Failure`.
  package static func run(shell line: String, argument: String) throws -> Int32 {
    waitForEnd(of: try start([line, "sh", argument], nil))
  }

  private static func start(_ arguments: [String], _ input: UnsafeMutablePointer<Int32>?) throws -> pid_t {
    // Arguments are bytes, like names of files.
    var words = (["/bin/sh", "-c"] + arguments).map { $0.withSystemPath { strdup($0.pointer) } }
    words.append(nil)
    defer { for word in words { free(word) } }
    var process = pid_t(0)
    let failure = csystem_command_start_here(&words, &process, input)
    guard failure == 0 else { throw ExternalCommand.Failure.notStarted(errorNumber: failure) }
    return process
  }

  private static func waitForEnd(of process: pid_t) -> Int32 {
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0, errno == EINTR {}
    csystem_command_left_here()
    let signal = status & 0x7f
    return signal == 0 ? status >> 8 & 0xff : 128 + signal
  }

  private static func write(_ bytes: UnsafeRawBufferPointer, to input: Int32) throws {
    var rest = bytes[...]
    while !rest.isEmpty {
      let part = UnsafeRawBufferPointer(rebasing: rest)
      let count = csystem_command_write(input, part.baseAddress, part.count)
      if count < 0, errno == EINTR { continue }
      if count < 0, errno == EPIPE { throw ExternalCommand.Failure.inputClosed }
      guard count >= 0 else { throw ExternalCommand.Failure.systemCall(SystemCallError(name: "write", number: errno)) }
      rest = rest.dropFirst(count)
    }
  }
}

import Foundation

/// Ends a process that runs longer than any test waits, so that code that waits for it, or reads from it, continues.
///
/// A test that meets its deadline fails, because the process was ended by a signal.
package final class Deadline: @unchecked Sendable {
  private let work: DispatchWorkItem

  /// Longer than the slowest test takes on a machine that is busy with other work.
  package static let seconds = 300

  package init(killing process: pid_t, after seconds: Int = Deadline.seconds) {
    work = DispatchWorkItem { kill(process, SIGKILL) }
    DispatchQueue.global().asyncAfter(deadline: .now() + .seconds(seconds), execute: work)
  }

  /// Call this after waiting for the process: its number may then belong to another one.
  package func cancel() { work.cancel() }
}

extension Process {
  /// Runs a program of the system to its end, and returns its output.
  ///
  /// - Parameter command: looked up as in a shell.
  package static func output(of command: [String]) throws -> Data {
    let process = Process()
    let output = Pipe()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = command
    process.standardOutput = output
    try process.run()
    let deadline = Deadline(killing: process.processIdentifier)
    defer { deadline.cancel() }
    let data = try output.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    return data
  }
}

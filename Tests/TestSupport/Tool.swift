import CProcess
import Foundation
import RealmStorage
import RealmSystem

/// Runs a program to its end: the real binary, which is the one that `REALMCTL_BINARY` names, or otherwise the one that
/// was built with the tests.
package struct Tool {
  /// The result of a run.
  package struct Outcome {
    package var end: End
    package var output: [UInt8]
    package var errors: String

    /// The status, or 128 plus the signal that ended the process, as in a shell.
    package var status: Int32 {
      switch end {
      case .status(let status): status
      case .signal(let number): 128 + number
      }
    }

    package var outputText: String { String(decoding: output, as: UTF8.self) }

    package init(end: End, output: [UInt8], errors: String) {
      (self.end, self.output, self.errors) = (end, output, errors)
    }
  }

  package enum End: Equatable {
    case status(Int32)
    case signal(Int32)
  }

  package struct Failure: Error {
    package var call: String
    package var number: Int32

    package init(call: String, number: Int32 = errno) { (self.call, self.number) = (call, number) }
  }

  package static let builtProducts = (Bundle.main.executableURL ?? URL(fileURLWithPath: CommandLine.arguments[0]))
    .deletingLastPathComponent()

  package static let binary: String = {
    let named = ProcessInfo.processInfo.environment["REALMCTL_BINARY"] ?? ""
    return named.isEmpty ? builtProducts.appendingPathComponent("realmctl").path : named
  }()

  package static let projectFolder = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  package var executable: String
  package var folder = Tool.projectFolder.path
  /// The whole environment of the run, without anything from that of the tests.
  package var environment: [String: String]
  package var input: [UInt8] = []
  /// The user of the process; nil for that of the tests.
  package var user: Int32?
  /// Those of the descriptors 0, 1 and 2 that are closed.
  package var closedStreams: Set<Int32> = []
  /// How many descriptors the process may have; nil for as many as the tests.
  package var descriptorLimit: Int32?

  /// Checks what each run of the real binary left.
  package var observer: ((_ arguments: [String], Outcome) -> Void)?

  package init(_ executable: String, environment: [String: String] = [:]) {
    (self.executable, self.environment) = (executable, environment)
  }

  /// Runs to the end. Standard input and both outputs are files, so that nothing can block.
  package func run(_ arguments: String...) throws -> Outcome { try run(arguments) }

  package func run(_ arguments: [String]) throws -> Outcome {
    let (input, output, errors) = (try File(), try File(), try File())
    try input.write(self.input)
    func stream(_ number: Int32, _ file: File) -> Int32 { closedStreams.contains(number) ? -1 : file.descriptor }
    let process = try start(
      arguments, input: stream(0, input), output: stream(1, output), errors: stream(2, errors))
    let end = try process.wait()
    let outcome = Outcome(
      end: end, output: try output.bytes(), errors: String(decoding: try errors.bytes(), as: UTF8.self))
    // Without descriptors even the system may fail, before the tool begins.
    let isAlone = closedStreams.isEmpty && descriptorLimit == nil
    if executable == Self.binary, isAlone { observer?(arguments, outcome) }
    return outcome
  }

  /// A process that has been started.
  package struct Running {
    package let identifier: pid_t
    private let deadline: Deadline

    package init(_ identifier: pid_t) {
      self.identifier = identifier
      deadline = Deadline(killing: identifier)
    }

    package func wait() throws -> End {
      defer { deadline.cancel() }
      var status: Int32 = 0
      while waitpid(identifier, &status, 0) < 0 {
        guard errno == EINTR else { throw Failure(call: "waitpid") }
      }
      let signal = status & 0x7f
      return signal == 0 ? .status(status >> 8 & 0xff) : .signal(signal)
    }
  }

  /// - Parameter leadsSession: if `input` is a terminal, it becomes the process's own.
  package func start(
    _ arguments: [String], input: Int32, output: Int32, errors: Int32, leadsSession: Bool = false
  ) throws -> Running {
    let identifier = fork(arguments, input: input, output: output, errors: errors, leadsSession: leadsSession)
    guard identifier > 0 else { throw Failure(call: "fork") }
    return Running(identifier)
  }

  /// - Returns: the process; -1 with `errno` if there is none.
  func fork(_ arguments: [String], input: Int32, output: Int32, errors: Int32, leadsSession: Bool) -> pid_t {
    Self.withCStrings([executable] + arguments) { arguments in
      Self.withCStrings(environment.map { $0.key + "=" + $0.value }.sorted()) { environment in
        executable.withCString { program in
          folder.withCString { folder in
            var options = cprocess_options(
              program: program, arguments: arguments, environment: environment, folder: folder, input: input,
              output: output, errors: errors, leads_session: leadsSession, user: user ?? -1,
              descriptor_limit: descriptorLimit ?? 0)
            return cprocess_start(&options)
          }
        }
      }
    }
  }

  private static func withCStrings<Result>(
    _ strings: [String], _ body: (UnsafePointer<UnsafeMutablePointer<CChar>?>?) -> Result
  ) -> Result {
    // Names contain bytes that are not text in the form of `SystemText`.
    let pointers: [UnsafeMutablePointer<CChar>?] =
      strings.map { string in
        (SystemText.bytes(of: string) + [0]).map { CChar(bitPattern: $0) }.withUnsafeBufferPointer { characters in
          characters.baseAddress.flatMap { strdup($0) }
        }
      } + [nil]
    defer { pointers.forEach { free($0) } }
    return pointers.withUnsafeBufferPointer { body($0.baseAddress) }
  }
}

/// A nameless file.
private final class File {
  let descriptor: Int32

  init() throws {
    var template = Array((FileManager.default.temporaryDirectory.path + "/realmctl-XXXXXX").utf8CString)
    descriptor = mkstemp(&template)
    guard descriptor >= 0 else { throw Tool.Failure(call: "mkstemp") }
    unlink(template)
  }

  deinit { close(descriptor) }

  func write(_ bytes: [UInt8]) throws {
    try FileHandle(fileDescriptor: descriptor).write(contentsOf: bytes)
    lseek(descriptor, 0, SEEK_SET)
  }

  func bytes() throws -> [UInt8] {
    lseek(descriptor, 0, SEEK_SET)
    return [UInt8](try FileHandle(fileDescriptor: descriptor).readToEnd() ?? Data())
  }
}

import CProcess
import Foundation
import RealmStorage
import TestSupport

/// Runs the real binary: the one `REALMCTL_BINARY` names, else the one that was built with the tests.
struct Tool {
  /// What a run left.
  struct Outcome {
    var end: End
    var output: [UInt8]
    var errors: String

    /// The status, or 128 and the signal that ended the process, as a shell has it.
    var status: Int32 {
      switch end {
      case .status(let status): status
      case .signal(let number): 128 + number
      }
    }

    var outputText: String { String(decoding: output, as: UTF8.self) }
  }

  enum End: Equatable {
    case status(Int32)
    case signal(Int32)
  }

  struct Failure: Error {
    var call: String
    var number = errno
  }

  static let builtProducts = (Bundle.main.executableURL ?? URL(fileURLWithPath: CommandLine.arguments[0]))
    .deletingLastPathComponent()

  static let binary: String = {
    let named = ProcessInfo.processInfo.environment["REALMCTL_BINARY"] ?? ""
    return named.isEmpty ? builtProducts.appendingPathComponent("realmctl").path : named
  }()

  static let projectFolder = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  var executable = Tool.binary
  var folder = Tool.projectFolder.path
  /// The whole environment of the run: nothing of the tests' own leaks into it.
  var environment: [String: String] = [:]
  var input: [UInt8] = []
  /// Whom the process runs as; nil: as the tests.
  var user: Int32?
  /// Of the descriptors 0, 1 and 2, those that are closed.
  var closedStreams: Set<Int32> = []
  /// How many descriptors the process may have; nil: as many as the tests.
  var descriptorLimit: Int32?

  /// Runs to the end. Standard input and both outputs are files, so that nothing can block.
  func run(_ arguments: String...) throws -> Outcome { try run(arguments) }

  func run(_ arguments: [String]) throws -> Outcome {
    let (input, output, errors) = (try File(), try File(), try File())
    try input.write(self.input)
    func stream(_ number: Int32, _ file: File) -> Int32 { closedStreams.contains(number) ? -1 : file.descriptor }
    let process = try start(
      arguments, input: stream(0, input), output: stream(1, output), errors: stream(2, errors))
    let end = try process.wait()
    return Outcome(
      end: end, output: try output.bytes(), errors: String(decoding: try errors.bytes(), as: UTF8.self))
  }

  /// A process that has been started.
  struct Running {
    let identifier: pid_t
    private let deadline: Deadline

    init(_ identifier: pid_t) {
      self.identifier = identifier
      deadline = Deadline(killing: identifier)
    }

    func wait() throws -> End {
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
  func start(
    _ arguments: [String], input: Int32, output: Int32, errors: Int32, leadsSession: Bool = false
  ) throws -> Running {
    let identifier = withCStrings([executable] + arguments) { arguments in
      withCStrings(environment.map { $0.key + "=" + $0.value }.sorted()) { environment in
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
    guard identifier > 0 else { throw Failure(call: "fork") }
    return Running(identifier)
  }

  private func withCStrings<Result>(
    _ strings: [String], _ body: (UnsafePointer<UnsafeMutablePointer<CChar>?>?) -> Result
  ) -> Result {
    // Bytes that are not text are in names as `SystemText` has them.
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

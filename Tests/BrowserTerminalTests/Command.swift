import Foundation
import TestSupport

/// Runs a program to its end and gives what it printed.
///
/// Output goes to a file, and the end is that of the process itself: a program that leaves a server behind, as tmux does,
/// would keep pipes open for as long as the server runs.
enum Command {
  struct Failure: Error, CustomStringConvertible {
    let description: String
  }

  static func run(
    _ path: String, _ arguments: [String], environment: [String: String]
  ) throws -> (status: Int32, output: String) {
    var template = Array((FileManager.default.temporaryDirectory.path + "/realmctl-XXXXXX").utf8CString)
    let file = mkstemp(&template)
    guard file >= 0 else { throw Failure(description: "no file for output") }
    unlink(template)
    defer { close(file) }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_adddup2(&actions, file, 1)
    posix_spawn_file_actions_adddup2(&actions, file, 2)
    let words = ([path] + arguments).map { strdup($0) } + [nil]
    let settings = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
    defer { (words + settings).forEach { free($0) } }
    // Threads of the tests block signals; a program must not begin that way.
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var none = sigset_t()
    sigemptyset(&none)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
    var process: pid_t = 0
    let failure = posix_spawn(&process, path, &actions, &attributes, words, settings)
    guard failure == 0 else { throw Failure(description: "\(path): error \(failure)") }
    let deadline = Deadline(killing: process)
    defer { deadline.cancel() }
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0, errno == EINTR {}
    return (status & 0x7f == 0 ? status >> 8 & 0xff : 128 + status & 0x7f, try contents(of: file))
  }

  private static func contents(of file: Int32) throws -> String {
    lseek(file, 0, SEEK_SET)
    let data = try FileHandle(fileDescriptor: file).readToEnd() ?? Data()
    return String(decoding: data, as: UTF8.self)
  }
}

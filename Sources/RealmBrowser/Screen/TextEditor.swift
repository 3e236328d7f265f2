import Libc
import RealmStorage
import RealmSystem
import RealmTerminal

/// Lets the user edit a text with the program in VISUAL or EDITOR, in a temporary file that nobody else can read and
/// that is deleted afterwards.
enum TextEditor {
  private static var command: String {
    Environment.nonEmptyValue("VISUAL") ?? Environment.nonEmptyValue("EDITOR") ?? "vi"
  }

  /// - Parameter isJSON: for the name of the file, which tells editors what it contains.
  static func edit(_ text: [UInt8], isJSON: Bool) -> Result<[UInt8], BrowserProblem> {
    do {
      let folder = try PrivateFolder()
      defer { folder.remove() }
      let path = folder.path + (isJSON ? "/value.json" : "/value.txt")
      try folder.write(text, to: path)
      let status = try TerminalProgram.run(shell: "exec \(command) \"$1\"", argument: path)
      // The status of the shell for a program that it cannot find.
      guard status != 127 else { return .failure(.noEditor(command)) }
      guard status == 0 else {
        return .failure(BrowserProblem("the editor ended with status \(status), so nothing was changed"))
      }
      return .success(try TextInput.read(path))
    } catch is ExternalCommand.Failure {
      return .failure(.noEditor(command))
    } catch {
      return .failure(
        BrowserProblem("no temporary file for the editor; set TMPDIR to a folder that can be written to"))
    }
  }

  /// A folder that only the user can look into, also for what editors write next to a file.
  private struct PrivateFolder {
    let path: String
    private let calls = SystemFileCalls()

    private static let mostTries = 1000

    /// - Throws: `SystemCallError`.
    init() throws {
      let parent = Environment.nonEmptyValue("TMPDIR") ?? "/tmp"
      var number = 1
      while true {
        let path = "\(parent)/realmctl-edit-\(calls.processID)-\(number)"
        do throws(SystemCallError) {
          try calls.makeFolder(path, mode: 0o700)
          self.path = path
          return
        } catch {
          number += 1
          guard error.number == EEXIST, number < Self.mostTries else { throw error }
        }
      }
    }

    /// - Throws: `SystemCallError`.
    func write(_ text: [UInt8], to path: String) throws {
      let descriptor = try calls.open(path, .create(mode: 0o600))
      defer { calls.close(descriptor) }
      try text.withUnsafeBytes { bytes throws in try calls.writeFully(descriptor, bytes) }
    }

    /// Also deletes other files that an editor left in it.
    func remove() {
      for name in (try? SafeOutput.names(inFolder: path)) ?? [] { try? calls.unlink(path + "/" + name) }
      try? calls.removeFolder(path)
    }
  }
}

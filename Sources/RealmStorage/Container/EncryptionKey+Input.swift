import CCrypto
import Libc
import RealmSystem

/// The places a key can come from. It is never an argument's value, which every process could see.
extension EncryptionKey {
  /// A key from a text: 128 hex digits, Base64 of 64 bytes, or a list of 64 numbers (signed or unsigned bytes), in any of
  /// the ways that programs write them; white space is ignored.
  ///
  /// - Throws: `KeyProblem.wrongLength`, `.malformed`.
  package static func parse(text: UnsafeRawBufferPointer) throws(StorageError) -> EncryptionKey {
    try KeyText.parse(text)
  }

  /// A key from a file's content: exactly 64 bytes are the key itself, anything else is one of the text forms.
  ///
  /// - Throws: `KeyProblem.wrongLength`, `.malformed`.
  package static func parse(fileContent: UnsafeRawBufferPointer) throws(StorageError) -> EncryptionKey {
    guard fileContent.count != size else { return try EncryptionKey(copying: fileContent) }
    return try parse(input: fileContent)
  }

  /// A key from one of the text forms, wherever it was written.
  ///
  /// - Throws: `KeyProblem.wrongLength`, `.malformed`.
  private static func parse(input: UnsafeRawBufferPointer) throws(StorageError) -> EncryptionKey {
    do { return try parse(text: input) } catch StorageError.key(.malformed) {
      // Anything that is not text, or too short for any text form, was meant as the raw bytes of a key.
      let isText = input.allSatisfy { (0x20...0x7e).contains($0) || (0x09...0x0d).contains($0) }
      guard isText, input.count >= shortestText else { throw StorageError.key(.wrongLength(input.count)) }
      throw StorageError.key(.malformed)
    }
  }

  /// Base64 without padding.
  private static let shortestText = 86

  /// A key from a file, or from standard input for the path `-`. Unlike for a realm, it may be a pipe: shells pass
  /// secrets that way (`--key-file <(…)`).
  ///
  /// - Throws: `StorageError.file` about the key's file, `KeyProblem.wrongLength`, `.malformed`.
  package static func read(file path: String) throws(StorageError) -> EncryptionKey {
    try read(file: path, calls: FileBackend.calls)
  }

  static func read(file path: String, calls: any FileCalls) throws(StorageError) -> EncryptionKey {
    let content = try SecretBytes.forKey(capacity: largestInput + 1)
    let isFile: Bool
    do throws(SystemCallError) { isFile = try fill(content, fromFile: path, calls) } catch {
      throw StorageError.file(error.problem)
    }
    guard isFile else { throw StorageError.file(.isDirectory) }
    guard content.count <= largestInput else { throw StorageError.key(.malformed) }
    return try content.withBytes { bytes throws(StorageError) in try parse(fileContent: bytes) }
  }

  /// A key from an environment variable, in one of the text forms. Afterwards the variable is removed and its text
  /// overwritten: neither others who may read this process's environment nor its child processes find it.
  ///
  /// - Throws: `KeyProblem.variableNotSet`, `.wrongLength`, `.malformed`.
  package static func read(environmentVariable name: String) throws(StorageError) -> EncryptionKey {
    guard let value = name.withSystemPath({ getenv($0.pointer) }) else { throw StorageError.key(.variableNotSet(name)) }
    let text = UnsafeMutableRawBufferPointer(start: value, count: strlen(value))
    defer {
      ccrypto_wipe(text.baseAddress, text.count)
      _ = name.withSystemPath { unsetenv($0.pointer) }
    }
    return try parse(input: UnsafeRawBufferPointer(text))
  }

  /// A key typed or pasted on the terminal without echo, in one of the text forms.
  ///
  /// - Parameter ask: asks for it; nil where there is no terminal.
  /// - Throws: `KeyProblem.noTerminal`, `.wrongLength`, `.malformed`; `StorageError.file` when the terminal fails or
  ///   the question is interrupted.
  package static func typed(_ ask: () throws -> SecretBytes?) throws -> EncryptionKey {
    let answer: SecretBytes?
    do { answer = try ask() } catch let error as SystemCallError { throw StorageError(error) }
    guard let answer else { throw StorageError.key(.noTerminal) }
    return try answer.withBytes { bytes throws(StorageError) in try parse(input: bytes) }
  }

  /// More than any form of a key can reasonably take, white space included.
  private static let largestInput = 1 << 16

  /// - Returns: false for a folder.
  private static func fill(
    _ content: SecretBytes, fromFile path: String, _ calls: any FileCalls
  ) throws(SystemCallError) -> Bool {
    guard path != "-" else {
      try fill(content, from: StandardInput.descriptor, calls)
      return true
    }
    guard try calls.status(ofPath: path).kind != .directory else { return false }
    let descriptor = try calls.opened(path, flags: O_RDONLY | O_CLOEXEC | O_NOCTTY)
    defer { calls.close(descriptor) }
    try fill(content, from: descriptor, calls)
    return true
  }

  private static func fill(
    _ content: SecretBytes, from descriptor: Int32, _ calls: any FileCalls
  ) throws(SystemCallError) {
    var added = 1
    while added > 0, content.count <= largestInput {
      added = try content.append { room throws(SystemCallError) in try calls.readNext(descriptor, into: room) }
    }
  }
}

extension SecretBytes {
  /// As `init(capacity:)`, with an error of those that reading a key has.
  static func forKey(capacity: Int) throws(StorageError) -> SecretBytes {
    do { return try SecretBytes(capacity: capacity) } catch { throw StorageError(error) }
  }
}

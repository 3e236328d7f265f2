import CCrypto
import RealmSystem

/// The key of an encrypted realm: 64 bytes, of which the first 32 encrypt and the last 32 authenticate
/// (Docs/Format/1-container.md §7.1).
///
/// A key is kept out of swap space and core dumps if the system allows, prints as `<redacted>`, cannot be compared or
/// encoded, and is overwritten when its last user releases it.
///
/// ```swift
/// let key = try EncryptionKey(rawBytes: bytes)
/// let realm = try Realm.open(at: "app.realm", key: key)
/// ```
public final class EncryptionKey: Sendable {
  /// Bytes in a key.
  public static let size = 64

  private let secret: SecretBytes
  /// How it was written.
  package let form: KeyForm

  /// - Parameter rawBytes: exactly 64 bytes; they are copied, and the caller must wipe its own copy.
  /// - Throws: an error of the kind `key` for another length.
  public convenience init(rawBytes: UnsafeRawBufferPointer) throws(RealmError) {
    let key = try RealmError.wrapping("key") { try EncryptionKey(copying: rawBytes) }
    self.init(secret: key.secret, form: key.form)
  }

  /// - Parameter path: of a file with the 64 bytes, or one of the text forms of a key: 128 hexadecimal digits, or
  ///   Base64. `-` is a name like any other.
  /// - Throws: of the kind `key` for another content; `notFound` or `system` if it cannot be read.
  public convenience init(file path: String) throws(RealmError) {
    let key = try RealmError.wrapping(path) { try EncryptionKey.read(file: path == "-" ? "./-" : path) }
    self.init(secret: key.secret, form: key.form)
  }

  /// - Throws: `KeyProblem.wrongLength`.
  convenience init(copying rawBytes: UnsafeRawBufferPointer) throws(StorageError) {
    guard rawBytes.count == Self.size else { throw StorageError.key(.wrongLength(rawBytes.count)) }
    let secret = try SecretBytes.forKey(capacity: Self.size)
    _ = secret.append { room in
      room.copyMemory(from: rawBytes)
      return rawBytes.count
    }
    self.init(secret: secret, form: .bytes(areHexDigits: KeyText.areHexDigits(rawBytes)))
  }

  /// - Parameter secret: exactly 64 bytes.
  init(secret: SecretBytes, form: KeyForm) { (self.secret, self.form) = (secret, form) }

  /// The bytes; the pointer must not leave the closure.
  func withBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
    try secret.withBytes(body)
  }

  /// A cipher under this key for one thread at a time; nil when memory is short.
  func makeCipher() -> PageCipher? {
    withBytes { bytes in
      bytes.count == Self.size ? PageCipher(key: bytes) : nil
    }
  }
}

extension EncryptionKey: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// Nothing of the key.
  public var description: String { "<redacted>" }
  /// Nothing of the key.
  public var debugDescription: String { "<redacted>" }
  /// Empty, so that `dump` shows nothing either.
  public var customMirror: Mirror { Mirror(self, children: []) }
}

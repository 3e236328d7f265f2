/// Whether a file is plain or encrypted, determined from its size and first bytes: encryption leaves no mark of its
/// own.
package enum FileEncryption: Hashable {
  case plain
  /// Not plain; only the key shows whether it is a realm.
  case encrypted

  /// Decides before any key is tried (exit code 4 of the command line; Docs/Format/1-container.md §7.4).
  ///
  /// A given key is tried on everything that could be encrypted, even with `T-DB` in its place: the four bytes could be
  /// there by chance. `refusal(afterFailedPage:)` makes the final decision.
  ///
  /// - Parameters:
  ///   - size: of the file, bytes.
  ///   - head: its first 24 bytes, or all of a shorter file.
  /// - Throws: `StorageError.notARealm` or `.key` if no reading is possible.
  static func recognize(size: UInt64, head: [UInt8], hasKey: Bool) throws -> FileEncryption {
    guard size > 0 else { throw StorageError.notARealm(.empty) }
    let isPlain = hasMnemonic(head)
    let couldBeEncrypted = size >= EncryptionLayout.minimumFileSize
    if hasKey {
      if couldBeEncrypted { return .encrypted }
      if isPlain { throw StorageError.key(.notEncrypted) }
      // The engine calls a file of one page plain, whatever its content. It may be what is left of an encrypted one.
      if size >= UInt64(RawHeader.size) { throw StorageError.notARealm(.encryptedTooSmall(size: size)) }
    } else {
      if isPlain { return .plain }
      if beginsWithRoot(head, size) { throw StorageError.notARealm(.prototype) }
      if couldBeEncrypted, size % EncryptionLayout.pageSize == 0 { throw StorageError.key(.missing) }
    }
    throw StorageError.notARealm(
      size < UInt64(RawHeader.size) ? .tooSmall(size: size) : .wrongMnemonic(wasDecrypted: false))
  }

  /// Whether a file begins with the ref of its root instead of a header (Docs/Format/4-file-versions.md §1.4). One
  /// encrypted file in 2^30 does so by chance.
  private static func beginsWithRoot(_ head: [UInt8], _ size: UInt64) -> Bool {
    guard head.count >= RawHeader.size, size % 8 == 0 else { return false }
    // A header with a damaged byte is more likely.
    guard zip(head[16..<20], RawHeader.mnemonic).count(where: ==) < 2 else { return false }
    let root = head[..<8].reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    return root % 8 == 0 && root >= 8 && root < size
  }

  /// The error if page 0 of a file that could be encrypted cannot be decrypted with the key.
  package static func refusal(afterFailedPage problem: PageProblem, size: UInt64, head: [UInt8]) -> StorageError {
    if case .readFailed(let number) = problem { return .file(.systemCall(name: "pread", errorNumber: number)) }
    return .key(hasMnemonic(head) ? .notEncrypted : .wrong(fileSize: size))
  }

  /// `T-DB` at offset 16 (Docs/Format/1-container.md §1.1).
  package static func hasMnemonic(_ head: [UInt8]) -> Bool {
    head.count >= RawHeader.size && head[16..<20].elementsEqual(RawHeader.mnemonic)
  }
}

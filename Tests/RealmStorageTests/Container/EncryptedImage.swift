import TestSupport

@testable import RealmStorage

/// An encrypted file built page by page, so that a test can leave it as an interrupted or damaged write would.
struct EncryptedImage {
  private(set) var bytes: [UInt8]
  private let cipher: PageCipher

  /// Encrypts plaintext, padded with zeros to whole pages. Each page is written once.
  init(_ plaintext: [UInt8], key: EncryptionKey) throws {
    guard let cipher = key.makeCipher() else { throw StorageError.key(.malformed) }
    self.cipher = cipher
    let pages = (plaintext.count + 4095) / 4096
    bytes = [UInt8](repeating: 0, count: Int(EncryptionLayout.physicalSize(ofPages: UInt64(pages))))
    for page in 0..<pages {
      var content = Array(plaintext[(page * 4096)..<min((page + 1) * 4096, plaintext.count)])
      content += [UInt8](repeating: 0, count: 4096 - content.count)
      try write(content, toPage: page)
    }
  }

  /// Writes a page as an engine would: entry and data.
  mutating func write(_ content: [UInt8], toPage page: Int) throws {
    let (entry, data) = try encrypted(content, page: page)
    bytes.replaceSubrange(entryRange(page), with: entry)
    bytes.replaceSubrange(dataRange(page), with: data)
  }

  /// The write stopped between entry and data.
  mutating func writeEntryOnly(_ content: [UInt8], toPage page: Int) throws {
    bytes.replaceSubrange(entryRange(page), with: try encrypted(content, page: page).entry)
  }

  mutating func replaceData(ofPage page: Int, with data: [UInt8]) { bytes.replaceSubrange(dataRange(page), with: data) }

  mutating func eraseEntry(ofPage page: Int) {
    bytes.replaceSubrange(entryRange(page), with: [UInt8](repeating: 0, count: 64))
  }

  func entry(ofPage page: Int) -> [UInt8] { Array(bytes[entryRange(page)]) }
  func data(ofPage page: Int) -> [UInt8] { Array(bytes[dataRange(page)]) }

  mutating func truncate(to count: Int) { bytes.removeLast(bytes.count - count) }

  private func encrypted(_ content: [UInt8], page: Int) throws -> (entry: [UInt8], data: [UInt8]) {
    var entry = entry(ofPage: page)
    var data = [UInt8](repeating: 0, count: 4096)
    let isDone = content.withUnsafeBytes { plain in
      entry.withUnsafeMutableBytes { entry in
        data.withUnsafeMutableBytes { data -> Bool in
          guard let plain = plain.baseAddress, let entry = entry.baseAddress, let data = data.baseAddress else {
            return false
          }
          return cipher.encrypt(page: UInt64(page), plaintext: plain, entry: entry, ciphertext: data)
        }
      }
    }
    guard isDone else { throw StorageError.key(.malformed) }
    return (entry, data)
  }

  private func entryRange(_ page: Int) -> Range<Int> {
    let start = Int(EncryptionLayout.entryOffset(ofPage: UInt64(page)))
    return start..<start + 64
  }

  private func dataRange(_ page: Int) -> Range<Int> {
    let start = Int(EncryptionLayout.dataOffset(ofPage: UInt64(page)))
    return start..<start + 4096
  }
}

extension EncryptionKey {
  /// A key from bytes in the open, for tests.
  static func of(_ bytes: [UInt8]) throws -> EncryptionKey {
    try bytes.withUnsafeBytes { try EncryptionKey(rawBytes: $0) }
  }

  /// The key of the fixtures made for this project.
  static var engine: EncryptionKey { get throws { try of(Fixture.engineKey) } }
}

extension MemoryBytes {
  /// A copy of bytes, as if read from standard input.
  static func of(_ bytes: [UInt8]) -> MemoryBytes {
    let memory = UnsafeMutableRawPointer.allocate(byteCount: max(bytes.count, 1), alignment: 16)
    bytes.withUnsafeBytes { memory.copyMemory(from: $0.baseAddress ?? UnsafeRawPointer(memory), byteCount: $0.count) }
    return MemoryBytes(takingOver: memory, count: bytes.count)
  }
}

extension ByteStore {
  /// The whole plaintext, in pieces of a page; nil means a page that cannot be read.
  func allPages() -> [[UInt8]?] {
    stride(from: 0, to: count, by: 4096).map { try? copy(at: UInt64($0), length: min(4096, count - $0)) }
  }

  /// The whole plaintext.
  func allBytes() throws -> [UInt8] { try copy(at: 0, length: count) }
}

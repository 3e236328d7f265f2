import Foundation
import TestSupport
import Testing

@testable import RealmStorage

private func header(mnemonic: Bool) -> [UInt8] {
  var bytes = [UInt8](repeating: 1, count: 24)
  if mnemonic { bytes.replaceSubrange(16..<20, with: Array("T-DB".utf8)) }
  return bytes
}

private enum Answer {
  case form(FileEncryption)
  case error(StorageError)
}

private let noRealm = Answer.error(.notARealm(.wrongMnemonic(wasDecrypted: false)))

private let rows: [(size: UInt64, isPlain: Bool, hasKey: Bool, answer: Answer)] = [
  (0, false, false, .error(.notARealm(.empty))),
  (0, false, true, .error(.notARealm(.empty))),
  (1, false, false, .error(.notARealm(.tooSmall(size: 1)))),
  (23, false, true, .error(.notARealm(.tooSmall(size: 23)))),
  (24, true, false, .form(.plain)),
  (24, false, false, noRealm),
  (24, true, true, .error(.key(.notEncrypted))),
  (24, false, true, .error(.notARealm(.encryptedTooSmall(size: 24)))),
  (4096, true, false, .form(.plain)),
  (4096, false, false, noRealm),
  (4096, true, true, .error(.key(.notEncrypted))),
  (4096, false, true, .error(.notARealm(.encryptedTooSmall(size: 4096)))),
  (5000, true, true, .error(.key(.notEncrypted))),
  (5000, false, true, .error(.notARealm(.encryptedTooSmall(size: 5000)))),
  (8191, false, false, noRealm),
  (8192, false, false, .error(.key(.missing))),
  (8192, true, false, .form(.plain)),
  (8192, false, true, .form(.encrypted)),
  (8192, true, true, .form(.encrypted)),
  (8200, true, false, .form(.plain)),
  (8200, false, false, noRealm),
  (8200, false, true, .form(.encrypted)),
  (1 << 40, false, false, .error(.key(.missing))),
]

@Test(arguments: rows)
private func `size and first bytes tell plain from encrypted`(
  size: UInt64, isPlain: Bool, hasKey: Bool, answer: Answer
) throws {
  let head = Array(header(mnemonic: isPlain).prefix(Int(min(size, 24))))
  switch answer {
  case .form(let form): #expect(try FileEncryption.recognize(size: size, head: head, hasKey: hasKey) == form)
  case .error(let error):
    #expect(throws: error) { try FileEncryption.recognize(size: size, head: head, hasKey: hasKey) }
  }
}

// MARK: With files

@Test(
  arguments: [
    ("engine/all-types-encrypted.realm", nil, .key(.missing)),
    ("engine/all-types-encrypted.realm", Fixture.PublishedKey.k1, .key(.wrong(fileSize: 1_069_056))),
    ("engine/all-types.realm", Fixture.engineKey, .key(.notEncrypted)),
    ("engine/all-types-copy.realm", Fixture.engineKey, .key(.notEncrypted)),
    ("engine/dogs.realm", Fixture.engineKey, .key(.notEncrypted)),
  ] as [(String, [UInt8]?, StorageError)])
func `a key that does not fit the file is told`(file: String, key: [UInt8]?, error: StorageError) throws {
  try leavingUntouched(Fixture.path(file)) { path in
    let key = try key.map { try EncryptionKey.of($0) }
    #expect(throws: error) { try ByteStore.open(.path(path), key: key) }
    #expect(throws: error) { try ByteStore.openMemory(.of(try Fixture.bytes(file)), .standardInput, key) }
  }
}

@Test func `a key right in its second half only decrypts to noise`() throws {
  try leavingUntouched(Fixture.path("engine/all-types-encrypted.realm")) { path in
    let key = [UInt8](repeating: 0, count: 32) + Fixture.engineKey.suffix(32)
    #expect(throws: StorageError.notARealm(.wrongMnemonic(wasDecrypted: true))) {
      try ByteStore.open(.path(path), key: try .of(key))
    }
  }
}

private let damagedFirstPages:
  [(name: String, error: StorageError, damage: @Sendable (inout EncryptedImage) throws -> Void)] = [
    ("never written", .key(.wrong(fileSize: 8192)), { $0.eraseEntry(ofPage: 0) }),
    (
      "never successfully written", .key(.wrong(fileSize: 8192)),
      { $0.replaceData(ofPage: 0, with: [UInt8](repeating: 0, count: 4096)) }
    ),
    (
      "data zeroed after a second write", .notARealm(.wrongMnemonic(wasDecrypted: true)),
      {
        try $0.write([UInt8](repeating: 3, count: 4096), toPage: 0)
        $0.replaceData(ofPage: 0, with: [UInt8](repeating: 0, count: 4096))
      }
    ),
    (
      "no realm inside", .notARealm(.wrongMnemonic(wasDecrypted: true)),
      { try $0.write([UInt8](repeating: 3, count: 4096), toPage: 0) }
    ),
  ]

@Test(arguments: damagedFirstPages)
func `a damaged first page is told`(
  name: String, error: StorageError, damage: @Sendable (inout EncryptedImage) throws -> Void
) throws {
  var image = try EncryptedImage(try Fixture.bytes("engine/dogs.realm"), key: try .engine)
  try damage(&image)
  #expect(throws: error) { try ByteStore.openMemory(.of(image.bytes), .standardInput, try .engine) }
}

@Test func `a plain realm opens from a file, in pages and from memory alike`() throws {
  let bytes = try Fixture.bytes("engine/all-types-copy.realm")
  try leavingUntouched(Fixture.path("engine/all-types-copy.realm")) { path in
    let mapped = try ByteStore.open(.path(path), key: nil)
    let paged = try ByteStore.open(.path(path), key: nil, prefersPages: true)
    let memory = try ByteStore.openMemory(.of(bytes), .standardInput, nil)
    for opened in [mapped, paged, memory] {
      #expect(!opened.isEncrypted)
      #expect(opened.physicalSize == 606_392)
      #expect(try opened.store.allBytes() == bytes)
      #expect(try opened.currentState().prefix(24) == bytes.prefix(24))
    }
    #expect(mapped.path == path && memory.path == "-")
    #expect(mapped.identity != nil && mapped.identity == paged.identity && memory.identity == nil)
    #expect(mapped.store.residentPages == 0 && paged.store.residentPages == 149)
  }
}

@Test func `a header that changes while reading is seen`() throws {
  let folder = try TemporaryFolder()
  var plain = try Fixture.bytes("engine/dogs.realm")
  let plainPath = try folder.write("plain.realm", plain)
  let encryptedPath = try folder.write("encrypted.realm", try EncryptedImage(plain, key: try .engine).bytes)
  let opened = [
    try ByteStore.open(.path(plainPath), key: nil), try ByteStore.open(.path(encryptedPath), key: try .engine),
  ]
  for bytes in opened { #expect(try bytes.currentState().prefix(24) == plain.prefix(24)) }
  plain[23] ^= 1
  try overwrite(plainPath, plain)
  try overwrite(encryptedPath, try EncryptedImage(plain, key: try .engine).bytes)
  for bytes in opened { #expect(try bytes.currentState().prefix(24) == plain.prefix(24)) }
}

@Test func `a file replaced under its name leaves the old one to its reader`() throws {
  let folder = try TemporaryFolder()
  let old = try Fixture.bytes("engine/dogs.realm")
  let opened = try ByteStore.open(.path(try folder.write("a.realm", old)), key: nil, prefersPages: true)
  // A compaction renames a new file over the old one.
  let new = try folder.write("new.realm", try Fixture.bytes("engine/person-v1.realm"))
  #expect(rename(new, opened.path) == 0)
  #expect(try opened.store.allBytes() == old)
}

/// - Returns: how many realms there are, by the start of their names.
private func openAll(in folder: String) throws -> [String: Int] {
  var counts: [String: Int] = [:]
  for path in Fixture.all(in: folder) {
    let name = String(try #require(path.split(separator: "/").last))
    counts[Corpus.kind(of: name), default: 0] += 1
    try leavingUntouched(path) { path in
      if name.contains("encrypted") {
        #expect(throws: StorageError.key(.missing), "\(name)") { try ByteStore.open(.path(path), key: nil) }
      } else {
        let opened = try ByteStore.open(.path(path), key: nil)
        #expect(UInt64(opened.store.count) == opened.physicalSize, "\(name)")
        #expect(try opened.store.copy(at: 16, length: 4) == Array("T-DB".utf8), "\(name)")
      }
    }
  }
  return counts
}

@Test func `every realm of the project opens as what it is`() throws {
  #expect(try openAll(in: "engine").values.reduce(0, +) >= Corpus.engineFileCount)
}

@Test(.enabled(if: Corpus.isThere, Comment(rawValue: Corpus.comment)))
func `every realm of the corpus opens as what it is`() throws {
  let counts = try openAll(in: "real")
  for (kind, count) in Corpus.realFiles { #expect(counts[kind, default: 0] >= count, "\(kind)") }
  #expect(try openAll(in: "bench").values.reduce(0, +) >= Corpus.benchFileCount)
}

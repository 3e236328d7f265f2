import CCrypto
import TestSupport
import Testing

@testable import RealmStorage

/// Digests of the whole plaintext (never-written pages as zeros), made by an independent decryptor.
private let decryptedFiles: [(file: String, key: [UInt8], pages: Int, digest: String)] = [
  (
    "engine/all-types-encrypted.realm", Fixture.engineKey, 256,
    "4efd91a9f8909cd0b7695c0d55fc4e1df37eb001888be4bd149429d414e5004d"
  ),
  (
    "engine/all-types-copy-encrypted.realm", Fixture.engineKey, 149,
    "3e111a3690d8821b31084886f5db87ac0b39cdf4878cb385d032fa2cf5816196"
  ),
  (
    "real/encrypted-realm-core-0.98.0-alltypes-default-encrypted.realm", Fixture.PublishedKey.k2, 1,
    "27c2eadc061997e59a90d65d1c550e38f6035080ad5d7a22d4806e313f8c20ef"
  ),
  (
    "real/encrypted-realm-core-test_shared_decrypt_4k_page.realm", Fixture.PublishedKey.k1, 18,
    "5fa78b2ca697ec6d3d07fe3ab4afcb290903edf0a3172723404e4d8bc9bf793f"
  ),
  (
    "real/encrypted-realm-java-0.90.5-alltypes-default-encrypted.realm", Fixture.PublishedKey.k2, 1,
    "21e12540768e50c8839f866bf0a64d77d5641a8d2f7eb7dd365685225b4e03b3"
  ),
  (
    "real/encrypted-realm-java-0.96.2-alltypes-default-encrypted.realm", Fixture.PublishedKey.k2, 1,
    "a8b3817b3fa7331c1f7813561c4b0648a1ed897bfdb01762b574001c2873fa27"
  ),
  (
    "real/encrypted-realm-java-6.0.0-beta.2-alltypes-default-encrypted.realm", Fixture.PublishedKey.k2, 2,
    "eded7a0d1e69c08e0e0a2036042780853aebdbb09f9893c7797b0887079e3bcc"
  ),
]

/// The files of applications are in the corpus only.
@Test(arguments: decryptedFiles.filter { Fixture.exists($0.file) })
func `an encrypted file decrypts whole`(file: String, key: [UInt8], pages: Int, digest: String) throws {
  try leavingUntouched(Fixture.path(file)) { path in
    let opened = try ByteStore.open(.path(path), key: try .of(key))
    #expect(opened.isEncrypted)
    #expect(opened.store.count == pages * 4096)
    let plaintext = opened.store.allPages().enumerated().flatMap { index, page in
      if page == nil { #expect(opened.store.problem(ofPage: index) == .neverWritten) }
      return page ?? [UInt8](repeating: 0, count: 4096)
    }
    #expect(sha256(plaintext) == digest)
  }
}

@Test func `an encrypted copy holds what its plain twin holds`() throws {
  try leavingUntouched(Fixture.path("engine/all-types-copy-encrypted.realm")) { path in
    let opened = try ByteStore.open(.path(path), key: try .engine)
    let twin = try Fixture.bytes("engine/all-types-copy.realm")
    // The engine leaves left-over memory in the padding of nodes, and the footer lies at the end of the last page.
    let differing = zip(try opened.store.allBytes(), twin.dropLast(16)).count { $0 != $1 }
    #expect(differing < 50)
    #expect(try opened.store.copy(at: UInt64(opened.store.count - 8), length: 8) == Array(twin.suffix(8)))
  }
}

@Test func `encrypting gives the bytes that the engine wrote`() throws {
  // The worked example of Docs/Format/1-container.md §7.8.
  var plaintext = [UInt8](repeating: 0, count: 4096)
  plaintext.replaceSubrange(16..<20, with: Array("T-DB".utf8))
  let image = try EncryptedImage(plaintext, key: try .engine)
  #expect(image.bytes.count == 8192)
  #expect(hex(image.entry(ofPage: 0).prefix(32)) == "01000000f40d4c683e491123f69139505f94ffd30036a156a30b2a5b74cba2e6")
  #expect(image.entry(ofPage: 0).suffix(32).allSatisfy { $0 == 0 })
  #expect(
    hex(image.data(ofPage: 0).prefix(32)) == "c7b519846a11411cd6ac07cb03f801a8bc7a07c297c755f655544bec4d7c7f5a")
  #expect(sha256(image.data(ofPage: 0)) == "4126a71617cca123951676d525ef1231e816ea58cf2dfe1707e4538b207967ba")
}

@Test func `encrypting anew gives the file of the copy`() throws {
  try leavingUntouched(Fixture.path("engine/all-types-copy-encrypted.realm")) { path in
    let file = try Fixture.bytes("engine/all-types-copy-encrypted.realm")
    let opened = try ByteStore.open(.path(path), key: try .engine)
    #expect(try EncryptedImage(try opened.store.allBytes(), key: try .engine).bytes == file)
  }
}

@Test(
  arguments: [
    (physical: 0, pages: 0), (4095, 1), (4096, 0), (4097, 1), (8192, 1), (8193, 2), (64 * 4096, 63), (65 * 4096, 64),
    (66 * 4096, 64), (67 * 4096, 65), (130 * 4096, 128), (131 * 4096, 128), (65 * 4096 + 8, 65),
  ] as [(UInt64, UInt64)])
func `a file's size tells its plaintext pages`(physical: UInt64, pages: UInt64) {
  #expect(EncryptionLayout.pageCount(physicalSize: physical) == pages)
}

@Test(
  arguments: [
    (page: 0, data: 1, entry: 0), (63, 64, 63 * 64), (64, 66, 65 * 4096), (127, 129, 65 * 4096 + 63 * 64),
    (128, 131, 130 * 4096),
  ] as [(UInt64, UInt64, UInt64)])
func `pages and entries lie where the layout says`(page: UInt64, dataPage: UInt64, entry: UInt64) {
  #expect(EncryptionLayout.dataOffset(ofPage: page) == dataPage * 4096)
  #expect(EncryptionLayout.entryOffset(ofPage: page) == entry)
}

@Test func `a page written often keeps the counter of the write before`() throws {
  var image = try EncryptedImage([UInt8](repeating: 1, count: 4096), key: try .engine)
  let first = image.entry(ofPage: 0)
  for value in UInt8(2)...9 { try image.write([UInt8](repeating: value, count: 4096), toPage: 0) }
  #expect(image.entry(ofPage: 0)[0] == 9)
  #expect(image.entry(ofPage: 0)[32] == 8)
  #expect(first.suffix(32).allSatisfy { $0 == 0 })
}

@Test func `the counter skips zero when it wraps`() throws {
  let cipher = try #require(try EncryptionKey.engine.makeCipher())
  var entry = [UInt8](repeating: 0xff, count: 4) + [UInt8](repeating: 0, count: 60)
  var data = [UInt8](repeating: 0, count: 4096)
  let plaintext = [UInt8](repeating: 7, count: 4096)
  let isDone = cipher.encrypt(page: 3, plaintext: plaintext, entry: &entry, ciphertext: &data)
  #expect(isDone)
  #expect(Array(entry[0..<4]) == [1, 0, 0, 0])
  #expect(Array(entry[32..<36]) == [0xff, 0xff, 0xff, 0xff])
  #expect(cipher.decrypt(page: 3, entry: entry, data: &data, available: 4096) == .current)
  #expect(data == plaintext)
}

func sha256(_ bytes: [UInt8]) -> String {
  var hash = ccrypto_sha256()
  var digest = [UInt8](repeating: 0, count: 32)
  ccrypto_sha256_start(&hash)
  ccrypto_sha256_add(&hash, bytes, bytes.count)
  ccrypto_sha256_finish(&hash, &digest)
  return hex(digest)
}

func hex(_ bytes: some Sequence<UInt8>) -> String {
  bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
}

import TestSupport
import Testing

@testable import RealmStorage

@Test func `an encrypted realm decrypts to its plain twin`() throws {
  let key = try EncryptionKey.raw(Fixture.engineKey)
  let opened = try ByteStore.open(.path(Fixture.path("engine/all-types-copy-encrypted.realm")), key: key)
  let plain = try Fixture.bytes("engine/all-types-copy.realm")
  #expect(opened.isEncrypted)
  #expect(opened.store.count == 610304)
  let bytes = try opened.store.copy(at: 0, length: opened.store.count)
  var differing = 0
  for (a, b) in zip(bytes, plain) where a != b { differing += 1 }
  #expect(differing < 64)
}

extension EncryptionKey {
  static func raw(_ bytes: [UInt8]) throws -> EncryptionKey {
    try bytes.withUnsafeBytes { try EncryptionKey(rawBytes: $0) }
  }
}

import RealmStorage
import Testing

@testable import RealmText

@Suite("Bytes and identifiers as text")
struct BinaryTextTests {
  /// RFC 4648 §10.
  @Test(arguments: [
    ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="), ("fooba", "Zm9vYmE="),
    ("foobar", "Zm9vYmFy"),
  ]) func haveABase64Form(plain: String, encoded: String) {
    #expect(text { buffer in Array(plain.utf8).withUnsafeBytes { buffer.appendBase64($0) } } == encoded)
  }

  @Test func useTheWholeBase64Alphabet() {
    let bytes: [UInt8] = [0xff, 0xef, 0xbe, 0x00, 0x10, 0x83]
    #expect(text { buffer in bytes.withUnsafeBytes { buffer.appendBase64($0) } } == "/+++ABCD")
  }

  @Test func haveAHexForm() {
    let bytes: [UInt8] = [0x00, 0x7f, 0x80, 0xff, 0xa5]
    #expect(text { buffer in bytes.withUnsafeBytes { buffer.appendHex($0) } } == "007f80ffa5")
  }

  @Test func ofAnObjectID() {
    let id = ObjectID(head: 0x507f_1f77_bcf8_6cd7, tail: 0x9943_9011)
    #expect(text { $0.append(id) } == "507f1f77bcf86cd799439011")
  }

  @Test func ofAUUID() {
    let uuid = RealmUUID(head: 0x3b24_1101_e2bb_4255, tail: 0x8caf_4136_c566_a962)
    #expect(text { $0.append(uuid) } == "3b241101-e2bb-4255-8caf-4136c566a962")
  }
}

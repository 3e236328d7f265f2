import Testing

@testable import RealmInspection
@testable import RealmStorage

/// What is believed of damaged values.
@Suite struct RescueReaderTests {
  @Test(arguments: [(0, true), (255, true), (256, true), (257, false), (0xff_ffff, false)])
  func `a list has no more elements than its file has bits`(_ count: Int, _ hasRoom: Bool) {
    var bytes = [UInt8](repeating: 0, count: 32)
    // A leaf of zeros takes the eight bytes of its head, however many they are.
    bytes[24...] = [0x41, 0x41, 0x41, 0x41, 0, UInt8(count >> 16), UInt8(count >> 8 & 0xff), UInt8(count & 0xff)]
    let list = Leaf.collection(Ref(24), .list, ElementType(.int))
    #expect(list.hasRoom(in: ByteStore(copying: bytes)) == hasRoom)
    #expect(ValueView.int(5).hasRoom(in: ByteStore(copying: bytes)))
  }
}

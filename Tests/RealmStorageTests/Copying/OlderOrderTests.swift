import TestSupport
import Testing

@testable import RealmStorage

/// Orders and keys of formats before 24. What is expected was computed by engines of the time.
@Suite("orders of older file formats") struct OlderOrderTests {
  private let arena = ByteArena()

  private func text(_ text: String) -> ValueView { Value.string(RealmString(text)).view(in: arena) }
  private func data(_ text: String) -> ValueView { Value.data(Array(text.utf8)).view(in: arena) }

  private static let engineHashes: [(Int, UInt64)] = [
    (0, 0x9ae1_6a3b_2f90_404f),
    (1, 0x0436_48e8_f1e3_d715),
    (2, 0xb0fc_551c_a99c_7e3b),
    (3, 0xa2c5_3c98_5be5_6a2f),
    (4, 0xc0cc_b73d_f4ce_436b),
    (5, 0xd24c_ed5a_6d11_3591),
    (7, 0xf21e_314b_3867_bf74),
    (8, 0x95a3_74bd_4e18_33ad),
    (9, 0x281e_9dea_0fbe_631e),
    (15, 0x20ae_8c43_c566_c708),
    (16, 0x3292_ee86_42e6_3927),
    (17, 0x3040_ae76_26e4_52e2),
    (24, 0x2cb9_38ac_4656_d500),
    (31, 0xb9e7_afb4_f03e_c431),
    (32, 0xe1ea_e5f1_4516_be5b),
    (33, 0x869c_25f9_2739_46f7),
    (48, 0xf97b_5767_3048_49f2),
    (63, 0xf9c3_a6e6_208f_6338),
    (64, 0x2e9e_4ab8_a313_8fd3),
    (65, 0x5709_ecef_010a_51e4),
    (100, 0x4dc6_54eb_06dd_ae0b),
    (127, 0xecd6_ea5d_fa19_6e8c),
    (128, 0xa9e7_9ad8_f1c9_f5a7),
    (129, 0x6bb7_bad4_8ee8_ebe7),
    (191, 0xd170_3fcf_2dc1_b5cb),
    (192, 0x1cea_85b3_5129_7334),
    (193, 0xdc9a_c46f_922c_7d87),
    (300, 0x5b36_deaf_75a1_08de),
  ]

  @Test("keys of dictionaries are hashed as the engine does", arguments: engineHashes)
  func hashes(_ length: Int, _ expected: UInt64) {
    let bytes = (0..<length).map { UInt8(truncatingIfNeeded: $0 &* 37 &+ 11) }
    #expect(bytes.withUnsafeBytes { CityHash.hash($0) } == expected)
  }

  @Test("texts among mixed values go by their letters") func collation() {
    let words = ["", "Beatles", "john", "John", "ringo", "Ringo", "ÿ", "æ", "Æ", "Ω", "語"]
    for (left, first) in words.enumerated() {
      for (right, second) in words.enumerated() {
        let order = ValueOrder.compare(
          text(first), text(second), ofSetIn: TargetFormat.format23.textOrder, isMixed: true)
        #expect(order == ValueOrder.compare(left, right), "\(first) \(second)")
      }
    }
  }

  @Test("texts that are not UTF-8 have an order all the same") func invalidText() {
    let texts: [[UInt8]] = [[0x80], [0xc3], [0xc3, 0x28], [0xff, 0xfe], [0x61, 0xe2, 0x82], [0x61]]
    let views = texts.map { Value.string(RealmString(utf8: $0)).view(in: arena) }
    for (left, a) in zip(texts, views) {
      for (right, b) in zip(texts, views) {
        let order = ValueOrder.compare(a, b, ofSetIn: TargetFormat.format23.textOrder, isMixed: true)
        #expect((order == 0) == (left == right))
        #expect(order == -ValueOrder.compare(b, a, ofSetIn: TargetFormat.format23.textOrder, isMixed: true))
      }
    }
  }

  @Test("texts alone go by signed bytes") func signed() {
    let order = CollectionOrder(.format23)
    let sorted = order.sorted([text("Beatles"), text("john"), text("æ"), text("ÿ")], isMixed: false)
    #expect(sorted.map(\.words) == ["æ", "ÿ", "Beatles", "john"])
    let entries = [text("a"), text("é"), text("z")].map { (key: $0.blob, value: ValueView.null) }
    #expect(order.sorted(entries).map { ValueView.string($0.key).words } == ["é", "a", "z"])
  }

  @Test("data comes behind texts in format 23, and among them in format 22") func mixed() {
    let elements = [ValueView.int(1), text("Beatles"), text("John"), text("Ringo"), data("George"), data("Paul")]
    #expect(
      CollectionOrder(.format23).sorted(elements, isMixed: true).map(\.words)
        == ["", "Beatles", "John", "Ringo", "George", "Paul"])
    #expect(
      CollectionOrder(.format22).sorted(elements, isMixed: true).map(\.words)
        == ["", "Beatles", "George", "John", "Paul", "Ringo"])
    #expect(
      CollectionOrder(.newest).sorted(elements, isMixed: true).map(\.words)
        == ["", "Beatles", "John", "Ringo", "George", "Paul"])
  }

  // MARK: Keys of objects

  @Test("the id of a primary key is that of the engine") func ids() throws {
    func id(_ value: ValueView) throws -> [UInt64] {
      let id = try GlobalID(value)
      return [id.high, id.low]
    }
    #expect(try id(.null) == [1, 0])
    #expect(try id(.int(42)) == [0, 42])
    #expect(try id(.int(-1)) == [0, .max])
    #expect(try id(text("")) == [0x9018_6095_efbf_5532, 0x0d4b_6b5e_eea3_39da])
    #expect(try id(text("abc")) == [0x6cc2_5078_7125_3eba, 0x6a81_0647_363e_99a9])
    #expect(
      try id(.objectID(ObjectID(head: 0x0123_4567_89ab_cdef, tail: 0x0123_4567)))
        == [0x9a6b_8712_5391_467e, 0x19df_15b1_f761_4d47])
    #expect(
      try id(.uuid(RealmUUID(head: 0x0123_4567_89ab_cdef, tail: 0x0123_4567_89ab_cdef)))
        == [0xefcd_ab89_6745_2301, 0xefcd_ab89_6745_2301])
    #expect(throws: BuildError.wrongType) { try GlobalID(.bool(true)) }
  }

  @Test("primary keys that want one key share it out") func collisions() throws {
    var keys = DerivedKeys(table: "T")
    try keys.add(ObjectKey(rawValue: 0), primaryKey: .int(5))
    try keys.add(ObjectKey(rawValue: 1), primaryKey: .int(0x4000_0000_0000_0005))
    try keys.add(ObjectKey(rawValue: 2), primaryKey: .null)
    try keys.add(ObjectKey(rawValue: 3), primaryKey: .int(0))
    try keys.add(ObjectKey(rawValue: -2), primaryKey: .int(9))
    keys.finish()
    #expect(keys.objects.map(\.key.rawValue) == [0, 5, 0x4000_0000_0000_0000, 0x4000_0000_0000_0001])
    #expect(keys[ObjectKey(rawValue: 1)]?.rawValue == 0x4000_0000_0000_0000)
    #expect(keys[ObjectKey(rawValue: -2)]?.rawValue == -11)
    #expect(keys[ObjectKey(rawValue: 9)] == nil)
    #expect(keys.collisions.map(\.id.low) == [0, 5, 0x4000_0000_0000_0005, 0])
    #expect(keys.collisions.map(\.key) == [0x4000_0000_0000_0001, 5, 0x4000_0000_0000_0000, 0])
    #expect(keys.sequence == 2)
  }

  @Test("a primary key that is there twice is refused") func duplicates() throws {
    var keys = DerivedKeys(table: "T")
    try keys.add(ObjectKey(rawValue: 0), primaryKey: text("a"))
    #expect(throws: BuildError.equalPrimaryKeys(table: "T")) {
      try keys.add(ObjectKey(rawValue: 1), primaryKey: text("a"))
    }
  }

  // MARK: Formats

  @Test("each format holds what the one before holds") func holding() {
    for (older, newer) in zip(TargetFormat.allCases, TargetFormat.allCases.dropFirst()) {
      #expect(PropertyType.allCases.allSatisfy { !older.holds($0) || newer.holds($0) })
      #expect(CollectionKind.allCases.allSatisfy { !older.holds($0) || newer.holds($0) })
      #expect(TableKind.allCases.allSatisfy { !older.holds($0) || newer.holds($0) })
    }
    let computed = PropertyType.allCases.filter { !TargetFormat.newest.holds($0) }
    #expect(computed == [.linkingObjects])
  }
}

extension ValueView {
  fileprivate var blob: BlobView {
    switch self {
    case .string(let bytes), .data(let bytes): bytes
    default: .empty
    }
  }

  /// The bytes of strings and data; nothing of others.
  fileprivate var words: String { String(decoding: ValueOrder.bytes(of: blob), as: UTF8.self) }
}

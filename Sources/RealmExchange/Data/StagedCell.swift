import RealmStorage

/// One value that was read and is not written yet, in 24 bytes: bytes and elements lie in the `StagedValues` it belongs
/// to.
struct StagedCell {
  enum Kind: UInt8 {
    /// No value was given.
    case missing
    case null, int, bool, float, double, string, data, date, decimal, objectID, uuid
    /// A link to an object whose key is known. `second` is 1 inside a Mixed value.
    case link
    /// A link to an object that has not been read yet: an entry of its class's directory. `second` as in `link`, and
    /// above that bit how many such links to the class came before.
    case pendingLink
    case list, set, dictionary
  }

  var kind: Kind
  /// Nanoseconds, the last four bytes of an object id, or the number of a class.
  var small: UInt32 = 0
  /// The value, or the place where it begins.
  var first: UInt64 = 0
  /// The rest of a value of 16 bytes, or a count: bytes, elements, entries.
  var second: UInt64 = 0

  static let missing = StagedCell(kind: .missing)
  static let null = StagedCell(kind: .null)

  static func int(_ number: Int64) -> StagedCell { StagedCell(kind: .int, first: UInt64(bitPattern: number)) }
  static func bool(_ flag: Bool) -> StagedCell { StagedCell(kind: .bool, first: flag ? 1 : 0) }
  static func float(_ number: Float) -> StagedCell { StagedCell(kind: .float, first: UInt64(number.bitPattern)) }
  static func double(_ number: Double) -> StagedCell { StagedCell(kind: .double, first: number.bitPattern) }

  static func date(_ date: Timestamp) -> StagedCell {
    StagedCell(kind: .date, small: UInt32(bitPattern: date.nanoseconds), first: UInt64(bitPattern: date.seconds))
  }

  static func decimal(_ decimal: Decimal128) -> StagedCell {
    StagedCell(kind: .decimal, first: decimal.low, second: decimal.high)
  }

  static func objectID(_ id: ObjectID) -> StagedCell { StagedCell(kind: .objectID, small: id.tail, first: id.head) }
  static func uuid(_ uuid: RealmUUID) -> StagedCell { StagedCell(kind: .uuid, first: uuid.head, second: uuid.tail) }

  static func link(_ classNumber: Int, _ key: ObjectKey) -> StagedCell {
    StagedCell(
      kind: .link, small: UInt32(truncatingIfNeeded: classNumber), first: UInt64(bitPattern: key.rawValue))
  }

  static func pendingLink(_ classNumber: Int, entry: Int, number: UInt64 = 0) -> StagedCell {
    StagedCell(
      kind: .pendingLink, small: UInt32(truncatingIfNeeded: classNumber), first: UInt64(bitPattern: Int64(entry)),
      second: number << 1)
  }

  /// This link, as it is stored inside a Mixed value.
  var inMixed: StagedCell {
    var link = self
    link.second |= 1
    return link
  }

  var isInMixed: Bool { second & 1 != 0 }

  var date: Timestamp {
    Timestamp(seconds: Int64(bitPattern: first), nanoseconds: Int32(bitPattern: small))
  }
  var classNumber: Int { Int(small) }
  var start: Int { Int(first) }
  /// Of a pending link.
  var entry: Int { Int(Int64(bitPattern: first)) }
  /// Of a pending link: how many came before.
  var number: UInt64 { second >> 1 }
  var count: Int { Int(second) }
  var objectKey: ObjectKey { ObjectKey(rawValue: Int64(bitPattern: first)) }
  /// The number of cells that a collection takes: an entry of a dictionary takes two, one for its key and one for its
  /// value.
  var elementCount: Int { kind == .dictionary ? count * 2 : count }
}

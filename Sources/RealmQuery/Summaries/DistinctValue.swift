import RealmStorage

/// The identity of a value: two identities are equal if their values are.
///
/// Numbers of all types with the same value are the same, whatever their digits, and so are all NaNs, as for
/// `--group-by`. Links are the same if they point to the same object. Embedded objects, and collections inside mixed
/// values, are the same if their content is. For strings, data and content beyond 16 bytes a hash of 128 bits decides.
///
/// Valid within one process.
package struct DistinctValue: Hashable, Sendable {
  /// What the words contain.
  package enum Kind: UInt8, Sendable {
    case null, bool, int, real, notANumber, decimal, string, data, date, objectID, uuid, link
    /// An embedded object by its content.
    case embedded
    /// Those inside mixed values, by their content.
    case list, set, dictionary
  }

  package let kind: Kind
  /// Bytes of a text or of data; as many as fit are in the words.
  let length: UInt32
  let head: UInt64
  let tail: UInt64

  /// Bytes in the words.
  static let mostInline = 16

  init(_ kind: Kind, _ head: UInt64, _ tail: UInt64 = 0, length: UInt32 = 0) {
    (self.kind, self.head, self.tail, self.length) = (kind, head, tail, length)
  }

  package static let null = DistinctValue(.null, 0)

  /// Whether the words are a hash of the value and not the value.
  var isDigest: Bool {
    switch kind {
    case .string, .data: length > UInt32(Self.mostInline)
    case .embedded, .list, .set, .dictionary: true
    default: false
    }
  }

  /// The value; nil if the words do not contain it, or not everything that was written: the digits of a decimal, the
  /// type of a number among mixed values.
  func value(of type: ValueType) -> Value? {
    switch (kind, type) {
    case (.null, _): .null
    case (.bool, _): .bool(head != 0)
    case (.int, .int): .int(Int64(bitPattern: head))
    // Zero may be -0.0.
    case (.int, .double) where head != 0: .double(Double(Int64(bitPattern: head)))
    case (.int, .float) where head != 0: .float(Float(Int64(bitPattern: head)))
    case (.real, .double): .double(Double(bitPattern: head))
    case (.real, .float): .float(Float(Double(bitPattern: head)))
    case (.date, _): .date(Timestamp(seconds: Int64(bitPattern: head), nanoseconds: Int32(truncatingIfNeeded: tail)))
    case (.string, _) where !isDigest: .string(RealmString(utf8: inlineBytes))
    case (.data, _) where !isDigest: .data(inlineBytes)
    case (.objectID, _): .objectID(ObjectID(head: head, tail: UInt32(truncatingIfNeeded: tail)))
    case (.uuid, _): .uuid(RealmUUID(head: head, tail: tail))
    case (.link, .link):
      .link(TableKey(rawValue: UInt32(truncatingIfNeeded: tail)), ObjectKey(rawValue: Int64(bitPattern: head)))
    case (.link, _):
      .typedLink(TableKey(rawValue: UInt32(truncatingIfNeeded: tail)), ObjectKey(rawValue: Int64(bitPattern: head)))
    default: nil
    }
  }

  private var inlineBytes: [UInt8] {
    withUnsafeBytes(of: (head.littleEndian, tail.littleEndian)) { Array($0.prefix(Int(length))) }
  }

  /// The number; nil for anything else, and for a decimal that a double cannot tell from zero.
  var number: Double? {
    switch kind {
    case .int: return Double(Int64(bitPattern: head))
    case .real: return Double(bitPattern: head)
    case .decimal:
      let decimal = Decimal128(low: tail, high: head)
      let nearest = decimal.nearestDouble
      if nearest == 0, case .finite(_, 1..., _) = decimal.classified { return nil }
      return nearest
    default: return nil
    }
  }

  /// Of the words, for a sketch that gives the same result in each run; nil if they are a hash themselves.
  var stableHash: UInt64? {
    isDigest ? nil : Self.mixed(Self.mixed(head, 0x9e37_79b9_7f4a_7c15), tail ^ UInt64(kind.rawValue))
  }

  @inline(__always)
  static func mixed(_ a: UInt64, _ b: UInt64) -> UInt64 {
    let product = (a ^ 0xa076_1d64_78bd_642f).multipliedFullWidth(by: b ^ 0xe703_7ed1_a0b4_28db)
    return product.high ^ product.low
  }
}

extension DistinctValue {
  /// Makes identities; belongs to one thread.
  package final class Reader {
    /// Whether hashes are wanted that are the same in each run.
    var wantsStableHash = false
    /// Of the last identity, if it was wanted.
    private(set) var stableHash: UInt64 = 0
    private let isMixed: Bool

    /// Embedded objects that are looked into for one value; damaged links may form a cycle.
    private static let mostEmbedded = 1 << 16
    /// Embedded objects and collections inside each other: the engine's own bound is 100.
    private static let mostDepth = 128
    private var embeddedLeft = 0
    /// Links lead to the same class again and again.
    private var lastTarget: (table: TableKey, snapshot: Snapshot, isEmbedded: Bool)?

    /// - Parameter isMixed: whether numbers of several types may meet, which may be the same.
    package init(isMixed: Bool = true) { self.isMixed = isMixed }

    /// One whose identities are those of summaries of a property of that type.
    package convenience init(of type: PropertyType) { self.init(isMixed: type != .decimal128) }

    /// The identity of a value.
    ///
    /// - Parameters:
    ///   - snapshot: where the value came from.
    ///   - walk: of that snapshot.
    /// - Throws: `StorageError.corrupted` where content cannot be read, or leads in circles.
    package func identity(of value: ValueView, in snapshot: Snapshot, _ walk: CollectionWalk) throws -> DistinctValue {
      let identity: DistinctValue
      switch value {
      case .string(let text): return try ofBytes(.string, text)
      case .data(let data): return try ofBytes(.data, data)
      case .link(let table, let key) where isEmbedded(table, in: snapshot):
        embeddedLeft = Self.mostEmbedded
        return try ofContent(.embedded) { try append(embedded: table, key, to: &$0, snapshot, walk, depth: 0) }
      case .list: return try ofContent(.list) { try append(value, to: &$0, snapshot, walk, depth: 0) }
      case .set: return try ofContent(.set) { try append(value, to: &$0, snapshot, walk, depth: 0) }
      case .dictionary: return try ofContent(.dictionary) { try append(value, to: &$0, snapshot, walk, depth: 0) }
      default: identity = ofWords(value)
      }
      if wantsStableHash { stableHash = identity.stableHash ?? 0 }
      return identity
    }

    private func isEmbedded(_ table: TableKey, in snapshot: Snapshot) -> Bool {
      if let last = lastTarget, last.table == table, last.snapshot === snapshot { return last.isEmbedded }
      let isEmbedded = snapshot.table(table)?.schema.kind == .embedded
      lastTarget = (table, snapshot, isEmbedded)
      return isEmbedded
    }

    @inline(__always)
    private func ofBytes(_ kind: Kind, _ value: BlobView) throws -> DistinctValue {
      let count = value.count
      guard count > DistinctValue.mostInline, count < UInt32.max else {
        var words: (UInt64, UInt64) = (0, 0)
        withUnsafeMutableBytes(of: &words) { words in
          if let bytes = value.contiguous {
            words.copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes.prefix(words.count)))
          }
        }
        let identity = DistinctValue(
          kind, UInt64(littleEndian: words.0), UInt64(littleEndian: words.1), length: UInt32(truncatingIfNeeded: count))
        if wantsStableHash { stableHash = identity.stableHash ?? 0 }
        return identity
      }
      var digest = ContentDigest(isStable: wantsStableHash)
      try value.forEachPiece { digest.append($0) }
      stableHash = DistinctValue.mixed(digest.stable, UInt64(kind.rawValue))
      return DistinctValue(kind, digest.head, digest.tail, length: UInt32(truncatingIfNeeded: count))
    }

    private func ofContent(_ kind: Kind, _ append: (inout ContentDigest) throws -> Void) throws -> DistinctValue {
      var digest = ContentDigest(isStable: wantsStableHash)
      try append(&digest)
      stableHash = DistinctValue.mixed(digest.stable, UInt64(kind.rawValue))
      return DistinctValue(kind, digest.head, digest.tail)
    }

    /// Of the content of two words.
    @inline(__always)
    private func ofWords(_ value: ValueView) -> DistinctValue {
      switch value {
      case .null, .string, .data, .list, .set, .dictionary: .null
      case .bool(let value): DistinctValue(.bool, value ? 1 : 0)
      case .int(let value): DistinctValue(.int, UInt64(bitPattern: value))
      case .float(let value): Self.ofReal(Double(value))
      case .double(let value): Self.ofReal(value)
      case .decimal(let value): ofDecimal(value)
      case .date(let value):
        DistinctValue(.date, UInt64(bitPattern: value.seconds), UInt64(bitPattern: Int64(value.nanoseconds)))
      case .objectID(let value): DistinctValue(.objectID, value.head, UInt64(value.tail))
      case .uuid(let value): DistinctValue(.uuid, value.head, value.tail)
      case .link(let table, let key), .typedLink(let table, let key):
        DistinctValue(.link, UInt64(bitPattern: key.rawValue), UInt64(table.rawValue))
      }
    }

    @inline(__always)
    private static func ofReal(_ number: Double) -> DistinctValue {
      if let integer = Int64(exactly: number) { return DistinctValue(.int, UInt64(bitPattern: integer)) }
      return number.isNaN ? DistinctValue(.notANumber, 0) : DistinctValue(.real, number.bitPattern)
    }

    private func ofDecimal(_ number: Decimal128) -> DistinctValue {
      if isMixed {
        switch NumberNorm(number) {
        case .notANumber: return DistinctValue(.notANumber, 0)
        case .int(let integer): return DistinctValue(.int, UInt64(bitPattern: integer))
        case .real(let number): return DistinctValue(.real, number.bitPattern)
        case .decimal(let short): return DistinctValue(.decimal, short.high, short.low)
        }
      }
      let short = DecimalArithmetic.withoutZerosAtEnd(number)
      if case .nan = short.classified { return DistinctValue(.notANumber, 0) }
      return DistinctValue(.decimal, short.high, short.low)
    }

    // MARK: Content

    private func append(
      _ value: ValueView, to digest: inout ContentDigest, _ snapshot: Snapshot, _ walk: CollectionWalk, depth: Int
    ) throws {
      guard depth < Self.mostDepth else { throw StorageError.nestedTooDeep }
      switch value {
      case .string(let text):
        digest.append(UInt64(Kind.string.rawValue))
        try digest.append(text)
      case .data(let data):
        digest.append(UInt64(Kind.data.rawValue))
        try digest.append(data)
      case .link(let table, let key) where isEmbedded(table, in: snapshot):
        try append(embedded: table, key, to: &digest, snapshot, walk, depth: depth + 1)
      case .list(let list), .set(let list):
        var count: UInt64 = 0
        digest.append(UInt64(Kind.list.rawValue))
        try list.forEach(walk, damaged: { throw $0 }) { element in
          count += 1
          try append(element, to: &digest, snapshot, walk, depth: depth + 1)
        }
        digest.append(count)
      case .dictionary(let dictionary):
        var count: UInt64 = 0
        digest.append(UInt64(Kind.dictionary.rawValue))
        try dictionary.forEach(walk, damaged: { throw $0 }) { key, element in
          count += 1
          try digest.append(key)
          try append(element, to: &digest, snapshot, walk, depth: depth + 1)
        }
        digest.append(count)
      default:
        let identity = ofWords(value)
        digest.append(UInt64(identity.kind.rawValue))
        digest.append(identity.head)
        digest.append(identity.tail)
      }
    }

    private func append(
      embedded table: TableKey, _ key: ObjectKey, to digest: inout ContentDigest, _ snapshot: Snapshot,
      _ walk: CollectionWalk, depth: Int
    ) throws {
      digest.append(UInt64(Kind.embedded.rawValue))
      embeddedLeft -= 1
      guard embeddedLeft > 0 else { throw StorageError.nestedTooDeep }
      guard let table = snapshot.table(table) else { return }
      guard let (batch, row) = try table.object(key) else { throw table.danglingLink(to: key) }
      for property in table.schema.properties.indices {
        try append(
          batch.values(ofProperty: property).value(at: row), to: &digest, snapshot, walk, depth: depth + 1)
      }
    }
  }
}

extension StorageError {
  fileprivate static var nestedTooDeep: StorageError { .corrupted(Corruption(ref: .null, reason: .tooDeep)) }
}

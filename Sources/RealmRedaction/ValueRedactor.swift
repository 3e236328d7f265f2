import RealmStorage

/// Applies one rule to the values of a property. Used by one thread.
final class ValueRedactor: ValueMapping {
  private let rule: BoundRule
  private let scalars: RedactedScalars
  private let shift: ObjectShift?
  private let fake: FakeText?
  private let memo = RedactionMemo()
  /// Whether strings become strings and ints become ints, depending only on the key.
  private let remembers: Bool

  init(_ rule: BoundRule, _ scalars: RedactedScalars, _ shift: ObjectShift?, _ key: RedactionKey) {
    (self.rule, self.scalars, self.shift) = (rule, scalars, shift)
    if case .fake(let kind) = rule.action { fake = FakeText(kind, key) } else { fake = nil }
    remembers =
      switch rule.action {
      case .mask, .hash, .fake, .noise: true
      case .keep, .null, .constant, .truncate, .shift, .range: false
      }
  }

  func key(_ key: BlobView, of object: ObjectKey, in arena: ByteArena) throws -> BlobView {
    guard !rule.keepsKeys, rule.isFor(object) else { return key }
    return try scalars.hash(key: key, in: arena)
  }

  /// Values in a Mixed property that the rule does not fit are hashed.
  func value(_ value: ValueView, of object: ObjectKey, in arena: ByteArena) throws -> ValueView {
    guard rule.isFor(object) else { return value }
    switch value {
    case .null, .list, .set, .dictionary: return value
    case .link, .typedLink: return rule.action == .null ? .null : value
    default: break
    }
    guard remembers else { return try redacted(value, of: object, in: arena) }
    switch value {
    case .string(let text):
      guard let bytes = text.contiguous else { break }
      return .string(
        try memo.text(instead: bytes, in: arena) {
          guard case .string(let other) = try redacted(value, of: object, in: arena) else { return .empty }
          return other
        })
    case .int(let number):
      return .int(
        try memo.int(instead: number) {
          guard case .int(let other) = try redacted(value, of: object, in: arena) else { return 0 }
          return other
        })
    default: break
    }
    return try redacted(value, of: object, in: arena)
  }

  private func redacted(_ value: ValueView, of object: ObjectKey, in arena: ByteArena) throws -> ValueView {
    switch rule.action {
    case .keep: return value
    case .null: return rule.isNullable ? .null : value.zero
    case .constant: return rule.constant.view(in: arena)
    case .mask: return try scalars.mask(value, in: arena)
    case .hash(let keepsTime): return try scalars.hash(value, keepsTime: keepsTime, in: arena)
    case .fake: return try faked(value, in: arena)
    case .truncate(let count): return try truncated(value, to: count, in: arena)
    case .noise(let range): return try scalars.noisy(value, range) ?? scalars.hash(value, in: arena)
    case .shift: return try shifted(value, of: object, in: arena)
    case .range(.number(let step)): return try scalars.rounded(value, to: step) ?? scalars.hash(value, in: arena)
    case .range(.seconds(let seconds)): return try rounded(value, to: seconds, in: arena)
    }
  }

  private func faked(_ value: ValueView, in arena: ByteArena) throws -> ValueView {
    guard let fake, case .string(let text) = value else { return try scalars.hash(value, in: arena) }
    return .string(try RedactedScalars.withBytes(of: text) { fake.text(instead: $0, in: arena) })
  }

  /// The first characters (Unicode scalars) of a text, the first bytes of data.
  private func truncated(_ value: ValueView, to count: Int, in arena: ByteArena) throws -> ValueView {
    switch value {
    case .string(let text):
      let start = try RedactedScalars.withBytes(of: text) { bytes in
        var left = count
        let end = bytes.firstIndex { byte in
          if byte & 0xc0 != 0x80 { left -= 1 }
          return left < 0
        }
        return RedactedScalars.copied(bytes[..<(end ?? bytes.count)], in: arena)
      }
      return .string(start)
    case .data(let bytes):
      return .data(try RedactedScalars.withBytes(of: bytes) { RedactedScalars.copied($0.prefix(count), in: arena) })
    default: return try scalars.hash(value, in: arena)
    }
  }

  private func shifted(_ value: ValueView, of object: ObjectKey, in arena: ByteArena) throws -> ValueView {
    guard let shift, case .date(let date) = value else { return try scalars.hash(value, in: arena) }
    return try .date(Timestamp(clamping: date.totalNanoseconds + shift.nanoseconds(for: object)))
  }

  private func rounded(_ value: ValueView, to step: Int64, in arena: ByteArena) throws -> ValueView {
    guard case .date(let date) = value else { return try scalars.hash(value, in: arena) }
    // A moment before a whole second belongs to the second before.
    let whole = date.nanoseconds < 0 && date.seconds > .min ? date.seconds - 1 : date.seconds
    let rest = whole % step
    let (seconds, isBeyond) = whole.subtractingReportingOverflow(rest < 0 ? rest + step : rest)
    return .date(Timestamp(seconds: isBeyond ? .min : seconds, nanoseconds: 0))
  }
}

extension ValueView {
  /// The value that means "no value" in the same type.
  fileprivate var zero: ValueView {
    switch self {
    case .int: .int(0)
    case .bool: .bool(false)
    case .float: .float(0)
    case .double: .double(0)
    case .string: .string(BlobView(UnsafeRawBufferPointer(start: nil, count: 0)))
    case .data: .data(BlobView(UnsafeRawBufferPointer(start: nil, count: 0)))
    case .date: .date(Timestamp(seconds: 0, nanoseconds: 0))
    case .decimal: .decimal(Decimal128(coefficient: 0, exponent: 0, isNegative: false))
    case .objectID: .objectID(ObjectID(head: 0, tail: 0))
    case .uuid: .uuid(RealmUUID(head: 0, tail: 0))
    case .null, .link, .typedLink, .list, .set, .dictionary: .null
    }
  }
}

/// By how much the dates of an object are shifted: as much as those of the object that it is embedded in.
///
/// The shift includes parts of a second, which would otherwise reveal as much as the whole date. The primary key
/// decides, or the object key if there is none, so an object is shifted by the same amount in every file.
final class ObjectShift {
  private let limit: Int64
  private let hash: KeyedHash
  private let table: Table
  private let snapshot: Snapshot
  private var last: (object: ObjectKey, nanoseconds: Signed128)?
  /// The primary keys read last.
  private var keys: (table: TableKey, batch: ObjectBatch, values: BatchColumn)?
  /// The limit for embedded objects inside each other.
  private static let mostLevels = 1000

  /// - Parameter limit: in seconds.
  init(by limit: Int64, _ hash: KeyedHash, of table: Table, in snapshot: Snapshot) {
    (self.limit, self.hash, self.table, self.snapshot) = (limit, hash, table, snapshot)
  }

  /// - Throws: `StorageError` if the parents of an embedded object, or a primary key, cannot be read.
  func nanoseconds(for object: ObjectKey) throws -> Signed128 {
    if let last, last.object == object { return last.nanoseconds }
    let (owner, key) = try owner(of: object)
    let identity = try owner.schema.displayName.utf8 + identity(of: key, in: owner)
    var random = KeyedNumbers(identity.withUnsafeBytes { hash.digest($0) })
    let nanoseconds = Signed128(clamping: (random.signedFraction() * Double(limit) * 1e9).rounded())
    last = (object, nanoseconds)
    return nanoseconds
  }

  private func identity(of key: ObjectKey, in owner: Table) throws -> [UInt8] {
    // No name of a class has a byte of 0.
    func bytes(_ kind: UInt8, _ number: Int64) -> [UInt8] {
      withUnsafeBytes(of: number.littleEndian) { [0, kind] + $0 }
    }
    switch try primaryKey(of: key, in: owner) {
    case nil: return bytes(0, key.rawValue)
    case .int(let number)?: return bytes(1, number)
    case let value?:
      var identity: [UInt8] = [0, 2]
      try value.forEachBytes(snapshot.collectionWalk()) { identity += $0 }
      return identity
    }
  }

  /// Nil for an object that has none, or null.
  private func primaryKey(of key: ObjectKey, in owner: Table) throws -> ValueView? {
    guard let index = owner.schema.primaryKeyIndex else { return nil }
    if let keys, keys.table == owner.key, let row = keys.batch.row(of: key) { return try value(keys.values, row) }
    guard let (batch, row) = try owner.object(key) else { return nil }
    let values = try BatchColumn(batch, property: index)
    keys = (owner.key, batch, values)
    return try value(values, row)
  }

  private func value(_ values: BatchColumn, _ row: Int) throws -> ValueView? {
    let value = try values.value(at: row)
    if case .null = value { return nil }
    return value
  }

  /// The object that is embedded in no other.
  private func owner(of object: ObjectKey) throws -> (Table, ObjectKey) {
    var (table, key) = (table, object)
    for _ in 0..<Self.mostLevels {
      guard table.schema.kind == .embedded, let place = try table.object(key) else { return (table, key) }
      var parent: (Table, ObjectKey)?
      for group in snapshot.backlinks(to: place.batch, row: place.row) where parent == nil {
        let links = try group.get()
        guard links.count > 0, let origin = snapshot.table(links.origin),
          let first = links.originKeys(at: 0..<1, in: snapshot).first
        else { continue }
        parent = (origin, try first.get())
      }
      guard let parent else { return (table, key) }
      (table, key) = parent
    }
    return (table, key)
  }
}

import CCrypto

/// The keys of a table's objects in a rebuilt realm, if they change. Some formats compute them from primary keys
/// (Docs/Format/4-file-versions.md §3.3, Docs/Format/3-tables-and-objects.md §4.5, §4.6). If such a key would reveal
/// the primary key that it was computed from, objects get numbers from 0 up instead.
///
/// Takes some 50 bytes per object.
package struct DerivedKeys: Sendable {
  /// An object, or a placeholder of one that is not there.
  struct Entry: Sendable {
    let key: ObjectKey
    /// Its key in the source.
    let source: ObjectKey
  }

  /// In the order of their new keys.
  private(set) var objects: [Entry] = []
  private(set) var tombstones: [Entry] = []
  /// Whether the objects lie in the same order as in the source.
  private(set) var keepsOrder = false
  /// Entries of the collision map, in its order.
  private(set) var collisions: [(id: GlobalID, key: Int64)] = []
  /// The number from which the key of the next collision is computed.
  private(set) var sequence: UInt64 = 0
  private var bySource: [ObjectKey: ObjectKey] = [:]
  /// The ids by the keys that are in use, without the sign of placeholders.
  private var ids: [Int64: GlobalID] = [:]
  /// Those of `collisions`.
  private var colliding: Set<GlobalID> = []
  private let table: RealmString

  /// - Parameter table: what messages call it.
  init(table: RealmString) { self.table = table }

  /// Adds an object, or a placeholder if its key in the source is unresolved.
  ///
  /// - Throws: `BuildError.equalPrimaryKeys` if there is one with that primary key; `wrongType` for a value that is not
  ///   a primary key.
  mutating func add(_ source: ObjectKey, primaryKey: ValueView) throws {
    let id = try GlobalID(primaryKey)
    var number = Int64(bitPattern: id.low & (1 << 62 - 1))
    if let other = ids[number] {
      guard other != id, colliding.insert(id).inserted else { throw BuildError.equalPrimaryKeys(table: table) }
      // Both are listed, the first with the key that it has.
      if colliding.insert(other).inserted { collisions.append((other, number)) }
      number = Int64(bitPattern: 1 << 62 | sequence)
      sequence += 1
      collisions.append((id, number))
    }
    ids[number] = id
    let key = ObjectKey(rawValue: source.isUnresolved ? -2 - number : number)
    bySource[source] = key
    if source.isUnresolved {
      tombstones.append(Entry(key: key, source: source))
    } else {
      objects.append(Entry(key: key, source: source))
    }
  }

  /// Adds the next object, or a placeholder, with the next number as its key. All objects must come before the first
  /// placeholder, both in the order of the source.
  mutating func addNext(_ source: ObjectKey) {
    keepsOrder = true
    let number = Int64(sequence)
    sequence += 1
    let key = ObjectKey(rawValue: source.isUnresolved ? -2 - number : number)
    bySource[source] = key
    if source.isUnresolved {
      tombstones.append(Entry(key: key, source: source))
    } else {
      objects.append(Entry(key: key, source: source))
    }
  }

  /// Sorts everything, once all have been added.
  mutating func finish() {
    (ids, colliding) = ([:], [])
    objects.sort { $0.key < $1.key }
    tombstones.sort { $0.key < $1.key }
    collisions.sort { $0.id < $1.id }
  }

  /// The new key of an object; nil for one that is not there.
  package subscript(source: ObjectKey) -> ObjectKey? { bySource[source] }
}

/// The 128 bits that engines of formats 10–21 know an object with a primary key by.
struct GlobalID: Hashable, Comparable, Sendable {
  let high: UInt64
  let low: UInt64

  /// The id that belongs to a primary key.
  ///
  /// - Throws: `BuildError.wrongType` for a value of another type.
  init(_ primaryKey: ValueView) throws {
    switch primaryKey {
    case .null: self.init(high: 1, low: 0)
    case .int(let number): self.init(high: 0, low: UInt64(bitPattern: number))
    case .string(let text): self.init(hashing: ValueOrder.bytes(of: text))
    case .objectID(let id):
      let bytes = (id.head.bigEndian, id.tail.bigEndian)
      self = withUnsafeBytes(of: bytes) { GlobalID(hashing: UnsafeRawBufferPointer(rebasing: $0.prefix(12))) }
    case .uuid(let uuid): self.init(high: uuid.head.byteSwapped, low: uuid.tail.byteSwapped)
    default: throw BuildError.wrongType
    }
  }

  private init(high: UInt64, low: UInt64) { (self.high, self.low) = (high, low) }

  private init(hashing bytes: UnsafeRawBufferPointer) {
    (low, high) = withUnsafeTemporaryAllocation(byteCount: 24, alignment: 8) { digest in
      digest.initializeMemory(as: UInt8.self, repeating: 0)
      // Null has no bytes to point to.
      ccrypto_sha1(bytes.baseAddress ?? UnsafeRawPointer(digest.baseAddress), bytes.count, digest.baseAddress)
      return (
        digest.load(as: UInt64.self).littleEndian, digest.load(fromByteOffset: 8, as: UInt64.self).littleEndian
      )
    }
  }

  /// The order of the collision map.
  static func < (left: GlobalID, right: GlobalID) -> Bool {
    left.high == right.high ? left.low < right.low : Int64(bitPattern: left.high) < Int64(bitPattern: right.high)
  }
}

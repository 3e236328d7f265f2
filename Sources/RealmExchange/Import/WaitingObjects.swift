import RealmStorage
import RealmText

/// Objects with links to objects that have not been read. The first ones are kept in memory. If there are many, all are
/// moved to an unnamed file that SQLite keeps, and are returned in the order of the realm.
final class WaitingObjects {
  struct Waiter {
    let object: ImportedObject
    let key: ObjectKey
    /// Whether it was created, and only its links are missing.
    let isNew: Bool
    let source: Int
    /// Where its links are.
    let places: [(property: Int, place: ImportPlace)]
    let name: String?

    func place(of property: Int) -> ImportPlace {
      places.first { $0.property == property }?.place ?? ImportPlace(line: 0, column: 0)
    }
  }

  private let classes: [DataClass]
  private let keepsOffDisk: Bool
  private let mostInMemory: Int
  private var waiters: [Waiter] = []
  /// By class, the objects that wait: a bit for each of 256 keys that follow each other.
  private var keys: [[Int64: SIMD4<UInt64>]]
  private var database: SQLiteDatabase?
  private var insertion: SQLiteStatement?
  private var writer = ImportedValueWriter()

  init(_ classes: [DataClass], _ options: ImportOptions) {
    self.classes = classes
    (keepsOffDisk, mostInMemory) = (options.keepsOffDisk, options.mostWaitingInMemory)
    keys = Array(repeating: [:], count: classes.count)
  }

  /// Whether a row of an object waits.
  func contains(_ key: ObjectKey, _ dataClass: DataClass) -> Bool {
    guard let bits = keys[dataClass.number][key.rawValue >> 8] else { return false }
    return bits[Int(key.rawValue >> 6 & 3)] >> UInt64(key.rawValue & 63) & 1 != 0
  }

  /// - Throws: `DatabaseError`.
  func append(_ waiter: Waiter) throws {
    let key = waiter.key.rawValue
    keys[waiter.object.dataClass.number][key >> 8, default: .zero][Int(key >> 6 & 3)] |= 1 << UInt64(key & 63)
    guard database == nil else { return try insert(waiter) }
    waiters.append(waiter)
    guard waiters.count > mostInMemory else { return }
    let made = try SQLiteDatabase(keepsOffDisk ? ":memory:" : "", keepsOffDisk ? .writing : .temporary)
    try made.execute(
      """
      PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA temp_store = \(keepsOffDisk ? "MEMORY" : "FILE");
      CREATE TABLE waiter (class INTEGER, object INTEGER, content BLOB);
      BEGIN
      """)
    (database, insertion) = (made, try made.prepare("INSERT INTO waiter VALUES (?1, ?2, ?3)"))
    for waiter in waiters { try insert(waiter) }
    waiters = []
  }

  private func insert(_ waiter: Waiter) throws {
    guard let insertion else { return }
    writer.removeAll()
    writer.write(waiter)
    try writer.bytes.withUnsafeBytes { bytes in
      defer { insertion.reset() }
      try insertion.bind(.integer(Int64(waiter.object.dataClass.number)), at: 0)
      try insertion.bind(.integer(waiter.key.rawValue), at: 1)
      try insertion.bind(.blob(bytes), at: 2)
      _ = try insertion.step()
    }
  }

  /// Hands out all objects.
  ///
  /// - Throws: `DatabaseError`; what `body` throws.
  func forEach(_ body: (Waiter) throws -> Void) throws {
    guard let database else { return try waiters.forEach(body) }
    let rows = try database.prepare("SELECT class, object, content FROM waiter ORDER BY class, object, rowid")
    while try rows.step() {
      guard case .blob(let bytes) = rows.cell(2), classes.indices.contains(Int(rows.integer(0))) else { continue }
      var reader = ImportedValueReader(bytes, classes)
      guard
        let waiter = reader.waiter(of: classes[Int(rows.integer(0))], ObjectKey(rawValue: rows.integer(1)))
      else {
        throw DatabaseError.sqlite(
          SQLiteFault(code: 11, message: "the temporary file has other bytes than were written", errorNumber: 0))
      }
      try body(waiter)
    }
  }
}

/// Writes values of a source as bytes, which `ImportedValueReader` reads.
private struct ImportedValueWriter {
  private(set) var bytes: [UInt8] = []

  enum Mark: UInt8 {
    case null, int, bool, float, double, string, data, date, decimal, objectID, uuid, link, typedLink
    case list, set, dictionary, embedded, pending, values
  }

  mutating func removeAll() { bytes.removeAll(keepingCapacity: true) }

  mutating func write(_ waiter: WaitingObjects.Waiter) {
    write(UInt64(waiter.isNew ? 1 : 0))
    write(UInt64(waiter.source))
    write(UInt64(waiter.places.count))
    for (property, place) in waiter.places {
      write(UInt64(property))
      write(UInt64(bitPattern: Int64(place.line)))
      write(UInt64(bitPattern: Int64(place.column)))
      write(place.file)
    }
    write(waiter.name)
    write(waiter.object)
  }

  private mutating func write(_ text: String?) {
    guard let text else { return mark(.null) }
    mark(.string)
    write(Array(text.utf8))
  }

  private mutating func write(_ object: ImportedObject) {
    write(UInt64(object.members.count))
    for member in object.members {
      write(UInt64(member.property))
      write(member.value)
    }
  }

  private mutating func write(_ value: ImportedValue) {
    switch value {
    case .plain(let value): write(value)
    case .embedded(let object):
      mark(.embedded)
      write(UInt64(object.dataClass.number))
      write(object)
    case .pending(let directory, let entry, let isInMixed):
      mark(.pending)
      write(UInt64(directory))
      write(UInt64(bitPattern: Int64(entry)))
      write(UInt64(isInMixed ? 1 : 0))
    case .list(let values): write(values, in: .list)
    case .set(let values): write(values, in: .set)
    case .dictionary(let entries):
      mark(.values)
      mark(.dictionary, UInt64(entries.count))
      for entry in entries {
        write(entry.name.utf8)
        write(entry.value)
      }
    }
  }

  private mutating func write(_ values: [ImportedValue], in collection: Mark) {
    mark(.values)
    mark(collection, UInt64(values.count))
    for value in values { write(value) }
  }

  private mutating func write(_ value: Value) {
    switch value {
    case .null: mark(.null)
    case .int(let number): mark(.int, UInt64(bitPattern: number))
    case .bool(let flag): mark(.bool, flag ? 1 : 0)
    case .float(let number): mark(.float, UInt64(number.bitPattern))
    case .double(let number): mark(.double, number.bitPattern)
    case .string(let text):
      mark(.string)
      write(text.utf8)
    case .data(let data):
      mark(.data)
      write(data)
    case .date(let date):
      mark(.date, UInt64(bitPattern: date.seconds), UInt64(UInt32(bitPattern: date.nanoseconds)))
    case .decimal(let number): mark(.decimal, number.low, number.high)
    case .objectID(let id): mark(.objectID, id.head, UInt64(id.tail))
    case .uuid(let id): mark(.uuid, id.head, id.tail)
    case .link(let table, let key): mark(.link, UInt64(table.rawValue), UInt64(bitPattern: key.rawValue))
    case .typedLink(let table, let key): mark(.typedLink, UInt64(table.rawValue), UInt64(bitPattern: key.rawValue))
    case .list(let values): write(values, in: .list)
    case .set(let values): write(values, in: .set)
    case .dictionary(let entries):
      mark(.dictionary, UInt64(entries.count))
      for entry in entries {
        write(entry.key.utf8)
        write(entry.value)
      }
    }
  }

  private mutating func write(_ values: [Value], in collection: Mark) {
    mark(collection, UInt64(values.count))
    for value in values { write(value) }
  }

  private mutating func mark(_ mark: Mark, _ numbers: UInt64...) {
    bytes.append(mark.rawValue)
    for number in numbers { write(number) }
  }

  private mutating func write(_ number: UInt64) {
    withUnsafeBytes(of: number.littleEndian) { bytes.append(contentsOf: $0) }
  }

  private mutating func write(_ text: [UInt8]) {
    write(UInt64(text.count))
    bytes.append(contentsOf: text)
  }
}

/// Reads what `ImportedValueWriter` has written; nil for anything else.
private struct ImportedValueReader {
  private typealias Mark = ImportedValueWriter.Mark

  private var rest: Slice<UnsafeRawBufferPointer>
  private let classes: [DataClass]

  init(_ bytes: UnsafeRawBufferPointer, _ classes: [DataClass]) { (rest, self.classes) = (bytes[...], classes) }

  mutating func waiter(of dataClass: DataClass, _ key: ObjectKey) -> WaitingObjects.Waiter? {
    guard let isNew = number(), let source = integer(), let count = integer() else { return nil }
    var places: [(property: Int, place: ImportPlace)] = []
    for _ in 0..<count {
      guard let property = integer(), let line = integer(), let column = integer(), let file = optionalText() else {
        return nil
      }
      places.append((property, ImportPlace(file: file, line: line, column: column)))
    }
    guard let name = optionalText(), let object = object(dataClass) else { return nil }
    return WaitingObjects.Waiter(
      object: object, key: key, isNew: isNew == 1, source: source, places: places, name: name)
  }

  private mutating func object(_ dataClass: DataClass) -> ImportedObject? {
    guard let count = integer() else { return nil }
    var object = ImportedObject(dataClass: dataClass, members: [])
    for _ in 0..<count {
      guard let property = integer(), dataClass.properties.indices.contains(property), let value = imported() else {
        return nil
      }
      object.members.append((property, value))
    }
    return object
  }

  private mutating func imported() -> ImportedValue? {
    guard let mark = mark() else { return nil }
    switch mark {
    case .embedded:
      guard let number = integer(), classes.indices.contains(number), let object = object(classes[number]) else {
        return nil
      }
      return .embedded(object)
    case .pending:
      guard let directory = integer(), let entry = number(), let isInMixed = number() else { return nil }
      return .pending(directory: directory, entry: Int(Int64(bitPattern: entry)), isInMixed: isInMixed == 1)
    case .values:
      guard let kind = self.mark(), let count = integer() else { return nil }
      var values: [(name: RealmString, value: ImportedValue)] = []
      for _ in 0..<count {
        guard let name = kind == .dictionary ? text() : [], let value = imported() else { return nil }
        values.append((RealmString(utf8: name), value))
      }
      switch kind {
      case .list: return .list(values.map(\.value))
      case .set: return .set(values.map(\.value))
      default: return .dictionary(values)
      }
    default: return value(mark).map(ImportedValue.plain)
    }
  }

  private mutating func value(_ mark: Mark) -> Value? {
    switch mark {
    case .null: return .null
    case .string: return text().map { .string(RealmString(utf8: $0)) }
    case .data: return text().map(Value.data)
    case .list: return elements().map(Value.list)
    case .set: return elements().map(Value.set)
    case .dictionary:
      guard let count = integer() else { return nil }
      var entries: [RealmString: Value] = [:]
      for _ in 0..<count {
        guard let name = text(), let mark = self.mark(), let value = value(mark) else { return nil }
        entries[RealmString(utf8: name)] = value
      }
      return .dictionary(entries)
    case .embedded, .pending, .values: return nil
    default: break
    }
    guard let first = number() else { return nil }
    switch mark {
    case .int: return .int(Int64(bitPattern: first))
    case .bool: return .bool(first == 1)
    case .float: return .float(Float(bitPattern: UInt32(truncatingIfNeeded: first)))
    case .double: return .double(Double(bitPattern: first))
    default: break
    }
    guard let second = number() else { return nil }
    let key = ObjectKey(rawValue: Int64(bitPattern: second))
    switch mark {
    case .date:
      let nanoseconds = Int32(bitPattern: UInt32(truncatingIfNeeded: second))
      return .date(Timestamp(seconds: Int64(bitPattern: first), nanoseconds: nanoseconds))
    case .decimal: return .decimal(Decimal128(low: first, high: second))
    case .objectID: return .objectID(ObjectID(head: first, tail: UInt32(truncatingIfNeeded: second)))
    case .uuid: return .uuid(RealmUUID(head: first, tail: second))
    case .link: return .link(TableKey(rawValue: UInt32(truncatingIfNeeded: first)), key)
    case .typedLink: return .typedLink(TableKey(rawValue: UInt32(truncatingIfNeeded: first)), key)
    default: return nil
    }
  }

  private mutating func elements() -> [Value]? {
    guard let count = integer() else { return nil }
    var values: [Value] = []
    for _ in 0..<count {
      guard let mark = mark(), let value = value(mark) else { return nil }
      values.append(value)
    }
    return values
  }

  private mutating func mark() -> Mark? { rest.popFirst().flatMap(Mark.init) }

  private mutating func number() -> UInt64? {
    guard rest.count >= MemoryLayout<UInt64>.size else { return nil }
    let number = UnsafeRawBufferPointer(rebasing: rest).loadUnaligned(as: UInt64.self)
    rest = rest.dropFirst(MemoryLayout<UInt64>.size)
    return UInt64(littleEndian: number)
  }

  /// Reads a count that cannot be larger than the rest of the bytes.
  private mutating func integer() -> Int? { number().flatMap { Int(exactly: $0) } }

  private mutating func text() -> [UInt8]? {
    guard let count = integer(), count <= rest.count else { return nil }
    defer { rest = rest.dropFirst(count) }
    return Array(rest.prefix(count))
  }

  /// Nil if the bytes are not a text; a nil inside the optional if there is no text.
  private mutating func optionalText() -> String?? {
    switch mark() {
    case .null: .some(nil)
    case .string: text().map { Optional(String(decoding: $0, as: UTF8.self)) }
    default: nil
    }
  }
}

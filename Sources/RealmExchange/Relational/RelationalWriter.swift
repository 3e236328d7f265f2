import RealmModels
import RealmStorage
import RealmText

/// Writes objects as rows of the relational form. Damaged values are recorded, and become null, or the empty value of
/// their type if null is not allowed; damaged elements are left out. Writing continues after them.
///
/// A writer belongs to one thread.
final class RelationalWriter<Cells: RelationalCells> {
  private let plan: RelationalPlan
  private let snapshot: Snapshot
  private let cells: Cells
  /// Records damage, and walks through collections.
  private let notes: ObjectWriter<TypedForm>
  /// Writes typed JSON into `json`.
  private let typed: ContentWriter
  private let json = TextBuffer(capacity: 1 << 12)
  private let word = TextBuffer(capacity: 64)
  private let owner = TextBuffer(capacity: 64)
  /// The object key of an owner that is identified by a number.
  private var ownerNumber: Int64?
  private let decoded = DecodedBatch()
  private let reach: EmbeddedReach?
  private var reached: [TableKey: Set<ObjectKey>] = [:]
  /// Values of the current row that its columns cannot store.
  private var exact: [(property: Int, value: [UInt8])] = []
  private let spillIfLarge: () throws -> Void
  private let metaNumbers: (keys: Int, values: Int)

  /// The position of an element in its collection.
  private enum Place {
    case none
    /// In a list, where its row says so.
    case position(Int)
    /// In a set, as its rows follow each other.
    case ordinal(Int)
    case key(BlobView)
  }

  init(
    _ plan: RelationalPlan, _ cells: Cells, _ context: ExportContext, reach: EmbeddedReach?,
    spillIfLarge: @escaping () throws -> Void
  ) {
    (self.plan, self.cells, self.reach, self.spillIfLarge) = (plan, cells, reach, spillIfLarge)
    snapshot = context.snapshot
    notes = ObjectWriter(form: TypedForm(style: .digested), context: context, text: TextBuffer(capacity: 64)) { _ in }
    typed = ContentWriter(
      context.snapshot, selection: nil, walk: context.walk, budget: context.embedded, showsKeys: false,
      style: .digested, text: json)
    metaNumbers = (plan.relational.number(of: .keys), plan.relational.number(of: .values))
  }

  func takeReport() -> DamageReport {
    reach?.add(reached)
    reached = [:]
    return notes.takeReport()
  }

  func forgetPlaces() {
    notes.resolver.forgetAll()
    typed.resolver.forgetAll()
  }

  func write(_ piece: ExportPiece) throws {
    guard case .objects(let objects, _, _) = piece.content else { return }
    try write(objects)
  }

  func write(_ objects: ExportedObjects) throws {
    try objects.forEachBatch(damaged: notes.note, write)
  }

  private func write(_ batch: ObjectBatch, _ rows: [Int]?) throws {
    guard let position = plan.position(of: batch.table.key) else { return }
    let table = plan.relational.classes[position]
    notes.setTable(batch.table)
    decoded.read(batch, rows: rows) { property, row, error in
      // If tables are written one by one, each reports its own values.
      guard cells.wants(table.collectionNumbers[property] ?? table.number) else { return }
      notes.note(error, in: batch, property: property, row: row)
    }
    for number in 0..<(rows?.count ?? batch.count) {
      let row = rows?[number] ?? number
      let cell = decoded.isSparse ? number : row
      try write(batch.key(at: row), of: table) { decoded.value(ofProperty: $0, row: cell) }
      try spillIfLarge()
    }
  }

  /// Writes the elements of one property of some objects, and nothing else: only that property and the keys are read.
  func writeElements(of objects: ExportedObjects, property: Int) throws {
    try objects.forEachBatch(damaged: notes.note) { batch, rows in
      guard let position = plan.position(of: batch.table.key) else { return }
      let table = plan.relational.classes[position]
      guard let number = table.collectionNumbers[property] else { return }
      notes.setTable(batch.table)
      var columns: [Int: PropertyValues] = [:]
      for row in rows.map(AnySequence.init) ?? AnySequence(0..<batch.count) {
        let key = batch.key(at: row)
        func value(_ index: Int) -> ValueView? {
          do {
            let column = try columns[index] ?? batch.values(ofProperty: index)
            columns[index] = column
            return try column.value(at: row)
          } catch {
            if let error = error as? StorageError { notes.note(error) }
            return nil
          }
        }
        notes.setPlace(object: key, property: property)
        guard setOwner(key, of: table, value: value) else { continue }
        notes.setPlace(object: key, property: property)
        guard let elements = value(property) else { continue }
        try writeElements(elements, of: property, number, table)
        try spillIfLarge()
      }
    }
  }

  // MARK: Objects

  private func write(_ key: ObjectKey, of table: RelationalClass, value: (Int) -> ValueView?) throws {
    guard setOwner(key, of: table, value: value) else { return }
    if isWanted(table.number) {
      cells.begin(table.number)
      if table.key == .objectKey { cells.append(integer: key.rawValue) }
      for (index, form) in table.values.enumerated() where form.property.hasColumn {
        notes.setPlace(object: key, property: index)
        _ = try append(value(index), form, property: index)
      }
      cells.end()
      try writeExact(of: table, at: .none)
    }
    if table.key != .objectKey { writeKey(key, of: table) }
    for (index, number) in table.collectionNumbers.enumerated() {
      guard let number, isWanted(number), let elements = value(index) else { continue }
      notes.setPlace(object: key, property: index)
      try writeElements(elements, of: index, number, table)
    }
  }

  /// Whether rows of a table must be made: for their content, or for the objects that they contain.
  private func isWanted(_ number: Int) -> Bool {
    cells.wants(number) || cells.wants(metaNumbers.values) || reach != nil
  }

  /// - Returns: false if the object has no key that its row could have, which is recorded.
  private func setOwner(_ key: ObjectKey, of table: RelationalClass, value: (Int) -> ValueView?) -> Bool {
    owner.removeAll()
    ownerNumber = key.rawValue
    guard case .property(let index) = table.key else { return true }
    notes.setPlace(object: key, property: index)
    // Anything that cannot be read has been recorded.
    guard let primaryKey = value(index) else { return false }
    ownerNumber = nil
    switch (table.schema.properties[index].type, primaryKey) {
    case (.int, .int(let number)): ownerNumber = number
    case (.string, .string(let text)):
      do { try text.forEachPiece { owner.append(bytes: $0) } } catch {
        if let error = error as? StorageError { notes.note(error) }
        return false
      }
    case (.objectID, .objectID(let id)): owner.append(id)
    case (.uuid, .uuid(let id)): owner.append(id)
    default:
      notes.note(.corrupted(.null, .valueOutOfRange("a primary key that is null, or of another type")))
      return false
    }
    return true
  }

  private func appendOwner() {
    if let ownerNumber { return cells.append(integer: ownerNumber) }
    owner.withBytes { cells.append(text: $0, isFromFile: true) }
  }

  private func append(_ name: Identifier) {
    var text = name.name
    text.withUTF8 { cells.append(text: UnsafeRawBufferPointer($0), isFromFile: true) }
  }

  private func writeKey(_ key: ObjectKey, of table: RelationalClass) {
    cells.begin(metaNumbers.keys)
    append(table.table.name)
    appendOwner()
    cells.append(integer: key.rawValue)
    cells.end()
  }

  private func writeExact(of table: RelationalClass, at place: Place) throws {
    guard !exact.isEmpty else { return }
    defer { exact.removeAll(keepingCapacity: true) }
    for value in exact {
      cells.begin(metaNumbers.values)
      append(table.table.name)
      append(table.propertyNames[value.property])
      appendOwner()
      switch place {
      case .none: cells.appendNull()
      case .position(let index), .ordinal(let index): cells.append(integer: Int64(index))
      case .key(let key): try key.withContiguous { cells.append(text: $0, isFromFile: true) }
      }
      value.value.withUnsafeBytes { cells.append(text: $0, isFromFile: true) }
      cells.end()
    }
  }

  // MARK: Collections

  private func writeElements(_ elements: ValueView, of property: Int, _ number: Int, _ table: RelationalClass) throws {
    let collection = table.schema.properties[property].collection
    var ordinal = 0
    try notes.forEachElement(of: elements) { index, key, element in
      let place: Place =
        switch collection {
        case .list: .position(index ?? 0)
        case .set: .ordinal(ordinal)
        case nil: .none
        case .dictionary: key.map(Place.key) ?? .none
        }
      cells.begin(number)
      appendOwner()
      switch place {
      case .none, .ordinal: break
      case .position(let index): cells.append(integer: Int64(index))
      case .key(let key): try key.withContiguous { cells.append(text: $0, isFromFile: true) }
      }
      guard try append(element, table.values[property], property: property) else { return cells.cancel() }
      cells.end()
      ordinal += 1
      try writeExact(of: table, at: place)
      try spillIfLarge()
    }
  }

  // MARK: Single cells

  /// Sets the value that comes next, for reports of damage.
  func setPlace(_ table: Table, _ key: ObjectKey, property: Int) {
    notes.setTable(table)
    notes.setPlace(object: key, property: property)
  }

  func note(_ error: StorageError) { notes.note(error) }

  /// Appends the cells of one property of an object, and nothing else of it.
  ///
  /// - Parameter value: nil for one that cannot be read.
  func appendCells(of value: ValueView?, of table: RelationalClass, property: Int) {
    // Values that could not be written are recorded.
    _ = try? append(value, table.values[property], property: property)
    exact.removeAll(keepingCapacity: true)
  }

  // MARK: Values

  /// Appends the cells of a value, or of none if it is damaged, which is recorded.
  ///
  /// - Returns: false if it is damaged.
  private func append(_ value: ValueView?, _ form: RelationalValue, property: Int) throws -> Bool {
    guard let value else {
      appendNothing(form)
      return false
    }
    let kept = exact.count
    do {
      try append(value, form, property)
      return true
    } catch let error as StorageError {
      notes.note(error)
      exact.removeLast(exact.count - kept)
      appendNothing(form)
      return false
    }
  }

  /// Null, or the closest value to it.
  private func appendNothing(_ form: RelationalValue) {
    if form.property.type == .mixed { cells.appendNull() }
    guard form.isRequired else { return cells.appendNull() }
    switch form.property.type {
    case .float, .double: cells.append(real: 0)
    case .int, .bool, .object, .linkingObjects, .mixed: cells.append(integer: 0)
    case .date where plan.relational.dates != .iso: cells.append(integer: 0)
    case .data: try? cells.append(blob: BlobView(UnsafeRawBufferPointer(start: nil, count: 0)))
    case .string, .date, .decimal128, .objectID, .uuid:
      cells.append(text: UnsafeRawBufferPointer(start: nil, count: 0), isFromFile: false)
    }
  }

  /// - Throws: only before a cell is appended.
  private func append(_ value: ValueView, _ form: RelationalValue, _ property: Int) throws {
    switch (form.property.type, value) {
    case (.mixed, _): try append(mixed: value, form, property)
    case (_, .null) where !form.isRequired: cells.appendNull()
    case (.int, .int(let number)): cells.append(integer: number)
    case (.bool, .bool(let flag)): cells.append(integer: flag ? 1 : 0)
    case (.float, .float(let number)): try append(real: Double(number), value, form, property)
    case (.double, .double(let number)): try append(real: number, value, form, property)
    case (.string, .string(let text)):
      try append(string: text, value, form, property, isKey: form.isRowKey)
    case (.data, .data(let data)): try cells.append(blob: data)
    case (.date, .date(let date)): try append(date: date, value, form, property)
    case (.decimal128, .decimal(let number)): append { $0.appendCanonical(number) }
    case (.objectID, .objectID(let id)): append { $0.append(id) }
    case (.uuid, .uuid(let id)): append { $0.append(id) }
    case (.object, .link(let table, let key)): try append(linkTo: key, in: table, value, form, property)
    default:
      try keep(value, form, property)
      appendNothing(form)
    }
  }

  private func append(_ write: (TextBuffer) -> Void) {
    word.removeAll()
    write(word)
    word.withBytes { cells.append(text: $0, isFromFile: false) }
  }

  private func append(real: Double, _ value: ValueView, _ form: RelationalValue, _ property: Int) throws {
    if real.isNaN {
      try keep(value, form, property)
      return appendNothing(form)
    }
    if real == 0, real.sign == .minus { try keep(value, form, property) }
    cells.append(real: real == 0 ? 0 : real)
  }

  private func append(
    string: BlobView, _ value: ValueView, _ form: RelationalValue, _ property: Int, isKey: Bool
  ) throws {
    var isText = true
    if !isKey { try string.withContiguous { isText = UTF8Text.isValid($0) } }
    guard !isText else { return try string.withContiguous { cells.append(text: $0, isFromFile: true) } }
    try keep(value, form, property)
    try appendReadable(string)
  }

  /// A string that is not UTF-8, with its invalid bytes replaced.
  private func appendReadable(_ string: BlobView) throws {
    try string.withContiguous { bytes in
      var text = String(decoding: bytes, as: UTF8.self)
      text.withUTF8 { cells.append(text: UnsafeRawBufferPointer($0), isFromFile: true) }
    }
  }

  private func append(date: Timestamp, _ value: ValueView, _ form: RelationalValue, _ property: Int) throws {
    guard let number = plan.relational.dates.number(of: date) else {
      return append { $0.appendISODate(date, fractionDigits: form.digits?.value ?? 0) }
    }
    if !number.isExact { try keep(value, form, property) }
    cells.append(integer: number.value)
  }

  private func append(mixed value: ValueView, _ form: RelationalValue, _ property: Int) throws {
    let type: StaticString
    switch value {
    case .null:
      cells.appendNull()
      return cells.appendNull()
    case .int(let number):
      cells.append(integer: number)
      type = "int"
    case .double(let number):
      if number.isNaN || number == 0 && number.sign == .minus { try keep(value, form, property) }
      if number.isNaN { cells.appendNull() } else { cells.append(real: number == 0 ? 0 : number) }
      type = "double"
    case .string(let text):
      try append(string: text, value, form, property, isKey: false)
      type = "string"
    case .data(let data):
      try cells.append(blob: data)
      type = "data"
    default:
      json.removeAll()
      try typed.write(value, at: .mixed)
      json.withBytes { cells.append(text: $0, isFromFile: true) }
      type = value.mixedTypeName
    }
    type.withUTF8Buffer { cells.append(text: UnsafeRawBufferPointer($0), isFromFile: false) }
  }

  /// Keeps a value that the column cannot store.
  private func keep(_ value: ValueView, _ form: RelationalValue, _ property: Int) throws {
    json.removeAll()
    try typed.write(value, at: form.position)
    exact.append((property, json.withBytes { Array($0) }))
  }

  // MARK: Links

  private func append(
    linkTo object: ObjectKey, in key: TableKey, _ value: ValueView, _ form: RelationalValue, _ property: Int
  ) throws {
    guard let target = snapshot.table(key) else { throw snapshot.danglingLink(to: object) }
    guard let own = form.target, target.schema.name == form.property.target else {
      try keep(value, form, property)
      return appendNothing(form)
    }
    guard case .primaryKey = own.key else {
      // A row that does not exist must not be referred to.
      _ = try notes.resolver.find(object, in: target)
      if reach != nil, target.schema.kind == .embedded { reached[key, default: []].insert(object) }
      return cells.append(integer: object.rawValue)
    }
    switch try notes.resolver.primaryKey(of: object, in: target) {
    case .int(let number): cells.append(integer: number)
    case .string(let text): try text.withContiguous { cells.append(text: $0, isFromFile: true) }
    case .objectID(let id): append { $0.append(id) }
    case .uuid(let id): append { $0.append(id) }
    default:
      guard own.position == nil else { throw StorageError.corrupted(.null, .danglingLink(key: object.rawValue)) }
      try keep(value, form, property)
      cells.appendNull()
    }
  }
}

extension RelationalValue {
  /// The position of its values in the text that a content hash is computed from.
  var position: ValuePosition {
    switch property.collection {
    case nil: property.type == .mixed ? .mixed : .property
    case .list, .set: property.type == .mixed ? .mixed : .element
    // The values of dictionaries are Mixed, whatever their declared type; links have a target of their own.
    case .dictionary: property.type == .object ? .element : .mixed
    }
  }
}

extension ValueView {
  /// The type of a value in a Mixed property, in the words of schema files.
  fileprivate var mixedTypeName: StaticString {
    switch self {
    case .null: "null"
    case .int: "int"
    case .bool: "bool"
    case .float: "float"
    case .double: "double"
    case .string: "string"
    case .data: "data"
    case .date: "date"
    case .decimal: "decimal128"
    case .objectID: "objectId"
    case .uuid: "uuid"
    case .link, .typedLink: "object"
    case .list: "list"
    case .set: "set"
    case .dictionary: "dictionary"
    }
  }
}

extension RelationalSchema.DateForm {
  /// The number for a date, and whether it is exact; nil for strings.
  func number(of date: Timestamp) -> (value: Int64, isExact: Bool)? {
    switch self {
    case .iso: return nil
    case .unix: return (date.seconds, date.nanoseconds == 0)
    case .unixMilliseconds:
      let rest = Int64(date.nanoseconds)
      let (product, overflows) = date.seconds.multipliedReportingOverflow(by: 1000)
      let (sum, stillOverflows) = product.addingReportingOverflow(rest / 1_000_000)
      guard !overflows, !stillOverflows else { return (date.seconds < 0 ? .min : .max, false) }
      return (sum, rest % 1_000_000 == 0)
    }
  }
}

/// Tells whether bytes are valid UTF-8.
enum UTF8Text {
  static func isValid(_ bytes: UnsafeRawBufferPointer) -> Bool {
    if bytes.allSatisfy({ $0 < 0x80 }) { return true }
    return String(utf8: bytes) != nil
  }
}

import RealmStorage
import RealmText

/// What an export does with links to objects that are no part of their parent.
public enum LinkStyle: Hashable, Sendable {
  /// The target's key.
  case keys
  /// The target object itself, down to a depth; cycles and what lies deeper are written as keys.
  case inline(depth: Int)
  /// The property is left out.
  case none
}

/// Writes objects in one form, and goes on behind what it cannot read: a value, element or entry that is damaged is
/// left out of the text and noted.
///
/// A writer belongs to one thread.
final class ObjectWriter<Form: ValueForm> {
  let form: Form
  let text: TextBuffer
  let snapshot: Snapshot
  private let links: LinkStyle
  private let walk: CollectionWalk
  private let embeddedBudget: EmbeddedBudget
  let resolver = LinkResolver()
  /// Hands on what is in `text` when it has grown large; called where nothing written may still be taken back.
  private let spill: (TextBuffer) throws -> Void
  private(set) var report = DamageReport()
  private var place = Place()

  /// What is being written, for the report.
  private struct Place {
    var table: RealmString = ""
    var property: RealmString = ""
    var object = ObjectKey(rawValue: -1)
    var depth = 0
    /// Objects being written inline, outermost first.
    var inlinePath: [(TableKey, ObjectKey)] = []
  }

  /// Collections and embedded objects inside each other. Mixed values nest up to 100 levels
  /// (Docs/Format/2-nodes-and-values.md §3.2); embedded objects have no limit of their own.
  static var mostLevels: Int { 400 }

  init(
    form: Form, snapshot: Snapshot, walk: CollectionWalk, embedded: EmbeddedBudget, links: LinkStyle, text: TextBuffer,
    spill: @escaping (TextBuffer) throws -> Void
  ) {
    self.form = form
    self.snapshot = snapshot
    self.walk = walk
    self.embeddedBudget = embedded
    self.links = links
    self.text = text
    self.spill = spill
  }

  /// Takes the report of what was missing since the last call.
  func takeReport() -> DamageReport {
    defer { report = DamageReport() }
    return report
  }

  // MARK: Objects

  /// The values of each property for a batch; nil where they are damaged, which is noted once for the batch.
  func columns(of batch: ObjectBatch) -> [PropertyValues?] {
    let schema = batch.table.schema
    return schema.properties.indices.map { index in
      do { return try batch.values(ofProperty: index) } catch {
        let first = batch.count > 0 ? batch.key(at: 0) : ObjectKey(rawValue: -1)
        let part = Damage.Part.values(property: schema.properties[index].name, first: first, count: batch.count)
        if let error = error as? StorageError {
          report.add(Damage(table: schema.displayName, part: part, error: error))
        }
        return nil
      }
    }
  }

  /// Writes the object in `row` as a JSON object.
  ///
  /// - Parameter showsKey: begin with the object key, where the form has a place for it.
  func write(_ batch: ObjectBatch, columns: [PropertyValues?], row: Int, showsKey: Bool) throws {
    place.table = batch.table.schema.displayName
    place.object = batch.key(at: row)
    try writeBody(batch.table, columns: columns, row: row, key: showsKey ? place.object : nil)
  }

  private func writeBody(_ table: Table, columns: [PropertyValues?], row: Int, key: ObjectKey?) throws {
    text.append(byte: UInt8(ascii: "{"))
    var isFirst = !(key.map { form.appendObjectKey($0, to: text) } ?? false)
    for (index, property) in table.schema.properties.enumerated() {
      guard let values = columns[index] else { continue }
      if property.type == .object, links == .none, !isEmbedded(property) { continue }
      if place.depth == 0 { place.property = property.name }
      let mark = text.count
      do {
        let value = try values.value(at: row)
        if !isFirst { text.append(byte: UInt8(ascii: ",")) }
        form.append(propertyName: property.name, to: text)
        text.append(byte: UInt8(ascii: ":"))
        try write(value, at: .property)
        isFirst = false
      } catch let error as StorageError {
        text.truncate(to: mark)
        note(error)
      }
    }
    text.append(byte: UInt8(ascii: "}"))
  }

  private func isEmbedded(_ property: Property) -> Bool {
    property.target.flatMap { snapshot.schema.tableNamed($0) }?.kind == .embedded
  }

  private func note(_ error: StorageError) {
    report.add(
      Damage(table: place.table, part: .value(property: place.property, object: place.object), error: error))
  }

  // MARK: Values

  /// - Throws: only before anything is written that cannot be taken back by truncating to where the value began.
  func write(_ value: ValueView, at position: ValuePosition) throws {
    switch value {
    case .null: form.appendNull(to: text)
    case .int(let value): form.append(int: value, to: text)
    case .bool(let value): form.append(bool: value, to: text)
    case .float(let value): form.append(float: value, at: position, to: text)
    case .double(let value): form.append(double: value, to: text)
    case .string(let value): try form.append(string: value, to: text)
    case .data(let value): try form.append(data: value, to: text)
    case .date(let value): form.append(date: value, to: text)
    case .decimal(let value): form.append(decimal: value, to: text)
    case .objectID(let value): form.append(objectID: value, to: text)
    case .uuid(let value): form.append(uuid: value, to: text)
    case .link(let table, let key): try writeLink(table, key, at: position)
    case .typedLink(let table, let key): try writeLink(table, key, at: .mixed)
    case .list, .set, .dictionary: try writeCollection(value)
    }
  }

  private func writeCollection(_ value: ValueView) throws {
    try nested {
      switch value {
      case .list(let list):
        try writeElements("[", "]", elementsAreMixed: list.holdsMixed) { element in
          try list.forEach(walk, damaged: note, visit: element)
        }
      case .set(let set):
        try writeElements(form.setBrackets.open, form.setBrackets.close, elementsAreMixed: set.holdsMixed) { element in
          try set.forEachOfSet(walk, damaged: note, visit: element)
        }
      case .dictionary(let dictionary): try writeEntries(dictionary)
      default: break
      }
    }
  }

  private func writeElements(
    _ open: StaticString, _ close: StaticString, elementsAreMixed: Bool,
    _ forEach: ((ValueView) throws -> Void) throws -> Void
  ) throws {
    text.append(open)
    var isFirst = true
    try forEach { element in
      let mark = text.count
      do {
        if !isFirst { text.append(byte: UInt8(ascii: ",")) }
        try write(element, at: elementsAreMixed ? .mixed : .element)
        isFirst = false
      } catch let error as StorageError {
        text.truncate(to: mark)
        note(error)
      }
      try spillIfLarge()
    }
    text.append(close)
  }

  private func writeEntries(_ dictionary: DictionaryView) throws {
    text.append(form.dictionaryBrackets.open)
    var isFirst = true
    try dictionary.forEach(walk, damaged: note) { key, value in
      let mark = text.count
      do {
        if !isFirst { text.append(byte: UInt8(ascii: ",")) }
        try form.append(dictionaryKey: key, to: text)
        text.append(byte: UInt8(ascii: ":"))
        try write(value, at: dictionary.holdsMixed ? .mixed : .element)
        isFirst = false
      } catch let error as StorageError {
        text.truncate(to: mark)
        note(error)
      }
      try spillIfLarge()
    }
    text.append(form.dictionaryBrackets.close)
  }

  func spillIfLarge() throws {
    if text.count > ExportLimits.spill { try spill(text) }
  }

  private func nested(_ body: () throws -> Void) throws {
    guard place.depth < Self.mostLevels else { throw StorageError.corrupted(.null, .tooDeep) }
    place.depth += 1
    defer { place.depth -= 1 }
    try body()
  }

  // MARK: Links

  private func writeLink(_ key: TableKey, _ object: ObjectKey, at position: ValuePosition) throws {
    guard let table = snapshot.table(key) else {
      throw StorageError.corrupted(.null, .danglingLink(key: object.rawValue))
    }
    if table.schema.kind == .embedded { return try writeEmbedded(table, object, at: position) }
    if case .inline(let depth) = links, place.inlinePath.count < depth, canInline(table, object) {
      return try writeInline(table, object)
    }
    if case .none = links { return form.appendNull(to: text) }
    if table.schema.primaryKey == nil {
      return try form.appendLink(to: table, key: object, at: position, in: text, primaryKey: nil)
    }
    let primaryKey = try resolver.primaryKey(of: object, in: table)
    try form.appendLink(to: table, key: object, at: position, in: text) { try self.write(primaryKey, at: .property) }
  }

  private func writeEmbedded(_ table: Table, _ object: ObjectKey, at position: ValuePosition) throws {
    let (batch, row) = try resolver.find(object, in: table)
    try embeddedBudget.spend(on: table)
    try nested {
      form.openEmbedded(table, at: position, in: text)
      try writeBody(table, columns: columns(of: batch, row: row), row: row, key: nil)
      form.closeEmbedded(at: position, in: text)
    }
  }

  /// The values of one row's batch; what is damaged there is noted for this object.
  private func columns(of batch: ObjectBatch, row: Int) -> [PropertyValues?] {
    batch.table.schema.properties.indices.map { index in
      do { return try batch.values(ofProperty: index) } catch {
        if let error = error as? StorageError { note(error) }
        return nil
      }
    }
  }

  private func canInline(_ table: Table, _ object: ObjectKey) -> Bool {
    let isTop = place.table == table.schema.displayName && place.object == object
    return !isTop && !place.inlinePath.contains { $0 == (table.key, object) }
  }

  private func writeInline(_ table: Table, _ object: ObjectKey) throws {
    let (batch, row) = try resolver.find(object, in: table)
    try nested {
      place.inlinePath.append((table.key, object))
      defer { place.inlinePath.removeLast() }
      let key = table.schema.primaryKey == nil ? object : nil
      try writeBody(table, columns: columns(of: batch, row: row), row: row, key: key)
    }
  }
}

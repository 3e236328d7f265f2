import RealmStorage
import RealmText

/// What an export does with links to objects that are not part of their parent.
package enum LinkStyle: Hashable, Sendable {
  /// The target's key.
  case keys
  /// The target object itself, down to a depth; cycles and what lies deeper are written as keys.
  case inline(depth: Int)
  /// The property is left out.
  case none
}

/// Writes objects in one form. If a value, element or entry is damaged, it is left out and recorded, and writing
/// continues after it.
final class ObjectWriter<Form: ValueForm>: ValueWriter {
  let form: Form
  let text: TextBuffer
  let snapshot: Snapshot
  private let links: LinkStyle
  private let walk: CollectionWalk
  let embeddedBudget: EmbeddedBudget
  let resolver = LinkResolver()
  let targets = LinkTargets()
  let spill: (TextBuffer) throws -> Void
  private(set) var report = DamageReport()
  private var place = Place()
  var depth = 0
  private let decoded = DecodedBatch()
  private var plans: [TableKey: TablePlan] = [:]
  /// What ends the export: the sink or another thread failed, or a limit is reached.
  private var failure: (any Error)?

  /// The object or value being written, for the report.
  private struct Place {
    /// The table itself, not its name: in a damaged file, two tables can have the same name.
    var table: Table?
    var property = 0
    var object = ObjectKey(rawValue: -1)
    /// Objects being written inline, outermost first.
    var inlinePath: [(TableKey, ObjectKey)] = []
    /// For rows composed of values of several objects, which have no table.
    var column: (className: RealmString, name: RealmString)?
  }

  init(form: Form, context: ExportContext, text: TextBuffer, spill: @escaping (TextBuffer) throws -> Void) {
    (self.form, self.text, self.spill) = (form, text, spill)
    snapshot = context.snapshot
    walk = context.walk
    embeddedBudget = context.embedded
    links = context.options.links
  }

  /// Says whose objects are written next, for the report.
  func setTable(_ table: Table) { place.table = table }

  /// Says which column of rows about a class is written next, for the report.
  func setColumn(_ name: RealmString, of className: RealmString) { place.column = (className, name) }

  /// Says which value is written next, for the report.
  func setPlace(object: ObjectKey, property: Int) {
    place.object = object
    place.property = property
  }

  /// Calls `visit` with each element of a collection: its index in a list or set, or its key in a dictionary.
  func forEachElement(
    of value: ValueView, _ visit: (_ index: Int?, _ key: BlobView?, _ element: ValueView) throws -> Void
  ) throws {
    var index = 0
    do {
      switch value {
      case .list(let list):
        try list.forEach(walk, damaged: { note($0) }) { element in
          try visit(index, nil, element)
          index += 1
        }
      case .set(let set):
        try set.forEachOfSet(walk, damaged: { note($0) }) { element in
          try visit(index, nil, element)
          index += 1
        }
      case .dictionary(let dictionary): try dictionary.forEach(walk, damaged: { note($0) }) { try visit(nil, $0, $1) }
      default: break
      }
    } catch let error as StorageError {
      note(error)
    }
  }

  /// Returns the report of what was missing since the last call.
  func takeReport() -> DamageReport {
    defer { report = DamageReport() }
    report.addReplacedBytes(text.takeReplacedByteCount())
    return report
  }

  // MARK: Objects

  /// Writes the objects of one batch after another.
  ///
  /// - Parameters:
  ///   - rows: the rows of the objects, in the order in which they are written; nil for all.
  ///   - showsKey: begin with the object key, if the form has a place for it.
  ///   - before, after: the text around each object.
  func write(
    _ batch: ObjectBatch, rows: [Int]?, showsKey: Bool, before: (ObjectKey) -> Void, after: () -> Void
  ) throws {
    let plan = plan(of: batch.table)
    place.table = batch.table
    decoded.read(batch, rows: rows) { property, row, error in note(error, in: batch, property: property, row: row) }
    try plan.properties.withUnsafeBufferPointer { properties in
      for number in 0..<(rows?.count ?? batch.count) {
        let row = rows?[number] ?? number
        let cell = decoded.isSparse ? number : row
        let key = batch.key(at: row)
        place.object = key
        before(key)
        text.append(byte: UInt8(ascii: "{"))
        var isFirst = !(showsKey && form.appendObjectKey(key, named: plan.objectKeyMember, to: text))
        for index in properties.indices {
          guard let value = decoded.value(ofProperty: index, row: cell) else { continue }
          place.property = index
          writeProperty(properties[index], value, isFirst: &isFirst)
          if let failure { throw failure }
        }
        text.append(byte: UInt8(ascii: "}"))
        after()
        try spillIfLarge()
      }
    }
  }

  /// Writes one object that lies inside another.
  func writeInner(_ batch: ObjectBatch, row: Int) throws { try writeInner(batch, row: row, key: nil) }

  private func writeInner(_ batch: ObjectBatch, row: Int, key: ObjectKey?) throws {
    let plan = plan(of: batch.table)
    text.append(byte: UInt8(ascii: "{"))
    var isFirst = !(key.map { form.appendObjectKey($0, named: plan.objectKeyMember, to: text) } ?? false)
    for index in plan.properties.indices {
      do {
        let value = try batch.values(ofProperty: index).value(at: row)
        writeProperty(plan.properties[index], value, isFirst: &isFirst)
      } catch let error as StorageError {
        note(error)
      }
      if let failure { throw failure }
    }
    text.append(byte: UInt8(ascii: "}"))
  }

  /// Writes a name and its value, or nothing if the value is damaged.
  @inline(__always)
  private func writeProperty(_ property: TablePlan.PlannedProperty, _ value: ValueView, isFirst: inout Bool) {
    guard !property.isLeftOut else { return }
    let mark = text.count
    property.appendLabel(isFirst: isFirst, to: text)
    do {
      try write(value, at: property.position)
      isFirst = false
    } catch let error as StorageError {
      text.truncate(to: mark)
      note(error)
    } catch {
      failure = error
    }
  }

  private func plan(of table: Table) -> TablePlan {
    if let plan = plans[table.key] { return plan }
    let plan = TablePlan(table, form: form) { property in
      links == .none && property.type == .object
        && property.target.flatMap { snapshot.schema.tableNamed($0) }?.kind != .embedded
    }
    plans[table.key] = plan
    return plan
  }

  // MARK: Damage

  /// Records something that is missing as a whole.
  func note(_ damage: Damage) { report.add(damage) }

  /// Notes that the value being written is damaged, in whole or in part.
  func note(_ error: StorageError) {
    // Not damage: the text ends here, and not a value too early.
    if case .limitReached = error { failure = error }
    if let column = place.column {
      return report.add(Damage(table: column.className, part: .column(column.name), error: error))
    }
    guard let schema = place.table?.schema else { return }
    let name = schema.properties[place.property].name
    report.add(Damage(table: schema.displayName, part: .value(property: name, object: place.object), error: error))
  }

  /// Notes that values of a batch are damaged: one row's, or all (nil).
  func note(_ error: StorageError, in batch: ObjectBatch, property: Int, row: Int?) {
    let name = batch.table.schema.properties[property].name
    let part: Damage.Part =
      row.map { .value(property: name, object: batch.key(at: $0)) }
      ?? .values(property: name, first: batch.key(at: 0), count: batch.count)
    report.add(Damage(table: batch.table.schema.displayName, part: part, error: error))
  }

  // MARK: Values

  func writeCollection(_ value: ValueView) throws {
    switch value {
    case .list(let list):
      try writeElements("[", "]", elementsAreMixed: list.holdsMixed) { element in
        try list.forEach(walk, damaged: { note($0) }, visit: element)
      }
    case .set(let set):
      try writeElements(form.setBrackets.open, form.setBrackets.close, elementsAreMixed: set.holdsMixed) { element in
        try set.forEachOfSet(walk, damaged: { note($0) }, visit: element)
      }
    case .dictionary(let dictionary): try writeEntries(dictionary)
    default: break
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
    try dictionary.forEach(walk, damaged: { note($0) }) { key, value in
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

  // MARK: Links

  func writeLink(to target: LinkTarget, _ object: ObjectKey, at position: ValuePosition) throws {
    if target.isEmbedded { return try writeEmbedded(target.table, object, at: position) }
    if case .inline(let depth) = links, place.inlinePath.count < depth, canInline(target.table, object) {
      return try writeInline(target.table, object)
    }
    if case .none = links { return form.appendNull(to: text) }
    try writeKey(of: object, in: target, at: position)
  }

  private func canInline(_ table: Table, _ object: ObjectKey) -> Bool {
    let isTop = place.table?.key == table.key && place.object == object
    return !isTop && !place.inlinePath.contains { $0 == (table.key, object) }
  }

  private func writeInline(_ table: Table, _ object: ObjectKey) throws {
    let (batch, row) = try resolver.find(object, in: table)
    try nested {
      place.inlinePath.append((table.key, object))
      defer { place.inlinePath.removeLast() }
      let key = table.schema.primaryKeyIndex == nil ? object : nil
      try writeInner(batch, row: row, key: key)
    }
  }
}

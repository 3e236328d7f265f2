import RealmStorage
import RealmText

/// Writes objects the way the content hash wants them: the `typed` form with everything in a fixed order.
///
/// It reads everything or throws. A writer belongs to one thread.
final class ContentWriter {
  private let snapshot: Snapshot
  /// Nil where everything counts.
  private let selection: RebuildSelection?
  private let walk: CollectionWalk
  private let sortingWalk: CollectionWalk
  private let budget: EmbeddedBudget
  private let showsKeys: Bool
  private let text: TextBuffer
  private let form = TypedForm()
  private let resolver = LinkResolver()
  private let decoded = DecodedBatch()
  private var plans: [TableKey: MemberPlan] = [:]
  private var generation = 0
  private var depth = 0
  /// Hands on what is in `text` when it has grown large.
  var spill: (TextBuffer) throws -> Void = { _ in }

  init(
    _ snapshot: Snapshot, selection: RebuildSelection?, walk: CollectionWalk, budget: EmbeddedBudget,
    showsKeys: Bool, text: TextBuffer
  ) {
    self.snapshot = snapshot
    self.selection = selection
    self.walk = walk
    self.budget = budget
    self.showsKeys = showsKeys
    self.text = text
    sortingWalk = walk.sortingDictionaries
  }

  /// Forgets places in the file if its bytes were released since they were found.
  func forgetPlaces(unlessGeneration current: Int) {
    if generation != current { resolver.forgetAll() }
    generation = current
  }

  // MARK: Objects

  func write(_ piece: ContentPieces.Piece) throws {
    switch piece.content {
    case .batches(let batches): for batch in batches { try write(batch) }
    case .keys(let table, let keys):
      for key in keys {
        let (batch, row) = try resolver.find(key, in: table)
        open(key)
        try writeMembers(plan(of: table)) { try batch.values(ofProperty: $0).value(at: row) }
        try close()
      }
    }
  }

  private func write(_ batch: ObjectBatch) throws {
    var failure: StorageError?
    decoded.read(batch) { _, _, error in failure = failure ?? error }
    if let failure { throw failure }
    let plan = plan(of: batch.table)
    for row in 0..<batch.count {
      open(batch.key(at: row))
      try writeMembers(plan) { decoded.value(ofProperty: $0, row: row) ?? .null }
      try close()
    }
  }

  private func open(_ key: ObjectKey) {
    guard showsKeys else { return text.append("{\"value\":") }
    text.append("{\"objKey\":")
    text.append(integer: key.rawValue)
    text.append(",\"value\":")
  }

  private func close() throws {
    text.append("}\n")
    if text.count > ExportLimits.spill { try spill(text) }
  }

  private func writeMembers(_ plan: MemberPlan, value: (Int) throws -> ValueView) throws {
    for member in plan.members {
      plan.appendLabel(of: member, to: text)
      try write(try value(member.property), at: member.position)
    }
    text.append(plan.members.isEmpty ? "{}" : "}")
  }

  private func plan(of table: Table) -> MemberPlan {
    if let plan = plans[table.key] { return plan }
    let plan = MemberPlan(table.schema, leavingOut: selection?.leftOutProperties[table.key] ?? [], form)
    plans[table.key] = plan
    return plan
  }

  // MARK: Values

  private func write(_ value: ValueView, at position: ValuePosition) throws {
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
    case .list(let list): try nested { try write(list) }
    case .set(let set): try nested { try write(set: set) }
    case .dictionary(let dictionary): try nested { try write(dictionary) }
    }
  }

  private func nested(_ body: () throws -> Void) throws {
    guard depth < ObjectWriter<TypedForm>.mostLevels else { throw StorageError.corrupted(.null, .tooDeep) }
    depth += 1
    defer { depth -= 1 }
    try body()
  }

  private func write(_ list: ListView) throws {
    text.append("[")
    var isFirst = true
    try list.forEach(walk, damaged: { throw $0 }) { element in
      if !isFirst { text.append(",") }
      isFirst = false
      try write(element, at: list.holdsMixed ? .mixed : .element)
      if text.count > ExportLimits.spill { try spill(text) }
    }
    text.append("]")
  }

  /// Links come behind other values, in the order of their texts: the order in the file is that of keys, which say
  /// nothing about the content.
  private func write(set: ListView) throws {
    text.append(form.setBrackets.open)
    var links: [[UInt8]] = []
    var isFirst = true
    let losesLinks = set.holdsMixed && selection != nil
    if losesLinks, try holdsNull(set) {
      form.appendNull(to: text)
      isFirst = false
    }
    try set.forEachOfSet(walk, damaged: { throw $0 }) { element in
      if losesLinks, isNull(element) { return }
      let mark = text.count
      if !isFirst { text.append(",") }
      try write(element, at: set.holdsMixed ? .mixed : .element)
      switch element {
      case .link, .typedLink:
        links.append(text.withBytes { Array($0[(mark + (isFirst ? 0 : 1))...]) })
        text.truncate(to: mark)
      default: isFirst = false
      }
    }
    for link in links.sorted(by: { $0.lexicographicallyPrecedes($1) }) {
      if !isFirst { text.append(",") }
      isFirst = false
      link.withUnsafeBytes { text.append(bytes: $0) }
    }
    text.append(form.setBrackets.close)
  }

  /// Whether null is among the elements, or a link that counts as null.
  private func holdsNull(_ set: ListView) throws -> Bool {
    var found = false
    try set.forEach(walk, damaged: { throw $0 }) { if isNull($0) { found = true } }
    return found
  }

  private func isNull(_ element: ValueView) -> Bool {
    switch element {
    case .null: true
    case .typedLink(let table, _): !isTaken(table)
    default: false
    }
  }

  private func write(_ dictionary: DictionaryView) throws {
    text.append(form.dictionaryBrackets.open)
    var isFirst = true
    let order = try dictionary.isSorted(walk) ? walk : sortingWalk
    try dictionary.forEach(order, damaged: { throw $0 }) { key, value in
      if !isFirst { text.append(",") }
      isFirst = false
      try form.append(dictionaryKey: key, to: text)
      text.append(":")
      try write(value, at: dictionary.holdsMixed ? .mixed : .element)
      if text.count > ExportLimits.spill { try spill(text) }
    }
    text.append(form.dictionaryBrackets.close)
  }

  // MARK: Links

  private func writeLink(_ key: TableKey, _ object: ObjectKey, at position: ValuePosition) throws {
    guard let table = snapshot.table(key) else {
      throw StorageError.corrupted(.null, .danglingLink(key: object.rawValue))
    }
    guard isTaken(key) else { return form.appendNull(to: text) }
    guard table.schema.kind != .embedded else {
      return try writeEmbedded(table, object, at: position)
    }
    guard table.schema.primaryKey != nil else {
      return try form.appendLink(to: table, key: object, at: position, in: text, primaryKey: nil)
    }
    let primaryKey = try resolver.primaryKey(of: object, in: table)
    try form.appendLink(to: table, key: object, at: position, in: text) {
      try self.write(primaryKey, at: .property)
    }
  }

  private func isTaken(_ table: TableKey) -> Bool { selection?.tables.contains(table) ?? true }

  private func writeEmbedded(_ table: Table, _ object: ObjectKey, at position: ValuePosition) throws {
    let (batch, row) = try resolver.find(object, in: table)
    try budget.spend(on: table)
    try nested {
      form.openEmbedded(table, at: position, in: text)
      try writeMembers(plan(of: table)) { try batch.values(ofProperty: $0).value(at: row) }
      form.closeEmbedded(at: position, in: text)
    }
  }
}

/// The members of a class's objects by name, worked out once.
private final class MemberPlan {
  struct Member {
    let property: Int
    let position: ValuePosition
    /// Where the label is.
    let label: Range<Int>
  }

  private(set) var members: [Member] = []
  /// `{"name":` of the first, `,"name":` of the others.
  private let labels = TextBuffer(capacity: 256)

  init(_ schema: TableSchema, leavingOut leftOut: Set<Int>, _ form: TypedForm) {
    let properties = schema.properties
    let order = properties.indices.filter { !leftOut.contains($0) }
      .sorted { properties[$0].name < properties[$1].name }
    for property in order {
      let start = labels.count
      labels.append(members.isEmpty ? "{" : ",")
      form.append(propertyName: properties[property].name, to: labels)
      labels.append(":")
      members.append(
        Member(
          property: property, position: properties[property].type == .mixed ? .mixed : .property,
          label: start..<labels.count))
    }
  }

  @inline(__always)
  func appendLabel(of member: Member, to text: TextBuffer) {
    labels.withBytes { text.append(bytes: UnsafeRawBufferPointer(rebasing: $0[member.label])) }
  }
}

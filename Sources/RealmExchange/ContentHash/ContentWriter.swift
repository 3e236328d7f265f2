import RealmStorage
import RealmText

/// Writes objects in the form of the content hash: the `typed` form with everything in a fixed order.
///
/// It reads everything or throws.
final class ContentWriter: ValueWriter {
  let snapshot: Snapshot
  /// Nil if everything counts.
  private let selection: RebuildSelection?
  private let walk: CollectionWalk
  private let sortingWalk: CollectionWalk
  let embeddedBudget: EmbeddedBudget
  private let showsKeys: Bool
  let text: TextBuffer
  let form: TypedForm
  let resolver = LinkResolver()
  let targets = LinkTargets()
  private let decoded = DecodedBatch()
  private var plans: [TableKey: MemberPlan] = [:]
  private var generation = 0
  var depth = 0
  var spill: (TextBuffer) throws -> Void = { _ in }

  /// - Parameter style: `digested` for a hash, which must never change; `lossless` for output that users see.
  init(
    _ snapshot: Snapshot, selection: RebuildSelection?, walk: CollectionWalk, budget embeddedBudget: EmbeddedBudget,
    showsKeys: Bool, style: JSONStringStyle, text: TextBuffer
  ) {
    (self.snapshot, self.selection, self.walk, self.embeddedBudget) = (snapshot, selection, walk, embeddedBudget)
    (self.showsKeys, self.form, self.text) = (showsKeys, TypedForm(style: style), text)
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
        try writeInner(batch, row: row)
        try close()
      }
    }
  }

  private func write(_ batch: ObjectBatch) throws {
    let wanted = selection?.objects[batch.table.key]
    let rows = wanted.map { wanted in (0..<batch.count).filter { wanted.contains(batch.key(at: $0)) } }
    if let rows, rows.isEmpty { return }
    var failure: StorageError?
    decoded.read(batch, rows: rows) { _, _, error in failure = failure ?? error }
    if let failure { throw failure }
    let plan = plan(of: batch.table)
    for number in 0..<(rows?.count ?? batch.count) {
      let row = rows?[number] ?? number
      let cell = decoded.isSparse ? number : row
      open(batch.key(at: row))
      try writeMembers(plan) { decoded.value(ofProperty: $0, row: cell) ?? .null }
      try close()
    }
  }

  /// Writes the relevant members of each object of a batch, and calls `body` after each object.
  ///
  /// The text is cleared before each object. What was spilled of it is lost.
  func forEachObject(of batch: ObjectBatch, _ body: (_ row: Int) throws -> Void) throws {
    var failure: StorageError?
    decoded.read(batch) { _, _, error in failure = failure ?? error }
    if let failure { throw failure }
    let plan = plan(of: batch.table)
    for row in 0..<batch.count {
      text.removeAll()
      try writeMembers(plan) { decoded.value(ofProperty: $0, row: row) ?? .null }
      try body(row)
    }
  }

  /// The text of one value of an object.
  func text(ofProperty index: Int, _ batch: ObjectBatch, row: Int) throws -> [UInt8] {
    text.removeAll()
    let position: ValuePosition = batch.table.schema.properties[index].type == .mixed ? .mixed : .property
    try write(try batch.values(ofProperty: index).value(at: row), at: position)
    return text.withBytes { Array($0) }
  }

  private func open(_ key: ObjectKey) {
    guard showsKeys else { return text.append("{\"value\":") }
    text.append("{\"objKey\":")
    text.append(integer: key.rawValue)
    text.append(",\"value\":")
  }

  private func close() throws {
    text.append("}\n")
    try spillIfLarge()
  }

  private func writeMembers(_ plan: MemberPlan, value: (Int) throws -> ValueView) throws {
    for member in plan.members {
      plan.appendLabel(of: member, to: text)
      let value = try value(member.property)
      try write(member.isSingle ? kept(value) : value, at: member.position)
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

  /// The value, or null if it links to something that is left out.
  private func kept(_ value: ValueView) -> ValueView {
    selection?.loses(nested: value) ?? false ? .null : value
  }

  func writeCollection(_ value: ValueView) throws {
    switch value {
    case .list(let list): try write(list)
    case .set(let set): try write(set: set)
    case .dictionary(let dictionary): try write(dictionary)
    default: break
    }
  }

  private func write(_ list: ListView) throws {
    text.append("[")
    var isFirst = true
    try list.forEach(walk, damaged: { throw $0 }) { element in
      if selection?.drops(element: element) ?? false { return }
      if !isFirst { text.append(",") }
      isFirst = false
      try write(kept(element), at: list.holdsMixed ? .mixed : .element)
      try spillIfLarge()
    }
    text.append("]")
  }

  /// Links are written after other values, sorted by their text. In the file they are sorted by object key, which says
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
    let unwanted = selection?.keepsDataLikeTexts ?? true ? [] : try set.dataLikeTexts(walk)
    try set.forEachOfSet(walk, damaged: { throw $0 }) { element in
      if !unwanted.isEmpty, case .data(let bytes) = element, unwanted.contains(try bytes.copied()) { return }
      if losesLinks, isNull(element) { return }
      if selection?.drops(element: element) ?? false { return }
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

  /// Whether null is among the elements, or a link to a placeholder, which reads as null.
  private func holdsNull(_ set: ListView) throws -> Bool {
    var found = false
    try set.forEach(walk, damaged: { throw $0 }) { if isNull($0) { found = true } }
    return found
  }

  private func isNull(_ element: ValueView) -> Bool {
    if case .null = element { true } else { false }
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
      try write(kept(value), at: dictionary.holdsMixed ? .mixed : .element)
      try spillIfLarge()
    }
    text.append(form.dictionaryBrackets.close)
  }

  // MARK: Links

  func writeLink(to target: LinkTarget, _ object: ObjectKey, at position: ValuePosition) throws {
    let table = target.table
    guard selection?.takes(object, of: table.key) ?? true else { return form.appendNull(to: text) }
    if target.isEmbedded { return try writeEmbedded(table, object, at: position) }
    if let selection, selection.primaryKeyIndex(of: table) == nil {
      form.openLink(to: table, withPrimaryKey: false, at: position, in: text)
      text.append(integer: object.rawValue)
      return form.closeLink(to: table, withPrimaryKey: false, at: position, in: text)
    }
    try writeKey(of: object, in: target, at: position)
  }

  func writeInner(_ batch: ObjectBatch, row: Int) throws {
    try writeMembers(plan(of: batch.table)) { try batch.values(ofProperty: $0).value(at: row) }
  }
}

/// The members of a class's objects by name, worked out once.
private final class MemberPlan {
  struct Member {
    let property: Int
    let position: ValuePosition
    /// Whether it is not a collection.
    let isSingle: Bool
    /// Where its label begins.
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
          isSingle: properties[property].collection == nil, label: start..<labels.count))
    }
  }

  @inline(__always)
  func appendLabel(of member: Member, to text: TextBuffer) {
    labels.withBytes { text.append(bytes: UnsafeRawBufferPointer(rebasing: $0[member.label])) }
  }
}

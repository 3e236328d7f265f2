import RealmPresentation
import RealmQuery
import RealmStorage

/// One line of the tree that shows an object.
struct TreeRow {
  enum Content {
    /// A property, or an element of a collection.
    case value(ValueView)
    case damaged(StorageError)
    /// A link in a list to an object not in this file.
    case unresolved
    /// A further line of the string or data in the row above, with its text.
    case continuation(CellText)
    /// The number of elements, or lines, that are not shown here.
    case more(String)
    case heading(String)
    case backlinks(BacklinkGroup, property: String)
    case note(String)
  }

  var depth: Int
  var label: String
  var type: String
  var content: Content
  /// Where the value is; for rows without a value, where their owner is.
  var address: ValueAddress?
  /// The object with the value's property.
  var property: Property?
  var isMixed = false
  /// Nil if there is nothing to unfold.
  var isUnfolded: Bool?
  /// The first of several lines.
  var firstLine: CellText?

  var value: ValueView? {
    if case .value(let value) = content { value } else { nil }
  }
}

/// Makes the rows of an object's tree.
struct TreeBuilder {
  let context: ViewContext
  /// The number of columns for values.
  let valueWidth: Int
  /// The rows that the user has folded and unfolded.
  let folds: [ValueAddress: Bool]
  /// Whether everything is unfolded, whatever the user has chosen.
  let unfoldsAll: Bool
  private(set) var rows: [TreeRow] = []

  /// The number of elements of a collection that are unfolded in place; a key shows the rest.
  static let mostElements = 100
  private static let mostLines = 200
  private static let mostRows = 10_000
  /// Whether there were more rows than the limit.
  private var isCut = false
  private static let mostDepth = 24
  /// Texts with at most this many lines are shown as a whole from the start.
  private static let linesUnfoldedAtFirst = 6
  /// Longer strings are shown in a separate view.
  private static let mostBytes = 1 << 16

  init(_ context: ViewContext, valueWidth: Int, folds: [ValueAddress: Bool], unfoldsAll: Bool = false) {
    self.unfoldsAll = unfoldsAll
    self.context = context
    self.valueWidth = max(valueWidth, 8)
    self.folds = folds
  }

  // MARK: Objects

  mutating func appendProperties(of batch: ObjectBatch, _ row: Int, depth: Int = 0) {
    let table = batch.table
    let object = ObjectAddress(table: table.schema.name, key: batch.key(at: row))
    for (index, property) in table.schema.properties.enumerated() {
      guard hasRoom() else { return }
      var entry = TreeRow(
        depth: depth, label: property.name.description, type: property.shorthand, content: .note(""),
        address: ValueAddress(object: object, property: property.name), property: property,
        isMixed: property.type == .mixed)
      do {
        entry.content = .value(try batch.values(ofProperty: index).value(at: row))
      } catch let error as StorageError {
        entry.content = .damaged(error)
      } catch {
        entry.content = .note("cannot be read")
      }
      append(entry)
    }
  }

  /// Damaged objects can contain any number of others.
  private mutating func hasRoom() -> Bool {
    guard rows.count >= Self.mostRows else { return true }
    isCut = true
    return false
  }

  /// Appends a row and, if it is unfolded, its content.
  private mutating func append(_ row: TreeRow) {
    var row = row
    guard let value = row.value, let address = row.address else {
      rows.append(row)
      return
    }
    // Elements and entries are below the type of their property; in mixed values each has its own.
    let isElement = !address.steps.isEmpty
    if row.isMixed, isElement || row.property?.collection == nil {
      row.type = (isElement ? "" : "mixed ") + value.typeText
    }
    if let blob = value.blob { return append(row, blob, isData: value.isData) }
    guard hasInside(value), row.depth < Self.mostDepth else {
      rows.append(row)
      return
    }
    let isUnfolded = unfoldsAll || folds[address] ?? false
    row.isUnfolded = isUnfolded
    rows.append(row)
    if isUnfolded { appendInside(of: value, row, address) }
  }

  private func hasInside(_ value: ValueView) -> Bool {
    if let link = value.link { return context.snapshot.table(link.table)?.schema.kind == .embedded }
    switch value {
    case .list(let list), .set(let list): return (try? list.count(in: context.snapshot)) != 0
    case .dictionary(let dictionary): return (try? dictionary.count(in: context.snapshot)) != 0
    default: return false
    }
  }

  private mutating func appendInside(of value: ValueView, _ row: TreeRow, _ address: ValueAddress) {
    do {
      switch value {
      case .list(let list), .set(let list): try appendElements(of: list, row, address)
      case .dictionary(let dictionary): try appendEntries(of: dictionary, row, address)
      case .link(let table, let key), .typedLink(let table, let key):
        guard let table = context.snapshot.table(table) else { return }
        switch table.row(of: key) {
        case .object(let batch, let index): appendProperties(of: batch, index, depth: row.depth + 1)
        case .damaged(let error): throw error
        case .absent(let reason): appendInner(row, "", .note(reason), nil)
        }
      default: break
      }
    } catch let error as StorageError {
      appendInner(row, "", .damaged(error), nil)
    } catch {
      appendInner(row, "", .note("cannot be read"), nil)
    }
  }

  // MARK: Collections

  private mutating func appendElements(of list: ListView, _ row: TreeRow, _ address: ValueAddress) throws {
    let count = try list.count(in: context.snapshot)
    let elements = list.elements(at: 0..<min(count, Self.mostElements), in: context.snapshot)
    for (position, element) in elements.enumerated() {
      let label = "[\(position)]"
      let inner = address.appending(.position(position))
      switch element {
      case .value(let value): appendInner(row, label, .value(value), inner)
      case .unresolvedLink: appendInner(row, label, .unresolved, inner)
      case .damaged(let error): appendInner(row, label, .damaged(error), inner)
      }
    }
    appendRest(count - elements.count, "element", row, address)
  }

  private mutating func appendEntries(of dictionary: DictionaryView, _ row: TreeRow, _ address: ValueAddress) throws {
    let positions = try DictionaryPositions(of: dictionary, in: context.snapshot)
    let entries = positions.entries(at: 0..<min(positions.count, Self.mostElements), in: context.snapshot)
    for entry in entries {
      switch entry {
      case .entry(let key, let value):
        let bytes = (try? key.copied()) ?? []
        let inner = address.appending(.key(RealmString(utf8: bytes)))
        var label = context.printer.text(limit: 64)
        context.printer.append(key: key, to: &label)
        appendInner(row, label.string, .value(value), inner)
      case .damaged(let error): appendInner(row, "?", .damaged(error), nil)
      }
    }
    appendRest(positions.count - entries.count, "entry", row, address)
  }

  private mutating func appendRest(_ count: Int, _ noun: String, _ row: TreeRow, _ address: ValueAddress) {
    guard count > 0 else { return }
    let plural = noun == "entry" ? "entries" : nil
    appendInner(
      row, "", .more("\(CountText.counted(count, "more " + noun, plural.map { "more " + $0 })), Enter shows all"),
      address)
  }

  private mutating func appendInner(
    _ row: TreeRow, _ label: String, _ content: TreeRow.Content, _ address: ValueAddress?
  ) {
    guard hasRoom() else { return }
    append(
      TreeRow(
        depth: row.depth + 1, label: label, type: "", content: content, address: address, property: row.property,
        isMixed: row.isMixed))
  }

  // MARK: Texts and data

  /// A text that needs more than one line is unfolded into its lines, data into lines of hex digits.
  private mutating func append(_ row: TreeRow, _ blob: BlobView, isData: Bool) {
    var row = row
    guard let address = row.address, blob.count <= Self.mostBytes, let lines = lines(of: blob, isData: isData),
      lines.count > 1
    else {
      rows.append(row)
      return
    }
    let isUnfolded = unfoldsAll || folds[address] ?? (!isData && lines.count <= Self.linesUnfoldedAtFirst)
    row.isUnfolded = isUnfolded
    if isUnfolded { row.firstLine = lines[0] }
    rows.append(row)
    guard isUnfolded else { return }
    for line in lines[1..<min(lines.count, Self.mostLines)] {
      rows.append(
        TreeRow(
          depth: row.depth + 1, label: "", type: "", content: .continuation(line), address: address,
          property: row.property))
    }
    appendRest(lines.count - Self.mostLines, "line", row, address)
  }

  private func lines(of blob: BlobView, isData: Bool) -> [CellText]? {
    guard let bytes = try? blob.copied() else { return nil }
    if isData { return HexLines(bytes: bytes, width: valueWidth).lines(context.typography, atMost: Self.mostLines + 1) }
    return bytes.withUnsafeBytes { bytes in
      // A short text without a line feed needs no breaking.
      if bytes.count <= valueWidth, !bytes.contains(0x0a) { return nil }
      var breaks = LineBreaks(width: valueWidth)
      breaks.find(Self.mostLines + 1, in: bytes)
      return breaks.starts.indices.map { index in
        var text = context.text(limit: valueWidth)
        text.append(utf8: UnsafeRawBufferPointer(rebasing: bytes[breaks.line(index, in: bytes)]))
        return text
      }
    }
  }

  // MARK: Backlinks

  mutating func appendBacklinks(to batch: ObjectBatch, _ row: Int) {
    let groups = context.snapshot.backlinks(to: batch, row: row)
    var found: [TreeRow] = []
    for group in groups {
      switch group {
      case .success(let group) where group.count == 0: continue
      case .success(let group):
        let property = context.propertyName(of: group)
        found.append(
          TreeRow(
            depth: 0, label: context.typography.backlink + " " + property,
            type: context.inverseNames(of: group, to: batch.table),
            content: .backlinks(group, property: property)))
      case .failure(let error):
        found.append(TreeRow(depth: 0, label: context.typography.backlink, type: "", content: .damaged(error)))
      }
    }
    if isCut {
      let text = "only \(CountText.grouped(Self.mostRows)) rows are shown; fold some to see the rest"
      rows.append(TreeRow(depth: 0, label: "", type: "", content: .note(text)))
    }
    rows.append(TreeRow(depth: 0, label: "", type: "", content: .heading("linked from")))
    rows += found
    if found.isEmpty { rows.append(TreeRow(depth: 0, label: "nothing", type: "", content: .note(""))) }
  }
}

extension ValueView {
  var isData: Bool {
    if case .data = self { true } else { false }
  }
}

extension ViewContext {
  /// `Person.dogs`
  func propertyName(of group: BacklinkGroup) -> String { linkName(group.origin, group.propertyIndex) }

  /// The app's name for the links of a group; empty if it has none.
  func inverseNames(of group: BacklinkGroup, to table: Table) -> String {
    guard let (origin, property) = property(group.origin, group.propertyIndex) else { return "" }
    return inverses.names(for: property.name, of: origin.schema.displayName, in: table.schema)
      .map(\.description).joined(separator: ", ")
  }

  /// A property of a table with links, by its index; nil if it cannot be read.
  func property(_ origin: TableKey, _ index: Int?) -> (origin: Table, property: Property)? {
    guard let table = snapshot.table(origin), let index, table.schema.properties.indices.contains(index) else {
      return nil
    }
    return (table, table.schema.properties[index])
  }

  /// Shows the objects that link to one through a property.
  func open(_ group: BacklinkGroup, to address: ObjectAddress, crumb: String) -> [Effect] {
    guard let (origin, property) = property(group.origin, group.propertyIndex) else {
      return [.say(.warning("the objects that link here cannot be read"))]
    }
    let source = RowsSource.backlinks(address, origin: origin.schema.name, property: property.name)
    return [.push(ObjectsView(self, source, crumb: crumb))]
  }

  func linkName(_ origin: TableKey, _ propertyIndex: Int?) -> String {
    guard let table = snapshot.table(origin) else { return "a table that cannot be read" }
    let name = property(origin, propertyIndex)?.property.name.description ?? "?"
    return "\(table.schema.displayName).\(name)"
  }
}

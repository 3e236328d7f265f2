import RealmStorage
import RealmText

/// Turns values into text for one line of the screen: short, unambiguous, in cells.
///
/// Null, an empty string, the string `null` and NaN look different from each other; parts that cannot be read are
/// marked.
package final class ValuePrinter {
  private let snapshot: Snapshot
  package let typography: Typography
  private let describe: (StorageError) -> String?
  private let buffer = TextBuffer(capacity: 256)
  private var depth = 0
  /// Links whose labels are being made: in damaged files a primary key can be a link, and links can form a circle.
  private var linkDepth = 0
  /// Whether the file has changed since it was opened: in that case this, and not damage, is the reason why something
  /// cannot be read.
  package var isStale = false

  private let extent: Extent
  private let dates: DateForm

  /// How much of a value is shown on one line.
  package enum Extent {
    /// As much as fits: a few elements of a collection, and more bytes of a string than any line has columns.
    case line
    /// Everything, except deeply nested parts, and strings of more than a megabyte.
    case whole

    fileprivate var mostElements: Int { self == .line ? 8 : .max }
    fileprivate var mostBytes: Int { self == .line ? 4096 : 1 << 20 }
  }

  /// The limit for values inside values on one line.
  private static let mostDepth = 3
  /// Bytes of a text that stands for an object, of which a list can have any number.
  private static let mostLabelBytes = 256

  /// - Parameter describe: describes a damaged part; nil for no more than that it is damaged.
  package init(
    _ snapshot: Snapshot, _ typography: Typography, _ extent: Extent = .line, dates: DateForm = .utc,
    describe: @escaping (StorageError) -> String?
  ) {
    self.snapshot = snapshot
    self.typography = typography
    self.extent = extent
    self.dates = dates
    self.describe = describe
  }

  package func text(limit: Int) -> CellText { CellText(typography, limit: limit) }

  // MARK: Values

  /// A value on its own.
  ///
  /// - Parameter isMixed: strings are quoted, because the value could also be a number.
  package func print(_ value: ValueView, isMixed: Bool = false, limit: Int, _ emphasis: Emphasis = .none) -> CellText {
    var text = text(limit: limit)
    append(value, isMixed: isMixed, to: &text)
    text.emphasize(emphasis)
    return text
  }

  /// The same of a value that is owned.
  package func print(owned value: Value, isMixed: Bool = false, limit: Int) -> CellText {
    var text = text(limit: limit)
    append(owned: value, isMixed: isMixed, to: &text)
    return text
  }

  /// Text for something that cannot be read.
  package func print(_ error: StorageError, limit: Int, _ emphasis: Emphasis = .none) -> CellText {
    var text = text(limit: limit)
    append(error, to: &text)
    text.emphasize(emphasis)
    return text
  }

  package func append(_ error: StorageError, to text: inout CellText) {
    let reason = isStale ? "not readable: the file has changed" : "damaged" + (describe(error).map { ": \($0)" } ?? "")
    text.append(reason, Style(.damaged))
  }

  package func append(_ value: ValueView, isMixed: Bool = false, to text: inout CellText) {
    switch value {
    case .null: text.append("null", Style(.literal))
    case .bool(let value): text.append(value ? "true" : "false", Style(.literal))
    case .string(let value): append(string: value, isMixed: isMixed, to: &text)
    case .data(let value): append(data: value, to: &text)
    case .link(let table, let key): appendLink(table, key, naming: isMixed, to: &text)
    case .typedLink(let table, let key): appendLink(table, key, naming: true, to: &text)
    case .list, .set, .dictionary: appendCollection(value, isMixed: isMixed, to: &text)
    case .date(let date):
      if let written = dates.text(date) { text.append(written) } else { appendPlain(value, to: &text) }
    case .int, .float, .double, .decimal, .objectID, .uuid: appendPlain(value, to: &text)
    }
  }

  /// A value that is owned.
  package func append(owned value: Value, isMixed: Bool = false, to text: inout CellText) {
    switch value {
    case .list(let elements), .set(let elements):
      text.append("[\(CountText.grouped(elements.count))]", Style(.count))
      for (index, element) in elements.enumerated() where !text.isFull {
        text.append(index == 0 ? " " : ", ", .faint)
        append(owned: element, isMixed: isMixed, to: &text)
      }
    case .dictionary(let entries):
      text.append("{\(CountText.grouped(entries.count))}", Style(.count))
      for (index, entry) in entries.sorted(by: { $0.key < $1.key }).enumerated() where !text.isFull {
        text.append((index == 0 ? " " : ", ") + entry.key.description + ": ", .faint)
        append(owned: entry.value, isMixed: true, to: &text)
      }
    default:
      let keeper = ValueKeeper()
      withExtendedLifetime(keeper) { append(keeper.view(of: value), isMixed: isMixed, to: &text) }
    }
  }

  private func appendPlain(_ value: ValueView, to text: inout CellText) {
    buffer.removeAll()
    // Only texts and data can fail.
    guard (try? buffer.appendPlain(value)) == true else { return }
    buffer.withBytes { text.append(utf8: $0) }
  }

  // MARK: Texts and data

  private func append(string value: BlobView, isMixed: Bool, to text: inout CellText) {
    do {
      try value.withPrefix(linkDepth > 0 ? Self.mostLabelBytes : extent.mostBytes) { bytes in
        let isQuoted = isMixed || Self.needsQuotes(bytes)
        if isQuoted { text.append("\"", .faint) }
        text.append(utf8: bytes)
        if value.count > bytes.count { return text.append(typography.more, .faint) }
        if isQuoted { text.append("\"", .faint) }
      }
    } catch {
      append(error, to: &text)
    }
  }

  /// Whether a string could be mistaken for something else: for nothing at all, for null, for a quoted string, or for
  /// one without blanks around it.
  private static func needsQuotes(_ bytes: UnsafeRawBufferPointer) -> Bool {
    guard let first = bytes.first, let last = bytes.last else { return true }
    if first == UInt8(ascii: "\"") || first == UInt8(ascii: " ") || last == UInt8(ascii: " ") { return true }
    return bytes.count == 4 && bytes.elementsEqual("null".utf8)
  }

  private func append(data value: BlobView, to text: inout CellText) {
    text.append(CountText.counted(value.count, "byte"), Style(.count))
    guard value.count > 0 else { return }
    text.append(" ")
    do {
      try value.withPrefix(256) { bytes in
        buffer.removeAll()
        buffer.appendHex(bytes)
        buffer.withBytes { text.append(utf8: $0) }
      }
    } catch {
      append(error, to: &text)
    }
  }

  // MARK: Links

  private func appendLink(_ tableKey: TableKey, _ key: ObjectKey, naming: Bool, to text: inout CellText) {
    guard let table = snapshot.table(tableKey) else {
      text.append("\(typography.link) #\(key.rawValue) ", Style(.link))
      return append(snapshot.danglingLink(to: key), to: &text)
    }
    if table.schema.kind == .embedded { return appendEmbedded(table, key, to: &text) }
    text.append(typography.link + " ", Style(.link))
    guard linkDepth < Self.mostDepth else { return text.append(typography.more, .faint) }
    linkDepth += 1
    defer { linkDepth -= 1 }
    if naming {
      text.append(table.schema.displayName.description, Style(.link))
      text.append(" ")
    }
    switch table.row(of: key) {
    case .object(let batch, let row): appendLabel(batch, row, isBrief: depth > 0, to: &text)
    case .damaged(let error): append(error, to: &text)
    case .absent(let reason): text.append(reason, .faint)
    }
  }

  /// The label of an object.
  ///
  /// - Parameter isBrief: whether one name is enough.
  package func appendLabel(_ batch: ObjectBatch, _ row: Int, isBrief: Bool = false, to text: inout CellText) {
    let label = ObjectLabel(of: batch, row)
    for (index, part) in (isBrief ? [label.brief] : label.parts).enumerated() {
      if index > 0 { text.append(" ") }
      switch part {
      case .name(let name): append(.string(name), to: &text)
      case .primaryKey(let property): append(property: property, of: batch, row, to: &text)
      case .objectKey(let key): text.append("#\(key.rawValue)", Style(.key))
      }
    }
  }

  /// One property of an object, or what is wrong with it.
  package func append(property index: Int, of batch: ObjectBatch, _ row: Int, to text: inout CellText) {
    do {
      let value = try batch.values(ofProperty: index).value(at: row)
      append(value, isMixed: batch.table.schema.properties[index].type == .mixed, to: &text)
    } catch let error as StorageError {
      append(error, to: &text)
    } catch {
      text.append("damaged", Style(.damaged))
    }
  }

  private func appendEmbedded(_ table: Table, _ key: ObjectKey, to text: inout CellText) {
    guard case .object(let batch, let row) = table.row(of: key) else {
      return append(table.danglingLink(to: key), to: &text)
    }
    nested(&text, "{", "}") { text in
      for (index, property) in table.schema.properties.enumerated() where !text.isFull {
        if index > 0 { text.append(", ", .faint) }
        text.append(property.name.description, .faint)
        text.append(": ", .faint)
        append(property: index, of: batch, row, to: &text)
      }
    }
  }

  // MARK: Collections

  private func appendCollection(_ value: ValueView, isMixed: Bool, to text: inout CellText) {
    do {
      switch value {
      case .list(let list): try append(list, "[", "]", isMixed: isMixed, to: &text)
      case .set(let list): try append(list, "{", "}", isMixed: isMixed, to: &text)
      case .dictionary(let dictionary): try append(dictionary, isMixed: isMixed, to: &text)
      default: break
      }
    } catch let error as StorageError {
      append(error, to: &text)
    } catch {
      text.append("damaged", Style(.damaged))
    }
  }

  /// The number of elements in brackets, then the first of them; inside other values only the number.
  private func append(
    _ list: ListView, _ open: String, _ close: String, isMixed: Bool, to text: inout CellText
  ) throws {
    let count = try list.count(in: snapshot)
    text.append(open + CountText.grouped(count) + close, Style(.count))
    guard count > 0, !text.isFull, depth == 0 else { return }
    text.append(" ")
    depth += 1
    defer { depth -= 1 }
    for (index, element) in list.elements(at: 0..<min(count, extent.mostElements), in: snapshot).enumerated()
    where !text.isFull {
      if index > 0 { text.append(", ", .faint) }
      append(element, isMixed: isMixed, to: &text)
    }
    if count > extent.mostElements { text.append(", " + typography.more, .faint) }
  }

  package func append(_ element: ElementView, isMixed: Bool, to text: inout CellText) {
    switch element {
    case .value(let value): append(value, isMixed: isMixed, to: &text)
    case .unresolvedLink: text.append(typography.link + " an object not in this file", .faint)
    case .damaged(let error): append(error, to: &text)
    }
  }

  private func append(_ dictionary: DictionaryView, isMixed: Bool, to text: inout CellText) throws {
    let count = try dictionary.count(in: snapshot)
    text.append("{" + CountText.grouped(count) + "}", Style(.count))
    guard count > 0, !text.isFull, depth == 0 else { return }
    text.append(" ")
    depth += 1
    defer { depth -= 1 }
    let positions = try DictionaryPositions(of: dictionary, in: snapshot)
    let entries = positions.entries(at: 0..<min(positions.count, extent.mostElements), in: snapshot)
    for (index, entry) in entries.enumerated() where !text.isFull {
      if index > 0 { text.append(", ", .faint) }
      switch entry {
      case .entry(let key, let value):
        append(key: key, to: &text)
        text.append(": ", .faint)
        append(value, isMixed: isMixed, to: &text)
      case .damaged(let error): append(error, to: &text)
      }
    }
    if positions.count > extent.mostElements { text.append(", " + typography.more, .faint) }
  }

  /// The key of a dictionary's entry.
  package func append(key: BlobView, to text: inout CellText) {
    do {
      try key.withPrefix(extent.mostBytes) { text.append(utf8: $0, Style(.key)) }
    } catch {
      append(error, to: &text)
    }
  }

  private func nested(_ text: inout CellText, _ open: String, _ close: String, _ body: (inout CellText) -> Void) {
    text.append(open, .faint)
    if depth < Self.mostDepth {
      depth += 1
      body(&text)
      depth -= 1
    } else {
      text.append(typography.more, .faint)
    }
    text.append(close, .faint)
  }
}

extension BlobView {
  /// Passes on the first bytes, at most `most`.
  ///
  /// - Throws: `StorageError.corrupted` if they cannot be read.
  package func withPrefix(_ most: Int, _ body: (UnsafeRawBufferPointer) -> Void) throws(StorageError) {
    if let contiguous { return body(UnsafeRawBufferPointer(rebasing: contiguous.prefix(most))) }
    var taken: [UInt8] = []
    do { try forEachPiece(upTo: most) { taken.append(contentsOf: $0) } } catch let error as StorageError {
      throw error
    } catch {
      // Nothing else is thrown here.
    }
    taken.withUnsafeBytes(body)
  }
}

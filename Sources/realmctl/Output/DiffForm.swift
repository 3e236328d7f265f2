import RealmExchange
import RealmPresentation
import RealmStorage
import RealmText

/// The names of the two sides of a comparison.
struct DiffNames: Equatable {
  /// As typed.
  var inputs: [String]
  /// The names of the files in messages.
  var oldPath: String
  var newPath: String
  /// The names of the sides in the output.
  var old: String
  var new: String
}

/// Numbers of objects of a class that were removed, added, changed or are equal.
struct DiffCounts: Equatable {
  var className: RealmString
  var removed = 0
  var added = 0
  var changed = 0
  var equal: Int

  init(_ difference: RealmDifference.ClassDifference) {
    (className, equal) = (difference.pair.name, difference.equalCount)
    for change in difference.changes {
      switch change {
      case .removed: removed += 1
      case .added: added += 1
      case .changed: changed += 1
      }
    }
  }

  var isEqual: Bool { removed + added + changed == 0 }
}

/// An object that is different, with its values.
struct ShownChange {
  var className: RealmString
  var change: ObjectChange
  /// As JSON; nil if the object is identified by its object key.
  var primaryKey: [UInt8]?
  var values: [RealmDifference.ValueChange]
}

/// How `diff` looks.
protocol DiffForm {
  func begin(_ schema: SchemaDifference, _ versions: (old: UInt64?, new: UInt64?)) throws
  func show(_ change: ShownChange) throws
  func end(_ counts: [DiffCounts], isDifferent: Bool) throws
}

/// Standard output, in larger pieces.
final class DiffOutput {
  private let buffer = TextBuffer(capacity: 1 << 16)
  /// Whether nothing was written yet, so that the output can still change.
  private(set) var isEmpty = true

  private static let pieceSize = 1 << 16

  func write(_ text: String) throws {
    buffer.append(text)
    if buffer.count >= Self.pieceSize { try flush() }
  }

  func flush() throws {
    guard buffer.count > 0 else { return }
    isEmpty = false
    try buffer.withBytes { try StandardOutput.write($0) }
    buffer.removeAll()
  }

  /// Forgets what was not written yet.
  func restart() { buffer.removeAll() }
}

// MARK: - Text

/// In the manner of `git diff`.
struct DiffLines: DiffForm {
  let names: DiffNames
  let output: DiffOutput
  let pen: ANSIStyle
  /// Whether long values are shown completely.
  let showsAll: Bool
  /// Whether a table of numbers follows.
  let showsCounts: Bool
  private let head = Head()

  private final class Head { var isWritten = false }

  init(names: DiffNames, output: DiffOutput, pen: ANSIStyle, showsAll: Bool, showsCounts: Bool) {
    (self.names, self.output, self.pen) = (names, output, pen)
    (self.showsAll, self.showsCounts) = (showsAll, showsCounts)
  }

  func begin(_ schema: SchemaDifference, _ versions: (old: UInt64?, new: UInt64?)) throws {
    output.restart()
    guard !schema.isEmpty || versions.old != versions.new else { return }
    try writeHead()
    try write(pen.cyan("@@ schema @@"))
    try output.write(schema.text)
    guard versions.old != versions.new else { return }
    try write(pen.red("-schema version: \(versions.old.map(String.init) ?? "none")"))
    try write(pen.green("+schema version: \(versions.new.map(String.init) ?? "none")"))
  }

  private func writeHead() throws {
    guard !head.isWritten else { return }
    head.isWritten = true
    try write(pen.bold("--- " + PrintableText.escaping(names.old)))
    try write(pen.bold("+++ " + PrintableText.escaping(names.new)))
  }

  private func write(_ line: String) throws { try output.write(line + "\n") }

  func show(_ change: ShownChange) throws {
    try writeHead()
    let key = change.primaryKey.map(Self.text) ?? "object key \(change.change.key.rawValue)"
    let what =
      switch change.change {
      case .removed: " removed"
      case .added: " added"
      case .changed: ""
      }
    try write(pen.cyan("@@ \(PrintableText.escaping("\(change.className) \(key)"))\(what) @@"))
    for value in change.values {
      let name = PrintableText.escaping(value.property.description)
      let place = Self.firstDifference(value.old, value.new)
      if let old = value.old { try write(pen.red("-\(name): \(shown(old, around: place))")) }
      if let new = value.new { try write(pen.green("+\(name): \(shown(new, around: place))")) }
    }
  }

  func end(_ counts: [DiffCounts], isDifferent: Bool) throws {
    guard showsCounts, counts.contains(where: { !$0.isEqual }) else { return }
    try writeHead()
    let table = TextTable.lines(
      [.left("CLASS"), .right("REMOVED"), .right("ADDED"), .right("CHANGED"), .right("EQUAL")],
      counts.filter { !$0.isEqual }.map { count in
        [PrintableText.escaping(count.className.description)]
          + [count.removed, count.added, count.changed, count.equal].map { String($0) }
      }, pen)
    for line in table { try write(line) }
  }

  // MARK: Values

  /// How many bytes of a long value are shown, and how many of them come before the first difference.
  private static let (most, before) = (240, 60)

  private func shown(_ value: [UInt8], around place: Int) -> String {
    guard !showsAll, value.count > Self.most else { return Self.text(value) }
    let start = Self.boundary(value, max(0, min(place - Self.before, value.count - Self.most)))
    let end = Self.boundary(value, min(value.count, start + Self.most))
    let part = Self.text(Array(value[start..<end]))
    return (start > 0 ? "…" : "") + part + (end < value.count ? "…" : "") + " (\(value.count) bytes)"
  }

  /// Where a character begins, at the offset or before it.
  private static func boundary(_ value: [UInt8], _ offset: Int) -> Int {
    var offset = offset
    while offset > 0, offset < value.count, value[offset] & 0xc0 == 0x80 { offset -= 1 }
    return offset
  }

  private static func firstDifference(_ old: [UInt8]?, _ new: [UInt8]?) -> Int {
    guard let old, let new else { return 0 }
    return zip(old, new).enumerated().first { $0.element.0 != $0.element.1 }?.offset ?? min(old.count, new.count)
  }

  private static func text(_ value: [UInt8]) -> String {
    PrintableText.escaping(String(decoding: value, as: UTF8.self))
  }
}

// MARK: - JSON

/// One object per line; `Docs/JSONOutput.md` describes the keys.
struct DiffJSON: DiffForm {
  let names: DiffNames
  let output: DiffOutput

  func begin(_ schema: SchemaDifference, _ versions: (old: UInt64?, new: UInt64?)) throws {
    output.restart()
    try write { json in
      json.member("record", "schema")
      json.paths("inputs", names.inputs)
      json.orNull("fromVersion", versions.old)
      json.orNull("toVersion", versions.new)
      schema.addChanges(to: json)
    }
  }

  func show(_ change: ShownChange) throws {
    try write { json in
      switch change.change {
      case .removed: json.member("record", "removed")
      case .added: json.member("record", "added")
      case .changed: json.member("record", "changed")
      }
      json.member("class", change.className.description)
      if let key = change.primaryKey { json.member("key", json: key) }
      json.member("objKey", change.change.key.rawValue)
      json.objects("valueChanges", change.values) { value in
        json.member("property", value.property.description)
        if let old = value.old { json.member("before", json: old) }
        if let new = value.new { json.member("after", json: new) }
      }
    }
  }

  func end(_ counts: [DiffCounts], isDifferent: Bool) throws {
    try write { json in
      json.member("record", "end")
      json.member("equal", !isDifferent)
      json.objects("classes", counts) { count in
        json.member("name", count.className.description)
        json.member("removed", count.removed)
        json.member("added", count.added)
        json.member("changed", count.changed)
        json.member("unchanged", count.equal)
      }
    }
  }

  private func write(_ members: (JSONText) -> Void) throws {
    try output.write(JSONText.document(isIndented: false, members))
  }
}

import RealmStorage
import RealmText

/// Decides which objects a filter shows.
package protocol ObjectPredicate: Sendable {
  /// Tells the rows of a batch that match.
  ///
  /// - Parameters:
  ///   - damaged: called for each value that cannot be read; its object does not match on its account.
  ///   - found: called with each row that matches, in order.
  func match(
    _ batch: ObjectBatch, rows: Range<Int>, in snapshot: Snapshot, damaged: (StorageError) -> Void,
    found: (Int) -> Void)
}

/// Makes a predicate of text for objects of a table.
///
/// Throws `PredicateError` for text that means nothing.
package typealias PredicateParser =
  @Sendable (_ text: String, _ table: Table, _ snapshot: Snapshot) throws ->
  any ObjectPredicate

/// Why a filter means nothing, in one line.
package struct PredicateError: Error, Hashable, Sendable {
  package let text: String
  package init(_ text: String) { self.text = text }
}

/// Objects with a text somewhere, or in one property: `text`, `property: text`.
package struct TextPredicate: ObjectPredicate {
  let pattern: TextPattern
  let properties: [Int]

  /// The filter of browsers without a query language.
  package static let parse: PredicateParser = { text, table, _ in
    let properties = table.schema.properties
    if let colon = text.firstIndex(of: ":") {
      let name = RealmString(text[..<colon])
      if let index = properties.firstIndex(where: { $0.name == name }),
        let pattern = TextPattern(String(text[text.index(after: colon)...].drop { $0 == " " }))
      {
        return TextPredicate(pattern: pattern, properties: [index])
      }
    }
    guard let pattern = TextPattern(text) else { throw PredicateError("nothing to filter by") }
    return TextPredicate(pattern: pattern, properties: Array(properties.indices))
  }

  package func match(
    _ batch: ObjectBatch, rows: Range<Int>, in snapshot: Snapshot, damaged: (StorageError) -> Void,
    found: (Int) -> Void
  ) {
    let matcher = ValueMatcher(pattern, snapshot)
    var isFound = [Bool](repeating: false, count: rows.count)
    for property in properties {
      matcher.match(batch, property: property, rows: rows, damaged: damaged) { isFound[$0 - rows.lowerBound] = true }
    }
    for row in rows where isFound[row - rows.lowerBound] { found(row) }
  }
}

/// Objects that two predicates let through.
struct BothPredicates: ObjectPredicate {
  let first: any ObjectPredicate
  let second: any ObjectPredicate

  func match(
    _ batch: ObjectBatch, rows: Range<Int>, in snapshot: Snapshot, damaged: (StorageError) -> Void,
    found: (Int) -> Void
  ) {
    first.match(batch, rows: rows, in: snapshot, damaged: damaged) { row in
      second.match(batch, rows: row..<row + 1, in: snapshot, damaged: damaged, found: found)
    }
  }
}

/// Looks for a text in values: in texts, numbers and dates as they are shown, in the elements of collections, and in
/// what links are called by. Belongs to one thread.
final class ValueMatcher {
  private let pattern: TextPattern
  private let snapshot: Snapshot
  private let buffer = TextBuffer(capacity: 256)
  /// Whether the text is the word that stands for null. Parts of that word would find too much.
  private let isNullWord: Bool

  /// Collections inside each other that are looked into.
  private static let mostDepth = 16

  init(_ pattern: TextPattern, _ snapshot: Snapshot) {
    self.pattern = pattern
    self.snapshot = snapshot
    isNullWord = pattern.text.lowercased() == "null"
  }

  /// Tells the rows whose value of a property holds the text.
  func match(
    _ batch: ObjectBatch, property: Int, rows: Range<Int>, damaged: (StorageError) -> Void, found: (Int) -> Void
  ) {
    do {
      let values = try batch.values(ofProperty: property)
      for row in rows {
        do {
          if try matches(values.value(at: row), damaged: damaged) { found(row) }
        } catch let error as StorageError {
          damaged(error)
        }
      }
    } catch {
      // The values of all rows are unreadable together.
      for _ in rows { damaged(error as? StorageError ?? .corrupted(.null, .missingNode)) }
    }
  }

  /// - Parameter damaged: called for elements of a collection that cannot be read.
  func matches(_ value: ValueView, depth: Int = 0, damaged: (StorageError) -> Void = { _ in }) throws -> Bool {
    switch value {
    case .null: return isNullWord
    case .string(let text):
      if let bytes = text.contiguous { return pattern.matches(bytes) }
      return try text.copied().withUnsafeBytes(pattern.matches)
    case .data(let data) where data.count > 1 << 20:
      return false
    case .link(let table, let key), .typedLink(let table, let key): return try matchesLink(table, key)
    case .list, .set, .dictionary: return try matchesElement(of: value, depth: depth, damaged: damaged)
    default:
      buffer.removeAll()
      return try buffer.appendPlain(value) && buffer.withBytes(pattern.matches)
    }
  }

  /// A link is called by the primary key of its target, or by `#` and the object key.
  private func matchesLink(_ tableKey: TableKey, _ key: ObjectKey) throws -> Bool {
    guard let table = snapshot.table(tableKey) else { return false }
    if let index = table.schema.primaryKeyIndex, let (batch, row) = try table.object(key) {
      return try matches(batch.values(ofProperty: index).value(at: row))
    }
    buffer.removeAll()
    buffer.append("#")
    buffer.append(integer: key.rawValue)
    return buffer.withBytes(pattern.matches)
  }

  private func matchesElement(of value: ValueView, depth: Int, damaged: (StorageError) -> Void) throws -> Bool {
    guard depth < Self.mostDepth else { return false }
    let walk = snapshot.collectionWalk()
    do {
      switch value {
      case .list(let list), .set(let list):
        try list.forEach(walk, damaged: damaged) { element in
          if try matches(element, depth: depth + 1, damaged: damaged) { throw Found() }
        }
      case .dictionary(let dictionary):
        try dictionary.forEach(walk, damaged: damaged) { key, element in
          if try matches(.string(key)) { throw Found() }
          if try matches(element, depth: depth + 1, damaged: damaged) { throw Found() }
        }
      default: break
      }
      return false
    } catch is Found {
      return true
    }
  }

  private struct Found: Error {}
}

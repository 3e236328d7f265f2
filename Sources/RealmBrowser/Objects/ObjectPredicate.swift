import RealmStorage
import RealmText

/// Decides which objects a filter shows.
package protocol ObjectPredicate: Sendable {
  /// Tells the rows of a batch that match.
  ///
  /// - Parameters:
  ///   - progress: checked wherever a value can take long, as a collection of millions and a damaged one can.
  ///   - damaged: called for each value that cannot be read; its object does not match on its account.
  ///   - found: called with each row that matches, in order.
  /// - Throws: `TaskProgress.Stopped` and nothing else.
  func match(
    _ batch: ObjectBatch, rows: Range<Int>, in snapshot: Snapshot, _ progress: TaskProgress,
    damaged: (StorageError) -> Void, found: (Int) -> Void) throws
  /// Why the text may have been meant otherwise; said where nothing matches.
  var doubt: String? { get }
}

extension ObjectPredicate {
  package var doubt: String? { nil }

  /// Asks of each row of a batch whether its value of one property is wanted.
  ///
  /// - Throws: what `isWanted` throws, but for damage.
  static func each(
    _ batch: ObjectBatch, property: Int, rows: Range<Int>, damaged: (StorageError) -> Void, found: (Int) -> Void,
    isWanted: (ValueView) throws -> Bool
  ) throws {
    let values: PropertyValues
    do {
      values = try batch.values(ofProperty: property)
    } catch let error as StorageError {
      // The values of all rows are unreadable together.
      for _ in rows { damaged(error) }
      return
    }
    for row in rows {
      do {
        if try isWanted(values.value(at: row)) { found(row) }
      } catch let error as StorageError {
        damaged(error)
      }
    }
  }
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
  package let doubt: String?

  /// The filter of browsers without a query language.
  package static let parse: PredicateParser = { text, table, _ in
    let filter = try FilterText(text, for: table.schema)
    return TextPredicate(pattern: filter.pattern, properties: filter.properties, doubt: filter.doubt)
  }

  package func match(
    _ batch: ObjectBatch, rows: Range<Int>, in snapshot: Snapshot, _ progress: TaskProgress,
    damaged: (StorageError) -> Void, found: (Int) -> Void
  ) throws {
    let matcher = ValueMatcher(pattern, snapshot, progress)
    var isFound = [Bool](repeating: false, count: rows.count)
    for property in properties {
      try matcher.match(batch, property: property, rows: rows, damaged: damaged) {
        isFound[$0 - rows.lowerBound] = true
      }
    }
    for row in rows where isFound[row - rows.lowerBound] { found(row) }
  }
}

/// Objects that two predicates let through.
struct BothPredicates: ObjectPredicate {
  let first: any ObjectPredicate
  let second: any ObjectPredicate

  func match(
    _ batch: ObjectBatch, rows: Range<Int>, in snapshot: Snapshot, _ progress: TaskProgress,
    damaged: (StorageError) -> Void, found: (Int) -> Void
  ) throws {
    var firsts: [Int] = []
    try first.match(batch, rows: rows, in: snapshot, progress, damaged: damaged) { firsts.append($0) }
    for row in firsts {
      try second.match(batch, rows: row..<row + 1, in: snapshot, progress, damaged: damaged, found: found)
    }
  }
}

/// The object with a key.
struct KeyPredicate: ObjectPredicate {
  let key: ObjectKey

  func match(
    _ batch: ObjectBatch, rows: Range<Int>, in snapshot: Snapshot, _ progress: TaskProgress,
    damaged: (StorageError) -> Void, found: (Int) -> Void
  ) {
    for row in rows where batch.key(at: row) == key { found(row) }
  }
}

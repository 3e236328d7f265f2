import RealmStorage
import RealmText

/// A condition for objects to be shown, in a form that outlives a snapshot.
protocol ObjectPredicate: Sendable {
  /// Prepares it for the objects of a table in one snapshot.
  ///
  /// - Parameter progress: checked wherever a value can take long, such as a collection of millions or a damaged one.
  /// - Throws: `QueryError` if it has no meaning there.
  func matcher(of table: Table, in snapshot: Snapshot, _ progress: TaskProgress) throws -> any ObjectMatcher
}

/// Decides which objects of one snapshot match; belongs to one thread.
protocol ObjectMatcher {
  /// Finds the rows of a batch that match.
  ///
  /// - Parameters:
  ///   - damage: receives what cannot be read, which does not make an object match.
  ///   - found: called with each row that matches, in order.
  /// - Throws: `TaskProgress.Stopped` and nothing else.
  func match(_ batch: ObjectBatch, rows: Range<Int>, _ damage: inout DamageTally, found: (Int) -> Void) throws
}

extension ObjectBatch {
  /// Asks for each row whether its value of a property is wanted.
  ///
  /// - Parameter isWanted: gets the row, and where to record what cannot be read of its value.
  /// - Throws: what `isWanted` throws, but for damage.
  func match(
    property: Int, rows: Range<Int>, _ damage: inout DamageTally, found: (Int) -> Void,
    isWanted: (ValueView, _ row: Int, _ damage: inout DamageTally) throws -> Bool
  ) throws {
    let values: PropertyValues
    do {
      values = try self.values(ofProperty: property)
    } catch let error as StorageError {
      // The values of all rows cannot be read.
      for row in rows { damage.add(self.damage(property, row, error)) }
      return
    }
    for row in rows {
      do {
        if try isWanted(values.value(at: row), row, &damage) { found(row) }
      } catch let error as StorageError {
        damage.add(self.damage(property, row, error))
      }
    }
  }

  /// A value that cannot be read, as a whole or in part.
  func damage(_ property: Int, _ row: Int, _ error: StorageError) -> Damage {
    let name = table.schema.properties[property].name
    return Damage(table: table.schema.displayName, part: .value(property: name, object: key(at: row)), error: error)
  }
}

/// Objects with a text somewhere, or in one property.
struct TextPredicate: ObjectPredicate {
  let pattern: TextPattern
  /// The indexes of the properties to search.
  let properties: [Int]

  func matcher(of table: Table, in snapshot: Snapshot, _ progress: TaskProgress) -> any ObjectMatcher {
    Matcher(values: ValueMatcher(pattern, snapshot, progress), properties: properties)
  }

  private struct Matcher: ObjectMatcher {
    let values: ValueMatcher
    let properties: [Int]

    func match(_ batch: ObjectBatch, rows: Range<Int>, _ damage: inout DamageTally, found: (Int) -> Void) throws {
      var isFound = [Bool](repeating: false, count: rows.count)
      for property in properties {
        try values.match(batch, property: property, rows: rows, &damage) {
          isFound[$0 - rows.lowerBound] = true
        }
      }
      for row in rows where isFound[row - rows.lowerBound] { found(row) }
    }
  }
}

/// Objects that match several predicates.
struct AllMatchers: ObjectMatcher {
  let matchers: [any ObjectMatcher]

  func match(_ batch: ObjectBatch, rows: Range<Int>, _ damage: inout DamageTally, found: (Int) -> Void) throws {
    guard let first = matchers.first else { return rows.forEach(found) }
    var matching: [Int] = []
    try first.match(batch, rows: rows, &damage) { matching.append($0) }
    for matcher in matchers.dropFirst() {
      var kept: [Int] = []
      for row in matching { try matcher.match(batch, rows: row..<row + 1, &damage) { kept.append($0) } }
      matching = kept
    }
    matching.forEach(found)
  }
}

/// The object with a key.
struct KeyPredicate: ObjectPredicate, ObjectMatcher {
  let key: ObjectKey

  func matcher(of table: Table, in snapshot: Snapshot, _ progress: TaskProgress) -> any ObjectMatcher { self }

  func match(_ batch: ObjectBatch, rows: Range<Int>, _ damage: inout DamageTally, found: (Int) -> Void) {
    for row in rows where batch.key(at: row) == key { found(row) }
  }
}

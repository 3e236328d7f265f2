import TestSupport
import Testing

@testable import RealmStorage

/// Calls `body` with every collection property value of every object.
private func forEachCollection(_ snapshot: Snapshot, _ body: (ValueView) throws -> Void) throws {
  for table in snapshot.tables {
    var batches = table.batches()
    while case .batch(let batch)? = batches.next() {
      for (index, property) in table.schema.properties.enumerated() where property.collection != nil {
        let values = try batch.values(ofProperty: index)
        for row in 0..<batch.count { try body(values.value(at: row)) }
      }
    }
  }
}

/// A value as text, exact enough to distinguish two values.
private func text(_ value: ValueView) throws -> String {
  switch value {
  case .string(let blob), .data(let blob): "\(try blob.copied())"
  default: "\(value)"
  }
}

@Test(arguments: OpenableFixture.all)
func slicesOfListsHoldWhatAWalkFinds(_ fixture: OpenableFixture) throws {
  let snapshot = try fixture.opened()
  try forEachCollection(snapshot) { value in
    guard case .list(let list) = value else { return }
    var expected: [String] = []
    try list.forEach(snapshot.collectionWalk(), damaged: { throw $0 }) { expected.append(try text($0)) }
    let count = try list.count(in: snapshot)
    // Two slices that meet somewhere, the second from the middle of a leaf.
    let middle = count / 3
    let elements = list.elements(at: 0..<middle, in: snapshot) + list.elements(at: middle..<count, in: snapshot)
    var found: [String] = []
    for element in elements {
      switch element {
      case .value(let value): found.append(try text(value))
      case .unresolvedLink: continue
      case .damaged(let error): throw error
      }
    }
    #expect(elements.count == count)
    #expect(found == expected)
  }
}

@Test(arguments: OpenableFixture.all)
func entriesOfDictionariesAreWhereAWalkFindsThem(_ fixture: OpenableFixture) throws {
  let snapshot = try fixture.opened()
  try forEachCollection(snapshot) { value in
    guard case .dictionary(let dictionary) = value else { return }
    var expected: [String] = []
    var keys: [RealmString] = []
    try dictionary.forEach(snapshot.collectionWalk(), damaged: { throw $0 }) { key, value in
      keys.append(RealmString(utf8: try key.copied()))
      let shown = (try text(.string(key)), try text(value))
      expected.append(shown.0 + shown.1)
    }
    let positions = try DictionaryPositions(of: dictionary, in: snapshot)
    var found: [String] = []
    for entry in positions.entries(at: 0..<positions.count, in: snapshot) {
      switch entry {
      case .entry(let key, let value):
        let shown = (try text(.string(key)), try text(value))
        found.append(shown.0 + shown.1)
      case .damaged(let error): throw error
      }
    }
    #expect(found == expected)
    for (position, key) in keys.enumerated() {
      #expect(positions.position(of: key, in: snapshot) == position)
    }
    #expect(positions.position(of: "no such key", in: snapshot) == nil)
  }
}

@Test func elementsBeyondTheEndAreErrorsInTheirPlaces() throws {
  let snapshot = try OpenableFixture.named("deep-tree").opened()
  var seen = 0
  try forEachCollection(snapshot) { value in
    guard seen < 100, case .list(let list) = value else { return }
    seen += 1
    let count = try list.count(in: snapshot)
    let elements = list.elements(at: count..<count + 3, in: snapshot)
    #expect(elements.count == 3)
    for element in elements {
      guard case .damaged = element else {
        Issue.record("an element beyond the end")
        continue
      }
    }
  }
  #expect(seen > 0)
}

import RealmModels
import RealmStorage
import RealmSystem

extension RelationalPlan {
  /// Looks at the dates of all columns of some tables, or of all. Places in the file are forgotten.
  ///
  /// - Parameter number: the number of a table; nil for all tables.
  func measureDates(ofTable number: Int?, in snapshot: Snapshot) throws {
    for (position, table) in relational.classes.enumerated() {
      for (property, value) in table.values.enumerated() where value.digits?.isKnown == false {
        guard number == nil || number == table.collectionNumbers[property] ?? table.number else { continue }
        try measureDates(of: position, property: property, in: snapshot)
      }
    }
  }

  /// Looks at all dates of a property. Places in the file are forgotten.
  func measureDates(of position: Int, property: Int, in snapshot: Snapshot) throws {
    guard let digits = relational.classes[position].values[property].digits else { return }
    var needed = 0
    let walk = snapshot.collectionWalk(for: .rows)
    func look(_ value: ValueView) { if case .date(let date) = value { needed = max(needed, date.fractionDigits) } }
    var batches = tables[position].batches()
    while needed < 9, let step = batches.next() {
      // What cannot be read is reported where it is written.
      guard case .batch(let batch) = step else { continue }
      if let values = try? batch.values(ofProperty: property) {
        for row in 0..<batch.count {
          switch try? values.value(at: row) {
          case .list(let list)?, .set(let list)?: try? list.forEach(walk, damaged: { _ in }, visit: look)
          case .dictionary(let dictionary)?: try? dictionary.forEach(walk, damaged: { _ in }) { look($1) }
          case let value?: look(value)
          case nil: break
          }
        }
      }
      guard snapshot.holdsTooManyPages else { continue }
      try snapshot.releasePages()
      if batches.restorePlaces() != nil { break }
    }
    digits.set(needed)
  }
}

extension Timestamp {
  /// The digits of a second that it needs, in groups of three.
  fileprivate var fractionDigits: Int {
    if nanoseconds == 0 { return 0 }
    return nanoseconds % 1_000_000 == 0 ? 3 : nanoseconds % 1000 == 0 ? 6 : 9
  }
}

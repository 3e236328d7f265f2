import RealmExchange
import RealmStorage
import RealmText

extension RedactedComparison {
  /// Objects before and after, the first of each class in turn.
  ///
  /// - Throws: `StorageError`.
  func samples(_ count: Int) throws -> [RedactionAccount.Sample] {
    var byClass: [[RedactionAccount.Sample]] = []
    for table in source.tables where table.schema.isClass && selection.tables.contains(table.key) {
      guard let twin = copy.table(table.key) else { continue }
      byClass.append(try samples(count, of: table, twin))
    }
    return Array((0..<count).flatMap { round in byClass.compactMap { $0.dropFirst(round).first } }.prefix(count))
  }

  private func samples(_ count: Int, of table: Table, _ twin: Table) throws -> [RedactionAccount.Sample] {
    var samples: [RedactionAccount.Sample] = []
    let wanted = selection.objects[table.key]
    let leftOut = selection.leftOutProperties[table.key] ?? []
    let properties = table.schema.properties.indices.filter { !leftOut.contains($0) }
    var batches = table.batches()
    // If many objects are left out, the first remaining one may be far away.
    while samples.count < count, case .batch(let batch) = batches.next() {
      for row in 0..<batch.count where samples.count < count {
        let key = batch.key(at: row)
        guard wanted?.contains(key) ?? true, let place = try twin.object(keys[table.key]?[key] ?? key) else { continue }
        var changes: [RedactionAccount.Sample.Change] = []
        for (position, index) in properties.enumerated()
        where redaction.rule(ofProperty: index, of: table)?.isFor(key) ?? false {
          let property = table.schema.properties[index]
          let before = try text(batch.values(ofProperty: index).value(at: row), property, in: source)
          let after = try text(place.batch.values(ofProperty: position).value(at: place.row), property, in: copy)
          if before != after { changes.append(.init(property: property.name, before: before, after: after)) }
        }
        if !changes.isEmpty { samples.append(.init(className: table.schema.displayName, changes: changes)) }
      }
      if source.holdsTooManyPages { break }
    }
    return samples
  }

  private func text(_ value: ValueView, _ property: Property, in snapshot: Snapshot) throws -> String {
    do {
      let json =
        try property.type == .mixed && property.collection == nil
        ? ValueJSON(ofMixed: value, in: snapshot) : ValueJSON(of: value, in: snapshot)
      return ShownText.beginning(of: String(decoding: json.text, as: UTF8.self))
    } catch BuildError.valueTooLong {
      return "…"
    }
  }
}

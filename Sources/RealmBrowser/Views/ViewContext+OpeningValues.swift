import RealmPresentation
import RealmQuery
import RealmStorage
import RealmText

/// From a value to the view that shows it.
extension ViewContext {
  /// The name of an object in the path at the top.
  func crumb(of batch: ObjectBatch, _ row: Int) -> String {
    var text = printer.text(limit: 24)
    printer.appendLabel(batch, row, isBrief: true, to: &text)
    return text.string
  }

  /// Follows a link, or enters a collection; nil for other values.
  ///
  /// - Parameter crumbPrefix: what the path says before the name of the value.
  func open(_ value: ValueView, at address: ValueAddress, crumbPrefix: String = "") -> [Effect]? {
    let crumb = crumbPrefix + self.crumb(of: address)
    if let link = value.link { return open(link.table, link.key, crumb: crumb) }
    if let list = value.listOrSet, let target = list.linkTarget, snapshot.table(target)?.schema.kind != .embedded {
      return [.push(ObjectsView(self, .links(address), crumb: crumb))]
    }
    return value.isCollection ? [.push(CollectionView(self, address, crumb: crumb))] : nil
  }

  /// Shows the target of a link, or says why that is impossible.
  func open(_ tableKey: TableKey, _ key: ObjectKey, crumb: String) -> [Effect] {
    guard let table = snapshot.table(tableKey) else {
      return [.say(message(snapshot.danglingLink(to: key)))]
    }
    switch table.row(of: key) {
    case .damaged(let error): return [.say(message(error))]
    case .absent(let reason): return [.say(.info(reason))]
    case .object(let batch, let row):
      let address = ObjectAddress(table: table.schema.name, key: key)
      let label = table.schema.kind == .embedded ? "" : typography.pathSeparator + self.crumb(of: batch, row)
      return [.push(ObjectView(self, address, crumb: crumb + label))]
    }
  }

  private func crumb(of address: ValueAddress) -> String {
    switch address.steps.last {
    case nil: address.property.description
    case .position(let position): "\(position)"
    case .key(let key): key.description
    }
  }

  /// Copies a value to the clipboard, without the way it is shown: strings and numbers as they are, data as hex digits,
  /// a link as the primary key of its object or as its object key, collections and embedded objects as JSON.
  func copy(_ value: ValueView) -> [Effect] {
    effects {
      if case .null = value { return [.say(.info("null: nothing to copy"))] }
      if let link = value.link, let table = snapshot.table(link.table), table.schema.kind != .embedded {
        return try copyKey(of: link.key, in: table)
      }
      if value.isCollection || value.link != nil { return try copyJSON(value) }
      if let blob = value.blob, blob.count > Self.mostCopied {
        return [.say(.warning("too long to copy: \(CountText.counted(blob.count, "byte")); | pipes it to a program"))]
      }
      let buffer = TextBuffer(capacity: 256)
      _ = try buffer.appendPlain(value)
      return copy(buffer.copiedBytes)
    }
  }

  /// The same for a value that is owned.
  func copy(owned value: Value) -> [Effect] {
    let keeper = ValueKeeper()
    return withExtendedLifetime(keeper) { copy(keeper.view(of: value)) }
  }

  /// The filter text of a value that is owned; nil if no filter finds it.
  func written(owned value: Value) throws -> String? {
    let keeper = ValueKeeper()
    return try withExtendedLifetime(keeper) { try RQL.written(keeper.view(of: value), in: snapshot) }
  }

  /// The size limit of a copy in bytes, because copies are made in memory.
  private static let mostCopied = 64 << 20

  func copy(_ bytes: [UInt8]) -> [Effect] { [.copy(bytes, what: CountText.counted(bytes.count, "byte"))] }

  private func copyKey(of key: ObjectKey, in table: Table) throws -> [Effect] {
    guard let index = table.schema.primaryKeyIndex else {
      return [.copy(Array("\(key.rawValue)".utf8), what: "object key \(key.rawValue)")]
    }
    guard let (batch, row) = try table.object(key) else { throw table.danglingLink(to: key) }
    let value = try batch.values(ofProperty: index).value(at: row)
    // In damaged files a primary key can be a link.
    guard value.link == nil, !value.isCollection else { return [.say(.warning("this primary key cannot be copied"))] }
    return copy(value)
  }

  private func copyJSON(_ value: ValueView) throws -> [Effect] {
    let json = try writeJSON(value, snapshot)
    guard json.missingParts > 0 else { return copy(json.text) }
    let missing = CountText.counted(json.missingParts, "part")
    return copy(json.text) + [.say(.warning("without \(missing) that cannot be read"))]
  }
}

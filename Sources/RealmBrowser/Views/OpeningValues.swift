import RealmStorage
import RealmText

/// From a value to the view that shows it.
extension ViewContext {
  /// What an object is called in the path at the top.
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

  /// Shows the object a link leads to, or says why not.
  func open(_ tableKey: TableKey, _ key: ObjectKey, crumb: String) -> [Effect] {
    guard let table = snapshot.table(tableKey) else {
      return [.say(message(StorageError.corrupted(.null, .danglingLink(key: key.rawValue))))]
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

  /// Puts a value on the clipboard: texts and numbers as they are, data as hex digits, links by what they lead to,
  /// collections as they are shown on one line.
  func copy(_ value: ValueView) -> [Effect] {
    let buffer = TextBuffer(capacity: 256)
    do {
      if case .null = value { return [.say(.info("null: nothing to copy"))] }
      if let blob = value.blob, blob.count > 1 << 20 {
        return [.say(.warning("too long to copy: \(NumberText.counted(blob.count, "byte"))"))]
      }
      if try !buffer.appendPlain(value) { buffer.append(printer.print(value, limit: 4096).string) }
    } catch {
      return [.say(message(error))]
    }
    return [.copy(buffer.copiedBytes, what: NumberText.counted(buffer.count, "byte"))]
  }
}

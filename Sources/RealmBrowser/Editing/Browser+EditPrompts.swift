import RealmPresentation
import RealmStorage
import RealmText

/// The questions that an edit asks.
extension Browser {
  /// Longer strings, and those with several lines, are edited in $EDITOR.
  private static let longestInPrompt = 400

  // MARK: - Values

  func editValue(_ place: EditPlace, inEditor: Bool) -> [Effect] {
    guard let address = place.value, let property = place.property,
      let table = context.realm.table(named: address.object.table)?.schema
    else { return [.say(.info("choose a column or a property first"))] }
    let keys = place.valueKeys
    guard property.name != table.primaryKey?.name || keys.count == 1 else {
      return [.say(.warning("'\(property.name)' is the primary key, which objects cannot share"))]
    }
    return context.effects {
      let text = try editableText(at: address, property)
      let edit = { StagedEdit(table: table.name, keys: keys, change: .set(address.property, address.steps, $0)) }
      let what = keys.count > 1 ? CountText.counted(keys.count, "object") + ": " : ""
      let name = what + property.name.description
      let isString = property.type == .string && property.collection == nil
      let raw = isString && text != "null" ? try rawText(at: address) : nil
      let fitsInPrompt =
        text.unicodeScalars.count <= Self.longestInPrompt && !text.unicodeScalars.contains(where: \.isControl)
      if inEditor || !fitsInPrompt || raw.map({ $0 != Array(text.utf8) }) == true {
        return editInEditor(raw ?? Array(text.utf8), property, table, isVerbatim: raw != nil, edit)
      }
      let isSame = keys.count == 1 ? text : nil
      return [.ask(valuePrompt(name, text, property, table, unchanged: isSame) { [.stage(edit($0))] })]
    }
  }

  /// A value in the form in which it is typed.
  private func editableText(at address: ValueAddress, _ property: Property) throws -> String {
    guard let editing = options.editing, let value = try context.realm.value(at: address) else { return "" }
    if case .null = value { return "null" }
    if let link = value.link, property.type == .object, let target = context.snapshot.table(link.table),
      target.schema.kind != .embedded
    {
      return try keyText(of: link.key, in: target)
    }
    if property.type == .mixed || value.isCollection || value.link != nil || property.type == .data {
      // Plain JSON does not say what type a Mixed value has.
      let isTyped = property.type == .mixed || context.snapshot.schema.embedsMixed(property)
      let text = try editing.editableText(value, isTyped, context.snapshot)
      // In Base64, without the quotes of JSON.
      return property.type == .data && property.collection == nil ? text.filter { $0 != "\"" } : text
    }
    let buffer = TextBuffer(capacity: 256)
    _ = try buffer.appendPlain(value)
    return buffer.text
  }

  /// The bytes of a string, which need not be UTF-8; nil if the value is not a string.
  private func rawText(at address: ValueAddress) throws -> [UInt8]? {
    guard case .string(let text)? = try context.realm.value(at: address) else { return nil }
    return try text.copied()
  }

  /// The text that identifies an object.
  private func keyText(of key: ObjectKey, in table: Table) throws -> String {
    guard let index = table.schema.primaryKeyIndex, let (batch, row) = try table.object(key) else {
      return "\(key.rawValue)"
    }
    let buffer = TextBuffer(capacity: 64)
    _ = try buffer.appendPlain(batch.values(ofProperty: index).value(at: row))
    return buffer.text
  }

  /// Asks for a value, and shows how it is understood while it is typed.
  ///
  /// - Parameters:
  ///   - unchanged: the text that means that nothing is to be done.
  ///   - then: called with the value.
  private func valuePrompt(
    _ name: String, _ text: String, _ property: Property, _ table: TableSchema, unchanged: String? = nil,
    then: @escaping (UnmanagedValue) -> [Effect]
  ) -> Prompt {
    let target = linkTarget(of: property)
    let kind = property.shorthand
    return Prompt(
      .value, label: "\(name) (\(kind)): ", text: text,
      completions: { [self] typed, _ in target.map { keyCompletions(of: $0, beginningWith: typed) } ?? .none },
      check: { [self] typed in
        if typed.isSameBytes(as: unchanged) { return PromptNote(text: "unchanged") }
        if typed.isEmpty, let target { return PromptNote(text: "Enter lists the objects of \(target.displayName)") }
        do { return PromptNote(text: meaning(of: try read(typed, property, table), property)) } catch {
          return PromptNote(text: context.message(error).text, kind: .error)
        }
      }
    ) { [self] typed in
      if typed.isSameBytes(as: unchanged) { return [.say(.info("unchanged"))] }
      if typed.isEmpty, let target { return pick(from: target, then) }
      do { return then(try read(typed, property, table)) } catch {
        return [
          .ask(valuePrompt(name, typed, property, table, unchanged: unchanged, then: then)),
          .say(context.message(error)),
        ]
      }
    }
  }

  private func read(_ text: String, _ property: Property, _ table: TableSchema) throws -> UnmanagedValue {
    guard let editing = options.editing, let changes = context.changes else { return .plain(.null) }
    return try editing.readValue(text, property, table, changes.linkLookup)
  }

  private func meaning(of value: UnmanagedValue, _ property: Property) -> String {
    switch value {
    case .plain(.null): "null"
    case .plain(.string(let text)): "text of " + CountText.counted(text.utf8.count, "byte")
    case .plain(.data(let bytes)): "data of " + CountText.counted(bytes.count, "byte")
    case .plain(.link(let table, let key)), .plain(.typedLink(let table, let key)): label(table, key)
    case .plain(.list(let elements)), .plain(.set(let elements)): CountText.counted(elements.count, "element")
    case .plain(.dictionary(let entries)): CountText.counted(entries.count, "entry", "entries")
    case .list(let elements): CountText.counted(elements.count, "object")
    case .dictionary(let entries): CountText.counted(entries.count, "entry", "entries")
    case .object: "an object of \(property.targetClass?.description ?? "")"
    case .plain: property.type == .mixed ? "mixed" : property.shorthand
    }
  }

  private func label(_ table: TableKey, _ key: ObjectKey) -> String {
    guard let table = context.snapshot.table(table), let (batch, row) = (try? table.object(key)) ?? nil else {
      return ""
    }
    return "\(table.schema.displayName) " + context.crumb(of: batch, row)
  }

  /// - Parameters:
  ///   - original: the value as it is; nil if the text has already been changed.
  private func editInEditor(
    _ text: [UInt8], original: [UInt8]? = nil, _ property: Property, _ table: TableSchema, isVerbatim: Bool,
    _ edit: @escaping (UnmanagedValue) -> StagedEdit
  ) -> [Effect] {
    let isJSON = !isVerbatim && (property.collection != nil || property.type == .object || property.type == .mixed)
    let original = original ?? text
    askForEditor(text, isJSON: isJSON) { [self] bytes in
      var bytes = bytes
      let lineFeed = UInt8(ascii: "\n")
      // Editors add a line end to the last line.
      if bytes.last == lineFeed, original.last != lineFeed { bytes.removeLast() }
      guard bytes != original else { return [.say(.info("unchanged"))] }
      do {
        guard let text = String(utf8: bytes) else {
          let place = bytes.withUnsafeBytes { UTF8Sequence.firstInvalid(in: $0) } ?? 0
          throw BrowserProblem("the text is not UTF-8 at byte \(place)")
        }
        if isVerbatim { return [.stage(edit(.plain(.string(RealmString(utf8: bytes)))))] }
        return [.stage(edit(try read(text, property, table)))]
      } catch {
        let problem = context.message(error).text
        return [
          .ask(
            Prompt(.answer, label: problem + ". e edits the text again, Esc drops it: ") { [self] answer in
              guard answer.lowercased() == "e" else { return [.say(.info("unchanged"))] }
              return editInEditor(bytes, original: original, property, table, isVerbatim: isVerbatim, edit)
            })
        ]
      }
    }
    return []
  }

  /// Receives a text from an editor.
  ///
  /// - Parameter outcome: nil if it was not changed; a reason if there is no editor.
  package func finishEditor(_ outcome: Result<[UInt8], BrowserProblem>) {
    let returned = editorReturned
    editorReturned = nil
    switch outcome {
    case .success(let bytes): apply(returned?(bytes) ?? [])
    case .failure(let failure): say(.warning(failure.text))
    }
    layOutAgain()
  }

  // MARK: - Links

  private func linkTarget(of property: Property) -> TableSchema? {
    guard property.type == .object, property.collection == nil, let name = property.target,
      let target = context.realm.table(named: name)?.schema, target.kind != .embedded
    else { return nil }
    return target
  }

  private static let (mostLooked, mostOffered) = (5000, 100)

  /// The keys of objects that begin with a text, each with what the object is called.
  private func keyCompletions(of target: TableSchema, beginningWith text: String) -> PromptCompletions {
    guard let table = context.realm.table(named: target.name) else { return .none }
    var (candidates, looked) = ([PromptCompletions.Candidate](), 0)
    var batches = table.batches()
    while looked < Self.mostLooked, candidates.count < Self.mostOffered, let step = batches.next() {
      guard case .batch(let batch) = step else { continue }
      for row in 0..<batch.count where candidates.count < Self.mostOffered {
        looked += 1
        guard let key = try? keyText(of: batch.key(at: row), in: table), key.hasPrefix(text) else { continue }
        candidates.append(.init(text: key, detail: context.crumb(of: batch, row)))
      }
    }
    return PromptCompletions(range: 0..<text.count, candidates: candidates)
  }

  /// Lets the user choose an object from a list.
  private func pick(from target: TableSchema, _ then: @escaping (UnmanagedValue) -> [Effect]) -> [Effect] {
    let view = ObjectsView(context, .table(target.name), crumb: "pick a \(target.displayName)")
    view.picked = { [self] key in
      guard let table = context.realm.table(named: target.name) else { return [] }
      return then(.plain(.link(table.key, key)))
    }
    return [.push(view), .say(.info("Enter picks the object, q goes back"))]
  }

  // MARK: - Objects

  func addObject(_ place: EditPlace, copying: Bool) -> [Effect] {
    guard let table = context.realm.table(named: place.table)?.schema, table.isClass else {
      return [.say(.info("objects can be added only to classes"))]
    }
    guard table.kind != .embedded else {
      return [.say(.info("objects of '\(table.displayName)' are embedded; edit the property of their parent"))]
    }
    var members: [UnmanagedValue.Member] = []
    if copying {
      guard let key = place.rowKey else { return [.say(.info("no object to copy in this row"))] }
      do { members = try context.realm.copiedMembers(of: ObjectAddress(table: place.table, key: key)) } catch {
        return [.say(context.message(error))]
      }
    }
    let edit = { StagedEdit(table: table.name, keys: [], change: .create(primaryKey: $0, members)) }
    guard let primaryKey = table.primaryKey else { return [.stage(edit(nil))] }
    let name = (copying ? "copy with " : "new \(table.displayName), ") + primaryKey.name.description
    return [
      .ask(
        valuePrompt(name, Self.freshKey(of: primaryKey.type), primaryKey, table) { [self] value in
          guard case .plain(let key) = value else { return [] }
          if (try? context.changes?.find(primaryKey: key, in: table.name)) ?? nil != nil {
            return [.say(.warning(EditError.primaryKeyInUse(table: table.name, key).description))]
          }
          return [.stage(edit(key))]
        })
    ]
  }

  /// An unused primary key, for types whose keys are random.
  private static func freshKey(of type: PropertyType) -> String {
    let bytes = (0..<16).map { _ in UInt8.random(in: 0...255) }
    let digits = bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }
    switch type {
    case .objectID: return digits[..<12].joined()
    case .uuid:
      // Version 4.
      var parts = digits
      parts[6] = "4" + parts[6].suffix(1)
      parts[8] = String(0x80 | bytes[8] & 0x3f, radix: 16)
      return [parts[0..<4], parts[4..<6], parts[6..<8], parts[8..<10], parts[10..<16]].map { $0.joined() }
        .joined(separator: "-")
    default: return ""
    }
  }

  func deleteObjects(_ place: EditPlace) -> [Effect] {
    guard let table = context.realm.table(named: place.table)?.schema, !place.keys.isEmpty else {
      return [.say(.info("no object to delete in this row"))]
    }
    guard table.kind != .embedded else {
      return [.say(.info("objects of '\(table.displayName)' are embedded; set the property of their parent to null"))]
    }
    return [.stage(StagedEdit(table: table.name, keys: place.keys, change: .delete))]
  }

  // MARK: - Elements

  func addElement(_ place: EditPlace, isBehind: Bool) -> [Effect] {
    guard let element = place.element, let table = context.realm.table(named: element.collection.object.table)?.schema
    else { return [.say(.info("this row is not in a collection"))] }
    guard element.kind != .dictionary else { return addEntry(element, table) }
    var position = isBehind ? element.count : 0
    if case .position(let own)? = element.step { position = isBehind ? own + 1 : own }
    if element.kind == .set { position = 0 }
    let address = element.collection
    return [
      .ask(
        valuePrompt("new element of \(address.property)", "", element.property, table) { [position] value in
          [address.object.staging(.insert(address.property, address.steps, at: position, value))]
        })
    ]
  }

  private func addEntry(_ element: EditPlace.Element, _ table: TableSchema) -> [Effect] {
    let address = element.collection
    return [
      .ask(
        Prompt(.value, label: "key of the new entry of \(address.property): ") { [self] key in
          let entry = address.appending(.key(RealmString(key)))
          if (try? context.realm.value(at: entry)) ?? nil != nil {
            return [.say(.warning("an entry with this key already exists; e edits its value"))]
          }
          return [
            .ask(
              valuePrompt("\(address.property)[\"\(key)\"]", "", element.property, table) { value in
                [address.object.staging(.set(address.property, entry.steps, value))]
              })
          ]
        })
    ]
  }

  func removeElement(_ place: EditPlace) -> [Effect] {
    guard let element = place.element, let step = element.step else {
      return [.say(.info("this row is not an element of a collection; D deletes objects"))]
    }
    let address = element.collection
    return [address.object.staging(.remove(address.property, address.steps + [step]))]
  }

  func moveElement(_ place: EditPlace, by step: Int) -> [Effect] {
    guard let element = place.element, element.kind == .list, case .position(let position)? = element.step else {
      return [.say(.info("only elements of lists can be moved"))]
    }
    let target = position + step
    guard 0..<element.count ~= target else {
      return [.say(.info(step < 0 ? "this is the first element" : "this is the last element"))]
    }
    let address = element.collection
    return [
      address.object.staging(.move(address.property, address.steps + [.position(position)], to: target)),
      .move(to: page.row + step),
    ]
  }
}

extension ObjectAddress {
  /// Makes a change of the object.
  fileprivate func staging(_ change: StagedEdit.Change) -> Effect {
    .stage(StagedEdit(table: table, keys: [key], change: change))
  }
}

extension String {
  /// Whether two texts have the same bytes, and are not just equal by the rules of Unicode.
  fileprivate func isSameBytes(as other: String?) -> Bool { other.map { utf8.elementsEqual($0.utf8) } == true }
}

extension Unicode.Scalar {
  fileprivate var isControl: Bool { properties.generalCategory == .control }
}

extension Schema {
  /// Whether there is a Mixed value in the embedded objects of a property, at any depth.
  fileprivate func embedsMixed(_ property: Property) -> Bool {
    var (seen, rest) = (Set<RealmString>(), [property])
    while let next = rest.popLast() {
      guard next.type == .object, let table = tables.first(where: { $0.name == next.target }), table.kind == .embedded,
        seen.insert(table.name).inserted
      else { continue }
      if table.properties.contains(where: { $0.type == .mixed }) { return true }
      rest += table.properties
    }
    return false
  }
}

import RealmPresentation
import RealmStorage
import RealmText

/// Editing: how keys and commands change the realm. All changes stay in memory until they are written.
extension Browser {
  var hasChanges: Bool { context.changes?.isEmpty == false }

  /// What the path at the top says about editing.
  var editingText: String {
    guard let changes = context.changes else { return "" }
    return changes.isEmpty ? " [edit]" : " [\(CountText.counted(changes.entries.count, "change"))]"
  }

  // MARK: - On and off

  func startEditing() {
    guard context.changes == nil else { return say(.info("editing is already on; :changes shows the changes")) }
    guard let editing = options.editing, context.realm.canReload else {
      return say(.warning("only a file can be edited"))
    }
    context.editingRefusal = editing.refusal
    if let refusal = editing.refusal { return say(.warning(refusal)) }
    guard context.realm.isLive else {
      return say(.warning("an older snapshot can only be read; :snapshot live goes back to the newest"))
    }
    do {
      context.changes = try StagedChanges(over: context.realm, key: editing.key) { [context] in
        context.valueText(of: $0, in: $1)
      }
      say(.info("editing is on: e edits, o adds, D deletes; :w writes, ? lists the keys"))
    } catch let error as WriteRefusal {
      context.editingRefusal = error.editingText
      say(.warning(error.editingText))
    } catch {
      say(context.message(error))
    }
  }

  func dropChanges() {
    guard let changes = context.changes, hasChanges else { return say(.info("no changes")) }
    let count = changes.entries.count
    changes.removeAll()
    context.replaceRealm(changes.base)
    showState(saying: CountText.counted(count, "change") + " dropped")
  }

  /// Ends the browser; asks first if changes would be lost.
  func leaveBrowser() {
    guard hasChanges, let changes = context.changes else { return quitUnlessOthersHaveChanges() }
    let count = CountText.counted(changes.entries.count, "change")
    ask(
      Prompt(.answer, label: "\(count) not written. w writes, d drops, Esc cancels: ") { [self] answer in
        switch answer.lowercased() {
        case "w", "write": return write(compacts: false, quits: true)
        case "d", "drop":
          dropChanges()
          quitUnlessOthersHaveChanges()
          return []
        default: return [.say(.info("nothing was written or dropped"))]
        }
      })
  }

  // MARK: - Keys

  /// - Returns: nil for what has nothing to do with editing.
  func performEditing(_ request: Request) -> [Effect]? {
    guard context.changes != nil else { return nil }
    switch request {
    case .undo, .redo:
      undoOrRedo(isRedo: request == .redo)
      return []
    case .edit, .editInEditor, .addObject, .duplicateObject, .deleteObjects, .appendElement, .insertElement,
      .removeElement,
      .moveElementUp, .moveElementDown:
      guard let place = page.view.editPlace(at: page.row) else { return [.say(.info("nothing to edit in this row"))] }
      // The objects of a class are not elements, so the key has the meaning that it has without editing.
      if request == .insertElement, place.element == nil, page.view.kind == .objects {
        return page.view.perform(.columnSummary, at: page.row)
      }
      return perform(request, at: place)
    default: return nil
    }
  }

  private func perform(_ request: Request, at place: EditPlace) -> [Effect] {
    switch request {
    case .edit: return editValue(place, inEditor: false)
    case .editInEditor: return editValue(place, inEditor: true)
    case .addObject: return addObject(place, copying: false)
    case .duplicateObject: return addObject(place, copying: true)
    case .deleteObjects: return deleteObjects(place)
    case .appendElement: return addElement(place, isBehind: true)
    case .insertElement: return addElement(place, isBehind: false)
    case .removeElement: return removeElement(place)
    case .moveElementUp: return moveElement(place, by: -1)
    case .moveElementDown: return moveElement(place, by: 1)
    default: return []
    }
  }

  // MARK: - The list of changes

  /// Makes a change and shows the result.
  func stage(_ edit: StagedEdit) {
    guard let changes = context.changes else { return }
    do {
      let made = try changes.append(edit)
      context.replaceRealm(changes.realm)
      showState(saying: nil)
      if message == nil, let entry = changes.entries.last { say(.info(context.news(of: entry))) }
      if let made { goTo(made, of: edit.table) }
    } catch {
      context.replaceRealm(changes.realm)
      say(context.message(error))
    }
  }

  /// Puts the cursor on a new object.
  private func goTo(_ key: ObjectKey, of table: RealmString) {
    if let view = page.view as? ObjectsView, view.table?.schema.name == table,
      let row = view.position(of: key, near: view.rowCount - 1)
    {
      return apply([.move(to: row)])
    }
    guard let (batch, row) = try? context.realm.object(at: ObjectAddress(table: table, key: key)) else { return }
    let message = message
    apply([.push(ObjectView(context, of: batch, row))])
    if let message { say(message) }
  }

  func undoOrRedo(isRedo: Bool) {
    guard let changes = context.changes else { return say(.info(context.editingIsOff)) }
    do {
      let entry = isRedo ? nil : changes.entries.last
      if isRedo { try changes.redo() } else { try changes.undo() }
      context.replaceRealm(changes.realm)
      let text = (entry ?? changes.entries.last).map { context.title(of: $0.edit, label: $0.label) } ?? ""
      showState(saying: (isRedo ? "redone: " : "undone: ") + text)
    } catch {
      say(context.message(error))
    }
  }

  func showChanges() -> [Effect] {
    guard context.changes != nil else { return [.say(.info(context.editingIsOff))] }
    return [.push(ChangesView(context))]
  }

  // MARK: - Writing

  func write(compacts: Bool, quits: Bool) -> [Effect] {
    guard let editing = options.editing, let changes = context.changes else {
      return [.say(.info(context.editingIsOff))]
    }
    guard hasChanges || compacts else {
      if quits { quitUnlessOthersHaveChanges() }
      return [.say(.info("no changes to write"))]
    }
    guard context.realm.change() == nil else {
      return merge(changes) { [self] in write(compacts: compacts, quits: quits) }
    }
    switch editing.write(changes.script, compacts) {
    case .failed(let text): return [.say(.warning(text))]
    case .changedMeanwhile: return merge(changes) { [self] in write(compacts: compacts, quits: quits) }
    case .written(let text):
      let count = CountText.counted(changes.entries.count, "change")
      let said = readAgain(saying: "\(count) written" + (text.isEmpty ? "" : "; " + text))
      if quits { quitUnlessOthersHaveChanges() }
      return said
    }
  }

  /// Continues with the state that was written.
  func readAgain(saying text: String, isSilent: Bool = false) -> [Effect] {
    do {
      let fresh = try context.realm.reopened()
      try context.changes?.begin(over: fresh)
      context.replaceRealm(fresh)
      showState(saying: text, isSilent: isSilent)
      return []
    } catch {
      return [.say(.warning(text + "; it cannot be read again: " + context.message(error).text))]
    }
  }

  // MARK: - Somebody else's changes

  func reload(keeping changes: StagedChanges) {
    if changes.isEmpty { return apply(readAgain(saying: "reloaded")) }
    guard context.realm.change() != nil else { return showState(saying: "reloaded; the file is the same") }
    apply(merge(changes) { [] })
  }

  /// Reads what others have written, and makes the changes again on top of it.
  ///
  /// - Parameter next: called afterwards.
  private func merge(_ changes: StagedChanges, then next: @escaping () -> [Effect]) -> [Effect] {
    context.effects {
      let fresh = try context.realm.reopened()
      let collisions = try changes.collisions(with: fresh)
      let news = changes.news(in: fresh)
      guard !collisions.isEmpty else {
        return try rebase(changes, onto: fresh, [], news, then: next)
      }
      let shown = collisions.prefix(3).map { context.text(of: $0) }.joined(separator: "; ")
      let more = collisions.count > 3 ? "; and \(collisions.count - 3) more" : ""
      let label = "m mine, t theirs, Esc cancels (changed by both: \(shown)\(more)): "
      return [
        .ask(
          Prompt(.answer, label: label) { [self] answer in
            guard ["m", "t"].contains(answer.lowercased()) else { return [.say(.info("nothing was written"))] }
            let isMine = answer.lowercased() == "m"
            let lost = collisions.filter { !isMine || $0.properties.isEmpty }
            return context.effects { try rebase(changes, onto: fresh, lost, news, then: next) }
          })
      ]
    }
  }

  /// - Parameter skipped: changes to give up, by their positions in the list.
  private func rebase(
    _ changes: StagedChanges, onto fresh: BrowsedRealm, _ dropped: [StagedChanges.Collision],
    skipping skipped: Set<Int> = [],
    _ news: String, then next: @escaping () -> [Effect]
  ) throws -> [Effect] {
    do { try changes.rebase(onto: fresh, dropping: dropped, skipping: skipped) } catch BrowserProblem.noLongerFits(
      let number, let reason)
    {
      return [
        .ask(
          Prompt(.answer, label: "change \(number) no longer fits (\(reason)). d drops it, Esc cancels: ") {
            [self] answer in
            guard answer.lowercased() == "d" else { return [.say(.info("nothing was written"))] }
            return context.effects {
              try rebase(changes, onto: fresh, dropped, skipping: skipped.union([number - 1]), news, then: next)
            }
          })
      ]
    }
    context.replaceRealm(changes.realm)
    let text = "an app has changed the file" + (news.isEmpty ? "" : " (\(news))")
    let isWhole = dropped.isEmpty && skipped.isEmpty
    let merged = text + (isWhole ? "; your changes were kept" : "; your other changes were kept")
    showState(saying: merged)
    apply(next())
    if let message, message.text != merged {
      say(Message(text: text + "; " + message.text, isWarning: message.isWarning))
    }
    return []
  }
}

extension WriteRefusal {
  /// Why a realm cannot be edited, and what to do.
  fileprivate var editingText: String {
    switch self {
    case .olderFormat(let format): "format \(format) cannot be edited; run 'upgrade' first"
    case .synced: "synced realms cannot be edited; 'write-copy' makes a local copy"
    default: description
    }
  }
}

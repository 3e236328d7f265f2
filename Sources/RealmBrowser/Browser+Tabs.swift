import RealmPresentation
import RealmStorage
import RealmText

/// One file that is open in the browser, with all that belongs to it.
struct Tab {
  let context: ViewContext
  let options: BrowserOptions
  var pages: [Page] = []
  /// Views that were left, most recent last; cleared when another view is opened.
  var forwardPages: [Page] = []
  /// What happened to the file since it was read.
  var change: FileChange?
  /// Whether the file is read again as soon as an app has changed it.
  var isWatching = false
  /// The time until which changed values are highlighted.
  var freshUntil: ContinuousClock.Instant?
  var preview: (address: ObjectAddress, view: ObjectView)?

  var hasChanges: Bool { context.changes?.isEmpty == false }
}

/// Several files, each in a tab.
extension Browser {
  /// The number of rows that the names of the tabs take.
  var tabRows: Int { tabs.count > 1 ? 1 : 0 }

  /// Opens a file in a tab after the others, and shows it.
  package func open(_ realm: BrowsedRealm, options: BrowserOptions) {
    addTab(realm, options)
    show(tab: tabs.count - 1)
    if options.editing?.isOn == true { startEditing() }
  }

  /// Shows another tab.
  package func show(tab index: Int) {
    guard tabs.indices.contains(index), index != currentTab else { return }
    currentTab = index
    layOutAgain()
    for page in pages.dropLast() { page.viewport.move(to: page.viewport.cursor) }
  }

  /// - Parameter step: 1 for the next tab, -1 for the previous one; the first one follows the last.
  func showTab(by step: Int) -> [Effect] {
    guard tabs.count > 1 else { return [.say(.info("only one file is open; :open FILE opens another"))] }
    show(tab: (currentTab + step + tabs.count) % tabs.count)
    return []
  }

  func closeTab() -> [Effect] {
    guard tabs.count > 1 else { return [.say(.info("this is the only file; :q quits"))] }
    guard !hasChanges else { return [.say(.warning("changes are not written; :w writes them, :edit! drops them"))] }
    for page in pages { page.view.stopWork() }
    let name = context.realm.name
    removeTab(currentTab)
    return [.say(.info("closed \(name)"))]
  }

  /// Opens the file that was named after `:open`.
  ///
  /// - Parameter done: called afterwards.
  func openFile(_ typed: String, then done: @escaping (Browser) -> [Effect] = { _ in [] }) -> [Effect] {
    guard let openFile = options.openFile else { return [.say(.info("no other file can be opened here"))] }
    let path = FileNames.path(typed)
    do {
      let opened = try openFile(path, false)
      self.open(opened.realm, options: opened.options)
      return done(self)
    } catch BrowserProblem.needsKey {
      fileAwaitingKey = { browser in done(browser) }
      screenRequests.append(.askForKey(path))
      return []
    } catch {
      return [.say(context.message(error))]
    }
  }

  /// Receives a file whose key the user typed on the terminal outside the browser.
  package func finishOpening(_ outcome: Result<BrowserOptions.OpenedFile, any Error>) {
    let done = fileAwaitingKey
    fileAwaitingKey = nil
    switch outcome {
    case .success(let opened):
      open(opened.realm, options: opened.options)
      apply(done?(self) ?? [])
    case .failure(let error): say(context.message(error))
    }
    layOutAgain()
  }

  // MARK: Drawing

  /// The names of the tabs; the current one is highlighted.
  func tabLine() -> (cells: [Cell], ends: [Int]) {
    var text = context.text(limit: 4096)
    var ends: [Int] = []
    for (index, tab) in tabs.enumerated() {
      let isShown = index == currentTab
      let sign = tab.hasChanges ? "+" : ""
      text.append(" \(index + 1) \(tab.context.realm.name)\(sign) ", Style(isShown ? .title : .faint))
      ends.append(text.width)
    }
    return (text.fitted(to: size.columns), ends)
  }

  // MARK: Snapshots

  /// Shows another snapshot of the file: `live`, `previous` or a byte offset.
  func showSnapshot(_ argument: String) -> [Effect] {
    guard !argument.isEmpty else { return listSnapshots() }
    guard let choice = SnapshotChoice(named: argument) else {
      return [.refused("snapshot", takes: "live, previous or a byte offset", argument)]
    }
    guard !hasChanges else { return [.say(.warning("changes are not written; :w writes them, :edit! drops them"))] }
    guard context.realm.canReload else { return [.say(.info("standard input has only one snapshot"))] }
    return context.effects { show(try context.realm.showing(choice)) }
  }

  private func show(_ other: BrowsedRealm) -> [Effect] {
    if context.changes != nil { context.editsWhenLive = true }
    context.changes = nil
    tab.isWatching = false
    context.replaceRealm(other)
    if other.isLive, context.editsWhenLive {
      context.editsWhenLive = false
      startEditing()
    }
    showState(saying: "showing \(other.snapshotName ?? "the newest snapshot, version \(other.snapshot.version)")")
    return []
  }

  private func listSnapshots() -> [Effect] {
    guard let list = options.listSnapshots, context.realm.canReload else {
      return [.say(.info("showing version \(context.realm.snapshot.version)"))]
    }
    let choose: (ListedSnapshot) -> [Effect] = { [self] listed in
      guard !hasChanges else { return showSnapshot(listed.choice.name ?? "live") }
      return context.effects {
        let found = try context.realm.showing(listed.choice)
        // If an app has written since, another snapshot is now the previous one.
        guard
          listed.choice == .live || (found.snapshot.version, found.snapshot.topRef) == (listed.version, listed.topRef)
        else {
          return [.say(.warning("version \(listed.version) is no longer in the file; R lists the snapshots again"))]
        }
        leavePage()
        return show(found)
      }
    }
    return [.push(SnapshotsView(context, list, choose: choose))]
  }
}

extension SnapshotChoice {
  /// - Parameter name: as on the command line.
  init?(named name: String) {
    switch name {
    case "live": self = .live
    case "previous": self = .previous
    default:
      guard let offset = UInt64(name) else { return nil }
      self = .at(topRef: offset)
    }
  }

  /// The snapshot, as on the command line; nil for the newest.
  var name: String? {
    switch self {
    case .live: nil
    case .previous: "previous"
    case .at(let topRef): "\(topRef)"
    }
  }
}

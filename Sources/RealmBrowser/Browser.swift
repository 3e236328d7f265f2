import RealmPresentation
import RealmStorage
import RealmText

/// The browser: a stack of views over one realm, keys in, grids out.
///
/// It knows nothing about terminals and has no threads: `BrowserLoop` provides both, and tests press keys directly.
///
/// ```swift
/// let browser = Browser(realm, options: options, isASCII: false, executor: loop.executor)
/// browser.resize(to: ScreenSize(columns: 80, rows: 24))
/// browser.handle(.key(.enter))
/// screen.show(browser.draw(), caret: browser.caret)
/// ```
package final class Browser {
  /// The files that are open, at least one.
  private(set) var tabs: [Tab]
  /// The file that is shown.
  var currentTab = 0
  /// What to do after opening a file whose key has to be typed.
  var fileAwaitingKey: ((Browser) -> [Effect])?
  /// Where the cursor was before `g`, if that was the last key.
  private var rowBeforeG: Int?
  private var lastKey: Key?
  /// Work that belongs to no view: writing files, and copying.
  var job: BackgroundTask<JobOutcome>?
  /// What to do with a text that $EDITOR returns.
  var editorReturned: (([UInt8]) -> [Effect])?
  private(set) var size = ScreenSize(columns: 80, rows: 24)
  private(set) var message: Message?
  private(set) var prompt: Prompt?
  /// What the search keys look for, in any view.
  private(set) var pattern: TextPattern?
  private var direction = SearchDirection.forwards
  private var history: [Prompt.Kind: [String]] = [:]
  private var historyPlace = 0
  /// The text that was being typed before an earlier line was recalled.
  private var draft = ""
  private static let freshSeconds = 2.0
  /// Whether the object under the cursor is shown next to the table.
  var showsPreview = false
  private var isInterrupted = false

  /// Set when the browser is to end.
  package private(set) var ending: Ending?
  /// Requests to the screen, which the loop takes after each event.
  var screenRequests: [ScreenRequest] = []
  private(set) var isMouseOn = false
  /// Where settings are stored, for all files; nil if they are not.
  let settings: BrowserOptions.Settings?
  /// How the user wants roles to look.
  var looks: [Role: RoleLook] = [:]

  /// Why the browser ended.
  package enum Ending: Equatable, Sendable {
    case quit
    /// Control-C, twice.
    case interrupted
    case terminated
  }

  /// Requests that only the owner of the terminal can fulfill.
  package enum ScreenRequest: Equatable, Sendable {
    case copy([UInt8])
    /// Lend the terminal to a program.
    case run(ProgramRun)
    case repaint
    case suspend
    case mouse(Bool)
    /// Show roles in the user's colors; roles that are not named look as usual.
    case colors([Role: RoleLook])
    /// Let the user edit a text in $EDITOR; `finishEditor` receives the result.
    case edit([UInt8], isJSON: Bool)
    /// Let the user type the key of a file, and open it; `finishOpening` takes it.
    case askForKey(String)
  }

  /// The smallest screen that shows anything.
  package static let smallestSize = ScreenSize(columns: 40, rows: 10)
  private static let mostHistory = 100

  package init(_ realm: BrowsedRealm, options: BrowserOptions, isASCII: Bool, executor: any Executor) {
    let context = ViewContext(realm, options, typography: Typography(isASCII: isASCII), executor: executor)
    let classes = ClassesView(context, showsInternal: options.showsInternalTables)
    settings = options.settings
    tabs = [Tab(context: context, options: options, pages: [Page(classes)])]
    layOut()
    if let name = options.initialClass { openInitialClass(name, classes) }
    if options.editing?.isOn == true { startEditing() }
    if options.hasMouse { switchMouse(true) }
    applySettings()
  }

  private func openInitialClass(_ name: RealmString, _ classes: ClassesView) {
    guard let table = context.snapshot.table(displayName: name) else { return }
    if let row = classes.row(of: table.schema.name) { pages[0].viewport.move(to: row) }
    push(ObjectsView(context, .table(table.schema.name), crumb: table.schema.displayName.description))
  }

  // MARK: - The file that is shown

  var context: ViewContext { tabs[currentTab].context }
  var options: BrowserOptions { tabs[currentTab].options }

  var tab: Tab {
    get { tabs[currentTab] }
    _modify { yield &tabs[currentTab] }
  }

  var pages: [Page] { tab.pages }

  /// Whether what an app commits is shown at once: changes that are not written are combined with it only when the user
  /// asks for it.
  var isFollowing: Bool { tab.isWatching && !hasChanges }

  /// Adds a file after the others.
  func addTab(_ realm: BrowsedRealm, _ options: BrowserOptions) {
    let context = context.sibling(realm, options)
    let classes = ClassesView(context, showsInternal: options.showsInternalTables)
    tabs.append(Tab(context: context, options: options, pages: [Page(classes)]))
  }

  /// Closes a file; then shows the next one, or the last one.
  func removeTab(_ index: Int) {
    tabs.remove(at: index)
    currentTab = min(currentTab, tabs.count - 1)
    layOut()
  }

  /// The view on top. The stack never becomes empty.
  var page: Page { pages[pages.count - 1] }

  // MARK: - Size

  package func resize(to size: ScreenSize) {
    self.size = size
    // Views below the top one are fitted when the user goes back to them.
    layOut()
  }

  var isTooSmall: Bool { size.columns < Self.smallestSize.columns || size.rows < Self.smallestSize.rows }

  /// Room for header and rows: all but the tabs, the path, the status, and the hints or the prompt.
  private var area: ScreenSize { ScreenSize(columns: size.columns, rows: max(size.rows - 3 - promptRows - tabRows, 1)) }

  private func layOut() {
    var area = area
    area.columns -= previewWidth
    page.layOut(in: area)
  }

  func layOutAgain() { layOut() }

  // MARK: - Events

  /// Handles an event. Afterwards `draw` shows the result, and `takeScreenRequests` returns what else is to be done.
  package func handle(_ event: Event) {
    switch event {
    case .key(let key): press(key)
    case .mouse(let action, let place): point(action, at: place)
    case .paste(let text): paste(text)
    case .wake, .resize: break
    case .terminate: ending = .terminated
    }
    collect()
    lookAtFile()
    fade()
    layOut()
  }

  package func takeScreenRequests() -> [ScreenRequest] {
    defer { screenRequests = [] }
    return screenRequests
  }

  /// Whether work is in progress, so that the screen should be drawn from time to time.
  package var isWorking: Bool { page.view.isBusy || job != nil || tab.isWatching }

  /// Handles pasted text while something is being typed. Elsewhere, its letters would act as keys that nobody pressed.
  private func paste(_ text: String) {
    guard let prompt, !isTooSmall else { return say(.info("pasting works only in a prompt, such as after : or f")) }
    if case .edited = prompt.paste(text) { changed(prompt) }
  }

  private func press(_ key: Key) {
    if key != .control("c") { isInterrupted = false }
    collect()
    if isTooSmall {
      // Nothing else would have room.
      if key == .character("Q") || key == .character("q"), !hasChanges { ending = .quit }
      if key == .control("c") { interrupt() }
      if key == .control("z") { screenRequests.append(.suspend) }
      return
    }
    if let prompt { return press(key, in: prompt) }
    let said = message
    message = nil
    guard let key = combined(key) else {
      // The message of the key before it remains.
      message = said
      return
    }
    switch context.keymap.action(of: key, in: page.view.kind, isEditing: context.changes != nil) {
    case .request(let request)?: perform(request)
    case .line(let line)?: apply(Commands.run(line, in: self))
    case .nothing?, nil:
      if options.editing != nil, Bindings.editing(key, in: page.view.kind) != nil {
        guard context.realm.isLive else {
          return say(.info("an older snapshot can only be read; :snapshot live goes back to the newest"))
        }
        if let refusal = context.editingRefusal { return say(.warning(refusal)) }
        return say(.info("nothing can be changed yet; :edit turns editing on"))
      }
      let name = key.name(context.typography)
      say(.info("\(name) has no effect in this view; ? lists the keys"))
    }
  }

  /// `g` and `t`, one after the other, are one key if several files are open; the effect of `g` alone is undone. In
  /// lists of changes, `]c` is the same as `]`.
  ///
  /// - Returns: nil for a key that belongs to the one before.
  private func combined(_ key: Key) -> Key? {
    let (before, last) = (rowBeforeG, lastKey)
    rowBeforeG = key == .character("g") ? page.row : nil
    lastKey = key
    if key == .character("c"), last == .character("]") || last == .character("["),
      !page.view.kind.isDisjoint(with: .changeLists)
    {
      return nil
    }
    guard let before, tabs.count > 1, case .character(let letter) = key, letter == "t" || letter == "T" else {
      return key
    }
    if page.view.showsCursor { page.viewport.move(to: before) }
    return .afterG(letter)
  }

  func say(_ message: Message?) { self.message = message }

  private func point(_ action: MouseAction, at place: ScreenPosition) {
    guard !isTooSmall, prompt == nil else { return }
    message = nil
    switch action {
    case .wheelUp: for _ in 0..<3 { _ = page.move(.up) }
    case .wheelDown: for _ in 0..<3 { _ = page.move(.down) }
    case .click, .doubleClick:
      if place.row < tabRows { return clickTab(at: place.column) }
      let place = ScreenPosition(column: place.column, row: place.row - tabRows)
      if place.row == 0 { return clickPath(at: place.column) }
      if let effects = page.view.click(
        column: place.column, headerLine: place.row - 1, isHeader: place.row <= page.header.count, at: page.row)
      {
        apply(effects)
        if place.row <= page.header.count { return }
      }
      let row = page.viewport.top + place.row - 1 - page.header.count
      guard place.row > page.header.count, page.viewport.visible.contains(row) else { return }
      page.viewport.move(to: row)
      if action == .doubleClick { perform(.open) }
    }
  }

  private func clickTab(at column: Int) {
    if let index = tabLine().ends.firstIndex(where: { column < $0 }) { show(tab: index) }
  }

  /// Goes back to the view whose name in the path is clicked.
  private func clickPath(at column: Int) {
    var end = context.text(" " + context.realm.name).width
    if column < end { return perform(.classes) }
    for (index, page) in pages.enumerated() where !page.view.crumb.isEmpty {
      end += context.text(context.typography.pathSeparator + page.view.crumb).width
      guard column < end else { continue }
      while pages.count > index + 1 { leavePage() }
      return
    }
  }

  // MARK: - Requests

  private func perform(_ request: Request) {
    if let effects = performEditing(request) { return apply(effects) }
    if let effects = page.view.perform(request, at: page.row) { return apply(effects) }
    if page.move(request) { return }
    switch request {
    case .back: back()
    case .forward: forward()
    case .preview: togglePreview()
    case .close: if pages.count > 1 { leavePage() } else { leaveBrowser() }
    case .nextTab: apply(showTab(by: 1))
    case .previousTab: apply(showTab(by: -1))
    case .classes: while pages.count > 1 { leavePage() }
    case .schema: push(SchemaView(context, at: page.view.tableInQuestion(at: page.row)))
    case .search: askForSearch()
    case .findNext: findNext(direction)
    case .findPrevious: findNext(direction == .forwards ? .backwards : .forwards)
    case .command: askForCommand()
    case .pipe: askForProgram()
    case .copyObject: copyObjects()
    case .help: push(HelpView(context, for: page.view.kind))
    case .reload: reload()
    case .redraw: screenRequests.append(.repaint)
    case .suspend: screenRequests.append(.suspend)
    case .leave: leave()
    case .interrupt: interrupt()
    case .quit: leaveBrowser()
    default: say(.info("nothing to do here"))
    }
  }

  func apply(_ effects: [Effect]) {
    for effect in effects {
      switch effect {
      case .push(let view): push(view)
      case .replace(let view):
        if pages.count > 1 { leavePage() }
        push(view)
      case .back: back()
      case .say(let message): say(message)
      case .ask(let prompt): ask(prompt)
      case .copy(let bytes, let what): copy(bytes, what)
      case .stage(let edit): stage(edit)
      case .move(let row):
        layOut()
        page.viewport.show(row)
      case .scroll(let row):
        layOut()
        page.viewport.scroll(to: row)
      case .moveBelow(let row):
        if pages.count > 1 { pages[pages.count - 2].viewport.show(row) }
      }
    }
  }

  private func push(_ view: any BrowserView) {
    tab.forwardPages = []
    tab.pages.append(Page(view))
    layOut()
    apply(view.collect(at: 0))
    layOut()
  }

  /// Does nothing in the first view: only commands that are meant for it quit.
  private func back() {
    if pages.count > 1 { leavePage() } else { say(.info("this is the first view; q quits")) }
  }

  func leavePage() {
    page.view.stopWork()
    page.view.close(at: page.row)
    tab.forwardPages.append(tab.pages.removeLast())
    layOut()
  }

  private func forward() {
    guard let page = tab.forwardPages.popLast() else { return say(.info("no view to go forward to")) }
    tab.pages.append(page)
    layOut()
  }

  /// Cancels something temporary, one thing at a time; if there is nothing, leaves the view.
  private func leave() {
    if !cancel() { back() }
  }

  /// - Returns: false if there was nothing to cancel.
  private func cancel() -> Bool {
    if job != nil {
      job.stop()
      say(.info("stopped"))
      return true
    }
    if page.view.work != nil {
      page.view.stopWork()
      collect()
      say(.info("stopped"))
      return true
    }
    if pattern != nil {
      pattern = nil
      return true
    }
    guard let effects = page.view.dropFilter(at: page.row) else { return false }
    apply(effects)
    return true
  }

  private func interrupt() {
    if isInterrupted { if hasChanges { return leaveBrowser() } else { ending = .interrupted } }
    isInterrupted = true
    if !cancel() { say(.info("press ^C again, or Q, to quit")) }
  }

  /// More than terminals take is not worth sending: most stop at 100,000 characters of Base64.
  private static let mostCopied = 74_994

  /// A terminal does not answer, so nobody knows whether the clipboard has it; programs report errors.
  func copy(_ bytes: [UInt8], _ what: String) {
    guard bytes.count <= Self.mostCopied else { return copyByProgram(bytes) }
    screenRequests.append(.copy(bytes))
    say(.info("sent to the terminal: \(what)"))
  }

  func quit() { ending = .quit }

  /// Quits if no other tab has changes; otherwise shows that tab and asks.
  func quitUnlessOthersHaveChanges() {
    guard let other = tabs.indices.first(where: { $0 != currentTab && tabs[$0].hasChanges }) else { return quit() }
    show(tab: other)
    leaveBrowser()
  }

  /// Asks the owner of the terminal to let the user edit a text.
  func askForEditor(_ text: [UInt8], isJSON: Bool, _ returned: @escaping ([UInt8]) -> [Effect]) {
    editorReturned = returned
    screenRequests.append(.edit(text, isJSON: isJSON))
  }

  private func switchMouse(_ isOn: Bool) {
    isMouseOn = isOn
    screenRequests.append(.mouse(isOn))
  }

  /// - Parameter argument: `on`, `off`, or nothing for the other one.
  func setMouse(_ argument: String) -> [Effect] {
    guard ["", "on", "off"].contains(argument) else { return [.refused("mouse", takes: "on or off", argument)] }
    switchMouse(argument.isEmpty ? !isMouseOn : argument == "on")
    let selection = "Shift selects text as usual"
    return [
      .say(.info(isMouseOn ? "mouse on: click selects, double click opens; \(selection)" : "mouse off"))
    ]
  }

  // MARK: - Prompts

  func ask(_ prompt: Prompt) {
    self.prompt = prompt
    (historyPlace, draft) = (0, "")
  }

  private func press(_ key: Key, in prompt: Prompt) {
    switch prompt.press(key) {
    case .nothing: break
    case .edited: changed(prompt)
    case .history(let step):
      let lines = history[prompt.kind] ?? []
      if historyPlace == 0 { draft = prompt.string }
      historyPlace = min(max(historyPlace + step, 0), lines.count)
      prompt.replace(with: historyPlace == 0 ? draft : lines[lines.count - historyPlace])
      changed(prompt)
    case .cancelled:
      self.prompt = nil
      message = nil
      apply(prompt.cancelled())
    case .submitted:
      self.prompt = nil
      message = nil
      remember(prompt)
      apply(prompt.submitted(prompt.string))
    }
  }

  private func changed(_ prompt: Prompt) {
    message = nil
    if let changed = prompt.changed { apply(changed(prompt.string)) }
  }

  private func remember(_ prompt: Prompt) {
    guard !prompt.text.isEmpty else { return }
    history[prompt.kind, default: []].removeAll { $0 == prompt.string }
    history[prompt.kind, default: []].append(prompt.string)
    if let count = history[prompt.kind]?.count, count > Self.mostHistory { history[prompt.kind]?.removeFirst() }
  }

  private func askForCommand() {
    ask(
      Prompt(.command, label: ":", completions: { [self] in Commands.completions(of: $0, at: $1, in: self) }) {
        [self] in
        Commands.run($0, in: self)
      })
  }

  // MARK: - Searching

  private func askForSearch() {
    ask(Prompt(.search, label: "/") { [self] in search(for: $0) })
  }

  /// Begins a search; no text repeats the last one.
  func search(for text: String) -> [Effect] {
    do throws(PatternError) {
      if let pattern = try TextPattern(typed: text) { self.pattern = pattern }
    } catch {
      return [.say(.warning("not a regular expression: \(error)"))]
    }
    direction = .forwards
    guard let pattern else { return [] }
    return find(pattern, from: page.row, .forwards)
  }

  private func findNext(_ direction: SearchDirection) {
    guard let pattern else { return say(.info("no previous search; / starts one")) }
    let count = page.view.rowCount
    guard count > 0 else { return say(.info("not found: \(pattern.text)")) }
    let step = direction == .forwards ? 1 : -1
    apply(find(pattern, from: (page.row + step + count) % count, direction))
  }

  private func find(_ pattern: TextPattern, from row: Int, _ direction: SearchDirection) -> [Effect] {
    switch page.view.find(pattern, from: row, direction) {
    case .found(let found):
      page.viewport.show(found)
      return Message.wrapped(from: row, to: found, direction).map { [.say($0)] } ?? []
    case .notFound: return [.say(.info("not found: \(pattern.text)"))]
    case .working:
      // A search that was quick has its result already.
      return page.view.collect(at: page.row)
    }
  }

  // MARK: - Work in the background, and changes of the file

  private func collect() {
    collectJob()
    apply(page.view.collect(at: page.row))
    if page.view.work == nil, context.realm.holdsTooMuch { releasePages() }
  }

  /// Releases pages of an encrypted file that were read, and moves the views to a new copy of the state.
  private func releasePages() {
    guard !context.isStale, let fresh = try? context.realm.withoutPages() else { return }
    context.replaceRealm(fresh)
    (tab.forwardPages, tab.preview) = ([], nil)
    for page in pages { page.viewport.move(to: page.view.refresh(keeping: page.row) ?? page.row) }
  }

  /// Checks what has happened to the file. It may change again, or come back, so this is checked each time.
  private func lookAtFile() {
    let now = context.realm.change()
    guard now != tab.change else { return }
    tab.change = now
    context.isStale = now.map { $0.isOfContent } ?? false
    if isFollowing, now == .committed || now == .written || now == .replaced, prompt == nil, job == nil {
      return reload(isSilent: true)
    }
    // The earlier message is less important.
    message = nil
  }

  /// Checks the file while nothing else happens.
  ///
  /// - Returns: whether there is something new to say about it since the last check.
  func noticeChange() -> Bool {
    let before = tab.change
    lookAtFile()
    return tab.change != before
  }

  /// Called before the browser ends.
  func stopAllWork() {
    job?.progress.stop()
    for tab in tabs { for page in tab.pages { page.view.stopWork() } }
  }

  /// The message about a change, for as long as the old state is shown.
  var changeText: String? {
    switch tab.change {
    case nil: nil
    case .committed, .written: "the file has changed; R reloads it"
    case .shortened: "the file has changed and is shorter now; R reloads it"
    case .replaced: "the file has been replaced; R loads the new one"
    case .removed: "the file has been removed; showing its last contents"
    case .unreadable(let error): "the file has changed and cannot be read; R retries: " + context.describe(error)
    }
  }

  /// Starts or stops following the file.
  func watch(_ isOn: Bool) -> [Effect] {
    guard context.realm.canReload, context.realm.isLive else {
      return [.say(.info("only the newest snapshot of a file can be followed"))]
    }
    tab.isWatching = isOn
    guard isOn else { return [.say(.info("no longer following the file"))] }
    guard !hasChanges else {
      return [.say(.info("the file is followed once your changes are written or dropped; :watch off ends it"))]
    }
    if tab.change != nil { reload(isSilent: true) }
    return [.say(.info("following the file: what an app commits is shown at once; :watch off ends it"))]
  }

  /// Ends the highlighting of changed values.
  private func fade() {
    guard let end = tab.freshUntil, ContinuousClock.now >= end else { return }
    tab.freshUntil = nil
    for page in pages { page.view.forgetChanges() }
  }

  /// Reads the file again, and restores the views' places.
  ///
  /// - Parameter isSilent: says nothing if all goes well, and highlights changed values.
  func reload(isSilent: Bool = false) {
    guard context.realm.canReload else { return say(.info("standard input cannot be reloaded")) }
    if let changes = context.changes {
      return isSilent ? apply(readAgain(saying: "reloaded", isSilent: true)) : reload(keeping: changes)
    }
    do {
      context.replaceRealm(try context.realm.reopened())
    } catch let error as StorageError {
      // Why the new content cannot be read, not that the old one cannot.
      return say(.warning("the file cannot be reloaded: " + context.describe(error)))
    } catch {
      return say(context.message(error))
    }
    showState(saying: "reloaded", isSilent: isSilent)
  }

  /// Restores the views' places in another state of the realm.
  func showState(saying text: String?, isSilent: Bool = false) {
    (tab.change, context.isStale) = (nil, false)
    (tab.forwardPages, tab.preview) = ([], nil)
    context.dropLostMarks()
    for (index, page) in pages.enumerated() {
      if isSilent { page.view.rememberValues(in: page.viewport.visible) }
      if let row = page.view.reload(keeping: page.row) {
        page.layOut(in: area)
        page.viewport.show(row)
        continue
      }
      let lost = page.view.crumb
      tab.pages.removeSubrange(max(index, 1)...)
      layOut()
      return say(.warning((text.map { $0 + "; " } ?? "") + "\(lost) no longer exists"))
    }
    guard isSilent else {
      if let text { say(.info(text)) }
      return
    }
    tab.freshUntil = ContinuousClock.now + .seconds(Self.freshSeconds)
    // Quick work is already done.
    collect()
  }
}

extension FileChange {
  /// Whether the bytes of the open file have changed.
  fileprivate var isOfContent: Bool {
    switch self {
    case .committed, .shortened, .written, .unreadable: true
    case .replaced, .removed: false
    }
  }
}

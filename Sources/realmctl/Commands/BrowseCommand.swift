import ArgumentParser
import RealmBrowser
import RealmExchange
import RealmOpening
import RealmStorage
import RealmTools

/// `realmctl browse FILE`: browse a realm in the terminal.
struct BrowseCommand: RealmctlCommand {
  static let statuses = RunStatus.opening(and: .schema)
  static let meanings: [RunStatus: String] = [
    .notFound: RunStatus.noFileClassOrSnapshot,
    .schema: "the schema file is not valid, or does not fit the realm",
    .format: RunStatus.unknownFormat,
  ]

  static let configuration = CommandConfiguration(
    commandName: "browse", _superCommandName: "realmctl",
    abstract: "Browse a realm in the terminal, and edit it.",
    usage: "realmctl browse [<options>] <file> [<class> | <file> ...]",
    discussion: .flowing(
      """
      Shows the classes, objects, values, links and backlinks of a realm in the
      terminal, where you can look around, search and edit. Only what is on the screen
      is read, so a large file opens as fast as a small one. Press ? for a list of
      keys.

      Nothing is written or locked unless --edit or :edit turns editing on. Changes
      then stay in memory until :w writes them in one transaction, with a backup.

      A filter is a query (see realmctl-rql(7)), such as age > 30, or text to search
      for. Tab lists what can come next; mistakes are marked while you type.

      --schema takes the app's schema file: filters may then use the names of its
      inverse relationships (linkingObjects), which the object view also shows.

      Examples:
        realmctl browse app.realm
        realmctl browse app.realm Person
        realmctl browse secret.realm --key-file app.key
        realmctl browse app.realm Person --edit
        realmctl browse old.realm new.realm
        ssh phone cat app.realm | realmctl browse -

      Keys:
        Arrows, h j k l        move
        Enter                  open the row: objects, link, collection or value
        o, [, ]                open the object; previous and next object
        q, Esc, Backspace      go back one view; Esc first cancels
        Q                      quit
        C                      go back to the list of classes
        gt, gT                 next and previous file, if several are open
        ], [                   in :diff, next and previous change; also ]c, [c
        /, n, N                search for text or ~regex; next and previous match
        f                      filter by a query or text; again narrows further
        J                      jump to a key or row
        s, F                   sort by this column; count its values
        +, =, -                only objects with this value; without it
        Space, t, T            mark this object, all that are shown, none
        c                      go to a column by name
        H, U, <, >, _          hide, show, narrow, widen or fit columns
        Space, *               in an object, unfold or fold this row; all rows
        I, i                   summarize all properties; this one
        v                      show the object next to the table
        b                      show what links to the object
        S, m                   show the schema; in it, the map of links
        .                      show or hide internal tables
        x, w, p                in a long value, hex digits; wrap lines; indent JSON
        y, Y                   copy the value; the object as JSON
        |                      pipe what is shown to a program
        )                      go forward again
        R                      reload the file
        :                      type a command, such as :find, :write, :key, :save
        ?                      list the keys of the view

      Keys while editing:
        e, E                   edit the value; E in $EDITOR
        o, O, D                add an object, add a copy, delete
        a, i, d, {, }          elements: add after, add before, remove, move
        u, Ctrl-R              undo, redo
        :changes               show the changes that are not written
        :w, :w compact         write them; compact also removes overwritten values
        :q, :q!                quit, asking about changes; quit without them

      Files:
        app.realm.lock                          lock file, shared with apps
        app.pre-edit-TIME.realm                 backup, unless --no-backup is given
        ~/.config/realmctl/browse               settings, which :save writes

      Exit status:
      \(statusTable)
      """))

  @Argument(help: .realm, completion: .realm) var file: String

  @Argument(
    help: ArgumentHelp("Class to start with, or more realm files.", valueName: "class|file"),
    completion: ClassNameCompletion.one)
  var others: [String] = []

  @OptionGroup(title: "Encryption key") var key: KeyOptions

  @Flag(help: "Turn editing on; nothing is written before :w.")
  var edit = false

  @OptionGroup(title: "Writing changes") var backup: BackupOptions
  @OptionGroup var internalTables: InternalTableOptions
  @OptionGroup var models: InverseOptions
  @OptionGroup var snapshot: SnapshotOptions
  @OptionGroup(title: "Common options") var messages: ColorOptions

  struct Request: Equatable {
    var input: RealmInput
    /// More realms, in tabs of their own.
    var others: [RealmInput] = []
    var className: String?
    var includesInternalTables: Bool
    var inverses = InverseSource()
    var isEditing = false
    /// Whether no other file uses the same key.
    var isOnlyFile: Bool { others.isEmpty && isFirst }
    var isFirst = true
    var access = InPlaceAccess()
  }

  func request() throws -> Request {
    let input = try RealmInput(file, key, snapshot.choice)
    if edit, let refusal = input.editingRefusal { throw UsageError("--edit: \(refusal)") }
    // A further name is a class, unless there is a file with that name, or it looks like that of a realm.
    let isFile = others.first.map { $0.lowercased().hasSuffix(".realm") || RealmSource.path($0).isRegularFile }
    let className = others.count == 1 && isFile == false ? others[0] : nil
    let files = className == nil ? try others.map(RealmInput.path(typed:)) : []
    if files.contains(where: StreamName.isInput) {
      throw UsageError("only the first realm can be standard input")
    }
    let key = try key.source()
    return Request(
      input: input, others: files.map { RealmInput(path: $0, key: key, snapshot: snapshot.choice) },
      className: className, includesInternalTables: internalTables.includesInternalTables,
      inverses: models.source, isEditing: edit, access: try backup.access())
  }

  func perform(_ request: Request, on console: Console) throws -> RunStatus {
    do {
      try TerminalScreen.requireTerminal()
      let key = SharedKey(request.input.key)
      let first = try request.opened(with: key, asksForKey: true)
      let others = try request.others.map { try request.of($0).opened(with: key, asksForKey: true) }
      let (realm, firstOptions) = (first.realm, first.options)
      var options = firstOptions
      let terminal = try TerminalScreen(usesColor: console.style.color.isColored(fileDescriptor: 1))
      defer { terminal.close() }
      options.hasMouse = terminal.hasMouse
      options.settings = .ofUser()
      let loop = BrowserLoop(terminal)
      let browser = Browser(
        realm, options: options, isASCII: terminal.isASCII, executor: loop.executor)
      for other in others { browser.open(other.realm, options: other.options) }
      browser.show(tab: 0)
      let (ending, signal) = loop.run(browser)
      terminal.close()
      if let signal { Signals.exit(128 + signal) }
      return ending == .interrupted ? .interrupted : .done
    } catch let failure as TerminalScreen.Failure {
      throw Diagnostic(failure)
    }
  }
}

extension BrowseCommand.Request {
  /// The same for another file.
  func of(_ input: RealmInput) -> Self {
    var request = self
    (request.input, request.others, request.className, request.isFirst) = (input, [], nil, false)
    return request
  }

  /// - Parameters:
  ///   - shared: the key of the command line, which is also tried for further files.
  ///   - asksForKey: whether the key of an encrypted file may be asked for on the terminal.
  /// - Throws: `Diagnostic`; `BrowserProblem.needsKey` if the user must not be asked.
  func opened(with shared: SharedKey, asksForKey: Bool) throws -> BrowserOptions.OpenedFile {
    let (realm, key) = try openRealm(with: shared, asksForKey: asksForKey)
    var options = try options(for: realm)
    options.editing = try editing(with: key)
    options.openFile = { path, asksForKey in
      do {
        let other = RealmInput(path: try RealmInput.path(typed: path), key: input.key)
        return try of(other).opened(with: shared, asksForKey: asksForKey)
      } catch let diagnostic as Diagnostic {
        let advice = diagnostic.advice.map { "; " + $0 } ?? ""
        throw BrowserProblem("'\(path)': " + diagnostic.problem + advice)
      }
    }
    return BrowserOptions.OpenedFile(realm: realm, options: options)
  }

  private func openRealm(
    with shared: SharedKey, asksForKey: Bool
  ) throws -> (realm: BrowsedRealm, key: EncryptionKey?) {
    do {
      // The key of the other files does not apply to a file that is not encrypted.
      let isPlain = try !input.isStandardInput && TextInput.kind(of: input.path) == .plainRealm
      guard !isPlain || isOnlyFile else { return (try openRealm(with: nil), nil) }
      guard asksForKey || !shared.wantsTerminal else { throw BrowserProblem.needsKey }
      let key = try shared.read(for: input.name)
      return (try openRealm(with: key), key)
    } catch let error as StorageError {
      // On a terminal the key can be typed, if none is known or the file does not have that of the first one.
      guard isAskedFor(after: error) else { throw Diagnostic(error, path: input.name) }
      for key in shared.typedKeys {
        if let realm = try? openRealm(with: key) { return (realm, key) }
      }
      guard asksForKey else { throw BrowserProblem.needsKey }
      let key = try KeySource.prompt.read(for: input.name)
      do {
        let realm = try openRealm(with: key)
        shared.remember(key)
        return (realm, key)
      } catch let error as StorageError {
        throw Diagnostic(error, path: input.name).advising(on: key)
      }
    }
  }

  private func isAskedFor(after error: StorageError) -> Bool {
    guard case .key(let problem) = error, !input.isStandardInput else { return false }
    switch problem {
    case .missing:
      return input.key == nil && (try? TextInput.kind(of: input.path)) != .sqlite
    case .wrong: return !isFirst && input.key != nil
    default: return false
    }
  }

  /// - Throws: `StorageError`, `Diagnostic`.
  private func openRealm(with key: EncryptionKey?) throws -> BrowsedRealm {
    let source: RealmSource = input.isStandardInput ? .standardInput : .path(input.path)
    let name = input.isStandardInput ? "standard input" : input.path.split(separator: "/").last.map(String.init)
    let realm = try BrowsedRealm(name: PrintableText.showingBytes(name ?? input.path), choosing: input.snapshot) {
      // In pages: a mapping would end the session if the file were cut short or overwritten.
      try ByteStore.open(source, key: key, prefersPages: true)
    }
    if let className {
      let opened = try OpenedRealm(realm.bytes, choosing: input.snapshot)
      try ClassSelection.only([RealmString(className)]).requireKnownNames(in: opened)
    }
    return realm
  }

  /// - Throws: `Diagnostic` for a schema file that does not fit.
  fileprivate func options(for realm: BrowsedRealm) throws -> BrowserOptions {
    let name = input.name
    var options = BrowserOptions(
      describe: { error in
        guard case .corrupted(let corruption) = error else { return Diagnostic(error, path: name).problem }
        return "\(corruption.reason)" + (corruption.ref.isNull ? "" : " (node \(corruption.ref))")
      },
      writeJSON: { value, snapshot in
        do {
          let json = try ValueJSON(of: value, in: snapshot)
          return (json.text, json.missingParts)
        } catch BuildError.valueTooLong {
          throw BrowserProblem("too long to copy; :write saves it")
        }
      })
    options.initialClass = className.map { RealmString($0) }
    options.showsInternalTables = includesInternalTables
    options.inverses = try inverses.names(in: realm.snapshot.schema)
    let writer = BrowserWriter(input: input, inverses: options.inverses)
    options.write = { realm, objects, target, progress in try writer.write(realm, objects, to: target, progress) }
    options.compare = { old, new, progress in try RealmChanges(from: old, to: new, progress) }
    if !input.isStandardInput { options.listSnapshots = { try Self.snapshots(of: $0, at: input.path, $1) } }
    let words = ["realmctl", "query", ShellText.path(input.path)]
    options.queryCommand = { ShellText.command(words + $0) }
    return options
  }
}

extension BrowseCommand.Request {
  /// As `history` lists them.
  private static func snapshots(
    of realm: BrowsedRealm, at path: String, _ progress: TaskProgress
  ) throws -> [ListedSnapshot] {
    let live = try OpenedRealm(realm.showing(.live).bytes, heldAt: path)
    let inUse = VersionsInUse.entries(of: path, heldBy: live.holders)
    return try RealmHistory(live, inUse: inUse) { try progress.check() }.entries.map { entry in
      let choice: SnapshotChoice =
        switch entry.state {
        case .live: .live
        case .previous: .previous
        case .inUse: .at(topRef: entry.topRef ?? 0)
        }
      return ListedSnapshot(
        choice, version: entry.version, topRef: entry.topRef, byteCount: entry.logicalSize,
        objectCount: entry.objectCount, state: HistoryReport.state(entry), changes: HistoryReport.changes(entry),
        isDamaged: entry.damage != nil)
    }
  }
}

extension Diagnostic {
  /// There is no terminal to browse on.
  fileprivate init(_ failure: TerminalScreen.Failure) {
    let other = "use 'open', 'query', 'schema dump' or 'export'"
    let type = "set TERM to your terminal type, such as xterm-256color, or " + other
    switch failure {
    case .noTerminal:
      self.init(.failed, .fileOperationFailed, "'browse' needs a terminal", advice: other)
    case .dumb(""):
      self.init(.failed, .fileOperationFailed, "TERM is not set", advice: type)
    case .dumb(let name):
      self.init(
        .failed, .fileOperationFailed, "the terminal '\(name)' cannot position the cursor",
        advice: type)
    case .unknown(let name):
      self.init(
        .failed, .fileOperationFailed, "unknown terminal type '\(name)'", advice: type)
    case .failed:
      self.init(.failed, .fileOperationFailed, "the terminal could not be set up", advice: other)
    }
  }
}

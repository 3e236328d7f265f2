import ArgumentParser
import RealmBrowser
import RealmExchange
import RealmStorage

/// `realmctl browse FILE`: looks around in a realm, in the terminal.
struct BrowseCommand: RealmctlCommand {
  static let statuses = RunStatus.opening(and: .schema)
  static let meanings: [RunStatus: String] = [
    .schema: "the schema file is not valid, or does not fit the realm",
    .format: RunStatus.unknownFormat,
  ]

  static let configuration = CommandConfiguration(
    commandName: "browse", _superCommandName: "realmctl",
    abstract: "Browse a realm in the terminal.",
    usage: "realmctl browse [<options>] <file> [<class>]",
    discussion: .flowing(
      """
      Shows classes, objects, values, links and backlinks. Nothing is written or
      locked. Only what is on the screen is read, so a large file opens as fast as a
      small one.

      A filter is a query (see realmctl-rql(7)), such as age > 30, or text to search
      for. Tab lists what can come next; mistakes are marked while you type.

      Examples:
        realmctl browse app.realm
        realmctl browse app.realm Person
        realmctl browse secret.realm --key-file app.key
        ssh phone cat app.realm | realmctl browse -

      Keys:
        Arrows, h j k l        move
        Enter                  open the row: objects, link, collection or value
        o, [, ]                open the object; previous and next object
        q, Esc, Backspace      go back one view; Esc first cancels
        Q                      quit
        C                      go back to the list of classes
        /, n, N                search; next and previous match
        f                      filter by a query or text; again narrows further
        J                      jump to a key or row
        s, F                   sort by this column; count its values
        -, +, <, >, =          hide, show, narrow, widen or fit columns
        Space, *               unfold or fold this row; everything
        b                      show what links to the object
        S, m                   show the schema; in it, the map of links
        I                      show or hide internal tables
        x, w                   hex digits; wrap lines, in a long value
        y                      copy the value
        R                      reload the file
        :                      type a command; :find looks through all classes
        ?                      list the keys of the view

      --schema takes the app's schema file: filters may then use the names of its
      inverse relationships (linkingObjects), which the object view also shows.

      Exit status:
      \(statusTable)
      """))

  @Argument(help: .realm, completion: .realm) var file: String
  @OptionGroup var snapshot: SnapshotOptions

  @Argument(
    help: ArgumentHelp("Class to start with.", valueName: "class"), completion: ClassNameCompletion.one)
  var className: String?

  @OptionGroup var models: InverseOptions
  @OptionGroup(title: "Encryption key") var key: KeyOptions
  @OptionGroup var internalTables: InternalTableOptions
  @OptionGroup var messages: ColorOptions

  struct Request: Equatable {
    var input: RealmInput
    var className: String?
    var includesInternalTables: Bool
    var inverses = InverseSource()
  }

  func request() throws -> Request {
    Request(
      input: try RealmInput(file, key, snapshot.choice), className: className,
      includesInternalTables: internalTables.includesInternalTables, inverses: try models.source())
  }

  func perform(_ request: Request, on console: Console) throws -> RunStatus {
    do {
      try TerminalScreen.requireTerminal()
      let realm = try request.openRealm(on: console)
      let options = try request.options(for: realm)
      let terminal = try TerminalScreen(usesColor: console.style.color.isColored(fileDescriptor: 1))
      defer { terminal.close() }
      let loop = BrowserLoop(terminal)
      let browser = Browser(
        realm, options: options, isASCII: terminal.isASCII, executor: loop.executor)
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
  /// - Throws: `Diagnostic`.
  fileprivate func openRealm(on console: Console) throws -> BrowsedRealm {
    let key = try input.key?.read(for: input.name)
    let source: RealmSource = input.isStandardInput ? .standardInput : .path(input.path)
    do {
      let name = input.isStandardInput ? "standard input" : input.path.split(separator: "/").last.map(String.init)
      let realm = try BrowsedRealm(name: PrintableText.showingBytes(name ?? input.path), choosing: input.snapshot) {
        // In pages: a mapping would end the session where the file is cut short or copied over.
        try ByteStore.open(source, key: key, prefersPages: true)
      }
      if let className {
        let opened = try OpenedRealm(realm.bytes, choosing: input.snapshot)
        try ClassSelection.only([RealmString(className)]).requireKnownNames(in: opened)
      }
      return realm
    } catch let error as StorageError {
      throw Diagnostic(error, path: input.name)
    }
  }

  /// - Throws: `Diagnostic` for a schema file that does not fit.
  fileprivate func options(for realm: BrowsedRealm) throws -> BrowserOptions {
    let name = input.name
    var options = BrowserOptions(
      describe: { error in
        guard case .corrupted(let corruption) = error else { return Diagnostic(error, path: name).problem }
        return "\(corruption.reason)" + (corruption.ref.isNull ? "" : " (at byte \(corruption.ref))")
      },
      writeJSON: { value, snapshot in
        let json = try ValueJSON(of: value, in: snapshot)
        return (json.text, json.missingParts)
      })
    options.initialClass = className.map { RealmString($0) }
    options.showsInternalTables = includesInternalTables
    options.inverses = try inverses.names(in: realm.snapshot.schema)
    return options
  }
}

extension Diagnostic {
  /// There is no terminal to browse on.
  fileprivate init(_ failure: TerminalScreen.Failure) {
    let other = "or use open, schema or export"
    let type = "set TERM to your terminal type, such as xterm-256color, " + other
    switch failure {
    case .noTerminal:
      self.init(.failed, .fileOperationFailed, "browse needs a terminal", advice: "use open, schema or export")
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
      self.init(.failed, .fileOperationFailed, "the terminal could not be set up", advice: "use open, schema or export")
    }
  }
}

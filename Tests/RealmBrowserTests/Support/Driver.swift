import BrowserSupport
import RealmExchange
import RealmQuery
import RealmStorage
import TestSupport

@testable import RealmBrowser

/// A browser with a screen in memory, and a user who presses keys.
final class Driver {
  let browser: Browser
  let screen: MemoryScreen

  /// - Parameter path: a realm; `key` opens an encrypted one.
  init(
    _ path: String, key: EncryptionKey? = nil, columns: Int = 80, rows: Int = 24, isASCII: Bool = false,
    executor: any Executor = ImmediateExecutor(), configure: (inout BrowserOptions) -> Void = { _ in }
  ) throws {
    let (realm, options) = try Self.opened(path, key: key, configure)
    screen = MemoryScreen(ScreenSize(columns: columns, rows: rows), isASCII: isASCII)
    browser = Browser(realm, options: options, isASCII: isASCII, executor: executor)
    browser.resize(to: screen.size)
    show()
  }

  static func opened(
    _ path: String, key: EncryptionKey? = nil, _ configure: (inout BrowserOptions) -> Void = { _ in }
  ) throws -> (BrowsedRealm, BrowserOptions) {
    let name = path.split(separator: "/").last.map(String.init) ?? path
    let realm = try BrowsedRealm(name: name) { try ByteStore.open(.path(path), key: key, prefersPages: true) }
    var options = BrowserOptions(
      describe: { Driver.describe($0) },
      writeJSON: { value, snapshot in
        let json = try ValueJSON(of: value, in: snapshot)
        return (json.text, json.missingParts)
      })
    options.write = { realm, objects, target, progress in try Driver.write(realm, objects, target, progress) }
    options.queryCommand = { "realmctl query \(name) " + $0.joined(separator: " ") }
    options.compare = { try Driver.compare($0, $1, $2) }
    options.listSnapshots = { realm, _ in try [.live, .previous].map { try Driver.listed(realm, $0) } }
    configure(&options)
    return (realm, options)
  }

  private static func listed(_ realm: BrowsedRealm, _ choice: SnapshotChoice) throws -> ListedSnapshot {
    let snapshot = try realm.showing(choice).snapshot
    return ListedSnapshot(
      choice, version: snapshot.version, topRef: snapshot.topRef, byteCount: snapshot.logicalSize, objectCount: nil,
      state: choice == .live ? "live" : "previous", changes: "", isDamaged: false)
  }

  /// As the command does.
  private static func compare(
    _ old: BrowsedRealm, _ new: BrowsedRealm, _ progress: TaskProgress
  ) throws -> RealmChanges {
    let difference = try RealmDifference(from: old.snapshot, to: new.snapshot) { try progress.advance(by: $0) }
    let classes = try difference.pairs().map { pair in
      let found = try difference.compare(pair)
      let twins = Dictionary(found.changes.map { (change($0), $0) }) { first, _ in first }
      return RealmChanges.ClassChanges(
        name: pair.name, changes: found.changes.map(change), equalCount: found.equalCount,
        isInOld: pair.oldSchema != nil, isInNew: pair.newSchema != nil,
        differingProperties: { [old, new] change in
          _ = (old, new)
          return Set(try twins[change].map { try difference.values(of: $0, in: pair).map(\.property) } ?? [])
        })
    }
    return RealmChanges(classes: classes, schema: difference.schema.changes.compactMap(\.text))
  }

  private static func change(_ change: ObjectChange) -> RealmChanges.Change {
    switch change {
    case .removed(let key): .removed(key)
    case .added(let key): .added(key)
    case .changed(let old, let new): .changed(old: old, new: new)
    }
  }

  /// As the command does, without files.
  static func write(
    _ realm: BrowsedRealm, _ objects: ShownObjects, _ target: WriteTarget, _ progress: TaskProgress
  ) throws -> Written {
    guard case .lines(let taker) = target, let table = realm.table(named: objects.table) else {
      throw BrowserProblem("no files in tests")
    }
    let sink = Sink(taker)
    if let columns = objects.columns {
      let reader = try QueryColumns(columns, of: table, in: realm.snapshot).reader()
      let writer = RowWriter(columns, of: table.schema.displayName, format: .ndjson, in: realm.snapshot, to: sink)
      for key in objects.keys ?? [] {
        guard let (batch, row) = try table.object(key) else { continue }
        try writer.append(try reader.values(of: batch, row: row))
      }
      return Written(byteCount: 0, missingParts: try writer.finish().count)
    }
    var options = ExportOptions(format: .ndjson, tables: [table])
    options.isSingleClass = true
    options.keys = objects.keys
    let damage = try Exporter(realm.snapshot, options: options, sink: sink).run()
    return Written(byteCount: 0, missingParts: damage.count)
  }

  private final class Sink: TextSink {
    let taker: LineTaker
    init(_ taker: LineTaker) { self.taker = taker }
    func write(_ bytes: UnsafeRawBufferPointer) throws { try taker.take(bytes) }
  }

  /// The words a command line would have; here short ones that tests can rely on.
  static func describe(_ error: StorageError) -> String {
    guard case .corrupted(let corruption) = error else { return "\(error)" }
    return "\(corruption.reason)"
  }

  func press(_ keys: Key...) { press(keys) }

  func press(_ keys: [Key]) {
    for key in keys { send(.key(key)) }
  }

  func send(_ event: Event) {
    browser.handle(event)
    for request in browser.takeScreenRequests() {
      asked.append(request)
      switch request {
      case .copy(let bytes): screen.copyToClipboard(bytes)
      case .repaint: screen.invalidate()
      case .mouse(let isOn): screen.setMouse(isOn)
      case .suspend, .run, .colors, .askForKey: break
      case .edit(let text, _):
        // What the user does in the editor.
        let outcome = editor?(text)
        browser.finishEditor(outcome.map { .success($0) } ?? .failure(.noEditor("vi")))
      }
    }
    show()
  }

  /// How $EDITOR changes text; nil if there is no editor.
  var editor: (([UInt8]) -> [UInt8])?

  /// What the browser has asked the owner of the terminal to do, in order.
  private(set) var asked: [Browser.ScreenRequest] = []

  /// Presses the key of each character.
  func type(_ text: String) { press(text.unicodeScalars.map { .character($0) }) }

  func resize(_ columns: Int, _ rows: Int) {
    screen.size = ScreenSize(columns: columns, rows: rows)
    browser.resize(to: screen.size)
    send(.resize)
  }

  private func show() { screen.show(browser.draw(), caret: browser.caret) }

  // MARK: Looking

  var lines: [String] { screen.lines }
  /// The path at the top.
  var path: String { lines.first ?? "" }
  var status: String { lines.count > 1 ? lines[lines.count - 2] : "" }
  var hints: String { lines.last ?? "" }
  /// The line that names the filters in force; empty without any.
  var filters: String { lines.first { $0.hasPrefix(" filter: ") || $0.hasPrefix(" filters: ") } ?? "" }
  /// The row with the cursor, as it is shown.
  var cursorLine: String { lines.first { ["▌", ">", "◆", "@"].contains($0.prefix(1)) } ?? "" }
}

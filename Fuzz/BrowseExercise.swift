import BrowserSupport
import RealmBrowser
import RealmStorage
import TestSupport

/// What the browser does with an input: random keys on a screen in memory.
struct BrowseExercise {
  private static let keys: [Key] = {
    let letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPRSTUVWXYZ$^0*-+<>=_[] ".unicodeScalars.map {
      Key.character($0)
    }
    let leading: [Key] = [.enter, .down, .right, .character("j"), .character("l"), .character("o"), .character(" ")]
    let others: [Key] = [
      .escape, .backspace, .tab, .backTab, .up, .left, .pageUp, .pageDown, .home, .end, .control("d"), .control("u"),
      .control("n"), .control("p"),
    ]
    return letters + others + Array(repeating: leading, count: 5).flatMap { $0 }
  }()

  private static let texts = [
    "a", "1", "null", "#3", "row:2", "name: a", "sort name", "filter x", "frequency", "hide name", "width 7", "jump 4",
    "99999999999999999999", "reload", "map", "schema", "", "_id != null", "TRUEPREDICATE SORT(_id DESC) LIMIT(9)",
    "name ==",
    "@links.@count > 0", "find a", "find 1", "find #1", "filter NOT name IN {", "ANY @links.",
  ]

  /// With the public API, and the links of every object in both directions.
  private static func readAll(_ path: String, _ key: EncryptionKey?) throws {
    let realm = try Realm.open(at: path, key: key)
    for objects in realm.classes {
      for object in try objects.readable() {
        _ = try? object.backlinks()
        for value in object.values { _ = try? realm.object(linkedBy: value) }
      }
    }
  }

  /// - Throws: if there is nothing to browse.
  static func run(_ realm: FuzzedRealm, seed: UInt64) throws {
    var random = SeededGenerator(seed: seed ^ 0xb20e5e)
    let path = realm.path
    let key = realm.key
    try readAll(path, key)
    let opened = try BrowsedRealm(name: "fuzzed") { try ByteStore.open(.path(path), key: key) }
    var options = BrowserOptions(describe: { "\($0)" }) { value, snapshot in
      (Array("\(try Value(value, snapshot.collectionWalk()))".utf8), 0)
    }
    options.showsInternalTables = seed % 3 == 0
    let browser = Browser(opened, options: options, isASCII: seed % 5 == 0, executor: ImmediateExecutor())
    let screen = MemoryScreen(ScreenSize(columns: 80, rows: 24))
    func send(_ event: Event) {
      browser.handle(event)
      _ = browser.takeScreenRequests()
      screen.show(browser.draw(), caret: browser.caret)
    }
    func type(_ text: String) { for scalar in text.unicodeScalars { send(.key(.character(scalar))) } }
    browser.resize(to: screen.size)
    for _ in 0..<Int.random(in: 5...60, using: &random) where browser.ending == nil {
      switch Int.random(in: 0..<40, using: &random) {
      case 0:
        screen.size = ScreenSize(
          columns: Int.random(in: 20..<200, using: &random), rows: Int.random(in: 5..<60, using: &random))
        browser.resize(to: screen.size)
        send(.resize)
      case 1:
        let place = ScreenPosition(
          column: Int.random(in: 0..<screen.size.columns, using: &random),
          row: Int.random(in: 0..<screen.size.rows, using: &random))
        send(.mouse([.click, .doubleClick, .wheelUp, .wheelDown].randomElement(using: &random) ?? .click, place))
      case 2, 3:
        type(["/", "f", "J", ":"].randomElement(using: &random) ?? "/")
        type(texts.randomElement(using: &random) ?? "")
        send(.key(Bool.random(using: &random) ? .enter : .escape))
      default: send(.key(keys.randomElement(using: &random) ?? .down))
      }
    }
  }
}

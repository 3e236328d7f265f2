import BrowserSupport
import RealmPresentation
import RealmStorage
import TestSupport
import Testing

@testable import RealmBrowser

/// Editing with keys, as users do it.
@Suite struct EditingKeyTests {
  private func press(_ driver: Driver, _ keys: String) throws { driver.press(try KeyText.keys(keys)) }

  @Test("without --edit or :edit nothing can be changed") func off() throws {
    let realm = try EditedRealm("engine/dogs.realm")
    let driver = try realm.driver(isOn: false, class: "Person")
    try press(driver, "e")
    #expect(driver.status.contains(":edit turns editing on"))
    try press(driver, "\":w\" Enter")
    #expect(driver.status.contains("editing is off"))
    try press(driver, "\":edit\" Enter l l e ^U \"Max\" Enter")
    #expect(driver.path.contains("[1 change]"))
    #expect(driver.cursorLine.contains("Max"))
  }

  @Test("editing goes on after a look at an older snapshot") func afterOlderSnapshot() throws {
    let realm = try EditedRealm("engine/dogs.realm")
    let driver = try realm.driver(class: "Person")
    try press(driver, "l l e ^U \"Max\" Enter \":w\" Enter \":snapshot previous\" Enter")
    #expect(driver.path.contains("previous snapshot") && !driver.path.contains("[edit]"))
    try press(driver, "e")
    #expect(driver.status.contains("an older snapshot can only be read"))
    try press(driver, "\":snapshot live\" Enter")
    #expect(driver.path.contains("[edit]") && driver.cursorLine.contains("Max"))
    try press(driver, "e ^U \"Moritz\" Enter")
    #expect(driver.path.contains("[1 change]"))
    try realm.requireSound()
  }

  @Test("a value is edited, undone, done again, listed and written") func aValue() throws {
    let realm = try EditedRealm("engine/dogs.realm")
    let before = try realm.bytes()
    let driver = try realm.driver(class: "Person")
    try press(driver, "l l e")
    #expect(driver.screen.lines.contains { $0.contains("name (string): Alice") })
    try press(driver, "^U \"Max\" Enter")
    #expect(driver.status.contains("Person Alice › name: Alice → Max"))
    try press(driver, "u")
    #expect(driver.cursorLine.contains("Alice") && driver.path.contains("[edit]"))
    try press(driver, "^R")
    #expect(driver.cursorLine.contains("Max"))
    try press(driver, "\":changes\" Enter")
    #expect(driver.lines.contains { $0.contains("- Alice") } && driver.lines.contains { $0.contains("+ Max") })
    #expect(try realm.bytes() == before)
    try press(driver, "q \":w\" Enter")
    #expect(driver.status.contains("1 change written"))
    #expect(driver.path.contains("[edit]"))
    #expect(try realm.bytes() != before)
    try realm.requireSound()
    try press(driver, "q q")
    #expect(driver.browser.ending == .quit)
  }

  @Test("in the objects of a class, i summarizes a property as it does without editing") func summaries() throws {
    let realm = try EditedRealm("engine/dogs.realm")
    let driver = try realm.driver(class: "Person")
    try press(driver, "l l i")
    #expect(driver.path.hasSuffix("summary of name"))
  }

  @Test("what is wrong is said while typing, and asked for again") func mistakes() throws {
    let realm = try EditedRealm("engine/dogs.realm")
    let driver = try realm.driver(class: "Person")
    try press(driver, "l l l e ^U \"yesterday\"")
    #expect(driver.hints.contains("yesterday") && driver.hints.contains("date"))
    try press(driver, "Enter")
    #expect(driver.path.contains("[edit]"))
    try press(driver, "^U \"2001-02-03T04:05:06Z\" Enter")
    #expect(driver.cursorLine.contains("2001-02-03"))
    try press(driver, "e ^U \"null\" Enter")
    #expect(driver.cursorLine.contains("null"))
    #expect(driver.path.contains("[2 changes]"))
  }

  @Test("objects are added, copied and deleted; filters see it") func objects() throws {
    let realm = try EditedRealm("engine/dogs.realm")
    let driver = try realm.driver(class: "Person")
    try press(driver, "O Enter")
    #expect(driver.path.contains("[1 change]"))
    #expect(driver.status.contains("4 of 4"))
    try press(driver, "\":filter name == 'Alice'\" Enter")
    #expect(driver.status.contains("of 2"))
    try press(driver, "\":filter\" Enter g D")
    #expect(driver.status.contains("Person Alice deleted"))
    try press(driver, "o Enter")
    try press(driver, "\":w\" Enter")
    #expect(driver.status.contains("3 changes written"))
    try realm.requireSound()
  }

  @Test("all marked rows are edited at once") func marked() throws {
    let realm = try EditedRealm("engine/dogs.realm")
    let driver = try realm.driver(class: "Person")
    try press(driver, "t l l e ^U \"Same\" Enter")
    #expect(driver.lines.filter { $0.contains("Same") }.count >= 3)
    // The value of one of them is not that of the others.
    #expect(driver.status.contains("→ Same") && !driver.status.contains("Alice"))
    try press(driver, "\":changes\" Enter")
    #expect(!driver.lines.contains { $0.contains("Alice") })
    try press(driver, "q e ^U \"Other\" Enter")
    #expect(driver.status.contains("Same → Other"))
    try press(driver, "u D")
    #expect(driver.lines.contains { $0.contains("no objects") })
    try press(driver, "u u")
    #expect(driver.lines.contains { $0.contains("Alice") })
  }

  @Test("elements are added, taken out and moved; links are picked") func elements() throws {
    let realm = try EditedRealm("engine/dogs.realm")
    let driver = try realm.driver(class: "Person")
    try press(driver, "l l l l Enter d")
    // The cursor stays, though the same object is in the list again.
    #expect(driver.path.contains("[1 change]") && driver.status.contains("1 of 2"))
    try press(driver, "}")
    #expect(driver.status.contains("2 of 2"))
    try press(driver, "a Enter j j Enter")
    #expect(driver.path.contains("[3 changes]"))
    #expect(driver.lines.filter { $0.contains("6500000000000000000000") }.count == 3)
    try press(driver, "\":w\" Enter")
    #expect(driver.status.contains("written"))
    try realm.requireSound()
  }

  @Test("long texts are edited in $EDITOR, word for word") func editor() throws {
    let realm = try EditedRealm("engine/dogs.realm")
    let driver = try realm.driver(class: "Person")
    driver.editor = { _ in Array("two\nlines\n".utf8) }
    try press(driver, "l l E")
    #expect(driver.path.contains("[1 change]"))
    #expect(driver.cursorLine.contains("lines"))
    driver.editor = nil
    try press(driver, "E")
    #expect(driver.status.contains("set EDITOR"))
  }

  private static let mixedValues = [
    "1", "1.0", #"{"$float":"2.5"}"#, #"{"$numberDecimal":"1.50"}"#, "true", #""text""#, #""5""#,
    #"{"$date":"2024-01-31T12:00:00Z"}"#, #"{"$binary":{"base64":"AAEC","subType":"00"}}"#,
    #"{"$oid":"640000000000000000000000"}"#, #"{"$uuid":"01234567-89ab-cdef-0123-456789abcdef"}"#,
    #"[1,{"$oid":"640000000000000000000000"},[1.0]]"#, #"{"a":{"$date":"2024-01-31T12:00:00Z"}}"#,
    #"{"$link":{"table":"A","key":1}}"#,
  ]

  /// Types of a property, with a value of each around an embedded object.
  private static let embeddings = [
    ("E", "EMBEDDED"), ("E[]", "[EMBEDDED]"), ("E{}", #"{"k":EMBEDDED}"#), ("F", #"{"e":EMBEDDED}"#),
  ]

  @Test("Mixed values in embedded objects keep their types through the editor", arguments: embeddings)
  func mixedInEmbedded(_ type: String, _ template: String) throws {
    let schema = #"""
      [{"name":"A","primaryKey":"id","properties":{"id":"int","v":"\#(type)"}},
       {"name":"E","embedded":true,"properties":{"m":"mixed","list":"mixed[]","n":"int"}},
       {"name":"F","embedded":true,"properties":{"e":"E"}}]
      """#
    let objects = Self.mixedValues.enumerated().map { number, mixed in
      let embedded = #"{"m":\#(mixed),"list":[\#(mixed)],"n":1}"#
      return #"{"id":\#(number),"v":\#(template.replacing("EMBEDDED", with: embedded))}"#
    }
    let realm = try EditedRealm(schema: schema, data: #"{"A":[\#(objects.joined(separator: ","))]}"#)
    let before = try realm.opened().snapshot.content()
    let driver = try realm.driver(class: "A")
    try press(driver, "l l")
    // Another number, so that the whole value is written, and back.
    for (old, new) in [(#""n":1"#, #""n":2"#), (#""n":2"#, #""n":1"#)] {
      driver.editor = { Array(String(decoding: $0, as: UTF8.self).replacing(old, with: new).utf8) }
      try press(driver, "g")
      for _ in objects { try press(driver, "E j") }
    }
    #expect(driver.path.contains("[\(2 * objects.count) changes]"))
    try press(driver, "\":w\" Enter")
    #expect(driver.status.contains("written"))
    #expect(try realm.opened().snapshot.content() == before)
    try realm.requireSound()
  }

  /// The bytes of a text that a prompt cannot show, and what an editor makes of it that adds a final line end.
  @Test(
    "a text that no line shows goes to the editor byte for byte",
    arguments: [
      Array("a\r\n".utf8), Array("tab\there\u{1b}".utf8), [0x61, 0xff, 0xfe, 0x62], Array("e\u{301}\u{0}".utf8),
    ])
  func bytesInTheEditor(_ bytes: [UInt8]) throws {
    let realm = try EditedRealm("engine/dogs.realm")
    try realm.change { transaction in
      let table = try transaction.table("class_Person")
      if let key = try table.firstKey() { try table.set("name", of: key, to: .string(RealmString(utf8: bytes))) }
    }
    let driver = try realm.driver(class: "Person")
    var seen: [UInt8]?
    driver.editor = { text in
      seen = text
      return text.last == 0x0a ? text : text + [0x0a]
    }
    try press(driver, "l l e")
    #expect(seen == bytes)
    #expect(driver.path.contains("[edit]") && driver.status.contains("unchanged"))
    driver.editor = { _ in Array("\u{7}é".utf8) }
    try press(driver, "e \":w\" Enter")
    #expect(try Self.firstName(realm) == Array("\u{7}é".utf8))
    try realm.requireSound()
  }

  private static func firstName(_ realm: EditedRealm) throws -> [UInt8]? {
    let opened = try realm.opened()
    let table = try #require(opened.table(named: "class_Person"))
    var batches = table.batches()
    guard case .batch(let batch)? = batches.next(),
      case .string(let text) = try batch.values(ofProperty: 1).value(at: 0)
    else { return nil }
    return try text.copied()
  }

  /// What is UTF-8 is Swift's own decision, which the engine's dump and JSON share.
  @Test(
    "a text that is not UTF-8 is refused, and the editor opens again with it",
    arguments: [[0x61, 0xff], [0xc3], [0xed, 0xa0, 0x80], Array("Müller".unicodeScalars.map { UInt8($0.value) })])
  func notUTF8(_ bytes: [UInt8]) throws {
    let realm = try EditedRealm("engine/dogs.realm")
    let driver = try realm.driver(class: "Person")
    for start in ["l l", "u e ^U \"null\" Enter"] {
      driver.editor = { _ in bytes }
      try press(driver, start + " E")
      #expect(!driver.lines.contains { $0.contains("\u{fffd}") })
      var seen: [UInt8]?
      driver.editor = {
        seen = $0
        return Array("Mül".utf8)
      }
      try press(driver, "e Enter")
      #expect(seen == bytes)
      #expect(driver.cursorLine.contains("Mül"))
    }
    try press(driver, "\":w\" Enter")
    #expect(try Self.firstName(realm) == Array("Mül".utf8))
    try realm.requireSound()
  }

  /// The expected places are those of an array of Swift.
  @Test("in a list that has objects more than once, keys act on the place of the cursor") func places() throws {
    let realm = try EditedRealm("engine/dogs.realm")
    let opened = try realm.opened()
    let table = try #require(opened.table(named: "class_Dog"))
    var (dogs, batches) = ([ObjectKey](), table.batches())
    while case .batch(let batch)? = batches.next() { dogs += (0..<batch.count).map(batch.key) }
    let key = table.key
    var model = [dogs[0], dogs[1], dogs[0]]
    try realm.change { [model] transaction in
      let people = try transaction.table("class_Person")
      guard let owner = try people.firstKey() else { return }
      try people.set("dogs", of: owner, to: .list(model.map { .link(key, $0) }))
    }
    let driver = try realm.driver(class: "Person")
    try press(driver, "l l l l Enter G")
    var (random, earlier) = (SeededGenerator(seed: 18), [[ObjectKey]]())
    for _ in 0..<150 {
      let place = driver.browser.page.row
      let dog = Int.random(in: 0..<2, using: &random)
      let picking = " Enter g" + String(repeating: " j", count: dog) + " Enter"
      let before = model
      var expected = place
      switch Int.random(in: 0..<8, using: &random) {
      case 0, 1:
        try press(driver, "i" + picking)
        model.insert(dogs[dog], at: place)
        earlier.append(before)
      case 2:
        try press(driver, "a" + picking)
        model.insert(dogs[dog], at: place + 1)
        earlier.append(before)
      case 3 where model.count > 1, 4 where model.count > 1:
        try press(driver, "d")
        model.remove(at: place)
        earlier.append(before)
      case 5 where place + 1 < model.count:
        try press(driver, "}")
        model.swapAt(place, place + 1)
        earlier.append(before)
        expected += 1
      case 6 where !earlier.isEmpty:
        try press(driver, "u")
        model = earlier.removeLast()
      case 7:
        try press(driver, "g")
        expected = 0
      default:
        try press(driver, "j")
        expected += 1
      }
      let view = try #require(driver.browser.page.view as? ObjectsView)
      try #require(view.rowCount == model.count && driver.browser.page.row == min(expected, model.count - 1))
      try #require((0..<model.count).map { view.row(at: $0).key } == model)
    }
    try press(driver, "\":w\" Enter")
    try realm.requireSound()
  }

  @Test("what an editor made is not lost with a mistake in it") func mistakeInTheEditor() throws {
    let realm = try EditedRealm("engine/dogs.realm")
    let driver = try realm.driver(class: "Person")
    driver.editor = { _ in Array("[\"650000000000000000000000\"".utf8) }
    try press(driver, "l l l l E")
    #expect(driver.path.contains("[edit]") && driver.lines.contains { $0.contains("e edits the text again") })
    driver.editor = { $0 + Array("]".utf8) }
    try press(driver, "e Enter")
    #expect(driver.path.contains("[1 change]"))
  }

  @Test("an edit that no longer fits is dropped if the user says so") func dropping() throws {
    let realm = try EditedRealm("engine/dogs.realm")
    let driver = try realm.driver(class: "Dog", columns: 160)
    try press(driver, "l l e ^U \"Max\" Enter l l l e ^U Enter j Enter")
    #expect(driver.path.contains("[2 changes]"))
    try realm.change { transaction in
      let table = try transaction.table("class_Toy")
      var keys: [ObjectKey] = []
      try table.forEachKey { keys.append($0) }
      for key in keys { try table.delete(key) }
      let dogs = try transaction.table("class_Dog")
      _ = try dogs.create(primaryKey: .objectID(ObjectID(head: 5, tail: 5)))
    }
    try press(driver, "\":w\" Enter")
    #expect(driver.lines.contains { $0.contains("changed by both: Dog") })
    try press(driver, "m Enter")
    #expect(driver.lines.contains { $0.contains("change 2 no longer fits") })
    try press(driver, "Esc")
    #expect(driver.path.contains("[2 changes]"))
    try press(driver, "\":w\" Enter m Enter d Enter")
    #expect(driver.status.contains("1 change written"))
    #expect(driver.cursorLine.contains("Max"))
    try realm.requireSound()
  }

  @Test("quitting asks about changes") func quitting() throws {
    let realm = try EditedRealm("engine/dogs.realm")
    let before = try realm.bytes()
    for keys in ["Q", "\":q\" Enter", "q q", "^C ^C"] {
      let driver = try realm.driver(class: "Person")
      try press(driver, "l l e ^U \"Max\" Enter \(keys)")
      #expect(driver.browser.ending == nil, "\(keys)")
      #expect(driver.lines.contains { $0.contains("1 change not written") }, "\(keys)")
      try press(driver, "Esc")
      #expect(driver.browser.ending == nil)
      try press(driver, "\":q!\" Enter")
      #expect(driver.browser.ending == .quit)
    }
    #expect(try realm.bytes() == before)
    let driver = try realm.driver(class: "Person")
    try press(driver, "l l e ^U \"Max\" Enter Q w Enter")
    #expect(driver.browser.ending == .quit)
    #expect(try realm.bytes() != before)
  }

  @Test("an app that has the file keeps it from being written, and the changes stay") func inUse() throws {
    let realm = try EditedRealm("engine/dogs.realm")
    let before = try realm.bytes()
    let driver = try realm.driver(class: "Person")
    try press(driver, "l l e ^U \"Max\" Enter")
    do {
      let access = try ExclusiveAccess(toRealm: realm.path)
      try press(driver, "\":w\" Enter")
      #expect(driver.path.contains("[1 change]"))
      #expect(!driver.status.contains("written"))
      access.release()
    }
    #expect(try realm.bytes() == before)
    try press(driver, "\":w\" Enter")
    #expect(driver.status.contains("1 change written"))
  }

  @Test("an app that has changed the same object is asked about") func collision() throws {
    let realm = try EditedRealm("engine/dogs.realm")
    let driver = try realm.driver(class: "Person", columns: 160)
    try press(driver, "l l e ^U \"Mine\" Enter")
    try realm.change { transaction in
      let table = try transaction.table("class_Person")
      if let key = try table.firstKey() { try table.set("name", of: key, to: "Theirs") }
    }
    try press(driver, "\":w\" Enter")
    #expect(driver.lines.contains { $0.contains("changed by both: Person") && $0.contains("name") })
    try press(driver, "m Enter")
    #expect(driver.status.contains("written"))
    #expect(driver.cursorLine.contains("Mine"))
    try realm.requireSound()
  }

  @Test("an app that has changed something else of the same object is not asked about") func otherProperty() throws {
    let realm = try EditedRealm("engine/dogs.realm")
    let driver = try realm.driver(class: "Dog", columns: 160)
    try press(driver, "l l e ^U \"Mine\" Enter")
    try realm.change { transaction in
      let table = try transaction.table("class_Dog")
      if let key = try table.firstKey() { try table.set("breed", of: key, to: "Theirs") }
    }
    try press(driver, "\":w\" Enter")
    #expect(driver.status.contains("1 change written"))
    #expect(driver.cursorLine.contains("Mine") && driver.cursorLine.contains("Theirs"))
    try realm.requireSound()
  }

  @Test("a file is followed unless changes keep it from being shown") func following() throws {
    let realm = try EditedRealm("engine/dogs.realm")
    let driver = try realm.driver(class: "Person")
    let rename = { (name: String) in
      try realm.change { transaction in
        let table = try transaction.table("class_Person")
        if let key = try table.firstKey() { try table.set("name", of: key, to: .string(RealmString(name))) }
      }
    }
    try press(driver, "\":watch on\" Enter l l")
    #expect(driver.path.contains("(following)"))
    try rename("Anna")
    driver.send(.wake)
    #expect(driver.cursorLine.contains("Anna"))
    try press(driver, "j e ^U \"Mine\" Enter")
    #expect(!driver.path.contains("(following)"))
    try rename("Berta")
    driver.send(.wake)
    #expect(driver.status.contains("R reloads"))
    #expect(!driver.lines.contains { $0.contains("Berta") })
    try press(driver, "\":w\" Enter")
    #expect(driver.path.contains("(following)"))
    #expect(driver.lines.contains { $0.contains("Berta") } && driver.cursorLine.contains("Mine"))
    try realm.requireSound()
  }

  @Test("keys at random: nothing breaks, and nothing is written", arguments: ["dogs", "all-types", "nested-mixed"])
  func randomKeys(_ name: String) throws {
    let realm = try EditedRealm("engine/\(name).realm")
    let (before, names) = (try realm.bytes(), try realm.folder.names())
    var random = SeededGenerator(seed: UInt64(name.utf8.count))
    let keys = (Bindings.table + Bindings.editing).flatMap(\.keys)
      .filter { ![.character("Q"), .control("c"), .control("z"), .character(":"), .character("w")].contains($0) }
    let likely: [Key] = [.enter, .down, .right, .character("e"), .character("a"), .character("o"), .character("u")]
    let texts = ["1", "null", "text", "[]", "{}", "true", "2020-01-01", "-100", ""]
    var driver = try realm.driver()
    driver.editor = { $0 + Array("x".utf8) }
    for _ in 0..<400 {
      if driver.browser.ending != nil { driver = try realm.driver() }
      let number = Int(random.next() >> 40)
      switch number % 6 {
      case 0: driver.type(texts[number / 6 % texts.count])
      case 1, 2: driver.press(likely[number / 6 % likely.count])
      default: driver.press(keys[number / 6 % keys.count])
      }
    }
    #expect(try realm.bytes() == before)
    #expect(try realm.folder.names() == names)
  }
}

import RealmStorage
import TestSupport
import Testing

@testable import RealmBrowser

/// Bytes of a terminal as keys. What the sequences mean is from the list of control sequences that xterm publishes, and
/// from terminfo's descriptions of `linux`, `rxvt` and `cons25`.
@Suite struct KeyParserTests {
  private static let now = ContinuousClock.now

  private static func events(_ bytes: [UInt8], _ parser: KeyParser = KeyParser()) -> [Event] {
    var parser = parser
    return parser.events(of: bytes, at: now)
  }

  private static let place = ScreenPosition(column: 4, row: 6)

  private static let meanings: [(text: String, events: [Event])] = [
    ("\u{1b}[A", [.key(.up)]), ("\u{1b}OB", [.key(.down)]), ("\u{1b}[1;1C", [.key(.right)]),
    ("\u{1b}[1;2D", [.key(.left)]), ("\u{1b}[1;3D", [.key(.altLeft)]), ("\u{1b}[1;5C", [.key(.controlRight)]),
    ("\u{1b}[1;6D", []), ("\u{1b}[1;9A", []), ("\u{1b}\u{1b}[D", [.key(.altLeft)]), ("\u{1b}\u{1b}[A", []),
    ("\u{1b}[H", [.key(.home)]), ("\u{1b}OF", [.key(.end)]), ("\u{1b}[7~", [.key(.home)]), ("\u{1b}[8~", [.key(.end)]),
    ("\u{1b}[2~", [.key(.insert)]), ("\u{1b}[3~", [.key(.delete)]), ("\u{1b}[3;2~", []), ("\u{1b}[3$", []),
    ("\u{1b}[5~", [.key(.pageUp)]), ("\u{1b}[6;2~", [.key(.pageDown)]), ("\u{1b}[Z", [.key(.backTab)]),
    ("\u{1b}OP", [.key(.function(1))]), ("\u{1b}[[E", [.key(.function(5))]), ("\u{1b}[15~", [.key(.function(5))]),
    ("\u{1b}[24~", [.key(.function(12))]), ("\u{1b}[1;2P", []),
    ("\u{1b}Oq", [.key(.character("1"))]), ("\u{1b}OM", [.key(.enter)]),
    ("\u{1b}b", [.key(.alt("b"))]), ("\u{1b}D", [.key(.alt("D"))]), ("\u{1b}\r", []), ("\u{1b}é", []),
    // Focus, answers about the cursor and the terminal, keys as CSI-u and in xterm's other form.
    ("\u{1b}[I", []), ("\u{1b}[O", []), ("\u{1b}[24;80R", []), ("\u{1b}[?62;22c", []), ("\u{1b}[100;5u", []),
    ("\u{1b}[27;5;100~", []), ("\u{1b}[?2026;2$y", []), ("\u{1b}[1;1:3D", []), ("\u{1b}[;D", []),
    // Colors, the clipboard, and capabilities.
    ("\u{1b}]11;rgb:dddd/dddd/dddd\u{7}", []), ("\u{1b}]52;c;ZGRkRERE\u{1b}\\", []), ("\u{1b}P1+r544e=64\u{1b}\\", []),
    ("\u{1b}_Gd=D\u{1b}\\", []), ("\u{9b}1;2D", [.key(.left)]), ("\u{9d}0;Dd\u{7}", []),
    ("\u{1b}]11;D\u{1b}[B", [.key(.down)]), ("\u{1b}[1\u{18}x", [.key(.character("x"))]),
    ("\u{1b}[M %'", [.mouse(.click, place)]), ("\u{1b}[<0;5;7M", [.mouse(.click, place)]), ("\u{1b}[<0;5;7m", []),
    ("\u{1b}[<65;5;7M", [.mouse(.wheelDown, place)]), ("\u{1b}[<35;5;7M", []), ("\u{1b}[M#%'", []),
    ("\u{1b}[200~DD\nü\u{1b}[201~", [.paste("DD\nü")]),
    ("é\u{7f}\t\r\u{3}", [.key(.character("é")), .key(.backspace), .key(.tab), .key(.enter), .key(.control("c"))]),
  ]

  @Test("a sequence means the same however it arrives, and leaves nothing behind", arguments: meanings)
  func sequence(_ text: String, _ expected: [Event]) {
    let bytes = Array(text.utf8)
    for split in 0...bytes.count {
      var parser = KeyParser()
      let events = parser.events(of: bytes[..<split], at: Self.now) + parser.events(of: bytes[split...], at: Self.now)
      #expect(events == expected, "split after \(split) bytes")
      #expect(parser.patience == nil)
      #expect(parser.events(of: [0x78], at: Self.now) == [.key(.character("x"))])
    }
  }

  @Test("Escape alone is a key once nothing has followed it") func escape() {
    var parser = KeyParser()
    #expect(parser.events(of: [0x1b], at: Self.now).isEmpty)
    #expect(parser.patience != nil)
    #expect(parser.giveUp() == [.key(.escape)])
    #expect(parser.events(of: [0x1b, 0x1b], at: Self.now).isEmpty)
    #expect(parser.giveUp() == [.key(.escape), .key(.escape)])
    // What is cut short is no key.
    for text in ["\u{1b}[1;2", "\u{1b}O", "\u{1b}]11;rgb", "\u{1b}[M ", "\u{1b}[<0;1"] {
      #expect(parser.events(of: text.utf8, at: Self.now).isEmpty && parser.patience != nil)
      #expect(parser.giveUp().isEmpty && parser.patience == nil)
    }
  }

  @Test("a paste that does not end is taken for what has arrived") func unfinishedPaste() {
    var parser = KeyParser()
    #expect(parser.events(of: "\u{1b}[200~abc".utf8, at: Self.now).isEmpty && parser.patience != nil)
    #expect(parser.giveUp() == [.paste("abc")])
    #expect(parser.events(of: [0x78], at: Self.now) == [.key(.character("x"))])
  }

  @Test("the terminal's description comes first") func described() {
    let parser = KeyParser([
      Array("\u{1b}[M".utf8): .function(1), [0x08]: .left, Array("\u{1b}OD".utf8): .left, Array("\u{1b}A".utf8): .up,
    ])
    #expect(Self.events(Array("\u{1b}[Mx".utf8), parser) == [.key(.function(1)), .key(.character("x"))])
    #expect(Self.events([0x08], parser) == [.key(.left)])
    #expect(Self.events(Array("\u{1b}A".utf8), parser) == [.key(.up)])
    #expect(Self.events(Array("\u{1b}\u{1b}OD".utf8), parser) == [.key(.altLeft)])
  }

  @Test("bytes that are no characters stand for nothing") func bytes() {
    #expect(Self.events([0xff, 0xe9, 0x61, 0xc3, 0x28]) == [.key(.character("a")), .key(.character("("))])
  }

  @Test("two clicks on one place are a double click if they follow each other quickly") func clicks() {
    let click = Array("\u{1b}[<0;5;7M\u{1b}[<0;5;7m".utf8)
    var parser = KeyParser()
    #expect(parser.events(of: click, at: Self.now) == [.mouse(.click, Self.place)])
    #expect(parser.events(of: click, at: Self.now + .milliseconds(200)) == [.mouse(.doubleClick, Self.place)])
    #expect(parser.events(of: click, at: Self.now + .milliseconds(300)) == [.mouse(.click, Self.place)])
    #expect(parser.events(of: click, at: Self.now + .seconds(2)) == [.mouse(.click, Self.place)])
  }

  // MARK: - At random

  private static let letters = Array("abdeiouDEO{}0123456789;:?<=>!$ '\"".utf8)

  private static func pick(_ bytes: [UInt8], _ random: inout SeededGenerator) -> UInt8 {
    bytes[Int.random(in: bytes.indices, using: &random)]
  }

  private static func run(_ random: inout SeededGenerator, of bytes: [UInt8], most: Int) -> [UInt8] {
    (0..<Int.random(in: 0...most, using: &random)).map { _ in pick(bytes, &random) }
  }

  /// A sequence as terminals could send it; no keys of the keypad, which stand for what is on them.
  private static func sequence(_ random: inout SeededGenerator) -> [UInt8] {
    let final = UInt8.random(in: 0x40...0x7e, using: &random)
    switch Int.random(in: 0..<6, using: &random) {
    case 0, 1:
      // `ESC [ M` and `ESC [ [` have a rest that the others do not have.
      let parameters = run(&random, of: Array("0123456789;:<=>?".utf8), most: 8)
      let ending = parameters.isEmpty && (final == 0x4d || final == 0x5b) ? [0x44] : [final]
      return Array("\u{1b}[".utf8) + parameters + run(&random, of: Array(" !\"#%&'*+".utf8), most: 1) + ending
    case 2:
      let numbers = (0..<3).map { _ in Int.random(in: 0...200, using: &random) }
      return Array("\u{1b}[<\(numbers[0]);\(numbers[1]);\(numbers[2])M".utf8)
    case 3:
      let introducer = Self.pick(Array("]P_^X".utf8), &random)
      let ending = Bool.random(using: &random) ? [0x07] : Array("\u{1b}\\".utf8)
      return [0x1b, introducer] + run(&random, of: letters, most: 100) + ending
    case 4:
      let key = Self.pick(Array("ABCDHFPQRSabcdefghiYZ".utf8), &random)
      return [0x1b, UInt8(ascii: "O")] + run(&random, of: Array("12356;".utf8), most: 3) + [key]
    default:
      let letter = pick(letters, &random)
      return letter == UInt8(ascii: "O") ? [0x1b, 0x64] : [0x1b, letter]
    }
  }

  @Test("5,000 random sequences never change what is staged", arguments: [false, true])
  func sequences(inPrompt: Bool) throws {
    let realm = try EditedRealm("engine/dogs.realm")
    let driver = try realm.driver(class: "Person")
    driver.press(try KeyText.keys("l l e ^U \"Max\" Enter j" + (inPrompt ? " e" : "")))
    let changes = try #require(driver.browser.context.changes)
    let before = changes.entries.map(\.edit)
    #expect(before.count == 1)
    var random = SeededGenerator(seed: inPrompt ? 56 : 17)
    for _ in 0..<2500 {
      let bytes = Self.sequence(&random)
      let split = Int.random(in: 0...bytes.count, using: &random)
      var parser = KeyParser()
      let events = parser.events(of: bytes[..<split], at: Self.now) + parser.events(of: bytes[split...], at: Self.now)
      let isTyped = events.contains { if case .key(.character) = $0 { true } else { false } }
      guard !isTyped, parser.patience == nil else {
        Issue.record("\(String(decoding: bytes, as: UTF8.self).debugDescription): \(events)")
        return
      }
      for event in events { driver.browser.handle(event) }
      if changes.entries.map(\.edit) != before || changes.undone != [] || driver.browser.ending != nil {
        Issue.record("\(String(decoding: bytes, as: UTF8.self).debugDescription) changed something")
        return
      }
    }
    #expect((driver.browser.prompt != nil) == inPrompt)
  }

  @Test("any bytes give events, and what is kept of them stays small") func noise() {
    var random = SeededGenerator(seed: 3)
    var parser = KeyParser()
    for round in 0..<200 {
      let bytes = (0..<100).map { _ in
        Bool.random(using: &random)
          ? UInt8.random(in: 0...255, using: &random) : Self.pick(Array("\u{1b}[O]<;M~".utf8), &random)
      }
      _ = parser.events(of: bytes, at: Self.now)
      if round % 10 == 0 { _ = parser.giveUp() }
    }
    _ = parser.events(of: Array("\u{1b}[201~".utf8), at: Self.now)
    _ = parser.events(of: [0x1b, 0x5b] + Array(repeating: 0x31, count: 100_000) + [0x44], at: Self.now)
    #expect(parser.events(of: [0x78], at: Self.now) == [.key(.character("x"))])
  }
}

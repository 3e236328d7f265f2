import RealmPresentation
import RealmText
import Testing

@testable import RealmBrowser

private func cells(_ text: String, _ typography: Typography = .unicode, limit: Int = 100) -> CellText {
  CellText(text, .plain, typography, limit: limit)
}

/// What is visible, with a dot in the right half of wide characters.
private func seen(_ cells: [Cell]) -> String {
  var text = String.UnicodeScalarView()
  for cell in cells { text.append(contentsOf: cell.isWideTail ? ["·"] : cell.scalars) }
  return String(text)
}

@Suite struct CharacterWidthTests {
  @Test(
    arguments: [
      ("a", 1), ("é", 1), ("Ж", 1), ("→", 1), ("\u{ad}", 1), ("漢", 2), ("字", 2), ("한", 2), ("ｱ", 1), ("Ａ", 2),
      ("😀", 2), ("👍", 2), ("\u{301}", 0), ("\u{200d}", 0), ("\u{fe0f}", 0), ("\u{1160}", 0), ("\u{e0100}", 0),
      ("\u{3400}", 2), ("\u{2fffd}", 2), ("\u{1fa77}", 2), ("☃", 1), ("€", 1),
    ] as [(Unicode.Scalar, Int)])
  func charactersAreAsWideAsTerminalsDrawThem(_ scalar: Unicode.Scalar, _ width: Int) {
    #expect(CharacterWidth.of(scalar) == width)
  }

  @Test func theTablesAreSortedAndDisjoint() {
    for table in [CharacterWidthTable.zeroWidth, CharacterWidthTable.wide, CharacterWidthTable.hidden] {
      #expect(table.count.isMultiple(of: 2))
      #expect(zip(table, table.dropFirst()).allSatisfy { $0 < $1 })
    }
    let (marks, wide) = (ranges(CharacterWidthTable.zeroWidth), ranges(CharacterWidthTable.wide))
    #expect(!marks.contains { mark in wide.contains { $0.overlaps(mark) } })
  }

  private func ranges(_ edges: [UInt32]) -> [Range<UInt32>] {
    stride(from: 0, to: edges.count, by: 2).map { edges[$0]..<edges[$0 + 1] }
  }
}

@Suite struct CellTextTests {
  @Test(arguments: [
    ("abc", "abc"),
    ("漢字", "漢·字·"),
    ("e\u{301}x", "e\u{301}x"),
    ("a\tb\nc", "a␉b␊c"),
    ("\u{1b}[31m", "␛[31m"),
    ("\u{7f}", "\\u{7f}"),
    ("\u{9b}1m", "\\u{9b}1m"),
    ("a\u{202e}b", "a\\u{202e}b"),
    ("x\u{200b}y", "x\\u{200b}y"),
    ("\u{feff}z", "\\u{feff}z"),
    ("👨\u{200d}👩\u{200d}👧", "👨·\\u{200d}👩·\\u{200d}👧·"),
    ("👍\u{1f3fd}!", "👍·\\u{1f3fd}!"),
    ("j\u{200d}x", "j\\u{200d}x"),
    ("❤\u{fe0f}", "❤"),
    ("\u{301}", "\u{25cc}\u{301}"),
    ("🇩🇪", "🇩🇪"),
    ("\0", "␀"),
  ])
  func textComesOutAsCellsOfTheRightNumber(_ text: String, _ expected: String) {
    #expect(seen(cells(text).cells).unicodeScalars.elementsEqual(expected.unicodeScalars))
  }

  @Test(arguments: [
    ("Grün", "Gr\\u{fc}n"), ("a\nb", "a\\nb"), ("\u{1b}", "\\u{1b}"), ("漢", "\\u{6f22}"), ("plain", "plain"),
  ])
  func anASCIITerminalGetsNothingElse(_ text: String, _ expected: String) {
    #expect(seen(cells(text, .ascii).cells) == expected)
  }

  @Test func bytesThatAreNoTextAreShownByTheirNumbers() {
    var text = CellText(.unicode)
    let bytes: [UInt8] = [0x61, 0xff, 0xc3, 0x28, 0xed, 0xa0, 0x80, 0xc3, 0xa9, 0xf0, 0x9f]
    bytes.withUnsafeBytes { text.append(utf8: $0) }
    #expect(seen(text.cells) == "a\\xff\\xc3(\\xed\\xa0\\x80é\\xf0\\x9f")
  }

  @Test func noCellHoldsAControlCharacterWhateverTheBytes() {
    for first in UInt8.min...UInt8.max {
      for typography in [Typography.unicode, .ascii] {
        var text = CellText(typography)
        [first, 0x9b, first, 0x1b, 0xc2, first].withUnsafeBytes { text.append(utf8: $0) }
        for cell in text.cells where !cell.isWideTail {
          #expect(!CharacterWidth.isHidden(cell.base))
          #expect(!typography.isASCII || cell.base.isASCII)
        }
      }
    }
  }

  @Test(arguments: [
    ("abcdef", 6, "abcdef"), ("abcdef", 5, "abcd…"), ("abc", 5, "abc  "), ("漢字漢", 4, "漢· …"),
    ("漢字漢", 5, "漢·字·…"), ("漢字", 4, "漢·字·"), ("ab", 1, "…"), ("", 2, "  "), ("漢", 1, "…"),
  ])
  func whatIsTooLongIsCutWithASign(_ text: String, _ width: Int, _ expected: String) {
    #expect(seen(cells(text).fitted(to: width)) == expected)
  }

  @Test func whatIsTooLongForItsLimitIsMarkedAsWell() {
    #expect(seen(cells("abcdef", limit: 4).fitted(to: 4)) == "abc…")
    #expect(seen(cells("abcd", limit: 4).fitted(to: 4)) == "abcd")
  }

  @Test func numbersStandAtTheRight() {
    #expect(seen(cells("42").fitted(to: 5, .right)) == "   42")
  }

  @Test func pathsLoseTheirBeginning() {
    #expect(seen(cells("a › bc › def").fittedAtEnd(to: 6)) == "…› def")
  }

  @Test func wideCharactersAreNeverCutInHalf() {
    for width in 0...12 {
      let fitted = cells("a漢b字漢字c").fitted(to: width)
      #expect(fitted.count == width)
      for (index, cell) in fitted.enumerated() where !cell.isWideTail && CharacterWidth.of(cell.base) == 2 {
        #expect(index + 1 < fitted.count && fitted[index + 1].isWideTail)
      }
      var grid = CellGrid(ScreenSize(columns: width, rows: 1))
      grid.put(cells("a漢b字漢字c").cells, at: ScreenPosition(column: 0, row: 0))
      for (index, cell) in grid.row(0).enumerated() where !cell.isWideTail && CharacterWidth.of(cell.base) == 2 {
        #expect(index + 1 < width && grid.row(0)[index + 1].isWideTail)
      }
    }
  }
}

@Suite struct LineBreakTests {
  private func lines(_ text: String, _ width: Int?) -> [String] {
    Array(text.utf8).withUnsafeBytes { bytes in
      var breaks = LineBreaks(width: width)
      breaks.find(.max, in: bytes)
      return breaks.starts.indices.map { String(decoding: bytes[breaks.line($0, in: bytes)], as: UTF8.self) }
    }
  }

  @Test(
    arguments: [
      ("one two three", 8, ["one two ", "three"]),
      ("one\ntwo", 80, ["one", "two"]),
      ("one\r\ntwo\n", 80, ["one", "two"]),
      ("abcdefgh", 3, ["abc", "def", "gh"]),
      ("漢字漢字", 5, ["漢字", "漢字"]),
      ("\n\nx", 5, ["", "", "x"]),
      ("", 5, [""]),
      ("a b c d", 1, ["a", " ", "b", " ", "c", " ", "d"]),
    ] as [(String, Int, [String])])
  func textIsWrappedAtBlanksAndLineFeeds(_ text: String, _ width: Int, _ expected: [String]) {
    #expect(lines(text, width) == expected)
  }

  @Test func withoutAWidthOnlyLineFeedsBreak() {
    #expect(lines("a long line\nanother", nil) == ["a long line", "another"])
  }

  @Test func allBytesAreInSomeLine() {
    let text = "αβγ δε\nζηθικλμν ξ\u{1b}ο 漢字漢字漢字 end"
    for width in 1...20 { #expect(lines(text, width).joined().count == text.count - 1) }
  }
}

@Suite struct TextPatternTests {
  @Test(arguments: [
    ("bob", "My Bob", true), ("Bob", "my bob", false), ("Bob", "my Bob", true), ("zoë", "ZOË", true),
    ("x", "", false), ("abc", "ab", false), ("ß", "straße", true), ("é", "É", true), ("aab", "aaab", true),
  ])
  func lettersMatchInEitherCaseUnlessOneIsACapital(_ pattern: String, _ text: String, _ matches: Bool) throws {
    let pattern = try #require(TextPattern(pattern))
    #expect(Array(text.utf8).withUnsafeBytes(pattern.searcher().matches) == matches)
    #expect(pattern.ranges(in: cells(text).cells).isEmpty != matches)
  }

  @Test func anEmptyTextIsNoPattern() { #expect(TextPattern("") == nil) }

  @Test func columnsOfMatchesCountWideCharactersTwice() throws {
    let pattern = try #require(TextPattern("b字"))
    #expect(pattern.ranges(in: cells("漢b字漢B字").cells) == [2..<5, 7..<10])
  }
}

@Suite struct ViewportTests {
  @Test func theCursorStaysOnTheScreenAndInsideTheRows() {
    var viewport = Viewport()
    viewport.fit(count: 100, height: 10)
    viewport.move(by: 15)
    #expect((viewport.cursor, viewport.top) == (15, 6))
    viewport.page(by: 10)
    #expect((viewport.cursor, viewport.top) == (25, 16))
    viewport.move(to: 1000)
    #expect((viewport.cursor, viewport.top) == (99, 90))
    viewport.move(by: -1000)
    #expect((viewport.cursor, viewport.top) == (0, 0))
    viewport.page(by: -10)
    #expect(viewport.cursor == 0)
    viewport.show(50)
    #expect((viewport.cursor, viewport.top) == (50, 45))
    viewport.fit(count: 3, height: 10)
    #expect((viewport.cursor, viewport.top, viewport.visible) == (2, 0, 0..<3))
    viewport.fit(count: 0, height: 10)
    #expect(viewport.visible.isEmpty && viewport.cursor == 0)
  }
}

@Suite struct BindingTests {
  private static let views = (0..<32).map { ViewKinds(rawValue: 1 << $0) }.filter(ViewKinds.all.contains)

  @Test(arguments: [false, true])
  func noKeyMeansTwoThingsInOneView(_ isEditing: Bool) {
    for view in Self.views {
      var seen: Set<Key> = []
      for binding in Bindings.bindings(in: view, isEditing: isEditing) {
        for key in binding.keys { #expect(seen.insert(key).inserted, "\(key) in \(view)") }
      }
    }
  }

  @Test func everyRequestHasAKey() {
    let requests = Set((Bindings.table + Bindings.editing).map(\.request))
    for request in Request.allCases { #expect(requests.contains(request), "\(request)") }
  }

  @Test func everyViewCanBeLeftAndHasHelpAndMovement() {
    for view in Self.views {
      for (key, request) in [
        (Key.character("q"), Request.close), (.backspace, .back), (.character("Q"), .quit), (.escape, .leave),
        (.character("?"), .help), (.character("/"), .search), (.character("n"), .findNext),
        (.character("N"), .findPrevious),
        (.character(":"), .command), (.down, .down), (.character("j"), .down), (.up, .up), (.character("k"), .up),
        (.character("g"), .first), (.character("G"), .last), (.pageDown, .pageDown), (.pageUp, .pageUp),
      ] {
        #expect(Bindings.request(for: key, in: view) == request)
      }
    }
  }
}

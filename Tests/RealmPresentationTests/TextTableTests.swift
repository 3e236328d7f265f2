import Testing

@testable import RealmPresentation

/// Tables of reports and of the browser.
@Suite struct TextTableTests {
  @Test func `empty columns and blanks at the end are left out`() {
    let lines = TextTable.lines(
      [.left("NAME"), .right("COUNT"), .left("NOTE"), .left("KIND")],
      [["A", "5", "", "embedded"], ["Longer", "12345", "", ""]])
    #expect(lines == ["NAME    COUNT  KIND", "A           5  embedded", "Longer  12345"])
  }

  @Test func `columns are as wide as what a terminal draws`() {
    let (columns, rows) = ([TextTable.Column.left("CLASS"), .right("OBJECTS")], [["犬犬犬犬", "1"], ["Dog", "20"]])
    #expect(TextTable.lines(columns, rows) == ["CLASS     OBJECTS", "犬犬犬犬        1", "Dog            20"])
  }

  @Test(arguments: ["犬犬犬犬", "한글", "Ａ", "e\u{301}e\u{301}", "😀", "Ж"])
  func `a screen has the same columns after one for the cursor`(_ name: String) {
    let (columns, rows) = ([TextTable.Column.left("CLASS"), .right("犬")], [[name, "1"], ["Dog", "20"]])
    var table = TextTable(columns)
    for row in rows { table.append(row.map { CellText($0, .plain, .unicode) }) }
    table.layOut(width: 40)
    let screen = [table.header()] + [0, 1].map { table.line($0, isCursor: false) }
    #expect(screen.allSatisfy { $0.count == 40 })
    #expect(screen.map(\.text) == TextTable.lines(columns, rows).map { " " + $0 })
  }

  @Test func `what is least important gives way first`() {
    var table = TextTable([
      .flexible("name", rank: 9), .right("count", rank: 8), .left("kind", rank: 1, reservedWidth: 9),
    ])
    table.append(["a long name of a class", "123456", "embedded"].map { CellText($0, .plain, .unicode) })
    func texts(_ width: Int) -> [String] {
      table.layOut(width: width)
      return [table.header().text, table.line(0, isCursor: true).text]
    }
    #expect(
      texts(60) == [" name                     count  kind", "▌a long name of a class  123456  embedded"])
    #expect(texts(33) == [" name            count  kind", "▌a long name …  123456  embedded"])
    #expect(texts(24) == [" name              count", "▌a long name of…  123456"])
  }
}

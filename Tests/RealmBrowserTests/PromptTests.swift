import BrowserSupport
import TestSupport
import Testing

@testable import RealmBrowser

private let dogs = Fixture.path("engine/dogs.realm")

@Suite struct PromptTests {
  private func prompt(_ text: String = "") -> Prompt { Prompt(.command, label: ":", text: text) { _ in [] } }

  private func press(_ keys: String, _ text: String = "") throws -> String {
    let prompt = prompt(text)
    for key in try KeyText.keys(keys) { _ = prompt.press(key) }
    return String(prompt.text[..<prompt.caret]) + "|" + String(prompt.text[prompt.caret...])
  }

  @Test(arguments: [
    ("\"abc\"", "", "abc|"), ("\"abc\" Left \"x\"", "", "abx|c"), ("Home Del", "abc", "|bc"), ("^A ^D", "abc", "|bc"),
    ("Backspace", "abc", "ab|"), ("^U", "abc", "|"), ("Left Left ^K", "abc", "a|"), ("^W", "one two", "one |"),
    ("^W ^W", "one two ", "|"), ("Home End", "abc", "abc|"), ("Left Left Left Left", "ab", "|ab"),
    ("\"e\u{301}x\" Left Backspace", "", "|x"),
    ("Right", "ab", "ab|"),
  ])
  func aPromptIsEditedAsAShellIs(_ keys: String, _ text: String, _ expected: String) throws {
    #expect(try press(keys, text) == expected)
  }

  @Test func `a text that is pasted is looked at once`() throws {
    var checked: [String] = []
    let prompt = Prompt(
      .filter, label: "filter: ",
      check: {
        checked.append($0)
        return PromptNote(text: "\($0.count)")
      }
    ) { _ in [] }
    let text = String(repeating: "e\u{301}👩\u{200d}👧🇨🇭x ", count: 400)
    for scalar in text.unicodeScalars { _ = prompt.press(.character(scalar)) }
    #expect(checked.isEmpty && prompt.hasNote)
    #expect(prompt.string == text && prompt.caret == text.count)
    #expect(prompt.note?.text == "\(text.count)" && prompt.note?.text == "\(text.count)")
    #expect(checked == [text])
    _ = prompt.press(.backspace)
    #expect(prompt.note?.text == "\(text.count - 1)")
    // In the middle, a mark joins the character before the caret.
    _ = prompt.press(.home)
    for scalar in "o\u{308}".unicodeScalars { _ = prompt.press(.character(scalar)) }
    #expect(prompt.text.first == "ö" && prompt.caret == 1)
  }

  @Test func earlierLinesComeBack() throws {
    let driver = try Driver(dogs)
    driver.press(try KeyText.keys("/ \"rex\" Enter / \"toy\" Enter / Up Up"))
    #expect(driver.hints.hasPrefix(" /rex"))
    driver.press(.down)
    #expect(driver.hints.hasPrefix(" /toy"))
    driver.press(.down)
    #expect(driver.hints == " /")
  }

  @Test func aLongLineScrollsWithItsCaret() throws {
    let driver = try Driver(dogs, columns: 40, rows: 10)
    driver.type("/" + String(repeating: "漢字", count: 40))
    let caret = try #require(driver.screen.caret)
    #expect(caret.column < 40 && caret.row == 9)
    driver.press(.home)
    #expect(driver.screen.caret?.column == 2)
  }

  @Test func tabGoesThroughWhatACommandCouldBe() throws {
    let driver = try Driver(dogs)
    driver.press(try KeyText.keys(": \"s\" Tab"))
    #expect(driver.hints == " :snapshot")
    driver.press(.tab)
    #expect(driver.hints == " :schema")
    driver.press(.backTab)
    #expect(driver.hints == " :snapshot")
    driver.press(try KeyText.keys("Esc : \"open D\" Tab Enter"))
    #expect(driver.path.contains("› Dog"))
    driver.press(try KeyText.keys(": \"sort na\" Tab"))
    #expect(driver.hints == " :sort name")
  }

  @Test(arguments: [
    ("open Toy", "› Toy"), ("schema", "› schema"), ("schema Toy", "› schema"), ("map", "› link map"),
    ("help", "› help"), ("sch", "› schema"),
  ])
  func commandsGoToPlaces(_ command: String, _ path: String) throws {
    let driver = try Driver(dogs)
    driver.press(try KeyText.keys(": \"\(command)\" Enter"))
    #expect(driver.path.contains(path))
  }

  @Test(arguments: [
    ("nonsense", "unknown command 'nonsense'"), ("open Nobody", "no class and no file 'Nobody'"),
    ("sort name", ":sort has no effect in this view"), ("width x", ":width takes a number, not 'x'"),
    ("h", "ambiguous: hide, help"),
    ("schema Nobody", "no class 'Nobody'"),
  ])
  func commandsThatMeanNothingSaySo(_ command: String, _ message: String) throws {
    let driver = try Driver(dogs)
    driver.press(try KeyText.keys(": \"\(command)\" Enter"))
    #expect(driver.status.contains(message))
  }

  @Test func quittingByCommand() throws {
    for command in ["q", "quit"] {
      let driver = try Driver(dogs)
      driver.press(try KeyText.keys("Enter : \"\(command)\" Enter"))
      #expect(driver.browser.ending == .quit)
    }
  }
}

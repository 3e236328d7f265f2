import RealmStorage
import TestSupport
import Testing

@testable import RealmBrowser

private let dogs = Fixture.path("engine/dogs.realm")

@Suite struct MarkTests {
  /// Marks always agree with a plain set of keys.
  @Test func marksAreASet() {
    var state: UInt64 = 7
    var marks = RowMarks()
    var plain: Set<Int64> = []
    for step in 0..<4000 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      let key = Int64((state >> 33) % 60) - 20 + (step % 50 == 0 ? Int64.max - 40 : 0)
      marks.toggle(ObjectKey(rawValue: key))
      if plain.insert(key).inserted == false { plain.remove(key) }
      if step % 100 == 0 {
        #expect(marks.keys.map(\.rawValue) == plain.sorted() && marks.count == plain.count)
        let other = RowMarks([3, 5, 4, 900].map { ObjectKey(rawValue: $0) })
        var both = marks
        both.formUnion(other)
        #expect(Set(both.keys.map(\.rawValue)) == plain.union([3, 4, 5, 900]) && both.count == both.keys.count)
      }
    }
    #expect(marks == RowMarks(plain.map { ObjectKey(rawValue: $0) }))
  }

  @Test func spaceMarksAndGoesOn() throws {
    let driver = try Driver(dogs)
    driver.press(try KeyText.keys("Enter Space j Space"))
    #expect(driver.lines.filter { $0.hasPrefix("•") }.count == 2)
    #expect(driver.status.contains("2 marked") && driver.browser.page.row == 3)
    driver.press(.up)
    #expect(driver.cursorLine.hasPrefix("◆"))
    driver.press(try KeyText.keys("Space"))
    #expect(driver.status.contains("1 marked"))
    // They are kept when the user leaves the class.
    driver.press(try KeyText.keys("q Enter g"))
    #expect(driver.cursorLine.hasPrefix("◆") && driver.cursorLine.contains("Rex"))
  }

  @Test func allThatMatchAreMarkedAndShown() throws {
    let driver = try Driver(dogs)
    driver.press(try KeyText.keys("Enter : \"marked\" Enter"))
    #expect(driver.status.contains("nothing is marked"))
    driver.press(try KeyText.keys("f \"name CONTAINS 'e'\" Enter"))
    let matching = driver.browser.page.view.rowCount
    driver.press(try KeyText.keys("t"))
    #expect(driver.status.contains("\(matching) objects marked; T removes the marks"))
    driver.press(try KeyText.keys("Esc : \"marked\" Enter"))
    #expect(driver.browser.page.view.rowCount == matching && driver.filters == " filter: marked")
    driver.press(try KeyText.keys("f \"name == 'Rex'\" Enter"))
    #expect(driver.browser.page.view.rowCount == 1)
    driver.press(try KeyText.keys("Esc Esc t"))
    #expect(driver.status.contains("5 objects marked"))
    driver.press(try KeyText.keys("T"))
    #expect(!driver.lines.contains { $0.hasPrefix("•") })
  }

  @Test func marksOfObjectsThatAreGoneGoWithThem() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write("app.realm", Fixture.bytes("engine/dogs.realm"))
    let driver = try Driver(path)
    driver.press(try KeyText.keys("Enter t : \"marked\" Enter"))
    driver.press(.character("R"))
    #expect(driver.status.contains("reloaded") && driver.browser.page.view.rowCount == 5)
    try folder.write("app.realm", Fixture.bytes("engine/person-v1.realm"))
    driver.press(.character("R"))
    #expect(driver.browser.context.marks["class_Dog"] == nil)
  }

  @Test(arguments: [Bindings.table, Bindings.editing])
  private func noKeyIsBoundTwice(_ table: [Binding]) {
    var meanings: [Key: ViewKinds] = [:]
    for binding in table {
      for key in binding.keys {
        #expect(meanings[key, default: []].isDisjoint(with: binding.views), "\(key) \(binding.help)")
        meanings[key, default: []].formUnion(binding.views)
      }
    }
    #expect(table.allSatisfy { Set($0.keys).count == $0.keys.count })
  }
}

import BrowserSupport
import Foundation
import RealmQuery
import TestSupport
import Testing

@testable import RealmBrowser
@testable import RealmPresentation
@testable import RealmStorage

private let dogs = Fixture.path("engine/dogs.realm")

/// What the browser says is true.
@Suite struct AnswerTests {
  // MARK: Searching

  @Test func aSearchFindsWhatAFoldHides() throws {
    let driver = try Driver(Fixture.path("engine/all-types.realm"))
    driver.press(try KeyText.keys("Enter j j j o"))
    #expect(!driver.lines.contains { $0.contains("-15200") })
    driver.press(try KeyText.keys("/ \"-15200\" Enter"))
    // Two levels down, in a list shown on one line; what that line shows is not searched for below it.
    #expect(driver.cursorLine.contains("numbers") && driver.cursorLine.contains("-15200"))
    driver.press(.character("n"))
    #expect(driver.cursorLine.contains("numbers") && driver.status.contains("from the top"))
  }

  @Test func aSearchLooksIntoElementsThatAreNotListed() throws {
    let driver = try Driver(Fixture.path("engine/nested-mixed.realm"))
    driver.press(try KeyText.keys("Enter J \"13\" Enter o / \"6oPZGsmne1rnXf\" Enter"))
    #expect(driver.cursorLine.contains("more elements"))
    driver.press(try KeyText.keys("/ \"6oPZGsmne1rnXf and more\" Enter"))
    #expect(driver.status.contains("not found"))
  }

  @Test func aSearchInTheSchemaUnfoldsTheClass() throws {
    let driver = try Driver(dogs)
    driver.press(try KeyText.keys(": \"schema Toy\" Enter"))
    #expect(!driver.lines.contains { $0.contains("breed") })
    driver.press(try KeyText.keys("/ \"breed\" Enter"))
    #expect(driver.cursorLine.contains("breed"))
  }

  @Test func aTextBrokenBetweenTwoLinesIsFound() throws {
    let driver = try Driver(Fixture.path("engine/strings.realm"), columns: 40, rows: 10)
    driver.press(try KeyText.keys("j j j Enter G o j Enter"))
    let pager = try #require(driver.browser.page.view as? ValuePager)
    let (first, second) = (pager.line(3, isCursor: false), pager.line(4, isCursor: false))
    let text = { (cells: [Cell]) in String(String.UnicodeScalarView(cells.map(\.base))) }
    let joined = text(Array(first.suffix(6))).trimmingCharacters(in: .whitespaces) + text(Array(second[1..<6]))
    driver.press(.character("/"))
    driver.type(joined)
    driver.press(.enter)
    #expect(!driver.status.contains("not found"))
  }

  // MARK: Jumping

  @Test(arguments: [
    (
      "Enter f \"fido\" Enter J \"650000000000000000000000\" Enter",
      "the filter hides the object with the primary key '650000000000000000000000'"
    ),
    ("Enter f \"fido\" Enter J \"#4\" Enter", "the filter hides object #4"),
    ("Enter f \"fido\" Enter J \"#99\" Enter", "no object #99"),
    ("Enter J \"nothing\" Enter", "no object has the primary key 'nothing'"),
    (
      "j Enter j $ Enter J \"650000000000000000000000\" Enter",
      "the object with the primary key '650000000000000000000000' is not among those shown here"
    ),
    ("j Enter j $ Enter J \"#0\" Enter", "object #0 is not among those shown here"),
  ])
  func aJumpThatCannotBeMadeSaysWhy(_ keys: String, _ answer: String) throws {
    let driver = try Driver(dogs, columns: 120)
    driver.press(try KeyText.keys(keys))
    #expect(driver.status.contains(answer))
  }

  // MARK: Filters

  @Test(arguments: [
    ("nosuch: x", "'Dog' has no property 'nosuch'"), ("nosuch:", "'Dog' has no property 'nosuch'"),
    ("name > 5", "Unsupported comparison between type 'string' and type 'int'"),
    ("name>", "not yet a query; quote the text to search for it"),
    ("name = = 1", "syntax error, unexpected =="), ("name", "not yet a query"), ("the name", "unexpected identifier"),
    ("name:", "nothing to filter by"), ("a > b", "'Dog' has no property 'b'"),
    ("a > ", "nothing matches; searched as text, because it is not a query; Esc"), ("12:30", "nothing matches; Esc"),
    ("https://x", "nothing matches; Esc"), ("\"name > 5\"", "nothing matches; Esc"),
    ("name == 'nobody'", "nothing matches; Esc shows all again"),
    ("favoriteToy == obj('Toy', uuid(00000000-0000-0000-0000-000000000001))", "has no object with the primary key"),
    ("ALL {1} == name.x SORT(", "not yet a query"), ("name == 1 )", "unexpected ')'"),
  ])
  func aFilterThatCannotBeMeantSoSaysWhatIsWrong(_ text: String, _ answer: String) throws {
    let driver = try Driver(dogs, columns: 140)
    driver.press(.enter, .character("f"))
    driver.type(text)
    driver.press(.enter)
    #expect((driver.status + driver.hints).contains(answer), "\(driver.hints)")
  }

  @Test(arguments: [
    "name == 'Rex'", "name BEGINSWITH 'R'", "name LIKE[c] 'REX' SORT(name ASC) LIMIT(1)", "name: rex", "name : rex",
    "\"Rex\"", "rex", "name:rex",
  ])
  func aFilterFinds(_ text: String) throws {
    let driver = try Driver(dogs)
    driver.press(.enter, .character("f"))
    driver.type(text)
    driver.press(.enter)
    #expect(driver.cursorLine.contains("Rex"))
    #expect(driver.browser.page.view.rowCount == 1)
  }

  @Test func escapeDuringAFilterKeepsTheSort() throws {
    let executor = HeldExecutor()
    let driver = try Driver(dogs, executor: executor)
    driver.press(try KeyText.keys("Enter l l s"))
    executor.runAll()
    driver.send(.wake)
    let before = driver.lines[1...10]
    #expect(driver.lines[1].contains("name↑"))
    driver.press(try KeyText.keys("f \"o\" Enter"))
    #expect(driver.status.contains("filtering"))
    driver.press(.escape)
    #expect(driver.status.contains("stopped"))
    executor.runAll()
    driver.send(.wake)
    #expect(driver.lines[1...10] == before)
    #expect(driver.filters.isEmpty)
  }

  // MARK: Stopping

  /// Everything that goes through values notices before the next one that it should stop.
  @Test func stoppedWorkLooksAtNoFurtherValue() throws {
    let snapshot = try OpenableFixture.named("dogs").opened()
    let table = try #require(snapshot.table(displayName: "Dog"))
    let (batch, _) = try #require(try table.object(ObjectKey(rawValue: 0)))
    let rows = 0..<batch.count
    let text = try ObjectFilter("e", of: table, in: snapshot).predicate
    let query = try ObjectFilter("name != 'e'", of: table, in: snapshot).predicate
    let predicates: [any ObjectPredicate] = [
      text, EqualTextPredicate("Rex", property: 1),
      DistinctPredicate(identity: .null, property: 2), query,
    ]
    #expect(query is QueryPredicate)
    for (first, second) in zip(predicates, [text, text, query, text]) {
      let progress = TaskProgress(total: 0)
      let matcher = try first.matcher(of: table, in: snapshot, progress)
      let both = AllMatchers(matchers: [matcher, try second.matcher(of: table, in: snapshot, progress)])
      progress.stop()
      for matcher in [matcher, both] as [any ObjectMatcher] {
        var damage = DamageTally()
        #expect(throws: TaskProgress.Stopped.self) {
          try matcher.match(batch, rows: rows, &damage, found: { _ in })
        }
      }
    }
  }

  /// The search stops in the middle of a list, whether it is long or only looks long because of damage.
  @Test func stoppedWorkLeavesACollectionInItsMiddle() throws {
    let snapshot = try OpenableFixture.named("nested-mixed").opened()
    let table = try #require(snapshot.table(displayName: "Doc"))
    let property = try #require(table.schema.properties.firstIndex { $0.name == "anyList" })
    let (batch, row) = try #require(try table.object(ObjectKey(rawValue: 13)))
    let list = try batch.values(ofProperty: property).value(at: row)
    let progress = TaskProgress(total: 0)
    let pattern = try #require(TextPattern("no such text"))
    #expect(try !ValueMatcher(pattern, snapshot, progress).matches(list))
    progress.stop()
    #expect(throws: TaskProgress.Stopped.self) {
      let identity = DistinctValue.null
      let predicate = DistinctPredicate(identity: identity, property: property)
      var damage = DamageTally()
      try predicate.matcher(of: table, in: snapshot, progress).match(batch, rows: row..<row + 1, &damage) { _ in }
    }
    #expect(throws: TaskProgress.Stopped.self) { _ = try ValueMatcher(pattern, snapshot, progress).matches(list) }
  }

  // MARK: Sizes

  /// A table whose reference to its objects leads to another table, or back to itself, does not get the bytes of that.
  @Test(arguments: ["Dog", "Toy"])
  func theSizeOfADamagedClassIsWhatCouldBeProved(_ target: RealmString) throws {
    let sound = try OpenableFixture.named("dogs").opened()
    let toy = try #require(sound.table(displayName: "Toy")).root
    let other = try #require(sound.table(displayName: target)).root
    var bytes = try Fixture.bytes("engine/dogs.realm")
    let width = (1 << Int(bytes[Int(toy.rawValue) + 4] & 7)) >> 4
    for byte in 0..<width {
      bytes[Int(toy.rawValue) + 8 + 2 * width + byte] = UInt8(truncatingIfNeeded: other.rawValue >> UInt64(8 * byte))
    }
    let store = ByteStore(copying: bytes)
    let before = try count("Toy", in: sound)
    let after = try count("Toy", in: Snapshot(of: store))
    #expect(before.damagedParts == 0)
    #expect(after.damagedParts > 0)
    #expect(after.byteCount < before.byteCount)
  }

  private func count(_ name: RealmString, in snapshot: Snapshot) throws -> ByteCounting {
    let visited = ByteCounting.VisitedNodes()
    for earlier in ["Dog", name] as [RealmString] {
      guard let table = snapshot.table(displayName: earlier) else { continue }
      var counting = table.byteCounting(noting: visited)
      while counting.advance(nodes: 100) {}
      if earlier == name { return counting }
    }
    throw StorageError.corrupted(.null, .missingNode)
  }

  @Test func aFileWithInternalTablesOnlySaysHowToSeeThem() throws {
    let folder = try TemporaryFolder()
    var bytes = try Fixture.bytes("engine/dogs.realm")
    let prefix = Array("class_".utf8)
    for start in 0..<bytes.count - prefix.count where Array(bytes[start..<start + prefix.count]) == prefix {
      bytes.replaceSubrange(start..<start + prefix.count, with: "inner_".utf8)
    }
    let driver = try Driver(try folder.write("internal.realm", bytes))
    #expect(driver.lines.contains { $0.contains("no classes; . shows 4 internal tables") })
    driver.press(.character("."))
    #expect(driver.browser.page.view.rowCount == 4)
  }
}

import Foundation
import RealmMigration
import RealmStorage
import TestSupport
import Testing

/// Objects that an external program changes.
@Suite struct TransformTests {
  private static var allowed: PlanCase.Settings {
    var settings = PlanCase.Settings()
    settings.options.allowsCommands = true
    return settings
  }

  /// An operation that runs a script.
  private static func transform(_ script: String, _ more: String = "") -> String {
    let quoted = script.replacing("'", with: "''")
    return "transform: { class: Person, command: [sh, -c, '\(quoted)']\(more) }"
  }

  @Test func aProgramAnswersInAnyOrder() throws {
    let realm = try Sample.people()
    let script = """
      cat > /dev/null; echo '{"key":2,"set":{"firstName":"Third"}}'; echo '{"key":0,"set":{"age":1,"lastName":"First"}}';
      echo '{"key":1,"delete":true}'; echo '{"log":"one is gone"}'; echo;
      echo '{"create":"Person","ref":"p","value":{"firstName":"New","age":{"$numberLong":"9"}}}'
      """.replacing("\n", with: " ")
    let outcome = try realm.run(Self.transform(script), settings: Self.allowed)
    #expect(
      try realm.objects("Person") == [
        #"{"firstName":"John","lastName":"First","age":1}"#, #"{"firstName":"Third","lastName":"Smith","age":44}"#,
        #"{"firstName":"New","lastName":"","age":9}"#,
      ])
    let done = try outcome.operation(0)
    #expect(done.objects == 3 && done.computed == 2 && done.deleted == 1 && done.created == 1)
    #expect(outcome.report?.warnings.map(\.message) == ["one is gone"])
  }

  @Test func aProgramGetsOldAndNew() throws {
    let realm = try Sample.people()
    let path = realm.folder.path("got")
    try realm.run(
      "rename_property: { class: Person, from: age, to: years }",
      Self.transform("cat > \(path)", ", where: 'years > 43'"), settings: Self.allowed)
    let got = String(decoding: try Fixture.bytes(ofFile: path), as: UTF8.self)
    #expect(
      got == """
        {"type":"header","plan":"","step":2,"class":"Person","oldVersion":1}
        {"type":"object","key":2,"old":{"firstName":"John","lastName":"Smith","age":44},"new":{"firstName":"John",\
        "lastName":"Smith","years":44}}
        {"type":"end"}

        """)
  }

  /// Neither side waits for the other, however much data is in transit: the program answers each object with a long
  /// line.
  @Test func muchGoesBothWays() throws {
    let rows = (0..<3000).map { #"{"firstName":"\#(String(repeating: "x", count: 200))","age":\#($0)}"# }
    let realm = try PlanCase(Sample.peopleSchema, #"{"Person":[\#(rows.joined(separator: ","))]}"#)
    let script =
      #"awk -F'[:,]' '/"object"/ { printf "{\"key\":%s,\"set\":{\"lastName\":\"%s\"}}\n", $4, $0 == "" ? "" : sprintf("%0300d", $4) }'"#
    let outcome = try realm.run(Self.transform(script), settings: Self.allowed)
    #expect(try outcome.operation(0).computed == 3000)
    #expect(try realm.values("Person", "lastName").allSatisfy { $0.utf8.count == 302 })
  }

  @Test(arguments: [
    ("cat > /dev/null; exit 3", "'sh' ended with status 3"),
    ("exit 4", "'sh' ended with status 4"),
    ("kill -9 $$", "'sh' was ended by signal 9"),
    ("cat > /dev/null; echo '{\"key\":9,\"set\":{}}'", "line 1 of 'sh': object 9 was not sent"),
    (
      "cat > /dev/null; echo '{\"key\":0,\"set\":{\"agee\":1}}'",
      "line 1 of 'sh': 'Person' has no property 'agee'; did you mean 'age'?"
    ),
    (
      "cat > /dev/null; echo '{\"key\":0,\"set\":{\"age\":\"x\"}}'",
      "line 1 of 'sh': 'age' takes an int (a whole number of 64 bits), not 'x'"
    ),
    ("cat > /dev/null; echo; echo 'hello'", "line 2 of 'sh': not valid JSON: unexpected 'h', expected a value"),
    ("cat > /dev/null; echo '{\"kye\":0}'", "line 1 of 'sh': unknown key 'kye'; did you mean 'key'?"),
    ("cat > /dev/null; echo '{\"key\":0}'", "line 1 of 'sh': 'set', 'append' or 'delete' is missing"),
  ])
  func mistakesOfProgramsStopThePlan(_ script: String, _ message: String) throws {
    let realm = try Sample.people()
    #expect(try realm.failure(Self.transform(script), settings: Self.allowed) == "5:25: transform: \(message)")
  }

  @Test func aProgramThatIsNotThereOrDoesNotEnd() throws {
    #expect(
      try Sample.people().failure("transform: { class: Person, command: [/no/such/program] }", settings: Self.allowed)
        == "5:25: transform: '/no/such/program' could not be started: No such file or directory")
    #expect(
      try Sample.people().failure(Self.transform("sleep 60 & sleep 60", ", timeout: 0.3"), settings: Self.allowed)
        == "5:25: transform: 'sh' did not end in time")
  }
}

import Foundation
import RealmStorage
import TestSupport
import Testing

@testable import realmctl

/// Plans on the command line.
@Suite struct PlanCommandTests {
  /// A folder with a realm of version 1: Person{firstName, lastName, age}, two objects.
  private struct Case {
    let folder: TemporaryFolder
    var tool = Tool()

    init() throws {
      folder = try TemporaryFolder()
      tool.folder = folder.path
      try write(
        "model.json",
        #"{"schemaVersion":1,"classes":[{"name":"Person","properties":{"firstName":"string","lastName":"string","age":"int"}}]}"#
      )
      try write(
        "data.json",
        #"{"Person":[{"firstName":"John","lastName":"Doe","age":42},{"firstName":"Jane","lastName":"Doe","age":43}]}"#)
      let outcome = try tool.run("bundle", "--schema", "model.json", "--data", "data.json", "--seed", "a.realm")
      #expect(outcome.status == 0, "\(outcome.errors)")
    }

    @discardableResult func write(_ name: String, _ text: String) throws -> String {
      try folder.write(name, Array(text.utf8))
    }

    func objects(_ name: String = "a.realm") throws -> String {
      _ = try LeftRealm(folder.path(name))
      return try tool.run("export", name, "--only", "Person", "--format", "ndjson", "--no-keys").outputText
    }
  }

  private static let plan = """
    plan: 1
    steps:
      - to: 2
        note: combine the name
        do:
          - add_property: { class: Person, name: fullName, type: string, value: { template: "{firstName} {lastName}" } }
          - remove_property: { class: Person, name: firstName, lossy: ok }
          - remove_property: { class: Person, name: lastName, lossy: ok }
      - to: 3
        do:
          - convert: { class: Person, name: age, to: string }
    """

  @Test func aRehearsalAndTheRunSayTheSame() throws {
    let realm = try Case()
    try realm.write("plan.yml", Self.plan)
    let before = try Fixture.bytes(ofFile: realm.folder.path("a.realm"))
    let dryRun = try realm.tool.run("migrate", "a.realm", "--plan", "plan.yml", "--dry-run", "--show", "1")
    #expect(dryRun.status == 0 && dryRun.errors == "")
    #expect(
      dryRun.outputText == """
        a.realm: would be migrated: schema version 1 -> 3
          step to version 2: combine the name
            add_property Person.fullName: 2 objects, 2 values
            remove_property Person.firstName: 2 objects
            remove_property Person.lastName: 2 objects
          step to version 3
            convert Person.age: 2 objects, 2 converted
          object 0 of class 'Person'
            - {"firstName":"John","lastName":"Doe","age":42}
            + {"fullName":"John Doe","age":"42"}
          lost: 'Person.firstName': 2 of 2 objects have a value other than the default
          lost: 'Person.lastName': 2 of 2 objects have a value other than the default
          removed values would stay in the file's free space; --compact removes them

        """)
    #expect(try Fixture.bytes(ofFile: realm.folder.path("a.realm")) == before)
    let run = try realm.tool.run(
      "migrate", "a.realm", "--plan", "plan.yml", "--to-version", "3", "--no-backup", "--json")
    #expect(run.status == 0, "\(run.errors)")
    #expect(
      try realm.objects() == "{\"fullName\":\"John Doe\",\"age\":\"42\"}\n{\"fullName\":\"Jane Doe\",\"age\":\"43\"}\n")
    let again = try realm.tool.run("migrate", "a.realm", "--plan", "plan.yml")
    #expect(again.outputText == "a.realm: nothing to do: schema version 3, no schema changes\n")
    let copied = try realm.tool.run("migrate", "a.realm", "--plan", "plan.yml", "-o", "copy.realm")
    #expect(copied.outputText.contains("no schema changes\nwrote copy.realm: "), "\(copied.outputText)")
    _ = try LeftRealm(realm.folder.path("copy.realm"))
  }

  @Test(arguments: [
    (["--rename", "Person.age=years"], #"{"firstName":"John","lastName":"Doe","years":42}"#),
    (["--convert", "Person.age=string"], #"{"firstName":"John","lastName":"Doe","age":"42"}"#),
    (["--set", "Person.lastName={firstName} {lastName}"], #"{"firstName":"John","lastName":"John Doe","age":42}"#),
    (["--set", "Person.age=7", "--rename", "Person.firstName=name"], #"{"name":"John","lastName":"Doe","age":7}"#),
  ])
  func plansOfOneLine(_ options: [String], _ first: String) throws {
    let realm = try Case()
    let outcome = try realm.tool.run(["migrate", "a.realm", "--to-version", "2", "--no-backup"] + options)
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(try realm.objects().hasPrefix(first + "\n"))
  }

  @Test func aClassIsDeletedIfThatIsAllowed() throws {
    let realm = try Case()
    let arguments = ["migrate", "a.realm", "--to-version", "2", "--no-backup", "--delete-class", "Person"]
    let refused = try realm.tool.run(arguments)
    #expect(refused.status == 7 && refused.errors.contains("(class 'Person' would be removed with 2 objects); use"))
    #expect(try realm.tool.run(arguments + ["--allow-data-loss"]).status == 0)
    #expect(try LeftRealm(realm.folder.path("a.realm")).classNames == [])
    try realm.write(
      "model.json",
      #"{"classes":[{"name":"A","properties":{"c":"C","cs":"C[]"}},{"name":"C","embedded":true,"properties":{"n":"int"}}]}"#
    )
    #expect(try realm.tool.run("bundle", "--schema", "model.json", "--seed", "b.realm").status == 0)
    let inserted = try realm.tool.run("insert", "b.realm", "A", #"c={"n":1}"#, #"cs=[{"n":2},{"n":3}]"#, "--no-backup")
    #expect(inserted.status == 0)
    let owner = try realm.tool.run("migrate", "b.realm", "--to-version", "2", "--delete-class", "A")
    #expect(
      owner.errors.contains("(class 'A' would be removed with 1 object and 3 embedded objects of class 'C'); use"),
      "\(owner.errors)")
  }

  /// What became of a value that cannot be converted is counted once, and that it could not be converted after it.
  @Test func everyObjectIsCountedOnce() throws {
    let realm = try Case()
    try realm.write(
      "plan.yml",
      "plan: 1\nsteps:\n- to: 2\n  do:\n  - convert: { class: Person, name: firstName, to: 'int?', on_error: null }\n")
    let outcome = try realm.tool.run("migrate", "a.realm", "--plan", "plan.yml", "--dry-run")
    #expect(
      outcome.outputText.contains(
        "convert Person.firstName: 2 objects, 2 null; 2 values could not be converted\n"), "\(outcome.outputText)")
  }

  @Test func nullForATypeThatCannotBeNullIsAMistakeOfThePlan() throws {
    let realm = try Case()
    try realm.write(
      "plan.yml",
      "plan: 1\nsteps:\n- to: 2\n  do:\n  - convert: { class: Person, name: firstName, to: int, on_error: null }\n")
    for words in [["plan", "check", "plan.yml"], ["plan", "check", "plan.yml", "a.realm"]] {
      let check = try realm.tool.run(words)
      #expect(check.status == 7)
      #expect(
        check.errors == "realmctl: plan.yml:5:67: 'on_error: null' needs the type 'int?', not 'int'\n",
        "\(check.errors)")
    }
    #expect(try realm.tool.run("migrate", "a.realm", "--plan", "plan.yml").status == 7)
  }

  @Test func mistakesAreToldWithTheirPlace() throws {
    let realm = try Case()
    try realm.write("plan.yml", "plan: 1\nsteps:\n- to: 2\n  do:\n  - set: { class: Person, valeus: {} }\n")
    let check = try realm.tool.run("plan", "check", "plan.yml")
    #expect(check.status == 7)
    #expect(
      check.errors == """
        realmctl: plan.yml:5:10: 'set' needs 'values', 'add', 'remove' or 'unset'
        realmctl: plan.yml:5:27: unknown key 'valeus'; did you mean 'values'?

        """)
    try realm.write("plan.yml", Self.plan.replacing("{firstName} ", with: "{fristName} "))
    #expect(try realm.tool.run("plan", "check", "plan.yml").status == 0)
    for command in [["plan", "check", "plan.yml", "a.realm"], ["migrate", "a.realm", "--plan", "plan.yml"]] {
      let outcome = try realm.tool.run(command)
      #expect(outcome.status == 7)
      #expect(
        outcome.errors
          == "realmctl: \(command[0] == "plan" ? "" : "a.realm: ")plan.yml:6:89: add_property: "
          + "'Person' has no property 'fristName'" + (command[0] == "plan" ? "" : ", so nothing was changed")
          + "; did you mean 'firstName'?\n")
    }
    try realm.write("plan.yml", Self.plan)
    #expect(
      try realm.tool.run("plan", "check", "plan.yml", "a.realm").outputText
        == "plan.yml: plan valid; 2 steps, to version 3; 2 steps to run on a.realm (version 1)\n")
    try realm.write("plan.yml", "plan: 1\nsteps: [ { to: 1, do: [ add_index: { class: Nobody, name: age } ] } ]")
    #expect(
      try realm.tool.run("plan", "check", "plan.yml", "a.realm").outputText
        == "plan.yml: plan valid; 1 step, to version 1; nothing to run on a.realm (version 1), so names and types were "
        + "not checked\n")
  }

  @Test("a check names all that keeps a plan from running, and nothing that only results from it")
  func allMistakes() throws {
    let realm = try Case()
    try realm.write(
      "plan.yml",
      """
      plan: 1
      steps:
      - to: 2
        do:
        - convert: { class: Person, name: age, to: integer }
        - rename_property: { class: Persn, from: firstName, to: name }
        - make_optional: { class: Person, name: name }
        - set: { class: Person, values: { lastNmae: x } }
        - remove_property: { class: Person, name: born }
      - to: 3
        do:
        - convert: { class: Person, name: age, to: string }
        - remove_class: { name: Nobody, lossy: ok }

      """)
    let check = try realm.tool.run("plan", "check", "plan.yml", "a.realm")
    #expect(check.status == 7)
    let place = "realmctl: plan.yml:"
    #expect(
      check.errors == """
        \(place)5:46: convert: 'integer' is neither a type nor a class; did you mean 'int'?
        \(place)6:31: rename_property: Cannot rename properties for type 'Persn' because it does not exist; did you mean 'Person'?
        \(place)8:37: set: 'Person' has no property 'lastNmae'; did you mean 'lastName'?
        \(place)9:45: remove_property: 'Person' has no property 'born'; the properties are: firstName, lastName, age
        \(place)13:27: remove_class: no class 'Nobody'; the only class is 'Person'

        """)
  }

  @Test(
    "a check knows the types of formulas that depend on no values",
    arguments: [
      ("int", "{ copy: firstName }", "'firstName' is a string, but 'new' has type int"),
      ("int", "{ expr: age * 2 }", nil), ("double", "{ expr: age / 2 }", nil), ("string", "{ copy: firstName }", nil),
      ("int", "{ expr: 'firstName * 2' }", "'firstName * 2': '*' cannot be used with a string and an int"),
      ("int", "{ expr: 1 / 0 }", "'1 / 0': division by zero"), ("int", "{ expr: 1 / (age - age) }", nil),
      ("int", "{ expr: age + 9223372036854775807 }", nil),
      ("int", "{ expr: 9223372036854775807 + 1 }", "9223372036854775807 + 1 is beyond the range of int"),
      ("bool", "{ expr: age }", "'age' is an int, but 'new' has type bool"), ("bool", "{ expr: age > 1 }", nil),
      ("int[]", "{ copy: age }", "'age' is an int, but 'new' has type int[]"), ("int[]", "[{ copy: age }]", nil),
      ("mixed", "{ copy: firstName }", nil), ("int", "{ expr: int(firstName) }", nil),
      ("Person", "{ objects: [Person, 'age > 1'] }", nil),
      ("int", "{ objects: [Person, 'age > 1'] }", ", but 'new' has type int"),
      ("int", "{ expr: upper(firstName) }", "'upper(firstName)' is a string, but 'new' has type int"),
      ("string", "{ expr: upper(age) }", "'upper(age)': 'upper' takes text, not an int"),
      ("string", "{ expr: len(firstName) }", "'len(firstName)' is an int, but 'new' has type string"),
      ("string", "{ expr: 'substr(firstName, 0, 3)' }", nil), ("double", "{ expr: 'round(age * 1.5, 1)' }", nil),
      ("date", "{ expr: uuid(firstName) }", "'uuid(firstName)' is a uuid, but 'new' has type date"),
      ("int", "{ expr: 'if(age > 1, len(firstName), age)' }", nil),
      ("int?", "{ expr: 'coalesce(age, abs(firstName))' }", nil),
      ("date?", "{ expr: int(null) }", nil),
    ])
  func typesOfFormulas(_ type: String, _ value: String, _ problem: String?) throws {
    let realm = try Case()
    try realm.write(
      "plan.yml",
      """
      plan: 1
      steps:
      - to: 2
        do:
        - add_property: { class: Person, name: new, type: "\(type)", value: \(value) }
      """)
    let check = try realm.tool.run("plan", "check", "plan.yml", "a.realm")
    #expect(check.status == (problem == nil ? 0 : 7), "\(check.errors)")
    #expect(problem.map { check.errors.contains($0) } ?? check.errors.isEmpty, "\(check.errors)")
    // What a check refuses cannot run.
    guard problem != nil else { return }
    let before = try Fixture.bytes(ofFile: realm.folder.path("a.realm"))
    #expect(try realm.tool.run("migrate", "a.realm", "--plan", "plan.yml").status == 7)
    #expect(try Fixture.bytes(ofFile: realm.folder.path("a.realm")) == before)
  }

  @Test func aSkeletonLeadsToAHigherVersion() throws {
    let realm = try Case()
    for version in ["0", "1"] {
      let outcome = try realm.tool.run("plan", "new", "a.realm", "--schema", "model.json", "--to-version", version)
      #expect(outcome.status == 7 && outcome.outputText.isEmpty)
      #expect(outcome.errors.contains("already at schema version 1; use --to-version 2 or higher"))
    }
  }

  @Test func aSkeletonStartsAtTheSnapshot() throws {
    let realm = try Case()
    try realm.write("plan.yml", Self.plan)
    #expect(try realm.tool.run("migrate", "a.realm", "--plan", "plan.yml", "--no-backup").status == 0)
    let new = ["plan", "new", "a.realm", "--schema", "model.json", "--to-version", "9"]
    #expect(try realm.tool.run(new).outputText.contains("from: 3\n"))
    let older = try realm.tool.run(new + ["--snapshot", "previous"])
    #expect(older.outputText.contains("from: 1\n"), "\(older.outputText)\(older.errors)")
    #expect(try realm.tool.run(new + ["--snapshot", "99999"]).status == 3)
  }

  @Test func aSkeletonCanBeRun() throws {
    let realm = try Case()
    try realm.write(
      "new.json",
      #"[{"name":"Person","properties":{"name":"string","lastName":"string?","age":"string"}},{"name":"Dog","primaryKey":"id","properties":{"id":"objectId","owners":"Person[]"}}]"#
    )
    let plan = try realm.tool.run("plan", "new", "a.realm", "--schema", "new.json", "--to-version", "2")
    #expect(
      plan.outputText == """
        plan: 1
        steps:
          - to: 2
            from: 1
            do:
              - add_class: { name: Dog, primary_key: id, properties: { id: objectId, owners: "Person[]" } }
              - remove_property: { class: Person, name: firstName }  # lossy: its values are lost; add 'lossy: ok' if that is intended
              - make_optional: { class: Person, name: lastName }
              - convert: { class: Person, name: age, to: string }
              # perhaps, instead of adding 'name' and removing 'firstName':
              # - rename_property: { class: Person, from: firstName, to: name }
              - add_property: { class: Person, name: name, type: string, default: { choose: a value } }

        """)
    try realm.write("plan.yml", plan.outputText)
    let refused = try realm.tool.run("migrate", "a.realm", "--plan", "plan.yml", "--allow-data-loss", "--no-backup")
    #expect(refused.status == 7)
    #expect(refused.errors.contains("plan.yml:12:75: choose a value: "), "\(refused.errors)")
    try realm.write("plan.yml", plan.outputText.replacing("{ choose: a value }", with: "nobody"))
    let run = try realm.tool.run("migrate", "a.realm", "--plan", "plan.yml", "--allow-data-loss", "--no-backup")
    #expect(run.status == 0, "\(run.errors)")
    #expect(try realm.tool.run("schema", "diff", "a.realm", "new.json").status == 0)
  }

  /// The example of the SDKs' documentation, in one command.
  @Test func aPropertyOfTheTargetIsSetBeforeOthersGo() throws {
    let realm = try Case()
    try realm.write(
      "new.json", #"[{"name":"Person","properties":{"fullName":{"type":"string","indexed":true},"age":"int"}}]"#)
    let outcome = try realm.tool.run(
      "migrate", "a.realm", "--set", "Person.fullName={firstName} {lastName}", "--schema", "new.json", "--to-version",
      "2", "--allow-data-loss", "--no-backup")
    #expect(outcome.status == 0, "\(outcome.errors)")
    let lines = try realm.objects().split(separator: "\n")
    #expect(lines == [#"{"age":42,"fullName":"John Doe"}"#, #"{"age":43,"fullName":"Jane Doe"}"#])
    #expect(try realm.tool.run("schema", "diff", "a.realm", "new.json").status == 0)
  }

  @Test func whatWasRenamedIsSaidToBe() throws {
    let realm = try Case()
    let words = ["migrate", "a.realm", "--rename", "Person.age=years", "--to-version", "2", "--no-backup"]
    let dry = try realm.tool.run(words + ["--dry-run"])
    #expect(dry.outputText.contains("\n  Property 'Person.age' has been renamed to 'years'.\n"), "\(dry.outputText)")
    let outcome = try realm.tool.run(words + ["--rename", "Person=Human", "--json"])
    #expect(outcome.status == 0, "\(outcome.errors)")
    let report = try #require(JSONSerialization.jsonObject(with: Data(outcome.output)) as? [String: Any])
    #expect(
      report["schemaDiff"] as? [String] == [
        "Class 'Person' has been renamed to 'Human'.", "Property 'Human.age' has been renamed to 'years'.",
      ])
    _ = try LeftRealm(realm.folder.path("a.realm"))
  }

  /// Other changes of a renamed property are reported under its new name.
  @Test func aRenamedPropertyThatAlsoBecomesOptional() throws {
    let realm = try Case()
    try realm.write(
      "new.json", #"[{"name":"Person","properties":{"firstName":"string","lastName":"string","years":"int?"}}]"#)
    let outcome = try realm.tool.run(
      "migrate", "a.realm", "--rename", "Person.age=years", "--schema", "new.json", "--to-version", "2", "--no-backup",
      "--json")
    let report = try #require(JSONSerialization.jsonObject(with: Data(outcome.output)) as? [String: Any])
    #expect(
      report["schemaDiff"] as? [String] == [
        "Property 'Person.age' has been renamed to 'years'.", "Property 'Person.years' has been made optional.",
      ])
    #expect(try realm.objects().contains(#""years":42"#))
  }

  @Test func aRenamedPropertyThatIsConverted() throws {
    let realm = try Case()
    let outcome = try realm.tool.run(
      "migrate", "a.realm", "--rename", "Person.age=years", "--convert", "Person.years=string", "--to-version", "2",
      "--no-backup", "--json")
    let report = try #require(JSONSerialization.jsonObject(with: Data(outcome.output)) as? [String: Any])
    #expect(
      report["schemaDiff"] as? [String] == [
        "Property 'Person.age' has been renamed to 'years'.",
        "Property 'Person.years' has been changed from 'int' to 'string'.",
      ])
    #expect(try realm.objects().contains(#""years":"42""#))
  }

  /// A change that did not run must not look done.
  @Test(arguments: [
    ["--rename", "Person.age=years"], ["--rename", "Person.aeg=years"], ["--convert", "Person.age=string"],
    ["--set", "Person.age=7"], ["--delete-class", "Nobody"],
  ])
  func changesAtTheStoredVersionDidNotRun(_ options: [String]) throws {
    let realm = try Case()
    let before = try Fixture.bytes(ofFile: realm.folder.path("a.realm"))
    for dryRun in [[], ["--dry-run"]] {
      let outcome = try realm.tool.run(
        ["migrate", "a.realm", "--to-version", "1", "--no-backup"] + options + dryRun)
      #expect(outcome.status == 7)
      #expect(
        outcome.errors
          == "realmctl: a.realm: already at schema version 1, so nothing was changed; use "
          + "--to-version 2 or higher\n")
    }
    #expect(try Fixture.bytes(ofFile: realm.folder.path("a.realm")) == before)
  }

  @Test func aPlanWithWorkAtTheStoredVersionDidNotRun() throws {
    let realm = try Case()
    let plan = "plan: 1\nsteps:\n- to: 2\n  do:\n  - rename_property: { class: Person, from: age, to: years }\n"
    try realm.write("plan.yml", plan.replacing("to: 2", with: "to: 1"))
    #expect(try realm.tool.run("migrate", "a.realm", "--plan", "plan.yml", "--no-backup").status == 7)
    try realm.write("plan.yml", plan)
    #expect(try realm.tool.run("migrate", "a.realm", "--plan", "plan.yml", "--no-backup").status == 0)
    // Done already: there is nothing to say about it.
    #expect(try realm.tool.run("migrate", "a.realm", "--plan", "plan.yml", "--no-backup").status == 0)
  }

  /// The line that restores a backup takes paths that a shell or a command would read as something else.
  @Test func backupsOfOddNamesAreRestoredByTheirLine() throws {
    let realm = try Case()
    let bytes = try Fixture.bytes(ofFile: realm.folder.path("a.realm"))
    for name in ["-p.realm", "=ls.realm", "a b'c$(touch x).realm", "~.realm", "line\nend.realm", "\u{202e}x.realm"] {
      try realm.folder.write(name, bytes)
      let outcome = try realm.tool.run("migrate", "--rename", "Person.age=years", "--to-version", "2", "--", name)
      #expect(outcome.status == 0, "\(outcome.errors)")
      let lines = outcome.outputText.split(separator: "\n")
      let place = try #require(lines.firstIndex { $0.hasPrefix("backup: ") })
      #expect(try Fixture.bytes(ofFile: realm.folder.path(name)) != bytes)
      let shell = Process()
      shell.executableURL = URL(fileURLWithPath: "/bin/bash")
      shell.arguments = ["-c", String(lines[place + 1])]
      shell.currentDirectoryURL = URL(fileURLWithPath: realm.folder.path)
      try shell.run()
      shell.waitUntilExit()
      #expect(shell.terminationStatus == 0)
      #expect(try Fixture.bytes(ofFile: realm.folder.path(name)) == bytes, "\(lines[place + 1])")
    }
  }

  @Test func severalRealmsEachOnItsOwn() throws {
    let realm = try Case()
    try realm.write("plan.yml", Self.plan)
    for name in ["b.realm", "c.realm"] {
      try realm.folder.write(name, Fixture.bytes(ofFile: realm.folder.path("a.realm")))
    }
    try realm.write("d.realm", "no realm")
    #expect(try realm.tool.run("migrate", "b.realm", "--plan", "plan.yml", "--no-backup").status == 0)
    let outcome = try realm.tool.run(
      "migrate", "a.realm", "b.realm", "d.realm", "c.realm", "--plan", "plan.yml", "--no-backup")
    #expect(outcome.status == 2)
    #expect(outcome.outputText.hasSuffix("4 realms: 2 migrated, 1 with nothing to do, 1 failed\n"))
    #expect(try realm.objects("c.realm") == realm.objects("a.realm"))
  }

  @Test func openRunsAPlanToo() throws {
    let realm = try Case()
    try realm.write("plan.yml", Self.plan)
    let memory = try realm.tool.run("open", "a.realm", "--plan", "plan.yml", "--in-memory")
    #expect(
      memory.status == 0 && memory.outputText.contains("schema version: 3"), "\(memory.errors)\(memory.outputText)")
    #expect(try realm.tool.run("open", "a.realm", "--plan", "plan.yml", "--no-backup").status == 0)
    #expect(try LeftRealm(realm.folder.path("a.realm")).snapshot.schema.version == 3)
  }
}

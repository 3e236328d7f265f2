import RealmMigration
import TestSupport
import Testing

/// What plans may look like, and the messages for mistakes in them.
@Suite struct PlanReaderTests {
  private static func mistakes(_ text: String, _ path: String = "plan.yml") -> String {
    do throws(PlanError) {
      _ = try MigrationPlan.parse(Array(text.utf8), path: path)
      return ""
    } catch {
      return error.description
    }
  }

  /// The text replaces the operations of a plan, from line 4.
  private static func operation(_ text: String) -> String { "plan: 1\nsteps:\n- to: 2\n  do: [ \(text) ]\n" }

  @Test(arguments: [
    ("", "1:1: the plan is empty"),
    ("[1]", "1:1: a plan must be a mapping, not a list"),
    ("steps: []", "1:1: a plan needs the key 'plan'; begin with 'plan: 1'\n1:8: 'steps' must not be empty"),
    ("plan: 2\nsteps: [ { to: 1, do: [] } ]", "1:7: 'plan' is the version of this format, which must be 1, not 2"),
    (
      "plan: 1\nstep: [ { to: 1, do: [] } ]",
      "1:1: a plan needs the key 'steps'\n2:1: unknown key 'step'; did you mean 'steps'?"
    ),
    (
      "plan: 1\nsteps:\n- { to: x, do: [] }",
      "3:9: 'to' must be a schema version, a whole number of 0 or greater, not 'x'"
    ),
    (
      "plan: 1\nsteps:\n- { to: 18446744073709551615, do: [] }",
      "3:9: 'to' must be a schema version, a whole number of 0 or greater, not 18446744073709551615"
    ),
    (
      "plan: 1\nsteps:\n- { to: 2, do: [] }\n- { to: 2, do: [] }",
      "4:9: step versions must be in ascending order; 2 follows 2"
    ),
    (
      "plan: 1\nsteps:\n- { to: 2, from: \"3..1\", do: [] }",
      "3:18: 'from' must be a schema version, a range such as \"1..3\", or a list of versions"
    ),
    (
      "plan: 1\nsteps:\n- { to: 2, from: 3, do: [] }", "3:18: 'from' must be below 'to' (2)"
    ),
    ("plan: 1\nname: \u{1}\n", "2:7: control characters are not allowed"),
    ("plan: 1\nname: a\nname: b", "3:1: the key 'name' is given twice"),
    ("plan: &a 1", "1:7: anchors are not supported in plans"),
    ("plan: *a", "1:7: aliases are not supported in plans"),
    ("plan: !!int 1", "1:7: tags are not supported in plans"),
    ("plan: 1\n<<: {}", "2:1: merge keys are not supported in plans"),
    ("plan: 1\n---\nplan: 1", "2:1: a plan is one document; a second begins here"),
    ("plan: [ # 1\n", "1:7: a value or a closing bracket is missing; add it"),
    ("plan: 1\nsteps\n# 3\n", "2:1: a key has no ':'; add ':' and a value, or check the indentation"),
    (
      "plan: 1\nsteps: [ { to: 1, do: [ add_property: { class: A, name: b, type: int?[] } ] } ]",
      "2:70: text with '[' must be in quotes here; write 'int?[]' with the quotes"
    ),
    ("plan: 1\nname: { a: int{}}", "2:15: text with '{' must be in quotes here; write 'int{}' with the quotes"),
    ("plan: [1", "1:7: the list that begins with '[' is not closed; add ',' or ']'"),
    (
      "plan: 1\nsettings: { on_null: maybe }\nsteps: [ { to: 1, do: [] } ]",
      "2:22: 'on_null' must be propagate, empty or fail, not 'maybe'"
    ),
    (
      "plan: 1\nsteps: [ { to: 1, do: [] } ]\nexpect: { counts: { A: { mn: 1 } } }",
      "3:24: 'A' needs 'min' or 'max'\n3:26: unknown key 'mn'; did you mean 'min'?"
    ),
  ])
  func mistakesOfDocuments(_ text: String, _ message: String) {
    #expect(Self.mistakes(text) == message)
  }

  @Test(arguments: [
    ("add_clas: {}", "4:9: unknown operation 'add_clas'; did you mean 'add_class'?"),
    (
      "{ set: {}, convert: {} }",
      "4:9: an operation must be a mapping with one key, such as '- remove_index: { class: Dog, name: age }'"
    ),
    (
      "{ add_property: { class: A, nmae: b, type: int } }",
      "4:25: 'add_property' needs the key 'name'\n4:37: unknown key 'nmae'; did you mean 'name'?"
    ),
    (
      "{ add_property: { class: A, name: b, type: \"int[]?\" } }",
      "4:52: Collections cannot be optional. To allow elements of the collection to be optional, use '?' after the element type. (Examples: 'int?[]', 'int?{}', and 'int?<>')"
    ),
    ("{ add_property: { class: A, name: b, type: { type: lst, objectType: int } } }", ""),
    (
      "{ add_property: { class: A, name: b, type: double, index: general } }",
      "4:67: Index not supported for this property: b; single values of int, bool, string, date, objectId, uuid and mixed, and lists of strings can have one"
    ),
    (
      "{ add_property: { class: A, name: b, type: int, value: { expr: \"1 + \" } } }",
      "4:72: unexpected end, expected a value (character 5 of \"1 + \")"
    ),
    (
      "{ add_property: { class: A, name: b, type: string, value: { template: \"{a\" } } }",
      "4:79: '{' is not closed (character 1 of \"{a\"); write '{{' for a brace"
    ),
    ("{ set: { class: A, where: 'a ==', values: {} } }", ""),
    (
      "{ set: { class: A, values: { a: { expr: \"ifs(a)\" } } } }",
      "4:49: unknown function 'ifs' (character 1 of \"ifs(a)\"); did you mean 'if'?"
    ),
    (
      "{ set: { class: A, values: { a: { expr: \"upper(a, b)\" } } } }",
      "4:49: 'upper' takes 1 argument, not 2 (character 1 of \"upper(a, b)\")"
    ),
    (
      "{ set: { class: A, values: { a: { pk: 1 } } } }",
      "4:47: 'pk' must be a list of a class and a primary key: [Dog, 1]"
    ),
    ("{ remove_property: { class: A, name: b, lossy: yes } }", "4:56: 'lossy' must be ok, not 'yes'"),
    (
      "{ embed_class: { class: A, on_orphan: dlete } }",
      "4:47: 'on_orphan' must be fail or delete, not 'dlete'; did you mean 'delete'?"
    ),
    (
      "{ convert: { class: A, name: b, to: int, on_error: default } }",
      "4:20: the policy 'default' needs a value; add the key 'default'"
    ),
    ("{ create_objects: { class: A, ref: r, values: [ {}, {} ] } }", "4:44: 'ref' needs one object; 'values' lists 2"),
    (
      "{ move_property: { from: A, to: B.b, via: c } }",
      "4:34: 'from' must be Class.property, such as Person.street, not 'A'"
    ),
    (
      "{ rename: { from: A, to: B } }",
      "4:11: unknown operation 'rename'; did you mean 'rename_class' or 'rename_property'?"
    ),
    (
      "{ add_class: { name: A, properties: { a: float }, primary_key: a } }",
      "4:50: a property of type float cannot be the primary key"
    ),
    (
      "{ transform: { class: A, command: sort } }",
      "4:43: 'command' must be a list of a program and its arguments: [python3, convert.py]"
    ),
    (
      "{ add_class: { name: A, primary_key: id, properties: { a: int } } }",
      "4:46: the primary key 'id' is not one of the properties"
    ),
    ("{ assert: { class: A, count: { min: 3, max: 1 } } }", "4:38: 'min' must not be greater than 'max'"),
  ])
  func mistakesOfOperations(_ text: String, _ message: String) {
    let found = Self.mistakes(Self.operation(text))
    #expect(message.isEmpty ? !found.isEmpty : found == message, "\(found)")
  }

  @Test func jsonHasPlacesToo() {
    #expect(
      Self.mistakes(
        "{\"plan\":1,\n \"steps\":[{\"to\":2,\"do\":[{\"set\":{\"class\":\"A\",\"valeus\":{}}}]}]}", "plan.json")
        == "2:32: 'set' needs 'values', 'add', 'remove' or 'unset'\n2:45: unknown key 'valeus'; did you mean 'values'?")
    #expect(Self.mistakes("{\"plan\":1,}", "-") == "1:11: not valid JSON: unexpected ',' before '}'; fix the file")
    #expect(
      Self.mistakes("{\"plan\":1,\"plan\":1}", "-")
        == "1:11: not valid JSON: the key 'plan' is given twice; fix the file")
    #expect(Self.mistakes(String(repeating: "[", count: 200), "a.json").contains("nested more than 100 levels deep"))
    #expect(Self.mistakes(String(repeating: "[", count: 200), "a.yml").contains("nested more than 100 levels deep"))
  }

  @Test func onlyAFewWordsAreSpecial() throws {
    let node = try PlanDocument.parse(
      Array("a: [ yes, no, on, off, True, ~, null, true, 007, 1.5, 1e3, .5, 0x1f, '5', \"\\u00e9\" ]".utf8), .yaml)
    let contents = try #require(node["a"]?.elements).map(\.content)
    #expect(
      contents == [
        .string("yes"), .string("no"), .string("on"), .string("off"), .string("True"), .null, .null, .bool(true),
        .number("007"), .number("1.5"), .number("1e3"), .number(".5"), .string("0x1f"), .string("5"), .string("é"),
      ])
  }

  @Test func bytesThatAreNoTextAreFound() {
    #expect {
      _ = try MigrationPlan.parse([0x70, 0x3a, 0x20, 0x31, 0x0a, 0x61, 0xff], path: "a.yml")
    } throws: {
      "\($0)" == "2:2: the plan is not UTF-8 text"
    }
  }

  /// Plans with bytes exchanged, removed and duplicated: the result is always a plan or mistakes.
  @Test func anyTextIsAPlanOrMistakes() {
    var generator = SeededGenerator(seed: 14)
    let json =
      #"{"plan":1,"steps":[{"to":2,"do":[{"set":{"class":"A","where":"a > 1","values":{"b":{"template":"{a|x} {=a+1}"}}}}]}]}"#
    for text in [DocumentedPlanTests.exampleProject, json] {
      let bytes = Array(text.utf8)
      for _ in 0..<1500 {
        var mutated = bytes
        for _ in 0..<Int.random(in: 1...4, using: &generator) {
          let place = Int.random(in: 0..<mutated.count, using: &generator)
          switch Int.random(in: 0..<4, using: &generator) {
          case 0: mutated[place] = UInt8.random(in: 0...255, using: &generator)
          case 1: mutated.remove(at: place)
          case 2: mutated.insert(Array("{}[]:,|>'\"#&*!-\n ".utf8).randomElement(using: &generator) ?? 0x20, at: place)
          default:
            let end = min(mutated.count, place + Int.random(in: 1...40, using: &generator))
            mutated.insert(contentsOf: mutated[place..<end], at: place)
          }
        }
        _ = try? MigrationPlan.parse(mutated, path: text == json ? "a.json" : "a.yml")
      }
    }
  }
}

import Foundation
import RealmStorage
import TestSupport
import Testing

@Suite("realmctl downgrade") struct DowngradeTests {
  private static let formats: [UInt8] = [10, 11, 20, 22, 23]

  /// A folder with a realm in format 24, and its bytes.
  private static func realm(_ name: String = "todo") throws -> (folder: InputFolder, bytes: [UInt8]) {
    let folder = try InputFolder()
    let bytes = try Fixture.bytes("engine/\(name).realm")
    try folder.write("app.realm", bytes)
    return (folder, bytes)
  }

  @Test("a realm gets an older format with the same content, and the newer one is kept", arguments: [23, 22])
  func inPlace(_ format: UInt8) throws {
    let (folder, bytes) = try Self.realm()
    let hash = ["hash", "app.realm"]
    let before = try folder.run(hash)
    let outcome = try folder.tool.run(["downgrade", "app.realm", "--file-format", "\(format)"])
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(outcome.errors.isEmpty)
    #expect(outcome.outputText.hasPrefix("app.realm: file format 24 -> \(format), "))
    let realm = try LeftRealm(folder.path("app.realm"))
    #expect(realm.snapshot.header.format == format)
    #expect(try folder.run(hash).output == before.output)
    let backup = try #require(try UpgradeTests.backup(in: folder, of: "downgrade"))
    #expect(try Fixture.bytes(ofFile: folder.path(backup)) == bytes)
    #expect(outcome.outputText.hasSuffix("backup: \(backup); to restore it:\n  cp -p \(backup) app.realm\n"))
    let again = try folder.run(["downgrade", "app.realm", "--file-format", "\(format)"])
    #expect(again.status == 0)
    #expect(again.outputText == "app.realm: nothing to do: file format \(format)\n")
    #expect(try folder.tool.run(["upgrade", "app.realm", "--no-backup"]).status == 0)
    #expect(try folder.run(hash).output == before.output)
  }

  @Test("in formats that compute object keys, all but these stays", arguments: [10, 11, 20])
  func computedKeys(_ format: UInt8) throws {
    let (folder, _) = try Self.realm("deep-tree")
    let hash = ["hash", "app.realm", "--no-keys"]
    let before = try folder.run(hash)
    let outcome = try folder.tool.run(["downgrade", "app.realm", "--file-format", "\(format)", "--no-backup"])
    #expect(outcome.status == 0, "\(outcome.errors)")
    _ = try LeftRealm(folder.path("app.realm"))
    #expect(try folder.run(hash).output == before.output)
  }

  @Test("what the format cannot hold is listed, and nothing is written") func refused() throws {
    let (folder, bytes) = try Self.realm("all-types")
    for options in [[], ["--dry-run"], ["-o", "old.realm"]] {
      let creates: Set<String> = options.isEmpty ? ["app.realm.lock"] : []
      let outcome = try folder.run(["downgrade", "app.realm", "--file-format", "20"] + options, creates: creates)
      #expect(outcome.status == 7)
      #expect(outcome.errors.contains("app.realm: file format 20 cannot store everything in the realm; use --as "))
      let lines = outcome.errors.split(separator: "\n").filter { $0.hasPrefix("  ") }
      #expect(lines.count == 21 && lines[20].hasPrefix("  and ") && lines[20].hasSuffix(" more"), "\(outcome.errors)")
      #expect(outcome.errors.contains(" has type set of int ("))
      #expect(outcome.errors.contains("; use --as to change types, or --allow-data-loss to leave that out\n  "))
    }
    #expect(try Fixture.bytes(ofFile: folder.path("app.realm")) == bytes)
    #expect(try UpgradeTests.backup(in: folder, of: "downgrade") == nil)
  }

  @Test("where loss is allowed, exactly what was listed goes", arguments: formats)
  func allowed(_ format: UInt8) throws {
    let (folder, _) = try Self.realm("all-types")
    let command = ["downgrade", "app.realm", "--file-format", "\(format)", "-o", "old.realm"]
    let refused = try folder.run(command)
    #expect(refused.status == 7)
    let outcome = try folder.run(command + ["--allow-data-loss"], creates: ["old.realm"])
    #expect(outcome.status == 0, "\(outcome.errors)")
    let listed = outcome.outputText.split(separator: "\n").filter { $0.hasPrefix("left out: ") }
    #expect(!listed.isEmpty)
    for line in listed.prefix(20) { #expect(refused.errors.contains(line.dropFirst("left out: ".count))) }
    let realm = try LeftRealm(folder.path("old.realm"))
    #expect(realm.snapshot.header.format == format)
  }

  @Test("a dry run writes nothing, and -o leaves the realm alone") func elsewhere() throws {
    let (folder, _) = try Self.realm()
    let rehearsed = try folder.run(["downgrade", "app.realm", "--file-format", "23", "--dry-run"])
    #expect(rehearsed.status == 0)
    #expect(rehearsed.outputText.hasPrefix("app.realm: would be downgraded: file format 24 -> 23, "))
    let command = ["downgrade", "app.realm", "--file-format", "23", "-o", "old.realm"]
    let outcome = try folder.run(command, creates: ["old.realm"])
    #expect(outcome.status == 0)
    #expect(outcome.outputText.hasSuffix("wrote old.realm\n"))
    #expect(try LeftRealm(folder.path("old.realm")).snapshot.header.format == 23)
    #expect(try folder.run(command).status == 2)
    #expect(try folder.run(command + ["--force"], creates: ["old.realm"]).status == 0)
  }

  @Test("write-copy writes the same") func copy() throws {
    let (folder, _) = try Self.realm()
    let outcome = try folder.run(
      ["write-copy", "app.realm", "old.realm", "--file-format", "22"], creates: ["old.realm"])
    #expect(outcome.status == 0)
    #expect(outcome.outputText.contains("; rebuilt from file format 24; verified"))
    #expect(try LeftRealm(folder.path("old.realm")).snapshot.header.format == 22)
    let filtered = try folder.run(
      ["write-copy", "app.realm", "new.realm", "--file-format", "24"], creates: ["new.realm"])
    #expect(filtered.status == 0)
    #expect(try LeftRealm(folder.path("new.realm")).snapshot.header.format == 24)
  }

  @Test("JSON tells what was lost, by property") func json() throws {
    let (folder, _) = try Self.realm("all-types")
    let outcome = try folder.run([
      "downgrade", "app.realm", "--file-format", "11", "--allow-data-loss", "--dry-run", "--json",
    ])
    let object = try #require(
      JSONSerialization.jsonObject(with: Data(outcome.output)) as? [String: Any])
    #expect(object["sourceFormat"] as? Int == 24)
    #expect(object["fileFormat"] as? Int == 11)
    let losses = try #require(object["formatLosses"] as? [[String: Any]])
    let kinds = Set(losses.compactMap { $0["unsupported"] as? String })
    #expect(kinds == ["class", "property"])
    #expect(losses.allSatisfy { ($0["unsupported"] as? String == "class") == ($0["property"] == nil) })
  }

  // MARK: Types

  /// A folder with a realm of pets whose keys are UUIDs, with sets, dictionaries and embedded objects.
  private static func pets() throws -> InputFolder {
    let folder = try InputFolder()
    let schema = """
      [{"name":"Home","embedded":true,"properties":{"city":"string"}},
       {"name":"Pet","primaryKey":"id","properties":{"id":"uuid","tags":"string<>","ages":"int{}","home":"Home"}}]
      """
    let id = "00000000-0000-0000-0000-000000000001"
    let data = #"{"Pet":[{"id":"\#(id)","tags":["a","b"],"ages":{"x":1,"y":2},"home":{"city":"Oslo"}}]}"#
    try folder.write("schema.json", Array(schema.utf8))
    try folder.write("data.json", Array(data.utf8))
    let made = try folder.tool.run(["bundle", "--schema", "schema.json", "--data", "data.json", "--seed", "app.realm"])
    #expect(made.status == 0, "\(made.errors)")
    return folder
  }

  private static let mappings = ["Pet.id=string", "Pet.tags=list", "Pet.ages=pairs", "Home=plain"].flatMap {
    ["--as", $0]
  }

  @Test("--as keeps values under other types") func mapped() throws {
    let folder = try Self.pets()
    let command = ["downgrade", "app.realm", "--file-format", "11"]
    let refused = try folder.run(command, creates: ["app.realm.lock"])
    #expect(refused.status == 7)
    let rehearsed = try folder.run(command + Self.mappings + ["--dry-run"])
    #expect(rehearsed.status == 0, "\(rehearsed.errors)")
    let outcome = try folder.tool.run(command + Self.mappings)
    #expect(outcome.status == 0, "\(outcome.errors)")
    let lines = outcome.outputText.split(separator: "\n").map(String.init)
    #expect(
      lines.filter { $0.hasPrefix("changed: ") } == [
        "changed: class 'Home' from embedded to plain (1 object)",
        "changed: property 'Pet.id' from uuid to string (1 value)",
        "changed: property 'Pet.tags' from set of string to list of string (1 value)",
        "changed: property 'Pet.ages' from dictionary of int to list of 'Pet_ages_Pair' (1 value)",
      ])
    let planned = rehearsed.outputText.split(separator: "\n").map(String.init)
    #expect(planned.dropFirst() == lines[1..<5])
    #expect(try LeftRealm(folder.path("app.realm")).snapshot.header.format == 11)
    #expect(try folder.names().filter { $0.hasPrefix(".") } == [])
    let backup = try #require(try UpgradeTests.backup(in: folder, of: "downgrade"))
    #expect(try LeftRealm(folder.path(backup)).snapshot.header.format == 24)
  }

  @Test("--as with a copy, to a file and to a pipe") func mappedCopy() throws {
    let folder = try Self.pets()
    let options = ["--file-format", "10"] + Self.mappings
    let outcome = try folder.run(["write-copy", "app.realm", "old.realm", "--json"] + options, creates: ["old.realm"])
    #expect(outcome.status == 0, "\(outcome.errors)")
    let object = try #require(JSONSerialization.jsonObject(with: Data(outcome.output)) as? [String: Any])
    let mapped = try #require(object["mapped"] as? [[String: Any]])
    #expect(mapped.compactMap { $0["property"] as? String } == ["id", "tags", "ages"])
    #expect(mapped.compactMap { $0["to"] as? String }.first == "plain")
    let copy = try LeftRealm(folder.path("old.realm"))
    #expect(copy.snapshot.header.format == 10)
    let streamed = try folder.run(["write-copy", "app.realm", "-"] + options)
    #expect(streamed.status == 0, "\(streamed.errors)")
    #expect(streamed.output == (try Fixture.bytes(ofFile: folder.path("old.realm"))))
  }

  @Test(
    "mistakes in --as are told, and nothing is written",
    arguments: [
      (
        "Pet.id", 64,
        "--as takes Class.property=string, double, list or pairs, or Class=plain, such as Person.id=string, not 'Pet.id'"
      ),
      ("Dog.id=string", 3, "no class 'Dog'; the classes are: Home, Pet"),
      ("Pet.tag=list", 3, "'Pet' has no property 'tag'; did you mean 'tags'?"),
      ("Pet.id=list", 7, "'Pet.id' has type uuid, which cannot become a list; realmctl-downgrade(1) lists"),
      ("Pet.home=plain", 7, "'Pet.home' is a property, and only a class can become plain; name the embedded class"),
      ("Pet=plain", 7, "class 'Pet' is not embedded; omit --as Pet=plain"),
      ("Home=list", 7, "'Home' is a class, which can only become plain; name a property"),
      ("Home.city=string", 7, "file format 11 can store 'Home.city' as it is; omit --as Home.city=string"),
      ("Pet.id=string", 7, "or --allow-data-loss to leave that out\n  class 'Home' is embedded (1 object)\n"),
    ])
  func mistaken(_ mapping: String, _ status: Int32, _ text: String) throws {
    let folder = try Self.pets()
    let before = try Fixture.bytes(ofFile: folder.path("app.realm"))
    let outcome = try folder.run(["downgrade", "app.realm", "--file-format", "11", "--as", mapping, "-o", "old.realm"])
    #expect(outcome.status == status)
    #expect(outcome.errors.contains(text), "\(outcome.errors)")
    #expect(try Fixture.bytes(ofFile: folder.path("app.realm")) == before)
  }

  @Test("a value without a counterpart stops the command") func noCounterpart() throws {
    let folder = try InputFolder()
    try folder.write("schema.json", Array(#"[{"name":"A","properties":{"d":"decimal128"}}]"#.utf8))
    try folder.write("data.json", Array(#"{"A":[{"d":"0.12345678901234567890"}]}"#.utf8))
    _ = try folder.tool.run(["bundle", "--schema", "schema.json", "--data", "data.json", "--seed", "app.realm"])
    let outcome = try folder.run(["write-copy", "app.realm", "old.realm", "--file-format", "11", "--as", "A.d=double"])
    #expect(outcome.status == 7)
    #expect(
      outcome.errors
        == "realmctl: app.realm: property 'A.d' cannot become double, so nothing was written (1 of 1 object: object 0: "
        + "0.12345678901234567890 cannot be stored exactly as a double)\n")
  }

  @Test("a synced realm keeps its history, and so its format") func synced() throws {
    let (folder, bytes) = try Self.realm("synced")
    let outcome = try folder.run(["downgrade", "app.realm", "--file-format", "23"], creates: ["app.realm.lock"])
    #expect(outcome.status == 2)
    #expect(outcome.errors.contains("the file belongs to Device Sync"))
    #expect(try Fixture.bytes(ofFile: folder.path("app.realm")) == bytes)
  }

  @Test("an encrypted realm keeps its key") func encrypted() throws {
    let folder = try InputFolder()
    let key = (0..<64).map { UInt8($0) }
    try folder.write("plain.realm", try Fixture.bytes("engine/todo.realm"))
    let options = try UpgradeTests.keyFile(key, in: folder)
    #expect(try folder.tool.run(["write-copy", "plain.realm", "app.realm", "--out-key-file", "key"]).status == 0)
    let outcome = try folder.tool.run(["downgrade", "app.realm", "--file-format", "23"] + options)
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(try LeftRealm(folder.path("app.realm"), key: key).snapshot.header.format == 23)
  }

  @Test("wrong usage") func usage() throws {
    let (folder, _) = try Self.realm()
    let rows: [([String], Int32)] = [
      (["downgrade", "app.realm"], 64), (["downgrade", "app.realm", "--file-format", "24"], 64),
      (["downgrade", "app.realm", "--file-format", "9"], 64), (["downgrade", "app.realm", "--file-format", "x"], 64),
      (["downgrade", "-", "--file-format", "23"], 64),
      (["downgrade", "app.realm", "--file-format", "23", "--force"], 64),
      (["downgrade", "app.realm", "--file-format", "23", "-o", "b.realm", "--no-backup"], 64),
      (["downgrade", "missing.realm", "--file-format", "23"], 3),
      (["write-copy", "app.realm", "b.realm", "--file-format", "21"], 64),
      (["write-copy", "app.realm", "b.realm", "--as", "A.b=list"], 64),
    ]
    for (arguments, status) in rows { #expect(try folder.run(arguments).status == status, "\(arguments)") }
  }
}

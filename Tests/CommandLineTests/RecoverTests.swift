import Foundation
import RealmStorage
import TestSupport
import Testing

/// `recover`, as users call it.
@Suite struct RecoverTests {
  private func broken(_ name: String = "engine/dogs.realm") throws -> [UInt8] {
    var bytes = try Fixture.bytes(name)
    for place in 0..<24 { bytes[place] = 0 }
    return bytes
  }

  /// Runs a command that may make these files, and leaves all others as they were.
  private func run(_ folder: InputFolder, _ arguments: [String]) throws -> Tool.Outcome {
    let made = arguments.first == "bundle" ? ["a.realm"] : ["b.realm", "c.realm", "r", "t"]
    return try folder.run(arguments, creates: Set(made))
  }

  @Test func aSoundRealmComesBackWithStatus0() throws {
    let folder = try InputFolder()
    try folder.write("a.realm", try Fixture.bytes("engine/dogs.realm"))
    let outcome = try run(folder, ["recover", "a.realm", "-o", "b.realm"])
    #expect(outcome.status == 0 && outcome.errors.isEmpty)
    #expect(outcome.outputText.contains("nothing is missing; verified\n"))
    #expect(try LeftRealm(folder.path("b.realm")).classNames == ["Dog", "Person", "Toy"])
    let again = try run(folder, ["recover", "a.realm", "-o", "b.realm"])
    #expect(again.status == 2 && again.errors.contains("--force"))
    #expect(try run(folder, ["recover", "a.realm", "-o", "a.realm"]).status == 64)
  }

  /// Sound files whose header still names the snapshot before the live one.
  @Test(arguments: ["address-once", "address-twice", "corners", "dogs", "fragmented", "indexes", "person-v1", "todo"])
  func anOlderSnapshotIsSavedAsItWas(name: String) throws {
    let folder = try InputFolder()
    try folder.write("a.realm", try Fixture.bytes("engine/\(name).realm"))
    let hash = try run(folder, ["hash", "a.realm", "--snapshot", "previous"])
    let outcome = try run(folder, ["recover", "a.realm", "-o", "b.realm", "--snapshot", "previous"])
    #expect(outcome.status == hash.status)
    guard hash.status == 0 else {
      #expect(outcome.errors.contains("the file has no older snapshot"))
      return
    }
    _ = try LeftRealm(folder.path("b.realm"))
    let saved = try run(folder, ["hash", "b.realm"])
    #expect(saved.outputText.prefix(64) == hash.outputText.prefix(64))
  }

  @Test func whereNoRootIsThereIsNoSnapshot() throws {
    let folder = try InputFolder()
    try folder.write("a.realm", try Fixture.bytes("engine/dogs.realm"))
    for place in ["24", "4088", "1000000", "7"] {
      let outcome = try run(folder, ["recover", "a.realm", "-o", "b.realm", "--snapshot", place])
      #expect(outcome.status == 3 && outcome.errors.contains("no snapshot at byte \(place) of the file"))
    }
  }

  @Test("a lost header says nothing of snapshots") func snapshotOfALostHeader() throws {
    let folder = try InputFolder()
    try folder.write(
      "a.realm", [UInt8](repeating: 0, count: 24) + (try Fixture.bytes("engine/dogs.realm")).dropFirst(24))
    let outcome = try run(folder, ["recover", "a.realm", "-o", "b.realm", "--snapshot", "previous"])
    #expect(outcome.status == 3)
    #expect(outcome.errors.contains("the header is lost, so the snapshots are unknown"))
    let opening = try run(folder, ["open", "a.realm"])
    #expect(opening.status == 2 && opening.errors.contains("'recover' saves what is left"))
    #expect(try run(folder, ["recover", "a.realm", "-o", "b.realm"]).status == 1)
    _ = try LeftRealm(folder.path("b.realm"))
  }

  @Test func aLostHeaderIsSaidAndTheStatusIs1() throws {
    let folder = try InputFolder()
    try folder.write("a.realm", try broken())
    let outcome = try run(folder, ["recover", "a.realm", "-o", "b.realm", "--json", "--report", "r", "--strings", "t"])
    #expect(outcome.status == 1)
    #expect(outcome.errors.contains("the root of the live snapshot is lost"))
    let json = try #require(try JSONSerialization.jsonObject(with: Data(outcome.output)) as? [String: Any])
    #expect(json["complete"] as? Bool == false && json["live"] as? Bool == false)
    #expect(json["savedObjects"] as? Int == 11 && json["unknownFormat"] is NSNull)
    #expect(json["input"] as? String == "a.realm" && json["output"] as? String == "b.realm")
    #expect(try LeftRealm(folder.path("b.realm")).classNames == ["Dog", "Person", "Toy"])
    #expect(FileManager.default.fileExists(atPath: folder.path("r")))
    #expect(FileManager.default.fileExists(atPath: folder.path("t")))
  }

  @Test("an empty lock file is told from an empty realm") func lockFile() throws {
    let folder = try InputFolder()
    for name in ["a.realm", "a.realm.lock"] { try folder.write(name, []) }
    let lock = try run(folder, ["recover", "a.realm.lock", "-o", "b.realm"])
    #expect(lock.status == 2)
    #expect(
      lock.errors
        == "realmctl: a.realm.lock: is the lock file of a realm, not the realm itself; use a.realm\n")
    let realm = try run(folder, ["recover", "a.realm", "-o", "b.realm"])
    #expect(realm.status == 2 && realm.errors.hasPrefix("realmctl: a.realm: the file is empty ("))
  }

  @Test func aDryRunWritesNothing() throws {
    let folder = try InputFolder()
    try folder.write("a.realm", try broken())
    let outcome = try run(folder, ["recover", "a.realm", "-o", "b.realm", "--dry-run", "--report", "r"])
    #expect(outcome.status == 1 && outcome.outputText.contains("b.realm: would be written: "))
    #expect(!FileManager.default.fileExists(atPath: folder.path("b.realm")))
    #expect(!FileManager.default.fileExists(atPath: folder.path("r")))
  }

  @Test func whatIsNoRealmIsRefused() throws {
    let folder = try InputFolder()
    try folder.write("a.realm", [UInt8](repeating: 7, count: 100))
    #expect(try run(folder, ["recover", "a.realm", "-o", "b.realm"]).status == 2)
    #expect(try run(folder, ["recover", "missing.realm", "-o", "b.realm"]).status == 3)
    try folder.write("c.realm", try Fixture.bytes("engine/dogs.realm"))
    let unknown = try run(folder, ["recover", "c.realm", "-o", "b.realm", "--only", "Dogs"])
    #expect(unknown.status == 3 && unknown.errors.contains("did you mean 'Dog'?"))
    #expect(try run(folder, ["recover", "c.realm", "-o", "b.realm", "--report", "b.realm"]).status == 64)
    #expect(!FileManager.default.fileExists(atPath: folder.path("b.realm")))
  }

  @Test func stringsAreWrittenWhereNothingElseIsLeft() throws {
    let folder = try InputFolder()
    let original = try Fixture.bytes("engine/dogs.realm")
    var bytes = [UInt8](repeating: 0, count: original.count)
    // The leaf with the names of the dogs.
    bytes.replaceSubrange(1944..<1992, with: original[1944..<1992])
    try folder.write("a.realm", bytes)
    let arguments = ["recover", "a.realm", "-o", "b.realm", "--strings", "t"]
    let trial = try run(folder, arguments + ["--dry-run"])
    #expect(trial.status == 2 && trial.errors.contains("strings would be written to t; use a backup"))
    #expect(!FileManager.default.fileExists(atPath: folder.path("t")))
    let outcome = try run(folder, arguments)
    let lines = try String(contentsOfFile: folder.path("t"), encoding: .utf8).split(separator: "\n")
    #expect(outcome.status == 2 && lines.contains("{\"byte\":1944,\"text\":\"Lassie\"}"))
    #expect(
      outcome.errors.contains(
        "no objects of a realm were found in the file, but \(lines.count) strings were written to t; use a backup"))
    #expect(!FileManager.default.fileExists(atPath: folder.path("b.realm")))
    #expect(try run(folder, arguments).errors.contains("--force"))
  }

  @Test("tables that are no classes of an SDK are recovered as well") func tablesOfTheCore() throws {
    let folder = try InputFolder()
    var bytes = try Fixture.bytes("engine/dogs.realm")
    // The names of its three classes.
    for place in [48, 64, 80] { bytes.replaceSubrange(place..<place + 6, with: Array("table_".utf8)) }
    // The number of elements in the root.
    bytes[3407] ^= 4
    try folder.write("a.realm", bytes)
    let outcome = try run(folder, ["recover", "a.realm", "-o", "b.realm"])
    #expect(outcome.status == 1, "\(outcome.errors)")
    for name in ["table_Dog", "table_Person", "table_Toy"] { #expect(outcome.outputText.contains(name)) }
    let found = try run(folder, ["check", "b.realm"]).outputText
    #expect(found.contains(", 4 tables, 11 objects, "), "\(found)")
    _ = try LeftRealm(folder.path("b.realm"))
  }

  @Test("a wrong bit in the name of the table with the schema version is reported, and the version kept")
  func nameOfTheVersionTable() throws {
    let folder = try InputFolder()
    var bytes = try Fixture.bytes("engine/dogs.realm")
    let place = try #require(bytes.firstRange(of: Array("metadata".utf8))).lowerBound
    bytes[place + 3] ^= 2
    try folder.write("a.realm", bytes)
    #expect(try run(folder, ["check", "a.realm"]).status == 1)
    let outcome = try run(folder, ["recover", "a.realm", "-o", "b.realm"])
    #expect(outcome.status == 1 && outcome.outputText.contains("metadata: its name"), "\(outcome.outputText)")
    #expect(try run(folder, ["open", "b.realm"]).outputText.contains("schema version: 3\n"))
    _ = try LeftRealm(folder.path("b.realm"))
  }

  @Test func classesThatAreExcludedAreLeftOut() throws {
    let folder = try InputFolder()
    try folder.write("a.realm", try Fixture.bytes("engine/dogs.realm"))
    #expect(try run(folder, ["recover", "a.realm", "-o", "b.realm", "--exclude", "Toy"]).status == 0)
    #expect(try LeftRealm(folder.path("b.realm")).classNames == ["Dog", "Person"])
    let unknown = try run(folder, ["recover", "a.realm", "-o", "c.realm", "--exclude", "Toys"])
    #expect(unknown.status == 3 && unknown.errors.contains("did you mean 'Toy'?"))
    #expect(try run(folder, ["recover", "a.realm", "-o", "c.realm", "--exclude", "Toy", "--only", "Dog"]).status == 64)
  }

  @Test func aClassWhoseRootIsDamagedIsNotCalledComplete() throws {
    let folder = try InputFolder()
    var bytes = try Fixture.bytes("engine/dogs.realm")
    // The head of the root of class Dog.
    for place in 0x930..<0x938 { bytes[place] = 0 }
    try folder.write("a.realm", bytes)
    let outcome = try run(folder, ["recover", "a.realm", "-o", "b.realm", "--report", "r"])
    #expect(outcome.status == 1 && !outcome.outputText.contains("nothing is missing"))
    #expect(outcome.outputText.contains("more may be missing"))
    #expect(try !Data(contentsOf: URL(fileURLWithPath: folder.path("r"))).isEmpty)
    _ = try LeftRealm(folder.path("b.realm"))
  }

  @Test func aFormatOfTheFutureIsSaid() throws {
    let folder = try InputFolder()
    var bytes = try Fixture.bytes("engine/dogs.realm")
    (bytes[20], bytes[21]) = (25, 25)
    try folder.write("a.realm", bytes)
    let outcome = try run(folder, ["recover", "a.realm", "-o", "b.realm"])
    #expect(outcome.errors.contains("the header says format 25, which is newer than this realmctl supports"))
    _ = try LeftRealm(folder.path("b.realm"))
    let json = try run(folder, ["recover", "a.realm", "-o", "c.realm", "--dry-run", "--json"]).output
    let told = try #require(try JSONSerialization.jsonObject(with: Data(json)) as? [String: Any])
    #expect(told["unknownFormat"] as? Int == 25 && told["snapshotFormat"] is NSNull)
  }

  @Test func anEncryptedRealmNeedsItsKeyAndAWordOnWhatIsWritten() throws {
    let folder = try InputFolder()
    try folder.write("a.realm", try Fixture.bytes("engine/all-types-encrypted.realm"))
    try folder.write("key", Fixture.engineKey)
    let withoutKey = try run(folder, ["recover", "a.realm", "-o", "b.realm"])
    #expect(withoutKey.status == 4 && !withoutKey.errors.contains("'recover' saves"))
    #expect(try run(folder, ["recover", "a.realm", "-o", "b.realm", "--key-file", "key"]).status == 64)
    #expect(try run(folder, ["recover", "a.realm", "-o", "b.realm", "--key-file", "key", "--decrypt"]).status == 0)
    _ = try LeftRealm(folder.path("b.realm"))
    #expect(
      try run(folder, ["recover", "a.realm", "-o", "c.realm", "--key-file", "key", "--out-key-same"]).status == 0)
    _ = try LeftRealm(folder.path("c.realm"), key: Fixture.engineKey)
  }

  @Test(arguments: ["skip", "replace", "insert"])
  func dataWithPrimaryKeysThatComeTwiceIsBundledAsAskedFor(_ choice: String) throws {
    let folder = try InputFolder()
    let schema = """
      [{"name":"Dog","primaryKey":"id","properties":{"id":"int","name":"string","home":"Home?","age":"int?"}},
       {"name":"Home","embedded":true,"properties":{"street":"string"}}]
      """
    let data = """
      {"class":"Dog","value":{"id":1,"name":"Rex","home":{"street":"A"},"age":3}}
      {"class":"Dog","value":{"id":2,"name":"Tom"}}
      {"class":"Dog","value":{"id":1,"name":"Max","home":{"street":"B"}}}

      """
    try folder.write("s.json", Array(schema.utf8))
    try folder.write("d.ndjson", Array(data.utf8))
    let arguments = [
      "bundle", "--schema", "s.json", "--data", "d.ndjson", "--seed", "a.realm", "--mode", choice,
    ]
    let outcome = try run(folder, arguments)
    guard choice != "insert" else {
      #expect(outcome.status == 7)
      return
    }
    #expect(outcome.status == 0)
    _ = try LeftRealm(folder.path("a.realm"))
    let dogs = try run(folder, ["export", "a.realm", "--format", "ndjson", "--only", "Dog"]).outputText
    #expect(dogs.contains(choice == "skip" ? "\"Rex\"" : "\"Max\"") && dogs.contains("\"Tom\""))
    #expect(dogs.contains("\"street\":\"\(choice == "skip" ? "A" : "B")\""))
    #expect(dogs.contains("\"age\":3") == (choice == "skip"))
  }
}

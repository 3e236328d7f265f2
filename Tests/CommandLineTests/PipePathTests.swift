import Foundation
import RealmStorage
import TestSupport
import Testing

/// Paths of pipes, as a shell gives them for `<(…)`.
@Suite struct PipePathTests {
  private func folder() throws -> InputFolder {
    let folder = try InputFolder()
    try folder.write("a.realm", try Fixture.bytes("engine/dogs.realm"))
    try folder.write("model.json", Array(#"[{"name":"P","properties":{"a":"int"}}]"#.utf8))
    try folder.write("data.json", Array(#"{"a":1}"#.utf8))
    try folder.write("key", Fixture.engineKey)
    try folder.write("secret.realm", try Fixture.bytes("engine/all-types-copy-encrypted.realm"))
    folder.tool.environment = ["PATH": ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"]
    return folder
  }

  private func bash(
    _ command: String, in folder: InputFolder, creates: Set<String> = []
  ) throws -> Tool.Outcome {
    let tool = folder.tool
    defer { folder.tool = tool }
    folder.tool.executable = "/bin/bash"
    folder.tool.environment["TOOL"] = tool.executable
    return try folder.run(["-c", command], creates: creates)
  }

  @Test(arguments: [
    "open FILE --quiet", "check FILE", "schema dump FILE", "schema dump FILE --format json", "export FILE",
    "export FILE --format typed", "schema diff FILE model.json", "schema diff model.json FILE", "write-copy FILE -",
    "compact FILE -o -", "bundle FILE --seed -", "open FILE --in-memory --upgrade",
    "write-copy FILE --file-format 23 -",
    "open FILE --read-only",
  ])
  func whatIsOnlyReadComesThroughAPipe(command: String) throws {
    let folder = try folder()
    let piped = try bash(
      "\"$TOOL\" " + command.replacingOccurrences(of: "FILE", with: "<(cat a.realm)"), in: folder)
    let file = try bash("\"$TOOL\" " + command.replacingOccurrences(of: "FILE", with: "a.realm"), in: folder)
    #expect(piped.status == file.status, "\(piped.errors)")
    let name = try #require(try Regex("/dev/fd/[0-9]+|/proc/self/fd/[0-9]+") as Regex<AnyRegexOutput>?)
    #expect(piped.output.isEmpty == file.output.isEmpty)
    if !command.hasSuffix("-") {
      #expect(piped.outputText.replacing(name, with: "a.realm") == file.outputText)
    } else {
      #expect(piped.output == file.output)
    }
  }

  @Test(arguments: [
    ("import a.realm <(cat toys.json) --class Toy -o q.realm", "a pipe needs --from"),
    (
      "import n.realm --create --create-classes <(cat data.json) --class P --from json",
      "classes cannot be inferred from a pipe, which can be read only once"
    ),
    ("schema infer <(cat data.json) --class P", "a pipe needs --from"),
    (
      "schema infer <(cat data.json) --class P --from json",
      "classes cannot be inferred from a pipe, which can be read only once"
    ),
  ])
  func whatWouldBeReadTwiceDoesNotComeThroughAPipe(command: String, problem: String) throws {
    let folder = try folder()
    let toy = #"{"_id":"51111111-2222-3333-4444-555555555555","name":"Duck"}"#
    try folder.write("toys.json", Array(toy.utf8))
    let outcome = try bash("\"$TOOL\" " + command, in: folder)
    #expect(outcome.status == 64)
    #expect(outcome.errors.contains(problem), "\(outcome.errors)")
    let once = try bash(
      "\"$TOOL\" import a.realm <(cat toys.json) --class Toy --from json -o q.realm", in: folder, creates: ["q.realm"])
    #expect(once.status == 0, "\(once.errors)")
    #expect(try LeftRealm(folder.path("q.realm")).snapshot.table(displayName: "Toy")?.objectCount() == 3)
  }

  @Test func theSystemsNameForStandardOutputIsStandardOutput() throws {
    let folder = try folder()
    try FileManager.default.createSymbolicLink(atPath: folder.path("link"), withDestinationPath: "/dev/stdout")
    for (command, path) in [
      ("compact a.realm", "/dev/stdout"), ("delete a.realm Toy --all --yes", "link"),
      ("upgrade a.realm", "/dev/stdout"),
      ("recover a.realm", "/dev/fd/3 3>&1"),
    ] {
      let outcome = try bash(
        "set -o pipefail; \"$TOOL\" \(command) -o \(path) | cat > o.realm", in: folder, creates: ["o.realm"])
      #expect(outcome.status == 0, "\(outcome.errors)")
      #expect(outcome.errors.contains(" to standard output"))
      _ = try LeftRealm(folder.path("o.realm"))
    }
  }

  @Test func aNamedPipeAsASourceIsRefusedAndNotWaitedFor() throws {
    let folder = try folder()
    let outcome = try bash(
      "mkfifo f.sqlite && \"$TOOL\" import a.realm f.sqlite --tables A", in: folder, creates: ["f.sqlite"])
    #expect(outcome.status == 2)
    #expect(outcome.errors.hasPrefix("realmctl: f.sqlite: is a named pipe, not a regular file"), "\(outcome.errors)")
  }

  @Test func dataSchemasAndKeysComeThroughPipes() throws {
    let folder = try folder()
    let outcome = try bash(
      "\"$TOOL\" bundle --schema <(cat model.json) --data <(cat data.json) --data <(cat data.json) --seed s.realm",
      in: folder, creates: ["s.realm"])
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(try LeftRealm(folder.path("s.realm")).snapshot.table(displayName: "P")?.objectCount() == 2)
    let both = try bash("\"$TOOL\" open <(cat secret.realm) --key-file <(cat key)", in: folder)
    #expect(both.status == 0, "\(both.errors)")
  }

  @Test(arguments: [
    "compact FILE", "upgrade FILE -q && \"$TOOL\" compact FILE", "migrate FILE --schema model.json --to-version 9",
    "open FILE --schema model.json --schema-version 9",
  ])
  func whatIsChangedIsAFile(command: String) throws {
    let folder = try folder()
    let outcome = try bash(
      "\"$TOOL\" " + command.replacingOccurrences(of: "FILE", with: "<(cat a.realm)"), in: folder)
    #expect(outcome.status == 2)
    #expect(outcome.errors.contains("is a pipe, which can only be read; write it to a file first"))
  }

  @Test(arguments: [
    "insert a.realm Toy _id=51111111-2222-3333-4444-555555555555 name=x", "update a.realm Toy --all --set name=x --yes",
    "delete a.realm Toy --all --yes", "import a.realm toys.csv --class Toy",
    "migrate a.realm --rename Dog.breed=kind --to-version 9", "compact a.realm", "upgrade a.realm",
    "downgrade a.realm --file-format 23", "recover a.realm",
  ])
  func aPipeTakesWhatAFileTakes(command: String) throws {
    let folder = try folder()
    try folder.write("toys.csv", Array("_id,name\n51111111-2222-3333-4444-555555555555,x\n".utf8))
    let file = try bash("\"$TOOL\" \(command) -o file.realm", in: folder, creates: ["file.realm"])
    let piped = try bash(
      "mkfifo pipe && (cat pipe > piped.realm & \"$TOOL\" \(command) -o pipe && wait)", in: folder,
      creates: ["pipe", "piped.realm"])
    #expect(file.status == 0 && piped.status == 0, "\(file.errors)\(piped.errors)")
    let contents = try ["file.realm", "piped.realm"].map { name in
      _ = try LeftRealm(folder.path(name))
      return try bash("\"$TOOL\" schema dump \(name) && \"$TOOL\" export \(name)", in: folder).outputText
    }
    #expect(contents[0] == contents[1] && contents[0].count > 1000)
    #expect(piped.outputText.contains("wrote pipe"), "\(piped.outputText)")
    // Only a file is verified.
    func report(_ text: String, of name: String) -> [Substring] {
      text.replacing("; verified against the source", with: "").replacing(name, with: "OUTPUT").split(separator: "\n")
        .filter { !$0.hasPrefix("wrote ") }
    }
    #expect(report(piped.outputText, of: "pipe") == report(file.outputText, of: "file.realm"))
  }

  @Test func aNamedPipeIsNotOpenedBecauseItCouldBlock() throws {
    let folder = try folder()
    try #require(mkfifo(folder.path("pipe"), 0o600) == 0)
    let outcome = try folder.run(["open", "pipe"])
    #expect(outcome.status == 2)
    #expect(
      outcome.errors.contains(
        "is a named pipe, not a regular file; name a regular file; commands that only read also take - for standard input"
      ))
  }
}

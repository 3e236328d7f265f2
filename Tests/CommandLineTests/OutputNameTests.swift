import TestSupport
import Testing

/// The extension of an output decides its format, and `--csv-safe` keeps spreadsheets from running cells.
@Suite struct OutputNameTests {
  private func folder() throws -> InputFolder {
    let folder = try InputFolder()
    try folder.write("a.realm", try Fixture.bytes("engine/dogs.realm"))
    return folder
  }

  private func text(_ folder: InputFolder, _ name: String) throws -> String {
    String(decoding: try Fixture.bytes(ofFile: folder.path(name)), as: UTF8.self)
  }

  @Test(arguments: [
    ("x.csv", "csv"), ("x.tsv", "tsv"), ("x.ndjson", "ndjson"), ("x.jsonl", "ndjson"), ("x.json", "json"),
  ])
  func `the ending decides the format`(name: String, format: String) throws {
    let folder = try folder()
    for command in [["export", "a.realm", "--only", "Toy"], ["query", "a.realm", "Toy"]] {
      let outcome = try folder.run(command + ["-o", name, "--force"], creates: [name])
      #expect(outcome.status == 0 && outcome.errors.isEmpty)
      let expected = try folder.run(command + ["--format", format]).outputText
      #expect(try text(folder, name) == expected)
    }
  }

  @Test func `a file that the ending makes one table takes no more`() throws {
    let outcome = try folder().run(["export", "a.realm", "-o", "x.csv"])
    #expect(outcome.status == 64)
    #expect(
      outcome.errors
        == "realmctl: a.realm: CSV needs a file for each class, and there are 3; name a folder with -o, or one class with --only\n"
    )
  }

  @Test(arguments: [("toy.tsv", "csv"), ("toy.csv", "tsv")])
  func `a name of one table is that of a file, whichever of both formats it has`(name: String, format: String) throws {
    let folder = try folder()
    let table = ["export", "a.realm", "--only", "Toy", "--format", format]
    let outcome = try folder.run(table + ["-o", name], creates: [name])
    #expect(outcome.status == 0)
    let ending = name.dropFirst(3)
    #expect(
      outcome.errors == "realmctl: warning: \(name): the format is \(format), but the name ends with '\(ending)'; "
        + "use another name, or --format \(ending.dropFirst())\n")
    #expect(try text(folder, name) == folder.run(table).outputText)
    let several = try folder.run(["export", "a.realm", "--format", format, "-o", "all" + ending])
    #expect(several.status == 64)
    #expect(
      several.errors.contains(
        "realmctl: a.realm: \(format.uppercased()) needs a file for each class, and there are 3; name a folder with -o"),
      "\(several.errors)")
  }

  @Test(arguments: [("x.csv", "json", "csv"), ("x.json", "ndjson", "json"), ("x.ndjson", "typed", "ndjson")])
  func `an ending of another format is a warning`(name: String, format: String, other: String) throws {
    let folder = try folder()
    for command in [["export", "a.realm", "--only", "Toy"], ["query", "a.realm", "Toy"]] {
      let words = command + ["-o", name, "--force", "--format", format]
      let outcome = try folder.run(words, creates: [name])
      #expect(outcome.status == 0)
      let ending = name.dropFirst(1)
      #expect(
        outcome.errors == "realmctl: warning: \(name): the format is \(format), but the name ends with '\(ending)'; "
          + "use another name, or --format \(other)\n")
      #expect(try folder.run(words + ["--strict"], creates: [name]).status == 1)
    }
    for (format, name) in [("typed", "y.json"), ("core", "y.json"), ("typed-ndjson", "y.ndjson"), ("json", "y")] {
      let outcome = try folder.run(["export", "a.realm", "--format", format, "-o", name, "--force"], creates: [name])
      #expect(outcome.errors.isEmpty)
    }
  }

  // MARK: Spreadsheets

  @Test func `what a spreadsheet would run gets an apostrophe with --csv-safe only`() throws {
    let folder = try InputFolder()
    let type = #"{"name":"A","primaryKey":"=id","properties":{"=id":"string","n":"int","f":"double","d":"data","#
    let rest = #""x":"mixed","l":"string[]","w":"date","a":"A"}}"#
    try folder.write("s.json", Array("[\(type)\(rest)]".utf8))
    let data = [
      #"{"=id":"=1+1","n":-5,"f":-1.5,"d":"+cmd","x":"@SUM(1)","l":["=a"],"w":"+10000-01-01T00:00:00Z","a":"-b"}"#,
      #"{"=id":"-b","n":1,"f":1,"d":"","x":-3,"l":[],"w":"2020-01-01T00:00:00Z","a":null}"#,
      #"{"=id":"＝c","n":1,"f":1,"d":"","x":"\t=1","l":[],"w":"2020-01-01T00:00:00Z","a":null}"#,
      #"{"=id":"+d,\"e","n":1,"f":1,"d":"","x":"a=1","l":[],"w":"2020-01-01T00:00:00Z","a":null}"#,
    ]
    try folder.write("d.ndjson", Array(data.joined(separator: "\n").utf8))
    _ = try folder.run(
      ["bundle", "--schema", "s.json", "--data", "d.ndjson", "--seed", "a.realm", "-q"], creates: ["a.realm"])
    let plain = """
      =id,n,f,d,x,l,w,a
      =1+1,-5,-1.5,+cmd,@SUM(1),"[""=a""]",+10000-01-01T00:00:00Z,-b
      -b,1,1.0,"",-3,"[]",2020-01-01T00:00:00Z,
      ＝c,1,1.0,"",\t=1,"[]",2020-01-01T00:00:00Z,
      "+d,""e",1,1.0,"",a=1,"[]",2020-01-01T00:00:00Z,

      """
    let safe = """
      '=id,n,f,d,x,l,w,a
      '=1+1,-5,-1.5,'+cmd,'@SUM(1),"[""=a""]",'+10000-01-01T00:00:00Z,'-b
      '-b,1,1.0,"",-3,"[]",2020-01-01T00:00:00Z,
      '＝c,1,1.0,"",'\t=1,"[]",2020-01-01T00:00:00Z,
      "'+d,""e",1,1.0,"",a=1,"[]",2020-01-01T00:00:00Z,

      """
    let export = ["export", "a.realm", "--only", "A", "--format", "csv"]
    #expect(try folder.run(export).outputText == plain)
    #expect(try folder.run(export + ["--csv-safe"]).outputText == safe)
    let columns = try folder.run(["query", "a.realm", "A", "--columns", "x,n", "--format", "csv", "--csv-safe"])
    #expect(columns.outputText == "x,n\n'@SUM(1),-5\n-3,1\n'\t=1,1\na=1,1\n")
    let unused = try folder.run(["export", "a.realm", "--csv-safe"])
    #expect(unused.status == 64 && unused.errors.hasPrefix("realmctl: --csv-safe needs --format csv or tsv\n"))
  }
}

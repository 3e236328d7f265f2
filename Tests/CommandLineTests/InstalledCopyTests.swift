import Foundation
import TestSupport
import Testing

/// What `make install` installs is complete: the manual pages can be followed without anything else.
@Suite struct InstalledCopyTests {
  /// An installed copy, and a shell that finds nothing of this project anywhere else.
  private struct Copy {
    let root: TemporaryFolder

    var prefix: String { root.path("usr") }

    init() throws {
      root = try TemporaryFolder()
      try make("install")
      // The other machine is a folder.
      let script = "#!/bin/sh\nmkdir -p $1 && cd $1 && shift && exec sh -c \"$*\"\n"
      try root.write("ssh", Array(script.utf8))
      try #require(chmod(root.path("ssh"), 0o755) == 0)
    }

    func make(_ target: String) throws {
      let make = Tool("/usr/bin/make", environment: ["PATH": "/usr/bin:/bin"])
      // The binary is the one to test, however old it is.
      let outcome = try make.run(
        "-o", Tool.binary, "BINARY=\(Tool.binary)", "DESTDIR=\(root.path)", "PREFIX=/usr", target)
      try #require(outcome.status == 0, "\(outcome.errors)")
    }

    func shell(in folder: TemporaryFolder) -> Tool {
      var shell = Tool("/bin/sh", environment: ["PATH": "\(prefix)/bin:\(root.path):/usr/bin:/bin"])
      shell.folder = folder.path
      return shell
    }

    /// The text of a page as a reader sees it, with the macros left in.
    func page(_ path: String) throws -> String {
      String(decoding: try Fixture.bytes(ofFile: prefix + "/share/man/" + path), as: UTF8.self)
        .replacing("\\-", with: "-").replacing("\\&", with: "").replacing("\\e", with: "\\")
    }

    func pages() throws -> [String] {
      try FileManager.default.subpathsOfDirectory(atPath: prefix + "/share/man").filter { $0.hasPrefix("man") }
        .filter { $0.contains("/") }.sorted()
    }
  }

  @Test("binary, pages and completions are where they are looked for") func files() throws {
    let copy = try Copy()
    let folder = try TemporaryFolder()
    let shell = copy.shell(in: folder)
    #expect(try shell.run("-c", "realmctl --version").outputText == Tool().run("--version").outputText)
    for (name, source) in [
      ("bash-completion/completions/realmctl", "bash"), ("zsh/site-functions/_realmctl", "zsh"),
      ("fish/vendor_completions.d/realmctl.fish", "fish"),
    ] {
      let script = try Fixture.bytes(ofFile: "\(copy.prefix)/share/\(name)")
      #expect(try script == Tool().run("--generate-completion-script", source).output, "\(name)")
    }
    let pages = try copy.pages()
    let written = try FileManager.default.contentsOfDirectory(atPath: Tool.projectFolder.path + "/man")
    #expect(pages.map { $0.components(separatedBy: "/")[1] }.sorted() == written.sorted())
    for page in pages {
      let text = try copy.page(page)
      #expect(page.hasPrefix("man" + page.suffix(1) + "/"))
      #expect(!text.contains("Fixtures/") && !text.contains("Docs/"), "\(page)")
      for reference in text.matches(of: /(realmctl[a-z-]*)(?:\\fR)?\(([157])\)/) {
        let file = "man\(reference.2)/\(reference.1).\(reference.2)"
        #expect(pages.contains(file), "\(page): \(file)")
      }
      for file in text.matches(of: /share\/doc\/[\w\/.]+/) {
        #expect(FileManager.default.fileExists(atPath: "\(copy.prefix)/\(file.output)"), "\(page): \(file.output)")
      }
    }
    try copy.make("uninstall")
    let left = try FileManager.default.subpathsOfDirectory(atPath: copy.root.path).filter {
      $0.components(separatedBy: "/").last?.contains("realmctl") == true && !$0.hasSuffix("share/doc/realmctl")
    }
    #expect(left == [])
  }

  @Test("what pages show of commands is what they print") func chapters() throws {
    let copy = try Copy()
    var count = 0
    for page in try copy.pages() where !page.hasSuffix(".1") {
      for block in try copy.page(page).matches(of: /\n\.nf\n((?s:.+?))\n\.fi\n/) where block.1.hasPrefix("$ ") {
        let folder = try TemporaryFolder()
        try folder.write("dogs.realm", Fixture.bytes(ofFile: copy.prefix + "/share/doc/realmctl/dogs.realm"))
        let shown = ReadmeTests.Block(document: page, line: 0, text: block.1 + "\n")
        let printed = try ReadmeTests.output(of: shown, in: copy.shell(in: folder))
        // A page breaks what is wider than itself.
        func words(_ text: String) -> [Substring] { text.split { $0 == " " || $0 == "\n" } }
        #expect(words(printed) == words(shown.text), "\(page)")
        count += 1
      }
    }
    #expect(count > 5)
  }

  // MARK: Examples

  @Test("every example of a page runs where there are such files") func examples() throws {
    let copy = try Copy()
    let base = try TemporaryFolder()
    for (name, text) in Self.texts { try base.write(name, Array(text.utf8)) }
    let prepared = try copy.shell(in: base).run("-e", "-c", Self.preparation)
    try #require(prepared.status == 0, "\(prepared.errors)")
    var count = 0
    for page in try copy.pages() where page.hasSuffix(".1") {
      for example in try examples(copy.page(page)) {
        let folder = try TemporaryFolder()
        let shell = copy.shell(in: folder)
        for (name, source) in try files(of: example, base) {
          try FileManager.default.copyItem(atPath: base.path(source), toPath: folder.path(name))
        }
        if let before = Self.before[example] { #expect(try shell.run("-c", before).status == 0, "\(before)") }
        let outcome = try shell.run("-c", example.replacing(" /backups/", with: " backup-"))
        let mayDiffer = !example.matches(of: /realmctl (diff|schema diff|recover)/).isEmpty
        let status = refusal(of: example) ?? 0
        #expect(
          outcome.status == status || mayDiffer && outcome.status == 1, "\(page): \(example): \(outcome.errors)")
        count += 1
      }
    }
    #expect(count > 150)
  }

  /// Those whose programs are installed.
  private func examples(_ page: String) -> [String] {
    page.split(separator: "\n").drop { $0 != ".SH \"EXAMPLES\"" }.dropFirst().prefix { !$0.hasPrefix(".SH ") }
      .map(String.init).filter { $0.hasPrefix("realmctl ") || $0.contains("| realmctl ") }
      .filter { example in
        ["jq", "sqlite3"].allSatisfy {
          !example.contains("| " + $0) || FileManager.default.isExecutableFile(atPath: "/usr/bin/" + $0)
        }
      }
  }

  /// The files that an example names and does not write, each with the one that it is a copy of.
  private func files(of example: String, _ base: TemporaryFolder) throws -> [(name: String, source: String)] {
    let words = example.split { " '<;".contains($0) }.map(String.init)
    var written = Set(
      zip(words, words.dropFirst()).filter { ["-o", ">", "--seed", "sqlite3"].contains($0.0) }.map(\.1))
    if words.starts(with: ["realmctl", "write-copy"]) { written.insert(words[3]) }
    if words.contains("--create") || words.contains("--seed-file") { written.insert(words[2]) }
    if words.contains("*.realm") {
      return [("a.realm", "app.realm"), ("b.realm", "app.realm")] + [("plan.yml", "plan.yml")]
    }
    return try base.names().filter { (words.contains($0) || $0 == "default.realm") && !written.contains($0) }
      .map { ($0, Self.others[example]?[$0] ?? $0) }
  }

  /// The status of examples that need a terminal.
  private func refusal(of example: String) -> Int32? {
    example.contains("realmctl browse") ? 2 : example == "realmctl rm old.realm" ? 64 : nil
  }

  /// Examples that are about other realms than the rest.
  private static let others = [
    "realmctl diff a.realm b.realm --key-file old.key --new-key-file new.key": [
      "a.realm": "secret.realm", "b.realm": "secret.realm",
    ],
    "realmctl migrate a.realm --set P.x=0 --where 'P:x == null' --to-version 2": ["a.realm": "p.realm"],
    "realmctl downgrade app.realm --file-format 20 --as Dog.id=string": ["app.realm": "pets.realm"],
  ]

  private static let before = [
    "realmctl migrate --restore-backups done.json":
      "cp default.realm a.realm; cp default.realm b.realm; "
      + "realmctl migrate a.realm b.realm --convert Person.age=string --to-version 3 --json > done.json",
    "realmctl schema infer list.csv --class Todo --type Todo.code=string":
      "printf 'code,text,done\\n1,a,true\\n' > list.csv",
  ]

  private static let preparation = """
    realmctl import app.realm data.json --create --schema model.json
    realmctl update app.realm Log --all --set line=y --no-backup
    for name in default new backup other v1 a b seed; do cp app.realm $name.realm; done
    realmctl update b.realm Log --all --set line=z --no-backup
    realmctl downgrade app.realm --file-format 23 -o old.realm
    realmctl write-copy app.realm secret.realm --out-key-file app.key
    realmctl export app.realm -o app.sqlite
    realmctl export app.realm --for room --format sqlite -o shop.db
    cp shop.db northwind.db
    realmctl redact new app.realm -o rules.yml
    cp app.realm damaged.realm
    printf 'damage' | dd of=damaged.realm bs=1 seek=2048 conv=notrunc
    realmctl open pets.realm --create --schema pets.json
    realmctl open p.realm --create --schema p.json --schema-version 1
    """

  private static let texts: [String: String] = {
    let key = String(repeating: "k", count: 64)
    let model = #"""
      {"schemaVersion":1,"classes":[
      {"name":"Person","primaryKey":"email","properties":{"email":"string","name":"string","age":"int",
        "active":"bool","balance":"double","city":"City","dogs":"Dog[]"}},
      {"name":"Dog","properties":{"_id":"int","id":"uuid","name":"string","breed":"string?","age":"int",
        "label":"string?","tags":"string[]","map":"string{}","owner":"Person"}},
      {"name":"City","properties":{"name":"string","size":"int","country":"Country"}},
      {"name":"Country","properties":{"name":"string"}},
      {"name":"Todo","properties":{"code":"string","text":"string","done":"bool"}},
      {"name":"Session","properties":{"expires":"date"}}, {"name":"Log","properties":{"line":"string"}},
      {"name":"User","properties":{"id":"int","person":"Person"}}]}
      """#
    return [
      "model.json": model,
      "app.json": model.replacing(
        #""owner":"Person""#,
        with: #""owner":"Person","owners":{"type":"linkingObjects","objectType":"Person","property":"dogs"}"#),
      "data.json": #"""
      {"Country":[{"_key":0,"name":"CH"}],
      "City":[{"_key":0,"name":"Bern","size":140000,"country":0},{"_key":1,"name":"Wil","size":9001,"country":0}],
      "Dog":[{"_key":0,"_id":5,"name":"Rex","breed":"Beagle","age":3,"tags":["a"],"owner":"ann@example.com"},
        {"_key":1,"_id":7,"name":"Fido","age":4,"map":{"a":"b"},"owner":"ann@example.com"}],
      "Person":[{"email":"ann@example.com","name":"Ann","age":41,"active":true,"balance":1.5,"city":0,"dogs":[0,1]},
        {"email":"a@x.ch","name":"Bo","age":35,"active":false,"balance":2,"city":1,"dogs":[0]}],
      "Todo":[{"code":"001","text":"Call","done":false}], "Session":[{"expires":"2020-01-01T00:00:00Z"}],
      "Log":[{"line":"x"}], "User":[{"id":7,"person":"a@x.ch"}]}
      """#,
      "pets.json": #"""
      [{"name":"Person","properties":{"dogs":"Dog[]"}},{"name":"Dog","properties":{"id":"uuid"}}]
      """#,
      "p.json": #"[{"name":"P","properties":{"x":"int?"}}]"#,
      "Person.csv": "email,name,age\ncy@example.com,Cy,20\n",
      "Dog.csv": "_id,name,age,owner\n9,Bello,2,cy@example.com\n", "City.csv": "name,size\nUri,9\n",
      "list.csv": "code;text;done\n002;Write;true\n",
      "people.ndjson": #"{"email":"a@x.ch","name":"Bob"}"#,
      "report.sql": "SELECT name FROM Person;", "app.key": key, "old.key": key, "new.key": key,
      "plan.yml": """
      plan: 1
      steps:
        - to: 2
          do:
            - rename_property: { class: Person, from: age, to: years }
        - to: 3
          do:
            - add_property: { class: Person, name: note, type: string? }
      """,
    ]
  }()
}

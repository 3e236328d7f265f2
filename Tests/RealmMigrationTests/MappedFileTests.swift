import RealmExchange
import RealmMigration
import RealmOpening
import RealmStorage
import RealmText
import RealmTools
import TestSupport
import Testing

/// Copies in older formats whose types are changed because the format does not have them. That engines of the time open,
/// query and change such copies was tried with these engines.
@Suite("types changed for older file formats") struct MappedFileTests {
  private static let schema = """
    [{"name":"Address","embedded":true,"properties":{"street":"string","code":"uuid?"}},
     {"name":"Dog","primaryKey":"id","properties":{"id":"uuid","name":"string?","mother":"Dog"}},
     {"name":"Person","primaryKey":"id","properties":{
       "id":"objectId","uuid":{"type":"uuid","optional":true,"indexed":true},"uuids":"uuid?[]","uuidSet":"uuid<>","uuidMap":"uuid?{}",
       "money":"decimal128?","any":{"type":"mixed","indexed":true},"anys":"mixed[]","anyMap":"mixed{}","numbers":"int<>",
       "dog":"Dog","dogs":"Dog<>","dogMap":"Dog{}","home":"Address","homes":"Address[]","homeMap":"Address{}",
       "intMap":"int?{}"}}]
    """
  private static let one = "00000000-0000-0000-0000-000000000001"
  private static let two = "ffffffff-0000-0000-0000-000000000002"
  private static let data = """
    {"Dog":[{"id":"\(one)","name":"Rex","mother":"\(two)"},{"id":"\(two)","name":null}],
     "Person":[
      {"id":"0123456789abcdef01234567","uuid":"\(two)","uuids":["\(one)",null],"uuidSet":["\(two)","\(one)"],
       "uuidMap":{"b":null,"a":"\(one)"},"money":"1.5","any":[1,"a",{"k":2}],
       "anys":[1,"x",null,[1,2],{"$link":{"table":"Dog","key":"\(one)"}}],"anyMap":{"x":2.5},"numbers":[3,-1],
       "dog":"\(one)","dogs":["\(two)"],"dogMap":{"x":"\(one)","n":null},"home":{"street":"H"},
       "homes":[{"street":"1"},{"street":"2"}],"homeMap":{"p":{"street":"P","code":"\(one)"},"q":null},
       "intMap":{"b":1,"a":null}},
      {"id":"0123456789abcdef01234568","money":"0.1","any":"text"}]}
    """

  /// A mapping for everything that formats 10 and 11 do not have.
  private static let all = [
    "Address=plain", "Address.code=string", "Dog.id=string", "Person.id=string", "Person.uuid=string",
    "Person.uuids=string", "Person.uuidSet=list", "Person.uuidSet=string", "Person.uuidMap=pairs",
    "Person.uuidMap=string", "Person.money=double", "Person.any=string", "Person.anys=string", "Person.anyMap=pairs",
    "Person.anyMap=string", "Person.numbers=list", "Person.dogs=list", "Person.dogMap=pairs", "Person.homeMap=pairs",
    "Person.intMap=pairs",
  ]

  /// Those of `all` that a format needs.
  private static func mappings(for format: TargetFormat) -> [String] {
    switch format {
    case .format10, .format11: all
    case .format20: all.filter { !["Address=plain", "Person.id=string", "Person.money=double"].contains($0) }
    default: ["Person.any=string", "Person.anys=string"]
    }
  }

  // MARK: Running

  private func realm(_ schema: String = schema, _ data: String = data, key: [UInt8]? = nil) throws -> PlanCase {
    try PlanCase(schema, data, version: 7, key: key)
  }

  /// Writes a copy, checks it, and returns it as a case whose objects can be examined.
  private func copy(
    of realm: PlanCase, _ mappings: [String], in format: TargetFormat, dryRun: Bool = false,
    _ change: (inout CopyOptions) -> Void = { _ in }
  ) throws -> (result: PlanCase?, report: CopyReport) {
    let before = try Fixture.bytes(ofFile: realm.path)
    let opened = try OpenedRealm(ByteStore.open(.path(realm.path), key: realm.key))
    var options = CopyOptions(identity: .fresh)
    (options.format, options.key) = (format, realm.key)
    options.mapping = TypeChangeRun.mapping(try mappings.map { try #require(TypeChange($0)) })
    change(&options)
    let path = realm.folder.path("copy.realm")
    let writing = OutputTarget(path: path, replacing: true, dryRun: dryRun, verifies: true)
    let copy = try writing.copy(opened, options) {}
    _ = try copy.publish()
    #expect(try Fixture.bytes(ofFile: realm.path) == before)
    let report = try #require(copy.report)
    guard !dryRun else { return (nil, report) }
    let names = try realm.folder.names().filter { !["a.realm", "data.json", "copy.realm"].contains($0) }
    #expect(names == [])
    #expect(report.isVerified)
    let result = try PlanCase(opening: path, in: realm.folder, key: options.key)
    #expect(try result.snapshot().header.format == format.number)
    return (result, report)
  }

  private func error(
    _ mappings: [String], in format: TargetFormat, schema: String = schema, data: String = data,
    allowingLoss: Bool = true
  ) throws -> CopyError? {
    #expect(throws: CopyError.self) {
      try copy(of: realm(schema, data), mappings, in: format) { $0.filter.allowsDataLoss = allowingLoss }
    }
  }

  // MARK: Everything

  @Test("whatever a format does not have is kept under another type", arguments: TargetFormat.older)
  func everything(_ format: TargetFormat) throws {
    let (copy, report) = try copy(of: realm(), Self.mappings(for: format), in: format)
    let result = try #require(copy)
    #expect(report.formatLosses == [])
    #expect(Set(report.mapped.compactMap(\.property)).count > 1)
    #expect(try result.snapshot().schema.version == 7)
    #expect(try result.values("Person", "any") == [#""text""#, #""[1,\"a\",{\"k\":2}]""#].matching(format))
    let links = #""{\"$link\":{\"table\":\"Dog\",\"key\":\"\#(Self.one)\"}}""#
    let anys = try result.values("Person", "anys").first { $0 != "[]" }
    #expect(anys == #"["1","x",null,"[1,2]",\#(links)]"#)
    guard format <= .format20 else { return }
    // In the order of the file, which is that of object keys derived from primary keys.
    #expect(try Set(result.values("Dog", "id")) == [#""\#(Self.one)""#, #""\#(Self.two)""#])
    #expect(try result.snapshot().schema.classNamed("Dog")?.primaryKey?.type == .string)
    func person(_ property: String) throws -> String? {
      try result.objects("Person").firstIndex { $0.contains("89abcdef01234567") }
        .map { try result.values("Person", property)[$0] }
    }
    #expect(try person("uuid") == #""\#(Self.two)""#)
    #expect(try result.property("Person", "uuid")?.index == .general)
    #expect(try person("uuids") == #"["\#(Self.one)",null]"#)
    #expect(try person("uuidSet") == #"["\#(Self.one)","\#(Self.two)"]"#)
    #expect(try person("numbers") == "[-1,3]")
    #expect(try result.property("Person", "dogs")?.typeText == "array<Dog>")
    #expect(try person("dog")?.contains(Self.one) == true)
    #expect(try person("dogs")?.contains(Self.two) == true)
    #expect(
      try result.objects("Person_uuidMap_Pair", .readable) == [
        #"{"key":"a","value":"\#(Self.one)"}"#, #"{"key":"b","value":null}"#,
      ])
    #expect(try result.objects("Person_anyMap_Pair", .readable) == [#"{"key":"x","value":"2.5"}"#])
    #expect(
      try result.objects("Person_intMap_Pair", .readable) == [#"{"key":"a","value":null}"#, #"{"key":"b","value":1}"#])
    #expect(
      try result.objects("Person_dogMap_Pair", .readable) == [
        #"{"key":"n","value":null}"#, #"{"key":"x","value":"\#(Self.one)"}"#,
      ])
    let address = try #require(try result.snapshot().schema.classNamed("Address"))
    #expect(address.kind == (format == .format20 ? .embedded : .topLevel))
    #expect(try result.objects("Address").count == 4)
    #expect(try result.property("Person", "homes")?.typeText == "array<Address>")
    #expect(try result.property("Person_homeMap_Pair", "value")?.targetClass == "Address")
    if format < .format20 {
      #expect(try person("money") == "1.5")
      #expect(try person("id") == #""0123456789abcdef01234567""#)
    }
  }

  @Test("an encrypted realm stays encrypted", arguments: [TargetFormat.format11, .format22])
  func encrypted(_ format: TargetFormat) throws {
    let realm = try realm(key: Array(0..<64))
    let (result, _) = try copy(of: realm, Self.mappings(for: format), in: format)
    #expect(try result?.objects("Person").count == 2)
  }

  @Test("a dry run tells the same, and writes nothing") func dryRun() throws {
    let realm = try realm()
    let names = try realm.folder.names()
    let (_, rehearsed) = try copy(of: realm, Self.all, in: .format11, dryRun: true)
    #expect(try realm.folder.names() == names)
    let (_, written) = try copy(of: realm, Self.all, in: .format11)
    #expect(rehearsed.mapped == written.mapped)
    #expect(rehearsed.written.fileSize == written.written.fileSize)
  }

  @Test("what is not mapped is listed and refused, or left out") func rest() throws {
    let some = Self.all.filter { $0 != "Person.money=double" && $0 != "Address.code=string" }
    var allowed: CopyReport?
    #expect(throws: CopyError.self) { try copy(of: realm(), some, in: .format11) }
    allowed = try copy(of: realm(), some, in: .format11) { $0.filter.allowsDataLoss = true }.report
    #expect(Set(allowed?.formatLosses.compactMap(\.property) ?? []) == ["money", "code"])
    #expect(allowed?.mapped.count == 15)
  }

  @Test("a part of a realm needs mappings of that part only") func part() throws {
    let (result, report) = try copy(of: realm(), ["Dog.id=string", "Person.id=string"], in: .format11) {
      $0.filter.classes = .only(["Dog"])
    }
    #expect(report.mapped.map(\.className) == ["Dog"])
    #expect(try result?.objects("Dog").count == 2)
  }

  @Test("many objects are changed in parts") func many() throws {
    let id = "00000000-0000-4000-8000-"
    let objects = (0..<60_000).map { #"{"id":"\#(id)\#(String($0 + 100_000_000_000))","map":{"k":\#($0)}}"# }
    let realm = try realm(
      #"[{"name":"A","primaryKey":"id","properties":{"id":"uuid","map":"int{}"}}]"#,
      "{\"A\":[" + objects.joined(separator: ",") + "]}")
    let (result, report) = try copy(of: realm, ["A.id=string", "A.map=pairs"], in: .format11)
    #expect(report.mapped.map(\.count) == [60_000, 60_000])
    #expect(try result?.snapshot().table(displayName: "A_map_Pair")?.objectCount() == 60_000)
  }

  // MARK: Single types

  private func values(
    _ type: String, _ json: [String], as target: String, in format: TargetFormat = .format11
  ) throws -> [String] {
    let objects = json.map { "{\"p\":\($0)}" }.joined(separator: ",")
    let realm = try realm("[{\"name\":\"A\",\"properties\":{\"p\":\"\(type)\"}}]", "{\"A\":[\(objects)]}")
    return try copy(of: realm, ["A.p=\(target)"], in: format).result?.values("A", "p") ?? []
  }

  @Test("values become the text that export gives") func texts() throws {
    #expect(
      try values("mixed", ["1", "true", "2.5", "null", #"{"$date":{"$numberLong":"1500"}}"#], as: "string") == [
        #""1""#, #""true""#, #""2.5""#, "null", #""1970-01-01T00:00:01.5Z""#,
      ])
    #expect(try values("mixed", [#"{"$binary":{"base64":"/wA=","subType":"00"}}"#], as: "string") == [#""/wA=""#])
    #expect(
      try values("decimal128?", [#""1E+3""#, #""NaN""#, "null"], as: "string") == [#""1E+3""#, #""NaN""#, "null"])
    #expect(try values("objectId", [#""0123456789abcdef01234567""#], as: "string") == [#""0123456789abcdef01234567""#])
    #expect(
      try values("mixed", ["[]", #"{"a":[null]}"#], as: "string", in: .format23) == [#""[]""#, #""{\"a\":[null]}""#])
  }

  @Test("a decimal becomes a double that reads as the same number, or none") func doubles() throws {
    #expect(
      try values("decimal128", [#""0.1""#, #""1E+3""#, #""-0""#, #""Infinity""#], as: "double") == [
        "0.1", "1000.0", #"{"$numberDouble":"-0.0"}"#, #"{"$numberDouble":"Infinity"}"#,
      ])
    let inexact = try error(
      ["A.p=double"], in: .format11, schema: #"[{"name":"A","properties":{"p":"decimal128"}}]"#,
      data: #"{"A":[{"p":"1"},{"p":"0.12345678901234567890"}]}"#)
    guard case .mapping(.values(let part, let message))? = inexact else { return #expect(inexact == nil) }
    #expect(part.property == "p")
    #expect(message.hasPrefix("1 of 2 objects: object "))
    #expect(message.hasSuffix("cannot be stored exactly as a double"))
  }

  @Test("texts and data of the same bytes in a set are a loss in format 22, and none in a list") func equalBytes()
    throws
  {
    let binary = #"{"$binary":{"base64":"YQ==","subType":"00"}}"#
    let realm = try realm(
      #"[{"name":"A","properties":{"p":"mixed<>"}}]"#, #"{"A":[{"p":["a",\#(binary),"b",1]},{"p":["a","c"]}]}"#)
    let loss = "property 'A.p' has 1 data value with the bytes of a string in the same set"
    #expect(throws: CopyError.self) { try copy(of: realm, [], in: .format22) }
    let left = try copy(of: realm, [], in: .format22) { $0.filter.allowsDataLoss = true }
    #expect(left.report.formatLosses.map(\.description) == [loss])
    #expect(try left.result?.values("A", "p").map { $0.contains("YQ==") } == [false, false])
    #expect(try copy(of: realm, [], in: .format23).report.formatLosses == [])
    let list = try copy(of: realm, ["A.p=list"], in: .format22)
    #expect(try list.result?.values("A", "p").map { $0.contains("YQ==") } == [true, false])
  }

  @Test("classes of pairs get names that are free and short enough") func names() throws {
    let long = String(repeating: "x", count: 50)
    let realm = try realm(
      """
      [{"name":"A","properties":{"m":"int{}","\(long)":"int{}"}},{"name":"A_m_Pair","properties":{"i":"int"}}]
      """, #"{"A":[{"m":{"k":1},"\#(long)":{"k":2}}]}"#)
    let (result, report) = try copy(of: realm, ["A.m=pairs", "A.\(long)=pairs"], in: .format20)
    #expect(try result?.objects("A_m_Pair2", .readable) == [#"{"key":"k","value":1}"#])
    #expect(try result?.objects(RealmString("A_\(long.prefix(50))_Pair"), .readable) == [#"{"key":"k","value":2}"#])
    #expect(report.mapped.map(\.types.to) == ["list of 'A_m_Pair2'", "list of 'A_\(long.prefix(50))_Pair'"])
  }

  @Test("sources of formats with other layouts can be mapped, too") func otherSources() throws {
    let (first, _) = try copy(of: realm(), [], in: .format22) { $0.filter.allowsDataLoss = true }
    let source = try #require(first)
    let folder = try TemporaryFolder()
    _ = try folder.write("a.realm", Fixture.bytes(ofFile: source.path))
    let again = try PlanCase(opening: folder.path("a.realm"), in: folder, key: nil)
    let (result, report) = try copy(of: again, Self.all, in: .format10)
    #expect(report.formatLosses == [])
    #expect(try result?.objects("Person_homeMap_Pair").count == 2)
  }

  // MARK: Mistakes

  @Test("mappings that do not fit are errors") func mistakes() throws {
    func mapping(_ text: String) throws -> TypeChange { try #require(TypeChange(text)) }
    for text in ["", "=", "Person", "Person=", "=list", "Person.any=text", "Person.any=String"] {
      #expect(TypeChange(text) == nil, "\(text)")
    }
    guard case .noSuchClass("Persn", _)? = try error(["Persn.id=string"], in: .format11) else {
      Issue.record("no such class")
      return
    }
    guard case .noSuchClass("Persn", _)? = try error(["Persn=plain"], in: .format11) else {
      Issue.record("no such class")
      return
    }
    guard case .mapping(.noSuchProperty("i", _))? = try error(["Person.i=string"], in: .format11) else {
      Issue.record("no such property")
      return
    }
    let rows: [(String, TargetFormat, (TypeChange) -> TypeChangeProblem)] = [
      ("Person.uuid=string", .format22, { .notNeeded($0, .format22) }),
      ("Person.dogs=list", .format22, { .notNeeded($0, .format22) }),
      ("Person.dog=string", .format11, { .notNeeded($0, .format11) }),
      ("Address=plain", .format20, { .notNeeded($0, .format20) }),
      ("Person.uuid=double", .format11, { .notPossible($0, type: "uuid") }),
      ("Person.uuid=list", .format11, { .notPossible($0, type: "uuid") }),
      ("Person.dogs=pairs", .format11, { .notPossible($0, type: "set of object") }),
      ("Person.home=plain", .format11, { .needsClass($0) }),
      ("Person=string", .format11, { .needsProperty($0) }),
      ("Person=plain", .format11, { .classNotEmbedded($0) }),
      ("Person.uuidSet=list", .format11, { .notEnough($0, becomes: "list of uuid", .format11, needed: .string) }),
      ("Person.uuidSet=string", .format11, { .notEnough($0, becomes: "set of string", .format11, needed: .list) }),
      ("Person.uuidMap=pairs", .format11, { .notEnough($0, becomes: "list of uuid", .format11, needed: .string) }),
    ]
    for (text, format, expected) in rows {
      #expect(try error([text], in: format) == .mapping(expected(mapping(text))), "\(text)")
    }
    #expect(
      try error(["Person.money=double", "Person.money=string"], in: .format11)
        == .mapping(.contradiction(mapping("Person.money=double"), mapping("Person.money=string"))))
  }

  @Test("names may have dots and equal signs") func oddNames() throws {
    let realm = try realm(#"[{"name":"A.b","properties":{"c.d=e":"uuid"}}]"#, #"{"A.b":[{"c.d=e":"\#(Self.one)"}]}"#)
    let (result, _) = try copy(of: realm, ["A.b.c.d=e=string"], in: .format20)
    #expect(try result?.values("A.b", "c.d=e") == [#""\#(Self.one)""#])
  }
}

extension [String] {
  /// In the order of a format: object keys derived from primary keys change the order of objects.
  fileprivate func matching(_ format: TargetFormat) -> [String] { format <= .format20 ? self : reversed() }
}

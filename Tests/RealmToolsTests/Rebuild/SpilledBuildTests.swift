import Foundation
import RealmExchange
import RealmStorage
import RealmSystem
import TestSupport
import Testing

/// New realms whose links, indexes and waiting values do not fit into the memory that they may use.
@Suite struct SpilledBuildTests {
  private static let schema = """
    [{"name":"P","primaryKey":"id","properties":{"id":"string","one":"P?","many":"P[]","set":"P<>","map":"P{}",
      "any":"mixed","number":{"type":"int","indexed":true},"long":{"type":"string","indexed":true},
      "text":{"type":"string","indexed":"full-text"},"home":"E?","n":"N?"}},
     {"name":"N","primaryKey":"id","properties":{"id":"int","next":"N?","flag":{"type":"bool","indexed":true},
      "date":{"type":"date","indexed":true,"optional":true},"any":{"type":"mixed","indexed":true}}},
     {"name":"E","embedded":true,"properties":{"p":"P?"}}]
    """

  private static let count = 700

  /// Links forwards and backwards; equal, similar and long texts; numbers in order and not.
  private static let data: String = {
    var random = SeededGenerator(seed: 7)
    let words = ["sea", "seaside", "light", "lighthouse", "stone", "river", "ri", "tree"]
    func pick(_ limit: Int = count) -> Int { Int.random(in: 0..<limit, using: &random) }
    var lines: [String] = []
    for number in 0..<count {
      let link = #"{"$link":{"table":"P","key":"key \#(pick())"}}"#
      let text = (0..<pick(6)).map { _ in words[pick(words.count)] }.joined(separator: " ")
      let long = String(repeating: "p", count: number % 3 == 0 ? 204 : 3) + "\(pick(40))"
      lines.append(
        #"{"class":"P","value":{"id":"key \#(number)","one":"key \#(pick())","many":["key \#(pick())","key \#(pick())"],"#
          + #""set":["key \#(pick())","key \#(pick())"],"map":{"b":"key \#(pick())","a":null},"any":[1,"text",\#(link)],"#
          + #""number":\#(pick(100) * 1_000_003),"long":"\#(long)","text":"\#(text)","home":{"p":"key \#(pick())"},"#
          + #""n":\#(number % 7 == 0 ? "\(pick())" : "null")}}"#)
    }
    // The first half in order, the rest in another; one is negative.
    let numbers = Array(0..<count / 2) + (count / 2..<count).shuffled(using: &random)
    for number in numbers {
      lines.append(
        #"{"class":"N","value":{"id":\#(number),"next":\#(pick()),"flag":\#(number % 2 == 0),"#
          + #""date":\#(number % 5 == 0 ? "null" : "\"2024-01-0\(number % 9 + 1)T00:00:00Z\""),"#
          + #""any":\#(number % 3 == 0 ? "\(number)" : "\"\(number % 10)\"")}}"#)
    }
    lines.append(#"{"class":"N","value":{"id":-5,"next":-5,"flag":true,"date":null,"any":null}}"#)
    return lines.joined(separator: "\n")
  }()

  private func built(_ settings: SpillSettings) throws -> BuiltRealm {
    try SpillSettings.$current.withValue(settings) { try BuiltRealm(schema: Self.schema, data: Self.data) }
  }

  @Test("the same bytes, whatever the memory", arguments: [0, 10_000, 100_000])
  func sameBytes(memory: Int) throws {
    let folder = try TemporaryFolder()
    let calls = FailingCalls(.noSpace, atCall: 0)
    let settings = SpillSettings(memory: memory, folder: folder.path, calls: calls)
    let expected = try built(SpillSettings())
    let found = try built(settings)
    #expect(found.bytes == expected.bytes)
    #expect(calls.madeCalls > 0)
    let rebuilt = try SpillSettings.$current.withValue(settings) { try BuiltRealm(rebuilding: expected.snapshot) }
    #expect(try rebuilt.bytes == BuiltRealm(rebuilding: expected.snapshot).bytes)
    #expect(calls.openDescriptors == 0)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
  }

  @Test func `no space for temporary files is an error that names their folder`() throws {
    let folder = try TemporaryFolder()
    var number = 1
    while true {
      let calls = FailingCalls(.noSpace, atCall: number)
      let settings = SpillSettings(memory: 1 << 16, folder: folder.path, calls: calls)
      do {
        _ = try built(settings)
        #expect(!calls.hasFailed)
        break
      } catch OutputError.temporary(let name, _, let errorNumber) {
        #expect(calls.hasFailed && name == folder.path && errorNumber == ENOSPC)
      }
      #expect(calls.openDescriptors == 0)
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
      number += number < 4 ? 1 : number
    }
    #expect(number > 2)
  }

  @Test("links to objects that are missing are listed in the order of the data", arguments: [Int.max, 0])
  func missing(memory: Int) throws {
    let schema = #"[{"name":"N","primaryKey":"id","properties":{"id":"int","next":"N?","more":"N[]"}}]"#
    var lines = (0..<600).map { #"{"id":\#($0),"next":\#(($0 + 1) % 600)}"# }
    lines[300] = #"{"id":300,"next":7000,"more":[-3,5000]}"#
    lines[400] = #"{"id":400,"next":-3,"more":[7000]}"#
    let data = lines.joined(separator: "\n")
    let error = #expect(throws: InputError.self) {
      try SpillSettings.$current.withValue(SpillSettings(memory: memory)) { try BuiltRealm(schema: schema, data: data) }
    }
    let links = try #require(error?.links)
    #expect(links.count == 3)
    #expect(links.targets.map(\.key) == ["7000", "-3", "5000"])
  }
}

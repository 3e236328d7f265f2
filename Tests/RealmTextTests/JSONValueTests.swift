import RealmStorage
import Testing

@testable import RealmText

@Suite("A JSON value")
struct JSONValueTests {
  @Test func keepsTheOrderOfKeysAndTheTextOfNumbers() throws {
    let value = try JSONValue.parse(#"{"z":1,"a":[1.0,-2e3,"x",null,true],"m":{"é":{}}}"#)
    let object = try #require(value.object)
    #expect(object.keys.map(\.description) == ["z", "a", "m"])
    #expect(value["z"]?.integer == 1)
    #expect(value["nope"] == nil)
    #expect(value["m"]?["é"]?.object?.isEmpty == true)
    let array = try #require(value["a"]?.array)
    #expect(array.count == 5)
    #expect(array[0] == .number(JSONNumber(text: "1.0", isInteger: false, integer: nil)))
    #expect(array[1] != .number(JSONNumber(text: "-2000", isInteger: true, integer: -2000)))
    #expect(array[2].string == "x")
    #expect(array[3] == .null)
    #expect(array[4].bool == true)
  }

  @Test(arguments: [
    ("{\"a\":1,\"b\":2,\"a\":3}", "the key 'a' appears twice in one object (line 1, column 14)"),
    ("[]]", "unexpected ']', expected nothing more (line 1, column 3)"),
    ("", "unexpected end, expected a value (line 1, column 1)"),
    ("{\"a\":", "unexpected end, expected a value (line 1, column 6)"),
    ("[{\"a\":[}]", "unexpected '}', expected a value or ']' (line 1, column 8)"),
  ]) func isRefusedWithFaultAndPlace(text: String, expected: String) {
    let error = #expect(throws: JSONError.self) { try JSONValue.parse(text) }
    #expect(error?.description == expected)
  }

  @Test func findsKeysInLargeObjects() throws {
    let members = (0..<500).map { "\"key\($0)\":\($0)" }
    let value = try JSONValue.parse("{\(members.joined(separator: ","))}")
    for number in 0..<500 { #expect(value["key\(number)"]?.integer == Int64(number)) }
    #expect(value["key500"] == nil)
    let doubled = "{\(members.joined(separator: ",")),\"key250\":0}"
    let error = #expect(throws: JSONError.self) { try JSONValue.parse(doubled) }
    #expect(error?.description.hasPrefix("the key 'key250' appears twice") == true)
  }

  @Test func tellsKeysApartByBytes() throws {
    let value = try JSONValue.parse("{\"\u{e9}\":1,\"e\u{301}\":2}")
    #expect(value["\u{e9}"]?.integer == 1)
    #expect(value["e\u{301}"]?.integer == 2)
  }

  @Test func comesOneByOneFromASequence() throws {
    var options = JSONReader.Options()
    options.isSequence = true
    try withReader("{\"a\":1}\n[2]\n3\n", options) { reader in
      try #expect(reader.readValue()?["a"]?.integer == 1)
      try #expect(reader.readValue()?.array?.first?.integer == 2)
      try #expect(reader.readValue()?.integer == 3)
      try #expect(reader.readValue() == nil)
    }
  }

  @Test func mayBeNestedToTheLimit() throws {
    let text = String(repeating: "[", count: 500) + String(repeating: "]", count: 500)
    var depth = 0
    var value = try JSONValue.parse(text)
    while let inner = value.array {
      depth += 1
      guard let first = inner.first else { break }
      value = first
    }
    #expect(depth == 500)
    #expect(throws: JSONError.self) { try JSONValue.parse("[\(text)]") }
  }
}

import RealmStorage
import TestSupport
import Testing

@testable import RealmText

/// All tokens of a text in short notation, strings and numbers with their text; at the end the error, if there is one.
private func transcript(_ reader: JSONReader) -> String {
  var parts: [String] = []
  do throws(JSONError) {
    while true {
      switch try reader.next() {
      case .beginObject: parts.append("{")
      case .endObject: parts.append("}")
      case .beginArray: parts.append("[")
      case .endArray: parts.append("]")
      case .key: parts.append("\(reader.text):")
      case .string: parts.append("'\(reader.text)'")
      case .number: parts.append(reader.text.description + (reader.isInteger ? "i" : ""))
      case .bool(let value): parts.append("\(value)")
      case .null: parts.append("null")
      case .end: return parts.joined(separator: " ")
      }
    }
  } catch {
    return (parts + ["! \(error)"]).joined(separator: " ")
  }
}

private func transcript(_ bytes: [UInt8], _ options: JSONReader.Options = JSONReader.Options()) -> String {
  bytes.withUnsafeBytes { transcript(JSONReader($0, options: options)) }
}

private func transcript(_ text: String, _ options: JSONReader.Options = JSONReader.Options()) -> String {
  transcript(Array(text.utf8), options)
}

/// The same, with the text in pieces of at most `pieceSize` bytes.
private func transcript(_ bytes: [UInt8], pieceSize: Int, _ options: JSONReader.Options) -> String {
  var rest = bytes[...]
  let reader = JSONReader(chunkSize: 0, options: options) { buffer in
    let piece = rest.prefix(min(pieceSize, buffer.count))
    buffer.copyBytes(from: piece)
    rest = rest.dropFirst(piece.count)
    return piece.count
  }
  return transcript(reader)
}

/// A reader of `text`, for the duration of `body`.
func withReader(
  _ text: String, _ options: JSONReader.Options = JSONReader.Options(), _ body: (JSONReader) throws -> Void
) throws {
  try Array(text.utf8).withUnsafeBytes { try body(JSONReader($0, options: options)) }
}

@Suite("A JSON reader")
struct JSONReaderTests {
  @Test(arguments: [
    ("null", "null"), (" true ", "true"), ("\t\r\n false", "false"), ("\"\"", "''"), ("0", "0i"), ("-0", "-0i"),
    ("[]", "[ ]"), ("{}", "{ }"), ("[1,2.5,-3e2,4E-1,5e+0]", "[ 1i 2.5 -3e2 4E-1 5e+0 ]"),
    ("{\"a\":{\"b\":[null,{}]},\"c\":\"d\"}", "{ a: { b: [ null { } ] } c: 'd' }"),
    (" { \"a\" : 1 , \"a\" : [ ] } ", "{ a: 1i a: [ ] }"),
    (#""\"\\\/\b\f\n\r\tA€""#, "'\"\\/\u{8}\u{c}\n\r\tA€'"),
    (#""\ud83d\ude00 é""#, "'😀 é'"), ("\"Zürich 漢字 😀\"", "'Zürich 漢字 😀'"),
    ("\u{feff}[1]", "[ 1i ]"),
    (
      "[\"a text of more than eight bytes\",\"and one \\n with an escape in it\"]",
      "[ 'a text of more than eight bytes' 'and one \n with an escape in it' ]"
    ),
  ]) func givesTokens(text: String, expected: String) {
    #expect(transcript(text) == expected)
  }

  @Test(arguments: [
    ("", "! unexpected end, expected a value (line 1, column 1)"),
    ("  \n ", "! unexpected end, expected a value (line 2, column 2)"),
    ("[1,]", "[ 1i ! unexpected ',' before ']' (line 1, column 4)"),
    ("[1 2]", "[ 1i ! unexpected '2', expected ',' or ']' (line 1, column 4)"),
    ("[1}", "[ 1i ! unexpected '}', expected ',' or ']' (line 1, column 3)"),
    ("[", "[ ! unexpected end, expected a value or ']' (line 1, column 2)"),
    ("{", "{ ! unexpected end, expected a key or '}' (line 1, column 2)"),
    ("{\"a\"}", "{ a: ! unexpected '}', expected ':' (line 1, column 5)"),
    ("{\"a\":}", "{ a: ! unexpected '}', expected a value (line 1, column 6)"),
    ("{\"a\":1,}", "{ a: 1i ! unexpected ',' before '}' (line 1, column 8)"),
    ("{\"a\":1", "{ a: 1i ! unexpected end, expected ',' or '}' (line 1, column 7)"),
    ("{a:1}", "{ ! unexpected 'a', expected a key or '}' (line 1, column 2)"),
    ("{1:1}", "{ ! unexpected '1', expected a key or '}' (line 1, column 2)"),
    ("1 2", "1i ! unexpected '2', expected nothing more (line 1, column 3)"),
    ("]", "! unexpected ']', expected a value (line 1, column 1)"),
    ("nul", "! unexpected 'n', expected a value (line 1, column 1)"),
    ("nulll", "null ! unexpected 'l', expected nothing more (line 1, column 5)"),
    ("nan", "! unexpected 'n', expected a value (line 1, column 1)"),
    ("01", "! a number must not begin with 0 and another digit (line 1, column 1)"),
    ("-", "! unexpected end, expected a digit (line 1, column 2)"),
    ("-a", "! unexpected 'a', expected a digit (line 1, column 2)"),
    ("+1", "! unexpected '+', expected a value (line 1, column 1)"),
    ("[1.]", "[ ! unexpected ']', expected a digit (line 1, column 4)"),
    ("[1.e1]", "[ ! unexpected 'e', expected a digit (line 1, column 4)"),
    ("[1e]", "[ ! unexpected ']', expected a digit (line 1, column 4)"),
    (".5", "! unexpected '.', expected a value (line 1, column 1)"),
    ("0x1", "0i ! unexpected 'x', expected nothing more (line 1, column 2)"),
    ("\"abc", "! unexpected end, expected '\"' (line 1, column 5)"),
    ("\"a\\", "! unexpected end, expected '\"' (line 1, column 4)"),
    ("\"a\\u12", "! unexpected end, expected '\"' (line 1, column 7)"),
    ("\"a\\x\"", "! unexpected 'x', expected one of \"\\/bfnrtu (line 1, column 4)"),
    ("\"\\u12g4\"", "! unexpected 'g', expected a hexadecimal digit (line 1, column 6)"),
    ("\"a\nb\"", "! byte 0x0a in a string must be escaped (line 1, column 3)"),
    ("\"€ü\u{1}\"", "! byte 0x01 in a string must be escaped (line 1, column 4)"),
    ("{\n \"ä\": [\n  1,\n  €]}", "{ ä: [ 1i ! unexpected byte 0xe2, expected another value (line 4, column 3)"),
    ("'a'", "! unexpected \"'\", expected a value (line 1, column 1)"),
    ("[1]\u{0}", "[ 1i ] ! unexpected byte 0x00, expected nothing more (line 1, column 4)"),
  ]) func namesFaultAndPlace(text: String, expected: String) {
    #expect(transcript(text) == expected)
  }

  @Test func limitsDepth() {
    var options = JSONReader.Options()
    options.depthLimit = 3
    #expect(transcript("[[[1]]]", options) == "[ [ [ 1i ] ] ]")
    #expect(transcript("[[{\"a\":[]}]]", options) == "[ [ { a: ! nested more than 3 levels deep (line 1, column 8)")
    let deep = [UInt8](repeating: UInt8(ascii: "["), count: 100_000)
    #expect(transcript(deep).hasSuffix("! nested more than 500 levels deep (line 1, column 501)"))
    options.depthLimit = .max
    #expect(transcript(deep, options).hasSuffix("! nested more than 1000 levels deep (line 1, column 1001)"))
    options.depthLimit = 0
    #expect(transcript("7", options) == "7i")
    #expect(transcript("[]", options) == "! nested more than 0 levels deep (line 1, column 1)")
  }

  @Test func limitsTheMemoryOfAToken() {
    var options = JSONReader.Options()
    options.tokenLimit = 1000
    let short = "[\"\(String(repeating: "x", count: 400))\",\"\(String(repeating: "y", count: 400))\"]"
    #expect(transcript(Array(short.utf8), pieceSize: 7, options) == transcript(short))
    let long = "[\"\(String(repeating: "x", count: 5000))\"]"
    #expect(
      transcript(Array(long.utf8), pieceSize: 7, options)
        == "[ ! a string or number of more than 1000 bytes (line 1, column 2)")
  }

  @Test func readsSeveralValuesWhenTold() {
    var options = JSONReader.Options()
    options.isSequence = true
    #expect(transcript("", options) == "")
    #expect(transcript("\n", options) == "")
    #expect(transcript("{\"a\":1}\n{}\n[]3 \"x\"\n", options) == "{ a: 1i } { } [ ] 3i 'x'")
    #expect(
      transcript("{}\n{", options) == "{ } { ! unexpected end, expected a key or '}' (line 2, column 2)")
    #expect(transcript("1,2", options) == "1i ! unexpected ',', expected a value (line 1, column 2)")
  }

  @Test func staysAtTheEnd() throws {
    try withReader("1") { reader in
      try #expect(reader.next() == .number)
      for _ in 0..<3 { try #expect(reader.next() == .end) }
    }
  }

  @Test(arguments: [
    ("0", 0), ("-0", 0), ("-1", -1), ("9223372036854775807", Int64.max), ("-9223372036854775808", Int64.min),
    ("9223372036854775808", nil), ("-9223372036854775809", nil), ("18446744073709551616", nil),
    ("100000000000000000000000000", nil), ("1.0", nil), ("1e3", nil),
    ("1000000000000000000", 1_000_000_000_000_000_000),
  ]) func givesIntegersThatFit(text: String, expected: Int64?) throws {
    try withReader(text) { reader in
      try #expect(reader.next() == .number)
      #expect(reader.integer == expected)
      #expect(reader.textEquals("0") == (text == "0"))
      #expect(reader.double == Double(text))
      #expect(reader.float == Float(text))
    }
  }

  @Test func skipsValues() throws {
    let text = #"{"a":[1,{"b":[2]}],"c":3,"d":{"e":{}},"f":4}"#
    try withReader(text) { reader in
      var seen: [String] = []
      try #expect(reader.next() == .beginObject)
      while try reader.next() == .key {
        if reader.textEquals("f") {
          try #expect(reader.next() == .number)
          seen.append("f=\(reader.integer ?? -1)")
          continue
        }
        seen.append(reader.text.description)
        if reader.textEquals("d") {
          try reader.skipValue(after: reader.next())
        } else {
          try reader.skipValue(after: .key)
        }
        #expect(reader.depth == 1)
      }
      #expect(seen == ["a", "c", "d", "f=4"])
      try #expect(reader.next() == .end)
    }
  }

  // MARK: - Bytes that are not text

  @Test func replacesWhatIsNoUTF8OrKeepsIt() {
    var keeping = JSONReader.Options()
    keeping.restoresBytes = true
    let rows: [(inside: [UInt8], replaced: String, kept: [UInt8])] = [
      ([0xff], "\u{fffd}", [0xff]),
      ([0x61, 0xe2, 0x82, 0x62], "a\u{fffd}b", [0x61, 0xe2, 0x82, 0x62]),
    ]
    for row in rows {
      let quoted = [UInt8(ascii: "\"")] + row.inside + [UInt8(ascii: "\"")]
      #expect(transcript(quoted) == "'\(row.replaced)'")
      let kept = quoted.withUnsafeBytes { bytes -> [UInt8]? in
        let reader = JSONReader(bytes, options: keeping)
        return (try? reader.next()) == .string ? reader.text.utf8 : nil
      }
      #expect(kept == row.kept)
    }
  }

  @Test(arguments: [
    (#"["\udc7f"]"#, "dc7f", 3), (#"["\udd00"]"#, "dd00", 3), (#"["a\ud83dx"]"#, "d83d", 4),
    (#"["\ud83d\ud83d\ude00"]"#, "d83d", 3), (#"["\ud83d\n"]"#, "d83d", 3), (#"["\ude00\ud83d"]"#, "de00", 3),
    (#"["\ud83d""#, "d83d", 3),
  ]) func `half a surrogate pair is an error that names its place`(text: String, unit: String, column: Int) {
    var keeping = JSONReader.Options()
    keeping.restoresBytes = true
    for options in [JSONReader.Options(), keeping] {
      #expect(transcript(text, options) == "[ ! half a surrogate pair: \\u\(unit) (line 1, column \(column))")
    }
    #expect(transcript(#"["\udc80x\udcFF"]"#).hasPrefix("[ ! half a surrogate pair: \\udc80"))
    let kept = Array(#""\udc80x\udcFF""#.utf8).withUnsafeBytes { bytes -> [UInt8]? in
      let reader = JSONReader(bytes, options: keeping)
      return (try? reader.next()) == .string ? reader.text.utf8 : nil
    }
    #expect(kept == [0x80, 0x78, 0xff])
  }

  @Test func readsBackEveryStringOfTheLosslessStyle() {
    var options = JSONReader.Options()
    options.restoresBytes = true
    var generator = SeededGenerator(seed: 21)
    for index in 0..<3000 {
      let alphabet: ClosedRange<UInt8> = index % 2 == 0 ? 0...255 : 0x7e...0xf5
      let raw = (0..<Int.random(in: 0...30, using: &generator)).map { _ in UInt8.random(in: alphabet, using: &generator)
      }
      let written = bytes { $0.appendJSON(RealmString(utf8: raw), style: .lossless) }
      let isValidUTF8 = String(utf8: written) != nil
      #expect(isValidUTF8)
      let read = written.withUnsafeBytes { bytes -> [UInt8]? in
        let reader = JSONReader(bytes, options: options)
        return (try? reader.next()) == .string ? reader.text.utf8 : nil
      }
      #expect(read == raw)
    }
  }

  // MARK: - Forms of the reference engine

  @Test func readsTheFormsOfTheEngineWhenTold() {
    var options = JSONReader.Options()
    options.acceptsCoreForms = true
    let text = "{B64\"cXVvdGUiaW5zaWRl\":nan,\"b\":[inf,-inf,-nan,-1],\"c\":\"\u{1}\"}"
    #expect(transcript(text, options) == "{ quote\"inside: nan b: [ inf -inf -nan -1i ] c: '\u{1}' }")
    #expect(transcript("[-i]", options) == "[ ! unexpected 'i', expected a digit (line 1, column 3)")
    #expect(transcript("{B64\"*\":1}", options) == "{ ! unexpected '\"', expected Base64 (line 1, column 5)")
    #expect(transcript("{B65\"\":1}", options) == "{ ! unexpected 'B', expected a key (line 1, column 2)")
    #expect(transcript("{B64:1}", options) == "{ ! unexpected ':', expected Base64 (line 1, column 5)")
    #expect(transcript("{B64", options) == "{ ! unexpected end, expected Base64 (line 1, column 5)")
    #expect(transcript("{B64\"\":1}") == "{ ! unexpected 'B', expected a key or '}' (line 1, column 2)")
  }

  // MARK: - Reading ahead

  @Test func `what was read ahead is read again`() throws {
    let text = Array(#"{"k":["long \n text that needs several pieces",{"a":[1,2,{}]}],"l":-12.5}"#.utf8)
    for pieceSize in [1, 3, 7, 100] {
      for ahead in 0..<14 {
        var rest = text[...]
        let reader = JSONReader(chunkSize: 0) { buffer in
          let piece = rest.prefix(min(pieceSize, buffer.count))
          buffer.copyBytes(from: piece)
          rest = rest.dropFirst(piece.count)
          return piece.count
        }
        #expect(try reader.next() == .beginObject)
        #expect(try reader.next() == .key)
        let seen = try reader.peek { try (0..<ahead).map { _ in try reader.next() } }
        #expect(reader.text == "k" && reader.depth == 1)
        #expect(seen.isEmpty || seen[0] == .beginArray)
        #expect(
          transcript(reader) == "[ 'long \n text that needs several pieces' { a: [ 1i 2i { } ] } ] l: -12.5 }")
      }
    }
  }

  // MARK: - Pieces

  @Test func readsTheSameInPieces() {
    let texts = [
      #"{"name":"Zürich 漢字 😀 and more text than fits","n":[1,-2.5e-3,123456789012345678901234567890],"t":true}"#,
      #"["\u00e9\ud83d\ude00 escapes \n\t in \\ a long string that needs many pieces \udc80",null,false]"#,
      "[1,2,{\"a\":\n\n 01}]", "\"\(String(repeating: "ab\\n", count: 200))\"", "[nul", "  ", "-", "\u{feff}[tru",
      "{\"k\":\"unfinished", "[\"\\ud83d", "[\"\\ud83dx\"]",
      "\"\\ud83d\"", "\"\\ud83d\\u\"", "\"\\ud83d\\x\"", "\"\\ud83d\\u00e\"", "[\"\\ud83d\\u12", "\"\u{1}\"",
    ]
    var invalid = Array("[\"cut \u{20ac} \u{20ac}\", \"x\"]".utf8)
    invalid.remove(at: 7)
    for bytes in texts.map({ Array($0.utf8) }) + [invalid] {
      for pieceSize in [1, 2, 3, 5, 64] {
        #expect(transcript(bytes, pieceSize: pieceSize, JSONReader.Options()) == transcript(bytes))
      }
    }
  }

  @Test func readsDamagedTextsTheSameInPieces() {
    let text = Array(
      #"[{"a":"b\u00e9\n€","c":[1.5e-7,true,null,-12]},"\ud83d\ude00",nan,{B64"AA==":-inf},[[[]]]]"#.utf8)
    var generator = SeededGenerator(seed: 22)
    for round in 0..<4000 {
      var damaged = text
      for _ in 0..<Int.random(in: 1...3, using: &generator) {
        let position = Int.random(in: 0..<damaged.count, using: &generator)
        switch round % 3 {
        case 0: damaged[position] = UInt8.random(in: 0...255, using: &generator)
        case 1: damaged.remove(at: position)
        default: damaged.insert(damaged[Int.random(in: 0..<damaged.count, using: &generator)], at: position)
        }
      }
      var options = JSONReader.Options()
      options.acceptsCoreForms = round % 2 == 0
      options.restoresBytes = round % 4 < 2
      options.isSequence = round % 5 == 0
      let pieceSize = Int.random(in: 1...9, using: &generator)
      #expect(transcript(damaged, pieceSize: pieceSize, options) == transcript(damaged, options))
    }
  }

  @Test func passesOnTheErrorOfItsSource() throws {
    struct Unreadable: Error {}
    let reader = JSONReader { _ in throw Unreadable() }
    let error = #expect(throws: JSONError.self) { try reader.next() }
    guard case .input(let cause) = error else {
      Issue.record("expected the source's error, got \(String(describing: error))")
      return
    }
    #expect(cause is Unreadable)
  }
}

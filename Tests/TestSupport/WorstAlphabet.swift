/// Names and strings with all characters that a terminal, an editor or a language could interpret, as a schema file and
/// data for `bundle`.
package struct WorstAlphabet {
  /// The characters that must not appear unescaped in output for people or in JSON; a line end has to be searched for
  /// in another way.
  package static let obeyed: Set<Unicode.Scalar> = Set(
    ([0x61c, 0x200e, 0x200f, 0x2028, 0x2029] + Array(0...0x1f) + Array(0x7f...0x9f) + Array(0x202a...0x202e)
      + Array(0x2066...0x2069)).compactMap { Unicode.Scalar(UInt32($0)) })

  private static let signs = Array("\"'\\`$;#&|<>%{}=:,".unicodeScalars)
  private static let mostBytes = 36

  /// All except NUL, which ends names in a file, in parts that fit into names.
  package static let parts: [String] = {
    var parts = [""]
    for scalar in obeyed.sorted() + signs where scalar != "\0" {
      if parts[parts.count - 1].utf8.count + 4 > mostBytes { parts.append("") }
      parts[parts.count - 1].unicodeScalars.append(scalar)
    }
    return parts
  }()

  /// Every character, NUL too.
  package static let text = parts.joined() + "\0"

  package static let classNames = parts.enumerated().map { "C\($0)\($1)" }

  /// With one property less than `schemaFile`.
  package static let smallerSchemaFile = schemaFile(hasText: false)
  package static let schemaFile = schemaFile(hasText: true)

  private static func schemaFile(hasText: Bool) -> String {
    let classes = zip(classNames, parts).map { name, part in
      let types = [
        ("id", "\"string\""), ("l", "\"string[]\""), ("m", "\"mixed\""), ("d", "\"string{}\""),
        ("o", "{\"type\":\"object\",\"objectType\":\(json(name))}"),
      ]
      let properties = (types + (hasText ? [("v", "\"string?\"")] : [])).map { "\(json($0.0 + part)):\($0.1)" }
      return
        "{\"name\":\(json(name)),\"primaryKey\":\(json("id" + part)),\"properties\":{\(properties.joined(separator: ","))}}"
    }
    return "[" + classes.joined(separator: ",") + "]"
  }

  /// Two objects of each class, as NDJSON.
  package static let data: String = {
    let text = json(Self.text)
    let lines = zip(classNames, parts).flatMap { name, part in
      (0..<2).map { number in
        let key = part.filter { $0 != "$" && $0 != "." }
        let members = [
          "\(json("id" + part)):\(json("k\(number)" + Self.text))", "\(json("v" + part)):\(text)",
          "\(json("l" + part)):[\(text)]", "\(json("m" + part)):{\(json("a" + key)):\(text)}",
          "\(json("d" + part)):{\(json("a" + key)):\(text)}", "\(json("o" + part)):\(json("k0" + Self.text))",
        ]
        return "{\"class\":\(json(name)),\"value\":{\(members.joined(separator: ","))}}\n"
      }
    }
    return lines.joined()
  }()

  /// Everything except letters and digits as escapes.
  package static func json(_ text: String) -> String {
    let units = text.utf16.map { unit in
      let digits = String(unit, radix: 16)
      let scalar = Unicode.Scalar(unit)
      let isPlain = scalar.map { $0.isASCII && $0.properties.isAlphabetic || ("0"..."9").contains($0) } ?? false
      return isPlain ? String(scalar ?? "x") : "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
    }
    return "\"" + units.joined() + "\""
  }

  /// The parts of an output that a terminal would interpret: characters, and lines that begin with the line end of a
  /// name.
  package static func findings(in output: [UInt8]) -> [String] {
    let text = String(decoding: output, as: UTF8.self)
    let characters = Set(text.unicodeScalars).intersection(obeyed.subtracting(["\n"])).sorted()
    // In the alphabet a vertical tab follows the line end.
    let lines = text.split(separator: "\n").filter { line in
      ["\\u{b}", "\\u000b", "\\v", "\u{240b}"].contains { line.drop { $0 == " " }.hasPrefix($0) }
    }
    return characters.map { "U+" + String($0.value, radix: 16) } + lines.map { "line " + $0.prefix(20) }
  }
}

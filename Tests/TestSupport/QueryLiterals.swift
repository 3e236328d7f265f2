import RealmStorage
import RealmText

/// Values and names as both dialects of the query language read them.
enum QueryLiterals {
  /// A name of a path; nil for one that no query can have, or only in backquotes.
  static func name(_ name: RealmString) -> String? {
    let text = name.description
    guard let first = text.unicodeScalars.first, !reserved.contains(text.lowercased()), !name.utf8.contains(0) else {
      return nil
    }
    let isLetter = { (scalar: Unicode.Scalar) in
      scalar.value >= 0x80 && scalar.value != 0xfffd || scalar == "_" || ("a"..."z").contains(scalar)
        || ("A"..."Z").contains(scalar)
    }
    guard isLetter(first) else { return nil }
    var result = ""
    for scalar in text.unicodeScalars {
      if isLetter(scalar) || scalar == "-" || ("0"..."9").contains(scalar) {
        result.unicodeScalars.append(scalar)
      } else if scalar == " " {
        result += "\\ "
      } else {
        return nil
      }
    }
    // `T1`, `O5` and the like may be literals.
    let isLiteral = ["T", "O", "L"].contains(first) && text.dropFirst().allSatisfy { $0.isNumber || $0 == "-" }
    return isLiteral ? nil : result
  }

  private static let reserved: Set<String> = [
    "and", "or", "not", "any", "all", "some", "none", "true", "false", "null", "nil", "inf", "infinity", "nan",
    "truepredicate", "falsepredicate", "subquery", "obj", "geowithin", "geobox", "geocircle", "geopolygon",
  ]

  static func string(_ text: RealmString) -> String {
    let isPlain = text.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x22 && $0 != 0x5c && $0 != 0x7f }
    if isPlain, RealmString(text.description) == text { return "\"\(text)\"" }
    return base64(text.utf8)
  }

  private static func base64(_ bytes: [UInt8]) -> String {
    "B64\"" + TextBuffer.string { buffer in bytes.withUnsafeBytes { buffer.appendBase64($0) } } + "\""
  }

  static func decimal(_ decimal: Decimal128) -> String { TextBuffer.string { $0.appendCanonical(decimal) } }

  /// A scalar other than a link.
  static func text(_ value: Value) -> String {
    switch value {
    case .int(let int): "\(int)"
    case .bool(let bool): "\(bool)"
    case .float(let float): float.isFinite ? "\(float)f" : "\(float)"
    case .double(let double): "\(double)"
    case .string(let string): self.string(string)
    case .data(let bytes): "binary(\(base64(bytes)))"
    case .date(let date): "T\(date.seconds):\(date.nanoseconds)"
    case .decimal(let decimal): self.decimal(decimal)
    case .objectID(let id): "oid(\(TextBuffer.string { $0.append(id) }))"
    case .uuid(let uuid): "uuid(\(TextBuffer.string { $0.append(uuid) }))"
    default: "null"
    }
  }
}

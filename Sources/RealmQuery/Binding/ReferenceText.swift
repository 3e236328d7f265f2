import RealmStorage
import RealmText

/// Values as the reference engine's messages show them.
enum ReferenceText {
  /// A value as a constant of the language.
  static func constant(_ value: Value) -> String {
    switch value {
    case .null: "NULL"
    case .bool(let value): value ? "true" : "false"
    case .int(let value): String(value)
    case .float(let value): floating(Double(value), digits: 9)
    case .double(let value): floating(value, digits: 17)
    case .decimal(let value): TextBuffer.string { $0.appendCore(value) }
    case .string(let text): string(text.utf8)
    case .data(let bytes): "binary(" + string(bytes) + ")"
    case .date(let date): "T\(date.seconds):\(date.nanoseconds)"
    case .objectID(let id): "oid(" + TextBuffer.string { $0.append(id) } + ")"
    case .uuid(let uuid): "uuid(" + TextBuffer.string { $0.append(uuid) } + ")"
    case .link(_, let key): "O\(key.rawValue)"
    case .typedLink(let table, let key): "L\(table.rawValue):\(key.rawValue)"
    case .list: "list"
    case .set: "set"
    case .dictionary: "dictionary"
    }
  }

  /// A value of an argument.
  static func argument(_ value: Value) -> String {
    switch value {
    case .null: "null"
    case .float(let value): floating(Double(value), digits: 6)
    case .double(let value): floating(value, digits: 6)
    default: constant(value)
    }
  }

  /// As `%g` with that many digits.
  private static func floating(_ value: Double, digits: Int) -> String {
    if value.isNaN { return value.sign == .minus ? "-nan" : "nan" }
    if value.isInfinite { return value < 0 ? "-inf" : "inf" }
    return GeneralNumberText.text(of: value, digits: digits)
  }

  /// In quotes; as Base64 if it has anything but printable characters.
  private static func string(_ bytes: [UInt8]) -> String {
    guard bytes.withUnsafeBytes(hasUnprintable) else {
      return "\"" + String(decoding: bytes, as: UTF8.self) + "\""
    }
    return "B64\"" + TextBuffer.string { buffer in bytes.withUnsafeBytes { buffer.appendBase64($0) } } + "\""
  }

  private static func hasUnprintable(_ bytes: UnsafeRawBufferPointer) -> Bool {
    var index = 0
    while index < bytes.count {
      let byte = bytes[index]
      if byte < 0xc0 || byte > 0xfd {
        let isPrintable = (0x20...0x7e).contains(byte) && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "'")
        if !isPrintable || byte == UInt8(ascii: "\\") { return true }
      } else {
        let length = byte < 0xe0 ? 2 : byte < 0xf0 ? 3 : byte < 0xf8 ? 4 : byte < 0xfc ? 5 : 6
        for _ in 1..<length {
          index += 1
          if index == bytes.count || bytes[index] & 0x80 == 0 { return true }
        }
      }
      index += 1
    }
    return false
  }
}

/// Numbers in the shorter of the plain and the exponent form, as C's `%g` writes them.
enum GeneralNumberText {
  /// - Parameters:
  ///   - value: finite.
  ///   - digits: significant ones, at most 17.
  static func text(of value: Double, digits: Int) -> String {
    guard value != 0 else { return value.sign == .minus ? "-0" : "0" }
    // `digits` digits, exact and rounded half to even.
    let scientific = scientificText(of: value.magnitude, digits: digits)
    let parts = scientific.split(separator: "e")
    guard parts.count == 2, let exponent = Int(parts[1]) else { return scientific }
    var significant = parts[0].filter { $0 != "." }
    while significant.count > 1, significant.last == "0" { significant.removeLast() }
    let sign = value < 0 ? "-" : ""
    if exponent < -4 || exponent >= digits {
      let head = String(significant.prefix(1))
      let tail = significant.dropFirst()
      let power = exponent.magnitude < 10 ? "0\(exponent.magnitude)" : "\(exponent.magnitude)"
      return sign + head + (tail.isEmpty ? "" : "." + tail) + "e" + (exponent < 0 ? "-" : "+") + power
    }
    if exponent < 0 { return sign + "0." + String(repeating: "0", count: -exponent - 1) + significant }
    if significant.count <= exponent + 1 {
      return sign + significant + String(repeating: "0", count: exponent + 1 - significant.count)
    }
    return sign + significant.prefix(exponent + 1) + "." + significant.dropFirst(exponent + 1)
  }

  /// `d.ddde±x` with that many digits, from the engine's form of 17 digits.
  private static func scientificText(of value: Double, digits: Int) -> String {
    let full = TextBuffer.string { $0.appendScientific(value) }
    guard digits < 17, let mark = full.firstIndex(of: "e"), var exponent = Int(full[full.index(after: mark)...]) else {
      return full.replacing("e+", by: "e")
    }
    var significant = full[..<mark].filter { $0 != "." }.compactMap(\.wholeNumberValue)
    let dropped = significant[digits...]
    significant.removeLast(dropped.count)
    let first = dropped.first ?? 0
    let isAboveHalf = first > 5 || (first == 5 && dropped.dropFirst().contains { $0 != 0 })
    if isAboveHalf || (first == 5 && (significant.last ?? 0) % 2 == 1) {
      var index = digits - 1
      while index >= 0, significant[index] == 9 {
        significant[index] = 0
        index -= 1
      }
      if index >= 0 {
        significant[index] += 1
      } else {
        significant.insert(1, at: 0)
        significant.removeLast()
        exponent += 1
      }
    }
    let text = significant.map(String.init).joined()
    return text.prefix(1) + "." + text.dropFirst() + "e\(exponent)"
  }
}

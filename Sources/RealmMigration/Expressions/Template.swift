import RealmQuery

/// A text with holes: `{firstName} {lastName|unknown} ({=age + 1})`.
package struct Template: Hashable, Sendable {
  package enum Part: Hashable, Sendable {
    case text([UInt8])
    /// - Parameter fallback: used in place of null.
    case insert(Formula, fallback: [UInt8]?)
  }

  package var text: String
  package var parts: [Part]
}

extension Template {
  /// - Throws: `ExpressionError`.
  package init(_ text: String) throws(ExpressionError) {
    self.text = text
    parts = []
    let bytes = Array(text.utf8)
    var (position, literal) = (0, [UInt8]())
    while position < bytes.count {
      let byte = bytes[position]
      let next = position + 1 < bytes.count ? bytes[position + 1] : nil
      if byte == UInt8(ascii: "{"), next != byte {
        if !literal.isEmpty { parts.append(.text(literal)) }
        literal = []
        let end = try Self.close(of: position, in: bytes)
        parts.append(try Self.insert(bytes, (position + 1)..<end))
        position = end + 1
        continue
      }
      if byte == UInt8(ascii: "{") || byte == UInt8(ascii: "}") {
        guard next == byte else { throw ExpressionError(message: "'}' must be written '}}'", offset: position) }
        position += 1
      }
      literal.append(byte)
      position += 1
    }
    if !literal.isEmpty { parts.append(.text(literal)) }
  }

  /// The brace that closes a hole: none between quotes.
  private static func close(of start: Int, in bytes: [UInt8]) throws(ExpressionError) -> Int {
    var position = start + 1
    var quote: UInt8?
    let isFormula = position < bytes.count && bytes[position] == UInt8(ascii: "=")
    while position < bytes.count {
      let byte = bytes[position]
      if let open = quote {
        if byte == UInt8(ascii: "\\") { position += 1 } else if byte == open { quote = nil }
      } else if byte == UInt8(ascii: "\""), isFormula {
        quote = byte
      } else if byte == UInt8(ascii: "'"), isFormula {
        quote = byte
      } else if byte == UInt8(ascii: "}") {
        return position
      }
      position += 1
    }
    throw ExpressionError(message: "'{' is not closed", offset: start, advice: "write '{{' for a brace")
  }

  private static func insert(_ bytes: [UInt8], _ range: Range<Int>) throws(ExpressionError) -> Part {
    if range.first.map({ bytes[$0] }) == UInt8(ascii: "=") {
      return .insert(
        try ExpressionParser.formula(in: bytes, (range.lowerBound + 1)..<range.upperBound), fallback: nil)
    }
    guard let bar = bytes[range].firstIndex(of: UInt8(ascii: "|")) else {
      do throws(ExpressionError) { return .insert(try ExpressionParser.path(in: bytes, range), fallback: nil) } catch {
        var error = error
        if error.advice == nil, bytes[range].contains(where: { "+-*/(".utf8.contains($0) }) {
          error.advice = "a formula begins with =, as in {=\(String(decoding: bytes[range], as: UTF8.self))}"
        }
        throw error
      }
    }
    return .insert(
      try ExpressionParser.path(in: bytes, range.lowerBound..<bar),
      fallback: Array(bytes[(bar + 1)..<range.upperBound]))
  }
}

/// The parts of a number's text: sign, digits before and after the point, exponent, or the name of what is not a
/// number.
///
/// It reads `[+-] digits [. digits] [e [+-] digits]`, with digits before or after the point, and `nan`, `snan`, `inf`,
/// `infinity` with or without sign, in upper or lower case. That is what C, the reference engine, JSON and JavaScript
/// write.
struct NumberText {
  enum Kind {
    case finite, infinity, nan, signalingNaN
  }

  private(set) var kind = Kind.finite
  private(set) var isNegative = false
  /// The digits before the point, without leading zeros, and those after it.
  private(set) var whole: UnsafeRawBufferPointer.SubSequence
  private(set) var fraction: UnsafeRawBufferPointer.SubSequence
  /// The written exponent, limited to ±10^15.
  private(set) var exponent = 0

  private static let exponentLimit = 1_000_000_000_000_000

  init?(_ bytes: UnsafeRawBufferPointer) {
    var rest = bytes[...]
    whole = rest.prefix(0)
    fraction = whole
    if let sign = rest.first, sign == UInt8(ascii: "-") || sign == UInt8(ascii: "+") {
      isNegative = sign == UInt8(ascii: "-")
      rest.removeFirst()
    }
    guard let first = rest.first, first == UInt8(ascii: ".") || first.decimalDigitValue != nil else {
      guard let kind = Self.kind(of: rest) else { return nil }
      self.kind = kind
      return
    }
    let wholeDigits = Self.takeDigits(&rest)
    if rest.first == UInt8(ascii: ".") {
      rest.removeFirst()
      fraction = Self.takeDigits(&rest)
    }
    if wholeDigits.isEmpty && fraction.isEmpty { return nil }
    whole = wholeDigits.drop { $0 == UInt8(ascii: "0") }
    guard rest.isEmpty || takeExponent(&rest) else { return nil }
  }

  /// Gives the digits as numbers, from the first that is not 0.
  @inline(__always) func forEachDigit(_ body: (UInt8) -> Void) {
    for byte in whole { body(byte &- 0x30) }
    let rest = whole.isEmpty ? fraction.drop { $0 == UInt8(ascii: "0") } : fraction
    for byte in rest { body(byte &- 0x30) }
  }

  /// The power of ten of the last digit.
  var lastDigitExponent: Int { exponent &- fraction.count }

  private static func takeDigits(
    _ rest: inout UnsafeRawBufferPointer.SubSequence
  ) -> UnsafeRawBufferPointer.SubSequence {
    let digits = rest.prefix { $0.decimalDigitValue != nil }
    rest = rest[digits.endIndex...]
    return digits
  }

  /// Reads the exponent, which must be all that is left.
  private mutating func takeExponent(_ rest: inout UnsafeRawBufferPointer.SubSequence) -> Bool {
    guard rest.removeFirst() | 0x20 == UInt8(ascii: "e") else { return false }
    let sign = rest.first
    if sign == UInt8(ascii: "-") || sign == UInt8(ascii: "+") { rest.removeFirst() }
    let digits = Self.takeDigits(&rest)
    for byte in digits { exponent = min(exponent &* 10 &+ Int(byte &- 0x30), Self.exponentLimit) }
    if sign == UInt8(ascii: "-") { exponent = -exponent }
    return !digits.isEmpty && rest.isEmpty
  }

  private static func kind(of name: UnsafeRawBufferPointer.SubSequence) -> Kind? {
    func matches(_ word: StaticString) -> Bool {
      name.count == word.utf8CodeUnitCount
        && zip(name, UnsafeBufferPointer(start: word.utf8Start, count: word.utf8CodeUnitCount))
          .allSatisfy { $0 | 0x20 == $1 }
    }
    if matches("nan") { return .nan }
    if matches("inf") || matches("infinity") { return .infinity }
    return matches("snan") ? .signalingNaN : nil
  }
}

import RealmStorage

/// A number of JSON's grammar, as it is scanned.
struct JSONNumberScan {
  private(set) var isInteger = false
  private var isNegative = false
  /// The digits before the point, if they are at most 19.
  private var magnitude: UInt64 = 0
  private var wholeDigitCount = 0

  enum Stop {
    /// The number ends before this place.
    case end(UnsafeRawPointer)
    /// There must be a digit at this place.
    case noDigit(UnsafeRawPointer)
    case leadingZero
  }

  /// The value, if it is an integer that fits.
  var integer: Int64? {
    guard isInteger, wholeDigitCount <= 19 else { return nil }
    if isNegative { return magnitude <= 1 << 63 ? Int64(truncatingIfNeeded: 0 &- magnitude) : nil }
    return Int64(exactly: magnitude)
  }

  @inline(__always) mutating func scan(from start: UnsafeRawPointer, to end: UnsafeRawPointer) -> Stop {
    var place = start
    isNegative = place < end && place.load(as: UInt8.self) == UInt8(ascii: "-")
    if isNegative { place += 1 }
    let first = place
    magnitude = 0
    while place < end {
      let digit = place.load(as: UInt8.self) &- 0x30
      if digit > 9 { break }
      magnitude = magnitude &* 10 &+ UInt64(digit)
      place += 1
    }
    wholeDigitCount = place - first
    if wholeDigitCount == 0 { return .noDigit(place) }
    if wholeDigitCount > 1, first.load(as: UInt8.self) == UInt8(ascii: "0") { return .leadingZero }
    isInteger = true
    if place == end { return .end(place) }
    let byte = place.load(as: UInt8.self)
    if byte == UInt8(ascii: ".") || byte | 0x20 == UInt8(ascii: "e") {
      isInteger = false
      return Self.scanFraction(from: place, to: end)
    }
    return .end(place)
  }

  /// Scans a fraction, an exponent or both.
  private static func scanFraction(from start: UnsafeRawPointer, to end: UnsafeRawPointer) -> Stop {
    var place = start
    if place.load(as: UInt8.self) == UInt8(ascii: ".") {
      let first = place + 1
      place = digits(from: first, to: end)
      if place == first { return .noDigit(place) }
    }
    guard place < end, place.load(as: UInt8.self) | 0x20 == UInt8(ascii: "e") else { return .end(place) }
    var first = place + 1
    if first < end, [UInt8(ascii: "+"), UInt8(ascii: "-")].contains(first.load(as: UInt8.self)) { first += 1 }
    place = digits(from: first, to: end)
    return place == first ? .noDigit(place) : .end(place)
  }

  private static func digits(from start: UnsafeRawPointer, to end: UnsafeRawPointer) -> UnsafeRawPointer {
    var place = start
    while place < end, place.load(as: UInt8.self) &- 0x30 <= 9 { place += 1 }
    return place
  }
}

extension JSONReader {
  /// Whether the number that was read last has neither point nor exponent.
  public var isInteger: Bool { numberScan.isInteger }

  /// The number that was read last, if it is an integer (`isInteger`) that fits.
  public var integer: Int64? { numberScan.integer }

  /// The number that was read last, rounded to the nearest `Double`; infinite beyond its range.
  public var double: Double { withText { Double(text: $0) } ?? .nan }

  /// The number that was read last, rounded to the nearest `Float`; infinite beyond its range.
  public var float: Float { withText { Float(text: $0) } ?? .nan }

  /// Reads the number whose first character is at the cursor.
  func readNumber() throws(JSONError) {
    while true {
      let stop = numberScan.scan(from: window.cursor, to: window.end)
      switch stop {
      case .end(let place) where place < window.end || window.isComplete:
        textStart = window.cursor
        textCount = place - window.cursor
        window.cursor = place
        return
      case .noDigit(let place) where place < window.end || window.isComplete:
        let length = place - window.cursor
        if options.acceptsCoreForms, try readCoreNumber() { return }
        // The window may have moved meanwhile.
        throw unexpected(at: window.cursor + length, .digit)
      case .leadingZero:
        throw malformed(.leadingZero, at: window.cursor)
      case .end, .noDigit:
        _ = try window.extend()
      }
    }
  }

  /// Reads one of the engine's names for numbers that JSON does not have, if it is at the cursor.
  func readCoreNumber() throws(JSONError) -> Bool {
    for name in ["nan", "inf", "-nan", "-inf"] as [StaticString] where try passWord(name) {
      textCount = name.utf8CodeUnitCount
      textStart = window.cursor - textCount
      numberScan = JSONNumberScan()
      return true
    }
    return false
  }
}

import RealmStorage

extension UInt64 {
  /// Number of decimal digits, at least 1.
  @inline(__always) var decimalDigitCount: Int {
    // 1233 / 4096 approximates log10(2): the count for every bit length up to 64, or one less.
    let nonZero = self | 1
    let estimate = ((64 &- nonZero.leadingZeroBitCount) &* 1233) &>> 12
    return estimate &+ (nonZero >= PowersOfTen.small(estimate) ? 1 : 0)
  }
}

extension TextBuffer {
  /// Appends the number in decimal.
  public func append(integer value: Int64) {
    var place = room(for: 25)
    if value < 0 { place = place.storeByte(UInt8(ascii: "-")) }
    advance(to: place.storeInteger(value.magnitude))
  }

  /// Appends the number in decimal.
  public func append(integer value: UInt64) {
    advance(to: room(for: 24).storeInteger(value))
  }
}

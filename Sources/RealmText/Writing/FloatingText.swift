#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

extension TextBuffer {
  /// Appends the number with 17 significant digits: what C's `printf` makes of `%.16e`.
  ///
  /// `nan`, `-nan`, `inf` and `-inf` come as the C library prints them.
  public func appendScientific(_ value: Double) { appendScientific(value, fractionDigits: 16) }

  /// Appends the number with 8 significant digits: what C's `printf` makes of `%.7e`.
  public func appendScientific(_ value: Float) { appendScientific(Double(value), fractionDigits: 7) }

  private func appendScientific(_ value: Double, fractionDigits: Int) {
    let place = room(for: 32)
    let written = withVaList([Int32(fractionDigits), value]) { arguments in
      vsnprintf(place.assumingMemoryBound(to: CChar.self), 32, "%.*e", arguments)
    }
    advance(to: place + Int(written))
  }

  /// Appends the shortest text that reads back as the same number: `0.1`, `100.0`, `1e+16`, `5e-324`.
  ///
  /// It is a JSON number, always with a point or an exponent, except for `nan`, `inf` and `-inf`: JSON has no number
  /// for them, the caller decides what to write.
  public func appendShortest(_ value: Double) { append(value.description) }

  /// Appends the shortest text that reads back as the same `Float`; see the variant for `Double`.
  public func appendShortest(_ value: Float) { append(value.description) }
}

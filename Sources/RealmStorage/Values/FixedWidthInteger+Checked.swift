/// The one way from a floating-point number to an integer, apart from `init(exactly:)`.
extension FixedWidthInteger {
  /// The integer part of a number; the nearest limit if it lies beyond, 0 for NaN.
  package init(clamping number: Double) {
    self = Self(exactly: number.rounded(.towardZero)) ?? (number > 0 ? .max : number < 0 ? .min : 0)
  }
}

/// The conversions of the standard library trap on NaN and beyond the limits. These hide them wherever this module is
/// imported, and because a warning is an error, code that uses one does not compile.
extension Int {
  @available(*, deprecated, message: "use init(clamping:) or init(exactly:)")
  package init(_ number: Double) { self.init(clamping: number) }
  @available(*, deprecated, message: "use init(clamping:) or init(exactly:)")
  package init(_ number: Float) { self.init(clamping: Double(number)) }
}

extension Int8 {
  @available(*, deprecated, message: "use init(clamping:) or init(exactly:)")
  package init(_ number: Double) { self.init(clamping: number) }
  @available(*, deprecated, message: "use init(clamping:) or init(exactly:)")
  package init(_ number: Float) { self.init(clamping: Double(number)) }
}

extension Int16 {
  @available(*, deprecated, message: "use init(clamping:) or init(exactly:)")
  package init(_ number: Double) { self.init(clamping: number) }
  @available(*, deprecated, message: "use init(clamping:) or init(exactly:)")
  package init(_ number: Float) { self.init(clamping: Double(number)) }
}

extension Int32 {
  @available(*, deprecated, message: "use init(clamping:) or init(exactly:)")
  package init(_ number: Double) { self.init(clamping: number) }
  @available(*, deprecated, message: "use init(clamping:) or init(exactly:)")
  package init(_ number: Float) { self.init(clamping: Double(number)) }
}

extension Int64 {
  @available(*, deprecated, message: "use init(clamping:) or init(exactly:)")
  package init(_ number: Double) { self.init(clamping: number) }
  @available(*, deprecated, message: "use init(clamping:) or init(exactly:)")
  package init(_ number: Float) { self.init(clamping: Double(number)) }
}

extension UInt {
  @available(*, deprecated, message: "use init(clamping:) or init(exactly:)")
  package init(_ number: Double) { self.init(clamping: number) }
  @available(*, deprecated, message: "use init(clamping:) or init(exactly:)")
  package init(_ number: Float) { self.init(clamping: Double(number)) }
}

extension UInt8 {
  @available(*, deprecated, message: "use init(clamping:) or init(exactly:)")
  package init(_ number: Double) { self.init(clamping: number) }
  @available(*, deprecated, message: "use init(clamping:) or init(exactly:)")
  package init(_ number: Float) { self.init(clamping: Double(number)) }
}

extension UInt16 {
  @available(*, deprecated, message: "use init(clamping:) or init(exactly:)")
  package init(_ number: Double) { self.init(clamping: number) }
  @available(*, deprecated, message: "use init(clamping:) or init(exactly:)")
  package init(_ number: Float) { self.init(clamping: Double(number)) }
}

extension UInt32 {
  @available(*, deprecated, message: "use init(clamping:) or init(exactly:)")
  package init(_ number: Double) { self.init(clamping: number) }
  @available(*, deprecated, message: "use init(clamping:) or init(exactly:)")
  package init(_ number: Float) { self.init(clamping: Double(number)) }
}

extension UInt64 {
  @available(*, deprecated, message: "use init(clamping:) or init(exactly:)")
  package init(_ number: Double) { self.init(clamping: number) }
  @available(*, deprecated, message: "use init(clamping:) or init(exactly:)")
  package init(_ number: Float) { self.init(clamping: Double(number)) }
}

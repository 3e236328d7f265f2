/// A test for values of a leaf.
package enum LeafTest: Sendable {
  case ints(IntTest)
  /// Which of the three values a boolean can have.
  case bools(matchesTrue: Bool, matchesFalse: Bool, matchesNull: Bool)
  case floats(RealTest<Float>)
  case doubles(RealTest<Double>)
  case dates(DateTest)
  /// Texts or data.
  case bytes(BytesTest)
}

extension LeafTest {
  /// Whether a single value passes; nil for a value of another type.
  ///
  /// - Throws: `StorageError.corrupted` if a long string cannot be read.
  func passes(_ value: ValueView) throws -> Bool? {
    switch (self, value) {
    case (.ints(let test), .int(let number)): test.contains(number)
    case (.ints(let test), .null): test.matchesNull
    case (.bools(let matchesTrue, let matchesFalse, _), .bool(let flag)): flag ? matchesTrue : matchesFalse
    case (.bools(_, _, let matchesNull), .null): matchesNull
    case (.floats(let test), .float(let number)): test.passes(number)
    case (.floats(let test), .null): test.matchesNull
    case (.doubles(let test), .double(let number)): test.passes(number)
    case (.doubles(let test), .null): test.matchesNull
    case (.dates(let test), .date):
      test.order.accepts(ValueOrder.compare(value, .date(test.value)))
    case (.dates(let test), .null): test.matchesNull
    case (.bytes(let test), .string(let bytes)), (.bytes(let test), .data(let bytes)): try test.passes(bytes)
    case (.bytes(let test), .null): test.matchesNull
    default: nil
    }
  }
}

extension OrderedTest where Value: BinaryFloatingPoint {
  fileprivate func passes(_ number: Value) -> Bool {
    switch order {
    case .equal: number == value
    case .notEqual: number != value
    case .less: number < value
    case .lessOrEqual: number <= value
    case .greater: number > value
    case .greaterOrEqual: number >= value
    }
  }
}

extension BytesTest {
  fileprivate func passes(_ bytes: BlobView) throws -> Bool {
    if case .length(let test) = condition { return test.contains(Int64(bytes.count)) }
    func passes(_ bytes: UnsafeRawBufferPointer) -> Bool {
      switch condition {
      case .matches(let pattern): pattern.matches(bytes)
      case .differs(let pattern): !pattern.matches(bytes)
      case .order(let order, let other):
        other.withUnsafeBytes { order.accepts(ValueOrder.compareBytes(BlobView(bytes), BlobView($0))) }
      case .length(let test): test.contains(Int64(bytes.count))
      case .anything: true
      case .nothing: false
      }
    }
    if let contiguous = bytes.contiguous { return passes(contiguous) }
    return try bytes.copied().withUnsafeBytes(passes)
  }
}

/// A range of integers, or all integers outside it.
package struct IntTest: Sendable {
  package var lower: Int64
  /// At least `lower`.
  package var upper: Int64
  package var isInside: Bool
  package var matchesNull: Bool

  /// - Parameters:
  ///   - range: nil for no integer.
  ///   - isInside: whether to look for integers in the range, or for all others.
  package init(_ range: ClosedRange<Int64>?, isInside: Bool, matchesNull: Bool) {
    lower = range?.lowerBound ?? .min
    upper = range?.upperBound ?? .max
    self.isInside = range == nil ? !isInside : isInside
    self.matchesNull = matchesNull
  }

  /// Whether an integer passes.
  @inline(__always)
  package func contains(_ number: Int64) -> Bool { (number >= lower && number <= upper) == isInside }
}

/// How two values of one order lie to each other.
package enum OrderTest: Hashable, Sendable {
  case equal, notEqual, less, lessOrEqual, greater, greaterOrEqual
}

/// A value compared with one of its type.
package struct OrderedTest<Value: Sendable>: Sendable {
  package var order: OrderTest
  package var value: Value
  package var matchesNull: Bool

  package init(_ order: OrderTest, _ value: Value, matchesNull: Bool) {
    (self.order, self.value, self.matchesNull) = (order, value, matchesNull)
  }
}

/// A floating point number compared with one; NaN is neither less nor greater than, nor equal to anything.
package typealias RealTest<Real: BinaryFloatingPoint & Sendable> = OrderedTest<Real>

/// A date compared with one.
package typealias DateTest = OrderedTest<Timestamp>

/// Bytes that match a pattern or do not, that come before or after some bytes, or that have some length.
package struct BytesTest: Sendable {
  package enum Condition: Sendable {
    case matches(BytesPattern)
    case differs(BytesPattern)
    case order(OrderTest, [UInt8])
    /// By their number.
    case length(IntTest)
    /// Whatever it is.
    case anything
    /// No value at all, except perhaps null.
    case nothing
  }

  package var condition: Condition
  package var matchesNull: Bool

  package init(_ condition: Condition, matchesNull: Bool) {
    (self.condition, self.matchesNull) = (condition, matchesNull)
  }
}

extension OrderTest {
  /// Whether a comparison with this result passes.
  @inline(__always)
  package func accepts(_ comparison: Int) -> Bool {
    switch self {
    case .equal: comparison == 0
    case .notEqual: comparison != 0
    case .less: comparison < 0
    case .lessOrEqual: comparison <= 0
    case .greater: comparison > 0
    case .greaterOrEqual: comparison >= 0
    }
  }
}

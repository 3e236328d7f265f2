import RealmStorage

/// A comparison of what two expressions yield, with `ANY`, `ALL` and `NONE` on either side.
struct QuantifiedComparison: Sendable {
  let test: ValueTest
  let left: Quantifier?
  let right: Quantifier?

  /// Whether it is true. May change the order of the values.
  func holds(_ left: ValueBuffer, _ right: ValueBuffer) -> Bool {
    if !left.isList && !right.isList {
      guard let leftValue = left.values.first, let rightValue = right.values.first else { return false }
      return test.holds(leftValue, rightValue)
    }
    if left.isList && right.isList && self.left == nil && self.right == nil {
      guard left.values.count == right.values.count else { return test.comparator == .notEqual && !test.isFolded }
      return zip(left.values, right.values).allSatisfy { test.holds($0, $1) }
    }
    let leftCount = left.isList ? left.values.count : min(left.values.count, 1)
    let rightCount = right.isList ? right.values.count : min(right.values.count, 1)
    if test.dialect == .reference, leftCount > 2, rightCount > 2 { return holdsOfSorted(left, right) }
    return holds(left.values[..<leftCount], right.values[..<rightCount])
  }

  private func holds(_ left: ArraySlice<ValueView>, _ right: ArraySlice<ValueView>) -> Bool {
    if test.comparator.isSearch {
      // The value to find is on the left; the other side's quantifier is the outer one.
      return Self.holds(right, self.right) { text in Self.holds(left, self.left) { test.holds($0, text) } }
    }
    return Self.holds(left, self.left) { value in Self.holds(right, self.right) { test.holds(value, $0) } }
  }

  @inline(__always)
  private static func holds(
    _ values: ArraySlice<ValueView>, _ quantifier: Quantifier?, _ matches: (ValueView) -> Bool
  ) -> Bool {
    switch quantifier ?? .any {
    case .any: values.contains(where: matches)
    case .all: values.allSatisfy(matches)
    case .none: !values.contains(where: matches)
    }
  }

  // MARK: As the reference does it

  /// With three values or more on both sides the reference sorts them and looks at some only, which gives other answers
  /// if types are mixed or values are repeated.
  private func holdsOfSorted(_ left: ValueBuffer, _ right: ValueBuffer) -> Bool {
    var (leftValues, rightValues) = (left.values, right.values)
    leftValues.sort { ValueOrder.compare($0, $1) < 0 }
    rightValues.sort { ValueOrder.compare($0, $1) < 0 }
    if test.comparator == .equal, !test.isFolded {
      if self.left != Quantifier.none, (self.right ?? .any) == .any { return merged(leftValues, rightValues) }
      return holds(leftValues[...], rightValues[...])
    }
    if test.comparator.isRelational {
      return holds(
        [leftValues[0], leftValues[leftValues.count - 1]], [rightValues[0], rightValues[rightValues.count - 1]])
    }
    return holds(leftValues[...], rightValues[...])
  }

  /// Each value on the right is used up by one on the left.
  private func merged(_ left: ContiguousArray<ValueView>, _ right: ContiguousArray<ValueView>) -> Bool {
    let isAny = (self.left ?? .any) == .any
    var (leftIndex, rightIndex) = (0, 0)
    while rightIndex < right.count {
      if test.holds(left[leftIndex], right[rightIndex]) {
        leftIndex += 1
        rightIndex += 1
        if isAny || leftIndex == left.count { return true }
      } else if ValueOrder.compare(left[leftIndex], right[rightIndex]) < 0 {
        guard isAny, leftIndex < left.count - 1 else { return false }
        leftIndex += 1
      } else {
        rightIndex += 1
      }
    }
    return false
  }
}

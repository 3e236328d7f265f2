extension ValueOrder {
  /// Puts the elements of a set in order, each once.
  ///
  /// A set of floats or doubles in which NaN stands somewhere among ascending numbers stays as it is: the engine has no
  /// order for it, and leaves it where an insertion put it (Docs/Format/2-nodes-and-values.md §7.1).
  package static func sortedSet(_ elements: [ValueView], of type: PropertyType) -> [ValueView] {
    if type == .float || type == .double, isAscending(elements) { return elements }
    var distinct: [ValueView] = []
    distinct.reserveCapacity(elements.count)
    for element in elements.sorted(by: { compare($0, $1, inSetOf: type) < 0 }) {
      if let last = distinct.last, compare(last, element, inSetOf: type) == 0 { continue }
      distinct.append(element)
    }
    return distinct
  }

  /// As `compare`; in a set of decimals null is one of the NaNs, behind the plain one (§7.1).
  private static func compare(_ left: ValueView, _ right: ValueView, inSetOf type: PropertyType) -> Int {
    type == .decimal128 ? compareDecimals(decimal(left), decimal(right)) : compare(left, right)
  }

  private static func decimal(_ value: ValueView) -> Decimal128 {
    if case .decimal(let decimal) = value { decimal } else { .null }
  }

  private static func isAscending(_ elements: [ValueView]) -> Bool {
    zip(elements, elements.dropFirst()).allSatisfy { left, right in
      switch (left, right) {
      case (.null, .null): false
      case (.null, _): true
      case (.float(let left), .float(let right)): !(right <= left)
      case (.double(let left), .double(let right)): !(right <= left)
      default: false
      }
    }
  }
}

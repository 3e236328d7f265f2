import RealmStorage

/// What an expression yields for one object: a single value, or those of a list.
final class ValueBuffer {
  var values: ContiguousArray<ValueView> = [.null]
  /// Whether the values are elements of a list, however many they are.
  var isList = false

  /// One value that is not a list.
  func setSingle(_ value: ValueView) {
    values.removeAll(keepingCapacity: true)
    values.append(value)
    isList = false
  }

  /// A list without elements, to be filled.
  func setEmptyList() {
    values.removeAll(keepingCapacity: true)
    isList = true
  }
}

/// The requested group of an expression's values.
///
/// An expression that leads to several collections yields each of them by itself; a comparison looks at one after
/// another until one matches.
struct GroupIndex {
  private var next = 0
  private var count = 0

  /// Whether nothing has been asked for yet.
  var isFirst: Bool { next == 0 }
  var hasMore: Bool { next < count }

  /// - Returns: whether there is any group.
  mutating func begin(_ count: Int) -> Bool {
    self.count = count
    return count > 0
  }

  mutating func takeNext() -> Int {
    defer { next += 1 }
    return next
  }
}

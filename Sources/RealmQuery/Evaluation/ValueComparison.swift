import RealmStorage

/// How values of any two types are compared, in queries and everywhere else.
///
/// Numbers are compared by value whatever their types, an int with a double exactly; a decimal meets a double at its first
/// 15 digits and a float at its first 7, as in the file format (Docs/Format/2-nodes-and-values.md §7.2). Infinity is beyond
/// every finite number of any type. Values of other types are compared with their own kind only.
package enum ValueComparison {
  /// Below 0, 0 or above 0 as `left` comes before `right`, is equal to it, or comes after it; nil if they have no
  /// order: values of two kinds, null, lists and dictionaries, and NaN.
  package static func order(_ left: Value, _ right: Value) -> Int? {
    switch (left, right) {
    case (.list, _), (_, .list), (.set, _), (_, .set), (.dictionary, _), (_, .dictionary): nil
    default:
      left.withView { left in
        right.withView { right in
          haveOrder(left, right) && !left.isNaN && !right.isNaN ? ValueOrder.compare(left, right) : nil
        }
      }
    }
  }

  /// Whether two values are of the same type, or both are numbers; null is of none.
  @inline(__always)
  static func haveOrder(_ left: ValueView, _ right: ValueView) -> Bool {
    switch (left, right) {
    case (.null, _), (_, .null): false
    case (.int, .int), (.bool, .bool), (.string, .string), (.data, .data), (.date, .date), (.objectID, .objectID),
      (.uuid, .uuid), (.link, .link), (.typedLink, .typedLink), (.list, .list), (.set, .set),
      (.dictionary, .dictionary):
      true
    default: left.isNumber && right.isNumber
    }
  }
}

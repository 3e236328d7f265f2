import RealmInspection
import RealmOpening
import RealmQuery
import RealmStorage

/// When a realm is worth compacting: a formula, as in plans, over `total`, `used` and `free`, in bytes.
///
/// ```swift
/// let condition = try CompactionCondition("total > 100MB && used < total / 2")
/// condition.holds(for: SpaceUse(total: 200_000_000, free: 150_000_000))  // true
/// ```
///
/// `KB`, `MB`, `GB` are powers of 1000; `KiB`, `MiB`, `GiB` powers of 1024. Arithmetic uses real numbers, so `total /
/// 3` keeps its fraction. The result of a division by zero is unknown, and so is everything that depends on it.
package struct CompactionCondition: Hashable, Sendable {
  private let formula: Formula

  private static let words = SizeWords(
    names: ["total", "used", "free"],
    // As the SDKs call them.
    synonyms: ["totalBytes": "total", "usedBytes": "used"],
    units: ["KB": 1e3, "MB": 1e6, "GB": 1e9, "KiB": 0x1p10, "MiB": 0x1p20, "GiB": 0x1p30])

  /// - Throws: if the text is not a condition.
  package init(_ text: String) throws(ExpressionError) {
    formula = try ExpressionParser.formula(text, of: Self.words)
  }

  /// Whether the condition is met; nil if the answer depends on a division by zero, such as `total / free > 2` for a
  /// realm without free space.
  package func holds(for space: SpaceUse) -> Bool? {
    let truth = formula.root.real { path in
      switch formula.paths[path].property {
      case "total": Double(space.total)
      case "used": Double(space.used)
      default: Double(space.free)
      }
    }
    return truth.isNaN ? nil : truth == 1
  }
}

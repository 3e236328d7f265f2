import RealmStorage
import RealmSystem

/// The number of fraction digits that all texts of a column of dates have, so that their order is that of time: as many
/// as its values need.
package final class DateDigits: Sendable {
  private static let unknown = -1
  private let count = AtomicInt(unknown)

  package var isKnown: Bool { count.value != Self.unknown }

  /// 0, 3, 6 or 9; 0 as long as nobody has looked at the column.
  package var value: Int { max(count.value, 0) }

  package func set(_ digits: Int) { count.value = digits }
}

import RealmStorage
import Synchronization

/// The sizes that bound the memory of an export.
enum ExportLimits {
  /// A writer hands its text on beyond this many bytes, even in the middle of an object.
  static let spill = 2 << 20
  /// How often an export that writes linked objects inline may come to each byte of the file, on the average.
  static func inlinePasses(depth: Int) -> Int { 4 << (2 * min(max(depth, 0), 10)) }
  /// Objects that one piece of work covers.
  static let objectsPerPiece = 1024
}

/// A bound on how often embedded objects are written, so that damaged links that make one of them appear under many
/// parents, or inside itself, cannot blow an export up. In a sound file each appears once.
final class EmbeddedBudget: Sendable {
  private let left: Atomic<Int>

  init(fileSize: Int) { left = Atomic(min(fileSize, .max - 64) + 64) }

  func spend(on table: Table) throws {
    guard left.wrappingSubtract(1, ordering: .relaxed).newValue >= 0 else {
      throw StorageError.corrupted(.null, .visitedTooOften)
    }
  }
}

import RealmStorage
import RealmSystem

/// The sizes that bound the memory of an export.
enum ExportLimits {
  /// A writer hands its text on beyond this many bytes, even in the middle of an object.
  static let spill = 2 << 20
  /// Objects that one piece of work covers.
  static let objectsPerPiece = 1024
}

/// A bound on how often embedded objects are written, so that damaged links that make one of them appear under many
/// parents, or inside itself, cannot blow an export up. In a sound file each appears once, unless its parent is written
/// inline again and again.
final class EmbeddedBudget: Sendable {
  /// An object takes at least a byte of the file.
  private let left: AtomicInt
  private let overrun: StorageError

  init(fileSize: Int) {
    left = AtomicInt(min(fileSize, .max - 64) + 64)
    overrun = .corrupted(.null, .visitedTooOften)
  }

  init(for work: RepeatedWork, limit: Int) {
    left = AtomicInt(limit)
    overrun = .limitReached(work, byteCount: limit)
  }

  func spend(on table: Table) throws {
    guard left.add(-1) >= 0 else { throw overrun }
  }
}

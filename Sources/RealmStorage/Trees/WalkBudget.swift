import Synchronization

/// An upper bound on the bytes of nodes one walk may visit, so that refs in circles, or one subtree referred to a million times,
/// end in an error instead of an endless answer.
///
/// The nodes of a sound file form a tree, so a walk sees each byte of them once at most. Shared by all threads of
/// a walk.
public final class WalkBudget: Sendable {
  private let spent = Atomic<Int>(0)
  private let limit: Int

  init(limit: Int) { self.limit = limit }

  /// For a walk that sees each byte of the file once at most.
  static func bytes(of store: ByteStore) -> WalkBudget { WalkBudget(limit: store.count + 4096) }

  /// Accounts for a visit at `ref` that costs so many units.
  ///
  /// - Throws: `visitedTooOften` beyond the limit.
  func spend(_ units: Int = 1, at ref: Ref) throws {
    guard spent.wrappingAdd(units, ordering: .relaxed).newValue <= limit else {
      throw StorageError.corrupted(ref, .visitedTooOften)
    }
  }
}

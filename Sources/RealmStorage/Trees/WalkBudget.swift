import Synchronization

/// An upper bound on the nodes one walk may visit, so that refs in circles, or one subtree referred to a million times,
/// end in an error instead of an endless answer.
///
/// The nodes of a sound file form a tree, so no walk sees more of them than fit into the file. Shared by all threads of
/// a walk.
public final class WalkBudget: Sendable {
  private let spent = Atomic<Int>(0)
  private let limit: Int

  init(limit: Int) { self.limit = limit }

  /// The most nodes that fit into the file; a node has at least eight bytes.
  static func nodes(in store: ByteStore) -> Int { store.count / Node.headerSize + 64 }

  /// Accounts for `nodes` visits at `ref`.
  ///
  /// - Throws: `visitedTooOften` beyond the limit.
  func spend(_ nodes: Int = 1, at ref: Ref) throws {
    guard spent.wrappingAdd(nodes, ordering: .relaxed).newValue <= limit else {
      throw StorageError.corrupted(ref, .visitedTooOften)
    }
  }
}

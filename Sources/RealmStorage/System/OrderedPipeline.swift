/// Runs pieces of work on several threads and hands on their output in the order of the pieces.
///
/// A piece whose output has grown large waits for its turn and then writes as it goes on, so that memory stays bounded
/// whatever one piece yields.
package final class OrderedPipeline<Piece: Sendable>: @unchecked Sendable {
  private let threadCount: Int
  private let nextPiece: () throws -> Piece?
  private let monitor = Monitor()

  // All below is guarded by `monitor`.
  private var claimed = 0
  private var turn = 0
  private var active = 0
  private var failure: (any Error)?

  /// Something to do between pieces, while no thread works on one.
  package struct Pause {
    package let isNeeded: () -> Bool
    package let body: () throws -> Void

    package init(isNeeded: @escaping () -> Bool, body: @escaping () throws -> Void) {
      (self.isNeeded, self.body) = (isNeeded, body)
    }
  }

  private let pause: Pause?

  /// - Parameters:
  ///   - pause: looked at before each piece.
  ///   - nextPiece: the next piece of work, or nil after the last; called by one thread at a time.
  package init(threadCount: Int, pause: Pause? = nil, nextPiece: @escaping () throws -> Piece?) {
    self.threadCount = max(threadCount, 1)
    (self.nextPiece, self.pause) = (nextPiece, pause)
  }

  /// Works until no piece is left.
  ///
  /// - Parameter makeWorker: gives what one thread calls for each piece. It gets a function that waits until all
  ///   earlier pieces are done; after it, output may be written directly.
  /// - Throws: the first error of a piece, after all threads have stopped.
  package func run(_ makeWorker: @escaping @Sendable () -> (_ piece: Piece, _ awaitTurn: () throws -> Void) throws -> Void)
    throws
  {
    if threadCount == 1 {
      work(makeWorker())
    } else {
      let threads = (1..<threadCount).compactMap { _ in WorkerThread { self.work(makeWorker()) } }
      work(makeWorker())
      threads.forEach { $0.join() }
    }
    if let failure { throw failure }
  }

  private func work(_ body: (_ piece: Piece, _ awaitTurn: () throws -> Void) throws -> Void) {
    while let (piece, number) = claim() {
      do {
        try body(piece) { try self.awaitTurn(of: number) }
        try awaitTurn(of: number)
      } catch {
        monitor.change { if failure == nil { failure = error } }
      }
      monitor.change {
        turn = max(turn, number + 1)
        active -= 1
      }
    }
  }

  private func claim() -> (Piece, Int)? {
    monitor.wait(until: { failure != nil || active == 0 || pause?.isNeeded() != true }) {
      guard failure == nil else { return nil }
      do {
        if let pause, active == 0, pause.isNeeded() { try pause.body() }
        guard let piece = try nextPiece() else { return nil }
        defer { claimed += 1 }
        active += 1
        return (piece, claimed)
      } catch {
        failure = error
        return nil
      }
    }
  }

  /// Waits until all pieces before `number` are done.
  ///
  /// - Throws: `Stopped` when another piece has failed.
  private func awaitTurn(of number: Int) throws {
    try monitor.wait(until: { turn >= number || failure != nil }) {
      if failure != nil { throw Stopped() }
    }
  }

  /// Another piece has failed; its error is the one that counts.
  private struct Stopped: Error {}
}

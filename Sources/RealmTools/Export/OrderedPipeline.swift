#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Where finished text goes, in order.
public protocol TextSink: AnyObject, Sendable {
  /// - Throws: what ends the whole export.
  func write(_ bytes: UnsafeRawBufferPointer) throws
  /// So many more objects are complete. For those who show progress; called in turn with `write`.
  func finished(objects: Int)
}

extension TextSink {
  public func finished(objects: Int) {}
}

/// Runs pieces of work on several threads and hands on their output in the order of the pieces.
///
/// A piece whose output has grown large waits for its turn and then writes as it goes on, so that memory stays bounded
/// whatever one piece yields.
final class OrderedPipeline<Piece: Sendable>: @unchecked Sendable {
  private let threadCount: Int
  private let nextPiece: () throws -> Piece?
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let changed = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)

  // All below is guarded by `mutex`.
  private var claimed = 0
  private var turn = 0
  private var active = 0
  private var failure: (any Error)?

  /// Something to do between pieces, while no thread works on one.
  struct Pause {
    let isNeeded: () -> Bool
    let body: () throws -> Void
  }

  private let pause: Pause?

  /// - Parameters:
  ///   - pause: looked at before each piece.
  ///   - nextPiece: the next piece of work, or nil after the last; called by one thread at a time.
  init(threadCount: Int, pause: Pause? = nil, nextPiece: @escaping () throws -> Piece?) {
    self.threadCount = max(threadCount, 1)
    self.nextPiece = nextPiece
    self.pause = pause
    pthread_mutex_init(mutex, nil)
    pthread_cond_init(changed, nil)
  }

  deinit {
    pthread_cond_destroy(changed)
    pthread_mutex_destroy(mutex)
    changed.deallocate()
    mutex.deallocate()
  }

  /// Works until no piece is left.
  ///
  /// - Parameter makeWorker: gives what one thread calls for each piece. It gets a function that waits until all
  ///   earlier pieces are done; after it, output may be written directly.
  /// - Throws: the first error of a piece, after all threads have stopped.
  func run(_ makeWorker: @escaping @Sendable () -> (_ piece: Piece, _ awaitTurn: () throws -> Void) throws -> Void)
    throws
  {
    if threadCount == 1 {
      work(makeWorker())
    } else {
      let threads = (1..<threadCount).compactMap { _ in Thread { self.work(makeWorker()) } }
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
        locked { if failure == nil { failure = error } }
      }
      locked {
        turn = max(turn, number + 1)
        active -= 1
      }
    }
  }

  private func claim() -> (Piece, Int)? {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    if let pause {
      while failure == nil, active > 0, pause.isNeeded() { pthread_cond_wait(changed, mutex) }
    }
    guard failure == nil else { return nil }
    do {
      if let pause, active == 0, pause.isNeeded() { try pause.body() }
      guard let piece = try nextPiece() else { return nil }
      defer { claimed += 1 }
      active += 1
      return (piece, claimed)
    } catch {
      failure = error
      pthread_cond_broadcast(changed)
      return nil
    }
  }

  /// Waits until all pieces before `number` are done.
  ///
  /// - Throws: `Stopped` when another piece has failed.
  private func awaitTurn(of number: Int) throws {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    while turn < number, failure == nil { pthread_cond_wait(changed, mutex) }
    if failure != nil { throw Stopped() }
  }

  /// Another piece has failed; its error is the one that counts.
  private struct Stopped: Error {}

  private func locked(_ body: () -> Void) {
    pthread_mutex_lock(mutex)
    body()
    pthread_cond_broadcast(changed)
    pthread_mutex_unlock(mutex)
  }
}

/// A thread of the system that runs one function.
private final class Thread {
  private final class Start {
    let body: @Sendable () -> Void
    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
  }

  /// Nested values recurse; the default of some systems is half a megabyte.
  private static let stackSize = 8 << 20
  private let handle: pthread_t

  /// Nil where the system gives no more threads; the others do the work then.
  init?(_ body: @escaping @Sendable () -> Void) {
    var attributes = pthread_attr_t()
    pthread_attr_init(&attributes)
    pthread_attr_setstacksize(&attributes, Self.stackSize)
    defer { pthread_attr_destroy(&attributes) }
    let start = Unmanaged.passRetained(Start(body))
    #if canImport(Darwin)
      var created: pthread_t?
    #else
      var created = pthread_t()
    #endif
    let status = pthread_create(
      &created, &attributes,
      { argument in
        #if canImport(Darwin)
          let start = Unmanaged<Start>.fromOpaque(argument)
        #else
          guard let argument else { return nil }
          let start = Unmanaged<Start>.fromOpaque(argument)
        #endif
        start.takeRetainedValue().body()
        return nil
      }, start.toOpaque())
    guard status == 0 else {
      start.release()
      return nil
    }
    #if canImport(Darwin)
      guard let created else { return nil }
    #endif
    handle = created
  }

  func join() { pthread_join(handle, nil) }
}

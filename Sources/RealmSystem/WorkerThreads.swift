import CSystem
import Libc

/// System threads that work for one object, which calls `join` before it releases what they use.
package struct WorkerThreads {
  private var handles: [pthread_t] = []

  package init() {}

  /// Running threads.
  package var count: Int { handles.count }

  /// Runs a function on one more thread.
  ///
  /// - Returns: false if the system gives no more threads; the others do the work then.
  @discardableResult
  package mutating func start(_ body: @escaping @Sendable () -> Void) -> Bool {
    guard let handle = Self.makeThread(body) else { return false }
    handles.append(handle)
    return true
  }

  /// Waits until all functions have returned.
  package mutating func join() {
    for handle in handles { pthread_join(handle, nil) }
    handles = []
  }

  /// Runs a function on a detached thread, or at once if the system gives no more threads.
  package static func detach(_ body: @escaping @Sendable () -> Void) {
    if !detachIfPossible(body) { body() }
  }

  /// Runs a function on a detached thread.
  ///
  /// - Returns: false if the system gives no more threads.
  package static func detachIfPossible(_ body: @escaping @Sendable () -> Void) -> Bool {
    guard let handle = makeThread(body) else { return false }
    pthread_detach(handle)
    return true
  }

  /// Runs work that waits for files on a thread of its own, so that no thread of the caller's tasks is blocked.
  package static func result<Success: Sendable, Failure: Error>(
    _ body: @escaping @Sendable () throws(Failure) -> Success
  ) async throws(Failure) -> Success {
    try await withCheckedContinuation { continuation in
      detach { continuation.resume(returning: Result(catching: body)) }
    }.get()
  }

  private final class Start {
    let body: @Sendable () -> Void
    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
  }

  /// Nested values recurse; the default of some systems is half a megabyte.
  private static let stackSize = 8 << 20

  private static func makeThread(_ body: @escaping @Sendable () -> Void) -> pthread_t? {
    var attributes = pthread_attr_t()
    pthread_attr_init(&attributes)
    pthread_attr_setstacksize(&attributes, stackSize)
    defer { pthread_attr_destroy(&attributes) }
    let start = Unmanaged.passRetained(Start(body))
    #if canImport(Darwin)
      var created: pthread_t?
    #else
      var created = pthread_t()
    #endif
    // Signals from outside belong to the other threads; faults are handled where they happen.
    var all = sigset_t()
    var before = sigset_t()
    sigfillset(&all)
    for fault in [SIGBUS, SIGSEGV, SIGILL, SIGFPE, SIGTRAP, SIGABRT] { sigdelset(&all, fault) }
    pthread_sigmask(SIG_SETMASK, &all, &before)
    defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
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
    return created
  }
}

/// The result of a separate thread, while the caller continues with other work.
///
/// ```swift
/// let digest = ThreadResult { try hash(of: file) }
/// try copy(file)
/// print(try digest.get())
/// ```
package final class ThreadResult<Success: Sendable, Failure: Error>: @unchecked Sendable {
  private let body: @Sendable () throws(Failure) -> Success
  private let monitor = Monitor()
  // Both below are guarded by `monitor`.
  private var isRunning = false
  private var result: Result<Success, Failure>?

  /// - Parameter onThread: false leaves the work to the first `get`, as does a system that gives no more threads.
  package init(onThread: Bool = true, _ body: @escaping @Sendable () throws(Failure) -> Success) {
    self.body = body
    guard onThread else { return }
    // The thread retains what it reads; nobody waits for it if the result is not requested.
    isRunning = WorkerThreads.detachIfPossible { self.run() }
  }

  private func run() {
    let result = Result(catching: body)
    monitor.change { self.result = result }
  }

  /// The result, as soon as it is there.
  package func get() throws(Failure) -> Success {
    let isFirst = monitor.use {
      defer { isRunning = true }
      return !isRunning
    }
    if isFirst { run() }
    let found = monitor.wait(until: { result != nil }) { result }
    return try (found ?? Result(catching: body)).get()
  }
}

/// A lock with places where threads wait for a change.
package final class Monitor: @unchecked Sendable {
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let places: UnsafeMutablePointer<pthread_cond_t>
  private let placeCount: Int

  /// - Parameter placeCount: more than one if not all threads that wait are to be woken by each change.
  package init(placeCount: Int = 1) {
    pthread_mutex_init(mutex, nil)
    self.placeCount = placeCount
    places = .allocate(capacity: placeCount)
    for place in 0..<placeCount { pthread_cond_init(places + place, nil) }
  }

  deinit {
    for place in 0..<placeCount { pthread_cond_destroy(places + place) }
    pthread_mutex_destroy(mutex)
    places.deallocate()
    mutex.deallocate()
  }

  /// Runs `body` under the lock; then all waiting threads check their condition again.
  package func change<Result>(_ body: () throws -> Result) rethrows -> Result {
    pthread_mutex_lock(mutex)
    defer {
      for place in 0..<placeCount { wake(at: place) }
      pthread_mutex_unlock(mutex)
    }
    return try body()
  }

  /// Runs `body` under the lock; nobody is woken, unless it calls `wake`.
  package func use<Result>(_ body: () throws -> Result) rethrows -> Result {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    return try body()
  }

  /// Lets the threads that wait at a place check their condition again.
  package func wake(at place: Int) { pthread_cond_broadcast(places + place) }

  /// Runs `body` under the lock once `condition` is true. Nobody is woken.
  package func wait<Result>(
    at place: Int = 0, until condition: () -> Bool, _ body: () throws -> Result
  ) rethrows -> Result {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    while !condition() { pthread_cond_wait(places + place, mutex) }
    return try body()
  }
}

/// Runs pieces of work on several threads and passes on their output in the order of the pieces.
///
/// A piece with a large output waits for its turn and then writes directly, so that memory stays bounded whatever one
/// piece yields.
package final class OrderedPipeline<Piece: Sendable>: @unchecked Sendable {
  private let threadCount: Int
  private let nextPiece: () throws -> Piece?
  /// Threads wait for the turn of a piece at the place of its number: the pieces that are not done follow each other, and
  /// are no more than the threads, so that each waits alone. Behind these is the place of those that wait for a pause.
  private let monitor: Monitor

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
  ///   - pause: checked before each piece.
  ///   - nextPiece: the next piece of work, or nil after the last; called by one thread at a time.
  package init(threadCount: Int, pause: Pause? = nil, nextPiece: @escaping () throws -> Piece?) {
    self.threadCount = max(threadCount, 1)
    monitor = Monitor(placeCount: self.threadCount + 1)
    (self.nextPiece, self.pause) = (nextPiece, pause)
  }

  /// Works until no piece is left.
  ///
  /// - Parameter makeWorker: gives what one thread calls for each piece. It gets a function that waits until all
  ///   earlier pieces are done; after it, output may be written directly.
  /// - Throws: the first error of a piece, after all threads have stopped.
  package func run(
    _ makeWorker: @escaping @Sendable () -> (_ piece: Piece, _ awaitTurn: () throws -> Void) throws -> Void
  )
    throws
  {
    if threadCount == 1 {
      work(makeWorker())
    } else {
      var threads = WorkerThreads()
      for _ in 1..<threadCount { threads.start { self.work(makeWorker()) } }
      work(makeWorker())
      threads.join()
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
      monitor.use {
        turn = max(turn, number + 1)
        active -= 1
        monitor.wake(at: turn % threadCount)
        if active == 0 { monitor.wake(at: threadCount) }
      }
    }
  }

  private func claim() -> (Piece, Int)? {
    monitor.wait(at: threadCount, until: { failure != nil || active == 0 || pause?.isNeeded() != true }) {
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
  /// - Throws: `EarlyEnd` if another piece has failed, whose error is the one that counts.
  private func awaitTurn(of number: Int) throws {
    try monitor.wait(at: number % threadCount, until: { turn >= number || failure != nil }) {
      if failure != nil { throw EarlyEnd() }
    }
  }
}

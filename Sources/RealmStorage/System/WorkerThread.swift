import Libc

/// A thread of the system that runs one function. Whoever makes one calls `join` or `detach`.
package final class WorkerThread: @unchecked Sendable {
  private final class Start {
    let body: @Sendable () -> Void
    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
  }

  /// Nested values recurse; the default of some systems is half a megabyte.
  private static let stackSize = 8 << 20
  private let handle: pthread_t

  /// Nil where the system gives no more threads; the others do the work then.
  package init?(_ body: @escaping @Sendable () -> Void) {
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
    // Signals from outside belong to the other threads; faults are answered where they happen.
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
    #if canImport(Darwin)
      guard let created else { return nil }
    #endif
    handle = created
  }

  /// Waits until the function has returned.
  package func join() { pthread_join(handle, nil) }

  /// Nobody will wait for it.
  package func detach() { pthread_detach(handle) }
}

/// A lock with a condition to wait for.
package final class Monitor: @unchecked Sendable {
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let changed = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)

  package init() {
    pthread_mutex_init(mutex, nil)
    pthread_cond_init(changed, nil)
  }

  deinit {
    pthread_cond_destroy(changed)
    pthread_mutex_destroy(mutex)
    changed.deallocate()
    mutex.deallocate()
  }

  /// Runs `body` alone; whoever waits looks at the condition again afterwards.
  package func change<Result>(_ body: () throws -> Result) rethrows -> Result {
    pthread_mutex_lock(mutex)
    defer {
      pthread_cond_broadcast(changed)
      pthread_mutex_unlock(mutex)
    }
    return try body()
  }

  /// Runs `body` alone; it changes nothing that anybody waits for, so nobody is woken.
  package func use<Result>(_ body: () throws -> Result) rethrows -> Result {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    return try body()
  }

  /// Runs `body` alone once `condition` holds. Nobody is woken.
  package func wait<Result>(until condition: () -> Bool, _ body: () throws -> Result) rethrows -> Result {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    while !condition() { pthread_cond_wait(changed, mutex) }
    return try body()
  }
}

extension WorkerThread {
  /// Runs work that waits for files on a thread of its own, so that no thread of the caller's tasks is held up.
  package static func result<Success: Sendable, Failure: Error>(
    _ body: @escaping @Sendable () throws(Failure) -> Success
  ) async throws(Failure) -> Success {
    let result = await withCheckedContinuation { continuation in
      let work: @Sendable () -> Void = { continuation.resume(returning: Result(catching: body)) }
      if let thread = WorkerThread(work) { thread.detach() } else { work() }
    }
    return try result.get()
  }
}

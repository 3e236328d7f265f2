#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// A thread of the system that runs one function.
final class WorkerThread: @unchecked Sendable {
  private final class Start {
    let body: @Sendable () -> Void
    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
  }

  private let handle: pthread_t

  /// Nil where the system gives no more threads; the others do the work then.
  init?(_ body: @escaping @Sendable () -> Void) {
    let start = Unmanaged.passRetained(Start(body))
    #if canImport(Darwin)
      var created: pthread_t?
    #else
      var created = pthread_t()
    #endif
    let status = pthread_create(
      &created, nil,
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
  func join() { pthread_join(handle, nil) }
}

/// A lock with a condition to wait for.
final class Monitor: @unchecked Sendable {
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let changed = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)

  init() {
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
  func change<Result>(_ body: () throws -> Result) rethrows -> Result {
    pthread_mutex_lock(mutex)
    defer {
      pthread_cond_broadcast(changed)
      pthread_mutex_unlock(mutex)
    }
    return try body()
  }

  /// Runs `body` alone; it changes nothing that anybody waits for, so nobody is woken.
  func use<Result>(_ body: () throws -> Result) rethrows -> Result {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    return try body()
  }

  /// Runs `body` alone once `condition` holds. Nobody is woken.
  func wait<Result>(until condition: () -> Bool, _ body: () throws -> Result) rethrows -> Result {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    while !condition() { pthread_cond_wait(changed, mutex) }
    return try body()
  }
}

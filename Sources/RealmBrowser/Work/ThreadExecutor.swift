import Synchronization

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Runs each piece of work on a thread of its own.
public final class ThreadExecutor: Executor {
  private final class Start {
    let body: @Sendable () -> Void
    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
  }

  /// Nested values recurse; the default of some systems is half a megabyte.
  private static let stackSize = 8 << 20
  private let wake: @Sendable () -> Void

  /// - Parameter wake: called on the thread of the work when it is done.
  public init(wake: @escaping @Sendable () -> Void) { self.wake = wake }

  public func run(_ body: @escaping @Sendable () -> Void) {
    let wake = wake
    if !Self.startThread({
      body()
      wake()
    }) {
      // The system gives no more threads: the loop waits, nothing is lost.
      body()
      wake()
    }
  }

  private static func startThread(_ body: @escaping @Sendable () -> Void) -> Bool {
    var attributes = pthread_attr_t()
    pthread_attr_init(&attributes)
    pthread_attr_setstacksize(&attributes, stackSize)
    pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
    defer { pthread_attr_destroy(&attributes) }
    let start = Unmanaged.passRetained(Start(body))
    #if canImport(Darwin)
      var thread: pthread_t?
    #else
      var thread = pthread_t()
    #endif
    // Signals from outside belong to the thread of the key loop; faults are answered where they happen.
    var all = sigset_t()
    var before = sigset_t()
    sigfillset(&all)
    for fault in [SIGBUS, SIGSEGV, SIGILL, SIGFPE, SIGTRAP, SIGABRT] { sigdelset(&all, fault) }
    pthread_sigmask(SIG_SETMASK, &all, &before)
    defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
    let status = pthread_create(
      &thread, &attributes,
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
    if status != 0 { start.release() }
    return status == 0
  }
}

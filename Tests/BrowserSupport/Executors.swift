import RealmBrowser
import RealmStorage
import RealmSystem

/// Runs work at once on the calling thread, for tests.
public final class ImmediateExecutor: Executor {
  public init() {}

  public func run(_ body: @escaping @Sendable () -> Void) { body() }
}

/// Keeps work until it is told to run it, for tests of what happens meanwhile.
public final class HeldExecutor: Executor {
  private let held = Locked<[@Sendable () -> Void]>([])

  public init() {}

  public func run(_ body: @escaping @Sendable () -> Void) { held.withLock { $0.append(body) } }

  /// Runs what was held.
  public func runAll() {
    while let body = held.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) { body() }
  }
}

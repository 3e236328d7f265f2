import RealmStorage
import RealmSystem

/// Runs each piece of work on its own thread.
package final class ThreadExecutor: Executor {
  private let wake: @Sendable () -> Void

  /// - Parameter wake: called on the thread of the work when it is done.
  package init(wake: @escaping @Sendable () -> Void) { self.wake = wake }

  package func run(_ body: @escaping @Sendable () -> Void) {
    let wake = wake
    WorkerThreads.detach {
      body()
      wake()
    }
  }
}

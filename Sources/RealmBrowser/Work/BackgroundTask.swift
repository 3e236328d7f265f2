import RealmStorage
import RealmSystem

/// The progress of a piece of work, and whether it should continue. Shared by the thread that works and the one that
/// draws.
package final class TaskProgress: Sendable {
  /// Thrown when work notices that it should stop.
  package struct Stopped: Error {}

  /// Total units of work; 0 if unknown.
  let total: Int
  private let doneCount = AtomicInt(0)
  private let stopRequested = AtomicFlag()

  init(total: Int) { self.total = total }

  var done: Int { doneCount.value }

  /// Accounts for units of work.
  ///
  /// - Throws: `Stopped` after `stop()`.
  package func advance(by units: Int) throws {
    doneCount.add(units)
    try check()
  }

  /// Accounts for units of work without stopping.
  package func note(_ units: Int) { doneCount.add(units) }

  /// - Throws: `Stopped` after `stop()`.
  package func check() throws {
    if stopRequested.isSet { throw Stopped() }
  }

  func stop() { stopRequested.set() }
}

/// Work in the background, and its result.
///
/// ```swift
/// let task = BackgroundTask("sorting", total: count) { progress, publish in try sort(progress) }
/// task.start(on: executor)
/// // later, whenever the loop wakes:
/// if case .finished(let keys) = task.state { show(keys) }
/// ```
final class BackgroundTask<Output: Sendable>: Sendable {
  enum State: Sendable {
    /// Still running; with the results so far, if it publishes them.
    case running(partial: Output?)
    case finished(Output)
    case failed(any Error)
    case stopped
  }

  /// What it does: `sorting by name`.
  let title: String
  let progress: TaskProgress
  private let work: @Sendable (TaskProgress, (Output) -> Void) throws -> Output
  private let current = Locked<State>(.running(partial: nil))

  /// - Parameter work: runs on another thread; it may pass on what it has so far.
  init(
    _ title: String, total: Int, work: @escaping @Sendable (TaskProgress, (Output) -> Void) throws -> Output
  ) {
    self.title = title
    progress = TaskProgress(total: total)
    self.work = work
  }

  var state: State { current.withLock { $0 } }

  var isRunning: Bool {
    if case .running = state { true } else { false }
  }

  func start(on executor: any Executor) {
    executor.run { [self] in
      let outcome: State
      do {
        outcome = .finished(
          try work(progress) { partial in current.withLock { $0 = .running(partial: partial) } })
      } catch is TaskProgress.Stopped {
        outcome = .stopped
      } catch {
        outcome = .failed(error)
      }
      current.withLock { $0 = outcome }
    }
  }
}

extension Optional {
  /// Ends the work, if there is any.
  mutating func stop<Output>() where Wrapped == BackgroundTask<Output> {
    self?.progress.stop()
    self = nil
  }
}

/// Where work in the background runs.
package protocol Executor: AnyObject, Sendable {
  /// Runs `body`, now or later, here or elsewhere, and wakes the loop afterwards.
  func run(_ body: @escaping @Sendable () -> Void)
}

import Synchronization

/// The progress of long work. The work counts; the display looks from time to time, on any thread.
public final class WorkProgress: Sendable {
  /// What is being done.
  public enum Phase: UInt8, Sendable {
    case writing, verifying
    /// Before a change in place.
    case provingFreeSpace
  }

  private let done = Atomic<UInt64>(0)
  private let total = Atomic<UInt64>(0)
  private let currentPhase = Atomic<UInt8>(Phase.writing.rawValue)
  private let observer: @Sendable (WorkProgress) -> Void

  /// - Parameter observer: called on any thread, after every megabyte or so.
  public init(observer: @escaping @Sendable (WorkProgress) -> Void = { _ in }) { self.observer = observer }

  /// What is being done now.
  public var phase: Phase { Phase(rawValue: currentPhase.load(ordering: .relaxed)) ?? .writing }
  /// Bytes done in this phase.
  public var doneByteCount: UInt64 { done.load(ordering: .relaxed) }
  /// Bytes to do in this phase, as far as it is known beforehand; 0 if it is not.
  public var totalByteCount: UInt64 { total.load(ordering: .relaxed) }

  /// Starts the next phase, and says how much there is to do.
  public func begin(_ phase: Phase, totalByteCount: UInt64) {
    currentPhase.store(phase.rawValue, ordering: .relaxed)
    done.store(0, ordering: .relaxed)
    total.store(totalByteCount, ordering: .relaxed)
  }

  /// Adds bytes that are done.
  public func add(byteCount: Int) {
    done.wrappingAdd(UInt64(clamping: byteCount), ordering: .relaxed)
    observer(self)
  }
}

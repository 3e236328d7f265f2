import RealmSystem

/// The progress of long work. The work counts; the display looks from time to time, on any thread.
public final class WorkProgress: Sendable {
  /// What is being done.
  public enum Phase: Int, Sendable {
    /// What is new is written.
    case writing
    /// What was written is read again and compared.
    case verifying
    /// Before a change in place.
    case provingFreeSpace
  }

  private let done = AtomicInt(0)
  private let total = AtomicInt(0)
  private let currentPhase = AtomicInt(Phase.writing.rawValue)
  private let observer: @Sendable (WorkProgress) -> Void

  /// - Parameter observer: called on any thread, after every megabyte or so.
  public init(observer: @escaping @Sendable (WorkProgress) -> Void = { _ in }) { self.observer = observer }

  /// What is being done now.
  public var phase: Phase { Phase(rawValue: currentPhase.value) ?? .writing }
  /// Bytes done in this phase.
  public var doneByteCount: UInt64 { UInt64(clamping: done.value) }
  /// Bytes to do in this phase, as far as it is known beforehand; 0 if it is not.
  public var totalByteCount: UInt64 { UInt64(clamping: total.value) }

  /// Starts the next phase, and says how much there is to do.
  public func begin(_ phase: Phase, totalByteCount: UInt64) {
    currentPhase.value = phase.rawValue
    done.value = 0
    total.value = Int(clamping: totalByteCount)
  }

  /// Adds bytes that are done.
  public func add(byteCount: Int) {
    done.add(byteCount)
    observer(self)
  }
}

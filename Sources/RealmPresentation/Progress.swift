import RealmStorage
import RealmSystem
import RealmText

/// A line on the terminal that shows the progress of long work, with rate and time left.
///
/// It appears after a second, and only if somebody can see it: on a terminal that does not show the output itself. Any
/// thread may report progress.
package final class Progress: Sendable {
  private struct State {
    var start: ContinuousClock.Instant
    var shown: ContinuousClock.Instant?
    var objects = 0
    var total = 0
    var phase = WorkProgress.Phase.writing
  }

  private let clock = ContinuousClock()
  private let state: Locked<State>
  private let write: @Sendable (String) -> Void
  /// Removes the line.
  private static let erasure: StaticString = "\r\u{1b}[K"

  /// Objects in all; 0 until it is known.
  package var total: Int {
    get { state.withLock { $0.total } }
    set { state.withLock { $0.total = newValue } }
  }

  /// - Parameter write: writes to the terminal.
  package init(write: @escaping @Sendable (String) -> Void) {
    self.write = write
    state = Locked(State(start: clock.now))
  }

  deinit { clear() }

  /// Adds objects to those that are done.
  ///
  /// - Parameter byteCount: bytes written so far.
  package func advance(objects: Int, byteCount: UInt64) {
    state.withLock { state in
      state.objects += objects
      let (done, total) = (state.objects, state.total)
      show(&state) { Self.text(done: done, of: total, byteCount: byteCount, after: $0) }
    }
  }

  /// Shows how far the work has come, counted in bytes.
  package func show(_ work: WorkProgress) {
    state.withLock { state in
      if state.phase != work.phase { (state.phase, state.start) = (work.phase, clock.now) }
      show(&state) { duration in
        let done = work.doneByteCount
        let text = Self.text(
          done: Int(clamping: done), of: Int(clamping: work.totalByteCount), byteCount: done, after: duration)
        return switch work.phase {
        case .writing: text
        case .verifying: "verifying: " + text
        case .provingFreeSpace: "checking free space: " + text
        }
      }
    }
  }

  /// Shows how far the work has come, as a share from 0 to 1.
  package func show(share: Double) {
    state.withLock { state in
      show(&state) { Self.text(share: share, after: $0) }
    }
  }

  /// `45%, 3 s left`
  package static func text(share: Double, after duration: Duration) -> String {
    let seconds = Double(duration.components.seconds) + Double(duration.components.attoseconds) / 1e18
    let done = min(max(share, 0), 1)
    let percent = "\(Int(clamping: done * 100))%"
    guard done > 0.01 else { return percent }
    return percent + ", " + timeLeft(seconds * (1 - done) / done)
  }

  private static func timeLeft(_ seconds: Double) -> String {
    let seconds = seconds.rounded(.up)
    return seconds < 120 ? "\(Int(clamping: seconds)) s left" : "\(Int(clamping: seconds) / 60) min left"
  }

  private func show(_ state: inout State, _ text: (Duration) -> String) {
    let now = clock.now
    guard now - (state.shown ?? state.start) >= (state.shown == nil ? .seconds(1) : .milliseconds(200)) else { return }
    if state.shown == nil { UnfinishedOutputs.setLastWords(Self.erasure) }
    state.shown = now
    write("\(Self.erasure)" + text(now - state.start))
  }

  /// Starts again from 0, as the work does.
  package func restart() { state.withLock { $0.objects = 0 } }

  /// Removes the line.
  package func clear() {
    state.withLock { state in
      guard state.shown != nil else { return }
      write("\(Self.erasure)")
      UnfinishedOutputs.setLastWords(nil)
      state.shown = nil
    }
  }

  /// `45%, 120.0 MiB, 210.0 MiB/s, 3 s left`
  package static func text(done: Int, of total: Int, byteCount: UInt64, after duration: Duration) -> String {
    let seconds = max(Double(duration.components.seconds) + Double(duration.components.attoseconds) / 1e18, 0.001)
    let rate = UInt64(clamping: Double(byteCount) / seconds)
    let amount = "\(ByteCount.short(byteCount)), \(ByteCount.short(rate))/s"
    guard done > 0, total >= done else { return amount }
    let percent = Int(clamping: Double(done) * 100 / Double(total))
    return "\(percent)%, \(amount), \(timeLeft(seconds * Double(total - done) / Double(done)))"
  }
}

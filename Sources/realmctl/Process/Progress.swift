/// A line on the terminal that tells how far long work has come, with rate and time left.
///
/// It shows after a second, and only where somebody can see it: on a terminal that does not show the output itself.
final class Progress {
  private let clock = ContinuousClock()
  private let start: ContinuousClock.Instant
  private var shown: ContinuousClock.Instant?
  private var objects = 0

  /// Objects in all; 0 until it is known.
  var total = 0

  init() {
    start = clock.now
  }

  deinit { clear() }

  /// So many more objects are done.
  ///
  /// - Parameter byteCount: bytes written so far.
  func advance(objects: Int, byteCount: UInt64) {
    self.objects += objects
    let now = clock.now
    guard now - (shown ?? start) >= (shown == nil ? .seconds(1) : .milliseconds(200)) else { return }
    shown = now
    let text = Self.text(done: self.objects, of: total, byteCount: byteCount, after: now - start)
    StandardError.write("\r\u{1b}[K" + text)
  }

  /// Starts from nothing, because the work does.
  func restart() { objects = 0 }

  /// Takes the line away.
  func clear() {
    guard shown != nil else { return }
    StandardError.write("\r\u{1b}[K")
    shown = nil
  }

  /// `45%, 120.0 MiB, 210.0 MiB/s, 3 s left`
  static func text(done: Int, of total: Int, byteCount: UInt64, after duration: Duration) -> String {
    let seconds = max(Double(duration.components.seconds) + Double(duration.components.attoseconds) / 1e18, 0.001)
    let rate = UInt64(Double(byteCount) / seconds)
    let amount = "\(ByteCount.short(byteCount)), \(ByteCount.short(rate))/s"
    guard done > 0, total >= done else { return amount }
    let left = Int((seconds * Double(total - done) / Double(done)).rounded(.up))
    let percent = Int(Double(done) * 100 / Double(total))
    let time = left < 120 ? "\(left) s" : "\(left / 60) min"
    return "\(percent)%, \(amount), \(time) left"
  }
}

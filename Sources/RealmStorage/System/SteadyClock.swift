import Libc

/// A clock that nobody sets. (The standard library's `ContinuousClock` needs macOS 13 and iOS 16.)
package enum SteadyClock {
  /// Nanoseconds since some moment.
  package static var nanoseconds: Int64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec)
  }

  /// The time that it shows so much later; at most some centuries.
  package static func nanoseconds(after seconds: Double) -> Int64 {
    let (end, overflow) = nanoseconds.addingReportingOverflow(Int64(clamping: seconds * 1e9))
    return overflow ? .max : end
  }

  /// Seconds that have passed since it showed a time.
  package static func seconds(since start: Int64) -> Double { Double(nanoseconds - start) / 1e9 }
}

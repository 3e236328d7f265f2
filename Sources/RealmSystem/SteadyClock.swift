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
  ///
  /// - Parameter more: nanoseconds, less than a second.
  package static func nanoseconds(after seconds: Int64, _ more: Int64 = 0) -> Int64 {
    let (span, isTooLong) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
    let (end, overflow) = (nanoseconds + more).addingReportingOverflow(span)
    return isTooLong || overflow ? .max : end
  }
}

import Libc

/// The time of day, for names of files. Nothing that is written into a realm depends on it.
package enum SystemClock {
  package static var secondsSince1970: Int64 { Int64(time(nil)) }
}

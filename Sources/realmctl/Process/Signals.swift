import Libc
import RealmStorage
import RealmSystem

/// Handles Ctrl-C and similar signals: nothing unfinished is left, and the status shows the signal.
enum Signals {
  static func install() {
    // A reader that went away shows as EPIPE where it was written to.
    _ = signal(SIGPIPE, SIG_IGN)
    // A file that grows beyond the limit of the process shows as EFBIG.
    _ = signal(SIGXFSZ, SIG_IGN)
    for number in [SIGINT, SIGTERM, SIGHUP, SIGQUIT] {
      let previous = signal(number, UnfinishedOutputs.signalHandler)
      // nohup and the background jobs of a script ignore it, and that stays so.
      if isIgnoring(previous) { _ = signal(number, SIG_IGN) }
    }
  }

  /// Ends the process.
  static func exit(_ status: Int32) -> Never {
    Libc.exit(status)
  }

  private static func isIgnoring(_ handler: (@convention(c) (Int32) -> Void)?) -> Bool {
    unsafeBitCast(handler, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
  }
}

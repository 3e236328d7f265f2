/// Asks who holds a realm while other work goes on.
///
/// Reading the kernel's list of locks waits until every processor has taken notice, some 20 milliseconds: as long as
/// copying 20 megabytes takes.
package final class LockHoldersQuery: Sendable {
  /// What the thread finds.
  private final class Finding: @unchecked Sendable {
    private let monitor = Monitor()
    /// Guarded by `monitor`.
    private var holders: LockHolders?

    func find(_ realm: String) {
      let holders = LockHolders.of(realm: realm)
      monitor.change { self.holders = holders }
    }

    func wait() -> LockHolders { monitor.wait(until: { holders != nil }) { holders ?? .unknown } }
  }

  private let finding = Finding()

  /// - Parameter realm: path of the realm (not of its lock file).
  package init(realm: String) {
    let finding = finding
    // Without a lock file the answer is there at once.
    let isQuick = LockHolders.lockFiles(ofRealm: realm).allSatisfy {
      (try? SystemFileCalls().status(ofPath: $0)) == nil
    }
    if !isQuick, let thread = WorkerThread({ finding.find(realm) }) {
      thread.detach()
    } else {
      finding.find(realm)
    }
  }

  /// The answer; waits for it.
  package var holders: LockHolders { finding.wait() }
}

import RealmStorage
import RealmSystem

/// Keeps a second run away from the same realm, in this process or in another one, such as an app's extension.
///
/// It is a lock on a file of its own, so that neither the lock files of SDKs nor what they mean play a part. The system
/// releases it when the process ends, however it ends. The file is empty and stays: one that is removed could be locked
/// twice.
final class LeaveLock {
  private let descriptor: Int32
  private let calls: any OutputCalls

  /// The lock file of a realm. It ends like no file of an SDK.
  static func path(ofRealm path: String) -> String { path + ".leaving" }

  private static let pauseMilliseconds: UInt32 = 50

  /// - Parameters:
  ///   - path: of the lock file.
  ///   - realm: for errors.
  ///   - waitingMilliseconds: how long to wait for another run.
  init(_ path: String, ofRealm realm: String, waitingMilliseconds: UInt64) throws(LeaveError) {
    calls = FileBackend.calls
    do throws(SystemCallError) {
      descriptor = try Self.open(path, calls)
    } catch {
      throw LeaveError(.system, realm, "cannot create or open \(path): \(error.text)")
    }
    let start = calls.milliseconds()
    while true {
      do throws(SystemCallError) {
        try calls.uninterrupted { () throws(SystemCallError) in try calls.lock(descriptor) }
        return
      } catch {
        guard error.wouldBlock else {
          throw LeaveError(.system, realm, "cannot lock \(path): \(error.text)")
        }
      }
      guard calls.milliseconds() &- start < waitingMilliseconds else {
        throw LeaveError(.running, realm, "another run is copying the realm")
      }
      calls.pause(milliseconds: Self.pauseMilliseconds)
    }
  }

  deinit {
    // A child process that has just been made may still have the descriptor.
    calls.unlock(descriptor)
    calls.close(descriptor)
  }

  /// Links are not followed.
  private static func open(_ path: String, _ calls: any OutputCalls) throws(SystemCallError) -> Int32 {
    while true {
      do throws(SystemCallError) { return try calls.opened(path, .existing) } catch {
        guard error.problem == .missing else { throw error }
      }
      do throws(SystemCallError) { return try calls.opened(path, .create(mode: 0o600)) } catch {
        guard error.isExisting else { throw error }
      }
    }
  }
}

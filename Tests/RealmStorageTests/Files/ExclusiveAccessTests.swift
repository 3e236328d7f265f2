import Foundation
import RealmSystem
import TestSupport
import Testing

@testable import RealmStorage

/// Exclusive use of a realm through its lock file (Docs/Format/5-coordination.md §10.2).
@Suite struct ExclusiveAccessTests {
  /// A lock of the kind that apps take.
  private final class SharedLock: Sendable {
    private let descriptor: Locked<Int32>

    init(_ path: String) throws {
      let opened = open(path, O_RDWR | O_CREAT, 0o644)
      try #require(opened >= 0 && flock(opened, LOCK_SH | LOCK_NB) == 0)
      descriptor = Locked(opened)
    }

    func release() {
      descriptor.withLock { descriptor in
        if descriptor >= 0 { close(descriptor) }
        descriptor = -1
      }
    }

    deinit { release() }
  }

  private func isInUse(_ path: String, _ body: () throws -> Void) -> Bool {
    do { try body() } catch AccessError.inUse(path: path, _, _) { return true } catch { return false }
    return false
  }

  @Test func nobodyElseGetsInUntilItIsReleased() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write("a.realm", [])
    let access = try ExclusiveAccess(toRealm: path)
    #expect(isInUse(path) { _ = try ExclusiveAccess(toRealm: path) })
    let app = open(path + ".lock", O_RDWR)
    defer { close(app) }
    #expect(flock(app, LOCK_SH | LOCK_NB) != 0)
    access.release()
    #expect(flock(app, LOCK_SH | LOCK_NB) == 0)
  }

  @Test func itEndsWithTheObject() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write("a.realm", [])
    do { _ = try ExclusiveAccess(toRealm: path) }
    _ = try ExclusiveAccess(toRealm: path)
    #expect(try folder.names() == ["a.realm"])
  }

  @Test func aLockFileThatWasMadeStaysOnlyWhereTheRealmWasChanged() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write("a.realm", [])
    for stays in [false, true, false] {
      let access = try ExclusiveAccess(toRealm: path)
      #expect(try folder.names() == ["a.realm", "a.realm.lock"])
      let existed = try stays || Fixture.bytes(ofFile: path) == [1]
      if stays { access.keepLockFiles() }
      access.release()
      #expect(try folder.names() == (existed ? ["a.realm", "a.realm.lock"] : ["a.realm"]))
      // One that existed before must not be removed.
      if stays { try folder.write("a.realm", [1]) }
    }
  }

  @Test func anAppThatWaitsForALockFileThatIsRemovedFindsItEmptyAndBeginsAgain() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write("a.realm", [])
    let access = try ExclusiveAccess(toRealm: path)
    let app = open(path + ".lock", O_RDWR)
    defer { close(app) }
    #expect(flock(app, LOCK_SH | LOCK_NB) != 0)
    access.release()
    #expect(flock(app, LOCK_SH | LOCK_NB) == 0)
    var status = stat()
    #expect(fstat(app, &status) == 0 && status.st_size == 0 && status.st_nlink == 0)
  }

  @Test func aStaleLockFileIsEmptiedSoThatWaitingAppsDoNotJoinADeadSession() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write("a.realm", [])
    let lock = try folder.write("a.realm.lock", LockFileImage.linux)
    let access = try ExclusiveAccess(toRealm: path)
    #expect(try Fixture.bytes(ofFile: lock).isEmpty)
    access.release()
    #expect(try folder.names() == ["a.realm", "a.realm.lock"])
  }

  @Test func aSessionOfAnAppIsLeftAloneWithItsLockFile() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write("a.realm", Array("realm".utf8))
    let lock = try folder.write("a.realm.lock", LockFileImage.linux)
    let app = try SharedLock(lock)
    #expect(isInUse(path) { _ = try ExclusiveAccess(toRealm: path) })
    #expect(try Fixture.bytes(ofFile: lock) == LockFileImage.linux)
    app.release()
  }

  #if os(Linux)
    @Test func theProcessThatHoldsItIsNamed() throws {
      let folder = try TemporaryFolder()
      let path = try folder.write("a.realm", [])
      let child = try ChildProcess("StorageProbe", ["hold", path])
      #expect(child.read(until: "\n") == "held\n")
      let holder = LockHolder(processID: child.processID, command: "StorageProbe", isExclusive: false)
      #expect(throws: AccessError.inUse(path: path, holders: .processes([holder]))) {
        try ExclusiveAccess(toRealm: path)
      }
      #expect(try ExclusiveAccess.holders(ofRealm: path) == .processes([holder]))
      #expect(child.wait().status == 0)
      #expect(try ExclusiveAccess.holders(ofRealm: path) == .processes([]))
    }
  #endif

  // MARK: Waiting

  @Test func waitingEndsWhenTheAppIsDone() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write("a.realm", [])
    let app = try SharedLock(path + ".lock")
    let calls = FailingCalls(.interruption, atCall: 0) { app.release() }
    _ = try ExclusiveAccess(toRealm: path, waitingMilliseconds: 10_000, calls: calls)
    #expect(calls.milliseconds() == 50)
    #expect(calls.openDescriptors == 0)
  }

  @Test func waitingEndsWhenTheTimeIsOver() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write("a.realm", [])
    let app = try SharedLock(path + ".lock")
    let calls = FailingCalls(.interruption, atCall: 0)
    #expect(isInUse(path) { _ = try ExclusiveAccess(toRealm: path, waitingMilliseconds: 1000, calls: calls) })
    #expect(calls.milliseconds() == 1000)
    #expect(calls.openDescriptors == 0)
    app.release()
  }

  // MARK: Names

  @Test func everyNameOnTheWayIsLockedBecauseAppsLockWhatTheyWereGiven() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write("a.realm", [])
    try #require(symlink("a.realm", folder.path("b.realm")) == 0)
    let link = folder.path("b.realm")
    let access = try ExclusiveAccess(toRealm: link)
    #expect(isInUse(path) { _ = try ExclusiveAccess(toRealm: path) })
    access.release()
    for name in ["a.realm", "b.realm"] {
      let app = try SharedLock(folder.path(name) + ".lock")
      #expect(isInUse(link) { _ = try ExclusiveAccess(toRealm: link) })
      app.release()
    }
  }

  @Test func aLockFileThatIsRemovedMeanwhileIsMadeAgain() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write("a.realm", [])
    let app = try SharedLock(path + ".lock")
    let calls = FailingCalls(.interruption, atCall: 0) {
      unlink(path + ".lock")
      app.release()
    }
    let access = try ExclusiveAccess(toRealm: path, waitingMilliseconds: 1000, calls: calls)
    #expect(isInUse(path) { _ = try ExclusiveAccess(toRealm: path) })
    access.release()
  }

  @Test func theLockFileBelongsToWhoeverOwnsTheRealm() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write("a.realm", [])
    // Only an administrator can make files for others.
    let (owner, group) = getuid() == 0 ? (1234, 2345) : (getuid(), getgid())
    try #require(chown(path, owner, group) == 0)
    let access = try ExclusiveAccess(toRealm: path)
    var status = stat()
    #expect(stat(path + ".lock", &status) == 0 && status.st_uid == owner && status.st_gid == group)
    access.release()
  }

  // MARK: What goes wrong

  @Test(arguments: [FailingCalls.Fault.inputOutputError, .interruption, .end])
  func whateverFailsNothingStaysLocked(_ fault: FailingCalls.Fault) throws {
    for isThere in [false, true] { try failEveryCall(fault, isThere) }
  }

  private func failEveryCall(_ fault: FailingCalls.Fault, _ isThere: Bool) throws {
    var (call, calls) = (0, FailingCalls(fault, atCall: 0))
    repeat {
      call += 1
      let folder = try TemporaryFolder()
      let path = try folder.write("a.realm", Array("realm".utf8))
      if isThere { try folder.write("a.realm.lock", LockFileImage.linux) }
      calls = FailingCalls(fault, atCall: call)
      do {
        try ExclusiveAccess(toRealm: path, calls: calls).release()
      } catch is AccessError {
        #expect(fault != .interruption)
      } catch is OutputError {
        #expect(fault != .interruption)
      }
      #expect(calls.openDescriptors == 0)
      try ExclusiveAccess(toRealm: path).release()
      #expect(try Fixture.bytes(ofFile: path) == Array("realm".utf8))
    } while calls.hasFailed
    #expect(call > 1)
  }

  @Test func leftoversOfAnEnginesCompactionAreRemovedUnderEveryName() throws {
    let folder = try TemporaryFolder()
    try folder.write("a.realm", [])
    try #require(symlink("a.realm", folder.path("b.realm")) == 0)
    for name in ["a", "b"] { try folder.write(name + ".realm.tmp_compaction_space", [1]) }
    let access = try ExclusiveAccess(toRealm: folder.path("b.realm"))
    access.removeCompactionLeftovers()
    #expect(try folder.names() == ["a.realm", "a.realm.lock", "b.realm", "b.realm.lock"])
    access.release()
    #expect(try folder.names() == ["a.realm", "b.realm"])
  }
}

import RealmSystem
import TestSupport
import Testing

@testable import RealmBrowser
@testable import RealmStorage

/// A session of the browser in which each call that concerns a file fails in turn.
///
/// A realm that cannot be opened is an error. During a session, the screen says what cannot be read, and the session
/// continues. The file and its folder do not change, and no descriptor stays open.
@Suite struct BrowseFaultTests {
  private static let faults: [FailingCalls.Fault] = [.inputOutputError, .interruption, .shortCount, .end]
  private static let keys = "Enter o b Esc R G"

  @Test(arguments: ["dogs", "all-types-encrypted"], faults)
  func whateverFailsIsSaidAndTheSessionGoesOn(_ name: String, _ fault: FailingCalls.Fault) throws {
    let fixture = OpenableFixture.named(name)
    let folder = try TemporaryFolder()
    let path = try folder.write("app.realm", Fixture.bytes(ofFile: fixture.path))
    let before = try FolderContent(folder)
    let undisturbed = try screens(path, fixture, FailingCalls(.inputOutputError, atCall: 0))
    // Each of the first calls, then fewer and fewer.
    var call = 0
    var calls: FailingCalls
    repeat {
      call += 1 + call / 10
      calls = FailingCalls(fault, atCall: call)
      let place = Comment(rawValue: "call \(call)")
      do {
        let seen = try screens(path, fixture, calls)
        if fault != .inputOutputError || !calls.hasFailed { #expect(seen == undisturbed, place) }
      } catch let error as StorageError {
        #expect(fault == .inputOutputError && calls.hasFailed, place)
        #expect("\(error)".contains(SystemCallError.text(5)), place)
      }
      #expect(try FolderContent(folder) == before, place)
      #expect(calls.openDescriptors == 0, place)
    } while calls.hasFailed
    if fault == .end { #expect(calls.madeCalls == 0) } else { #expect(call > 2) }
  }

  /// What is on the screen after each key.
  private func screens(_ path: String, _ fixture: OpenableFixture, _ calls: FailingCalls) throws -> [[String]] {
    try FileBackend.$calls.withValue(calls) {
      let driver = try Driver(path, key: fixture.encryptionKey())
      var screens = [driver.lines]
      for key in try KeyText.keys(Self.keys) {
        driver.press(key)
        #expect(driver.browser.ending == nil)
        screens.append(driver.lines)
      }
      driver.press(.character("Q"))
      #expect(driver.browser.ending == .quit)
      return screens
    }
  }

  @Test(
    "writing that fails leaves the realm as it was, and the changes on the screen",
    arguments: [
      FailingCalls.Fault.inputOutputError, .noSpace,
    ])
  func whateverFailsInWritingTheChangesAreKept(_ fault: FailingCalls.Fault) throws {
    var call = 0
    var calls: FailingCalls
    repeat {
      call += 1
      calls = FailingCalls(fault, atCall: call)
      let place = Comment(rawValue: "call \(call)")
      let realm = try EditedRealm("engine/dogs.realm")
      let before = try realm.opened().snapshot.content()
      let driver = try realm.driver(class: "Person")
      driver.press(try KeyText.keys("l l e ^U \"Max\" Enter"))
      let staged = try #require(driver.browser.context.changes).realm.snapshot.content()
      try FileBackend.$calls.withValue(calls) { driver.press(try KeyText.keys("\":w\" Enter")) }
      #expect(driver.browser.ending == nil, place)
      let after = try realm.opened().snapshot.content()
      if driver.status.contains("1 change written") {
        #expect(after == staged, place)
      } else {
        #expect(calls.hasFailed && (after == before || after == staged), place)
        // If the file cannot be read again, the changes are kept, too.
        if after == before { #expect(driver.path.contains("[1 change]"), place) }
      }
      try realm.requireSound()
    } while calls.hasFailed
    #expect(call > 10)
  }
}

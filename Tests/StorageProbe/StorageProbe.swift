import Libc
import RealmStorage
import RealmSystem
import RealmTerminal

/// What tests have to do in another process: be ended by a fault, hold a lock, use a terminal, read standard input.
@main enum StorageProbe {
  static func main() throws {
    let arguments = CommandLine.arguments
    switch (arguments.dropFirst().first, arguments.dropFirst(2).first) {
    case ("fault", let path?): try touchCutMapping(path)
    case ("fault-elsewhere", let path?): try touchForeignMapping(path)
    case ("cut-while-reading", let path?): try cutWhileReading(path)
    case ("probe-as-other", let path?): probeAsOther(path)
    case ("hold", let path?): hold(path)
    case ("ask", _): ask()
    case ("open-by-environment", let path?): openByEnvironment(path)
    case ("read-standard-input", _): try readStandardInput()
    default: exit(64)
    }
  }

  /// Opens a realm, cuts the file short and touches its last page.
  private static func touchCutMapping(_ path: String) throws {
    FileTruncation.installHandler { .init(message: "probe: \($0) was cut short\n", status: 2) }
    let opened = try ByteStore.open(.path(path), key: nil)
    truncate(path, 0)
    _ = try opened.store.copy(at: UInt64(opened.store.count - 8), length: 8)
  }

  /// Reads as an app does, and cuts the file off after the first object of each class; says how often it was told.
  private static func cutWhileReading(_ path: String) throws {
    let realm = try Realm.open(at: path)
    var cursors = try realm.classes.map { try $0.cursor() }
    for index in cursors.indices { _ = try cursors[index].next() }
    truncate(path, 100)
    var errors = 0
    for var cursor in cursors {
      do { while try cursor.next() != nil {} } catch { if error.kind == .changed { errors += 1 } }
    }
    say("\(errors) of \(cursors.count)\n")
  }

  /// Finds out as a user without rights what is at a path.
  private static func probeAsOther(_ path: String) {
    guard setuid(65534) == 0 else { exit(1) }
    switch Realm.probe(at: path) {
    case .protected(let error): say("protected, \(error.kind)\n")
    case let other: say("\(other)\n")
    }
  }

  /// A fault in a mapping that is not a realm.
  private static func touchForeignMapping(_ path: String) throws {
    FileTruncation.installHandler { _ in .init(message: "probe: must not be written\n", status: 2) }
    let descriptor = open(path, O_RDWR)
    let address = mmap(nil, 4096, PROT_READ, MAP_SHARED, descriptor, 0)
    truncate(path, 0)
    print(address?.load(as: UInt8.self) ?? 0)
  }

  /// Takes the shared lock that an SDK takes, says so, and keeps it until standard input ends.
  private static func hold(_ path: String) {
    let descriptor = open(path + ".lock", O_RDWR | O_CREAT, 0o644)
    guard flock(descriptor, LOCK_SH) == 0 else { exit(1) }
    say("held\n")
    var byte: UInt8 = 0
    while read(0, &byte, 1) > 0 {}
  }

  private static func ask() {
    do {
      let key = try EncryptionKey.typed { try TerminalPrompt.ask("Key: ") }
      say("got \(key)\n")
    } catch {
      say("\(error)\n")
      exit(1)
    }
  }

  /// Opens a realm with the key in the variable `PROBE_KEY`.
  private static func openByEnvironment(_ path: String) {
    do {
      let key = try EncryptionKey.read(environmentVariable: "PROBE_KEY")
      say("\(try ByteStore.open(.path(path), key: key).store.count)\n")
    } catch {
      say("\(error)\n")
      exit(1)
    }
  }

  private static func readStandardInput() throws {
    let opened = try ByteStore.open(.standardInput, key: nil)
    say("\(opened.path) \(opened.physicalSize) \(opened.store.count)\n")
  }

  private static func say(_ text: String) {
    _ = Array(text.utf8).withUnsafeBytes { write(1, $0.baseAddress, $0.count) }
  }
}

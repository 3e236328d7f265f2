import Foundation
import TestSupport
import Testing

@testable import RealmStorage
@testable import RealmSystem

private func failure(_ path: String, key: EncryptionKey? = nil) -> StorageError? {
  do {
    _ = try ByteStore.open(.path(path), key: key)
    return nil
  } catch {
    return error as? StorageError
  }
}

@Test func `what is no regular file is refused without being opened`() throws {
  let folder = try TemporaryFolder()
  #expect(mkfifo(folder.path("pipe"), 0o600) == 0)
  let socket = try listen(at: folder.path("socket"))
  defer { close(socket) }
  // Opening the pipe would block: nobody writes.
  #expect(failure(folder.path("pipe")) == .file(.notARegularFile(kind: .pipe)))
  #expect(failure(folder.path("socket")) == .file(.notARegularFile(kind: .socket)))
  #expect(failure("/dev/zero") == .file(.notARegularFile(kind: .characterDevice)))
  #expect(failure(folder.path) == .file(.isDirectory))
}

@Test func `a link counts as what it leads to`() throws {
  let folder = try TemporaryFolder()
  #expect(symlink(Fixture.path("engine/dogs.realm"), folder.path("link.realm")) == 0)
  #expect(symlink("/dev/null", folder.path("device")) == 0)
  #expect(symlink(folder.path("loop"), folder.path("loop")) == 0)
  #expect(symlink(folder.path("nowhere"), folder.path("broken")) == 0)
  #expect(failure(folder.path("link.realm")) == nil)
  #expect(failure(folder.path("device")) == .file(.notARegularFile(kind: .characterDevice)))
  #expect(failure(folder.path("loop")) == .file(.systemCall(name: "stat", errorNumber: ELOOP)))
  #expect(failure(folder.path("broken")) == .file(.missing))
}

@Test func `a file that is not there is missing, whatever is wrong with the path`() throws {
  let folder = try TemporaryFolder()
  let file = try folder.write("file", [1])
  #expect(failure(folder.path("no.realm")) == .file(.missing))
  #expect(failure(folder.path("no/such/folder.realm")) == .file(.missing))
  #expect(failure(file + "/below.realm") == .file(.missing))
  #expect(failure("") == .file(.missing))
  #expect(failure(folder.path("no.realm.lock")) == .file(.missing))
  #expect(try folder.names() == ["file"])
}

@Test func `a file that may not be read is told`() throws {
  let folder = try TemporaryFolder()
  let path = try folder.write("a.realm", try Fixture.bytes("engine/dogs.realm"))
  #expect(chmod(path, 0) == 0)
  // The superuser may read everything; for it the system's refusal is staged.
  let isRefused = failure(path) == .file(.permissionDenied)
  #expect(isRefused || geteuid() == 0)
  let calls = RefusingCalls()
  #expect(throws: StorageError.file(.permissionDenied)) {
    try ByteStore.open(.path(path), key: nil, calls: calls)
  }
}

@Test func `an owner's privilege that is refused is done without`() throws {
  try leavingUntouched(Fixture.path("engine/dogs.realm")) { path in
    let opened = try ByteStore.open(.path(path), key: nil, calls: RefusingCalls(onlyPrivilege: true))
    #expect(opened.store.count == 4096)
  }
}

@Test func `empty, short and foreign files are no realms`() throws {
  let folder = try TemporaryFolder()
  let foreign = Array("{\"no\": \"realm, but long enough for a header\"}".utf8)
  let large = [UInt8](repeating: 7, count: 8193)
  #expect(failure(try folder.write("empty", [])) == .notARealm(.empty))
  #expect(failure(try folder.write("short", [1, 2, 3])) == .notARealm(.tooSmall(size: 3)))
  #expect(failure(try folder.write("foreign", foreign)) == .notARealm(.wrongMnemonic(wasDecrypted: false)))
  #expect(failure(try folder.write("large", large)) == .notARealm(.wrongMnemonic(wasDecrypted: false)))
  #expect(failure(try folder.write("pages", Array(large.dropLast()))) == .key(.missing))
  #expect(failure(try folder.write("with-key", large), key: try .engine) == .key(.wrong(fileSize: 8193)))
}

@Test func `a file without end takes no memory`() throws {
  let folder = try TemporaryFolder()
  let path = try folder.write("vast.realm", try Fixture.bytes("engine/dogs.realm"))
  // Sparse: none of it is on the disk.
  #expect(truncate(path, 1 << 40) == 0)
  let opened = try ByteStore.open(.path(path), key: nil, prefersPages: true)
  #expect(opened.store.count == 1 << 40)
  #expect(try opened.store.copy(at: (1 << 40) - 8, length: 8) == [UInt8](repeating: 0, count: 8))
  #expect(opened.store.residentPages == 1)
}

@Test(
  arguments: [
    ("app.realm.lock", .lock, "app.realm"), ("app.realm.note", .note, "app.realm"),
    ("app.realm.management", .management, "app.realm"), ("app.realm.management/", .management, "app.realm"),
    ("app.realm.log", .log, "app.realm"), ("data.db.log_b", .log, "data.db"),
    ("app.realm.tmp_compaction_space", .compactionLeftover, "app.realm"),
    ("app.realm.backup-log", .backup, "app.realm"), ("app.v23.backup.realm.part", .backup, "app.realm"),
    ("dir.lock/app.realm", nil, nil), ("app.realm", nil, nil), ("app.v23.backup.realm", .backup, "app.realm"),
    ("dir/app.pre-migrate-20240102T030405Z.realm", .backup, "dir/app.realm"),
    ("app.pre-write-copy-20240102T030405Z-12.realm", .backup, "app.realm"),
    ("app.deleted-20240102T030405Z.realm", .backup, "app.realm"), ("app.pre-migrate.realm", nil, nil),
    ("app.pre-20240102T030405Z.realm", nil, nil), ("pre-migrate-20240102T030405Z.realm", nil, nil),
    ("app.backup.realm", nil, nil), ("v23.backup.realm", nil, nil), (".lock", nil, nil),
    ("dir/.lock", nil, nil), ("app.vx.backup.realm.part", nil, nil), ("part", nil, nil), ("", nil, nil),
  ] as [(String, SideFile?, String?)])
func `the name of a side file tells its realm`(path: String, kind: SideFile?, realm: String?) {
  let name = SideFileName(path: path)
  #expect(name?.kind == kind)
  #expect(name?.realm == realm)
}

@Test func `a side file is answered with its realm`() throws {
  let folder = try TemporaryFolder()
  let realm = try Fixture.bytes("engine/dogs.realm")
  let path = folder.path("app.realm")
  func side(_ kind: SideFile) -> StorageError { .file(.sideFile(kind: kind, realm: path)) }
  #expect(mkfifo(path + ".note", 0o600) == 0)
  #expect(mkdir(path + ".management", 0o700) == 0)
  try folder.write("app.realm.lock", [UInt8](repeating: 1, count: 1728))
  try folder.write("app.realm.log", [])
  try folder.write("app.realm.tmp_compaction_space", realm)
  #expect(failure(path + ".note") == side(.note))
  #expect(failure(path + ".management") == side(.management))
  #expect(failure(path + ".management/") == side(.management))
  #expect(failure(path + ".lock") == side(.lock))
  #expect(failure(path + ".log") == side(.log))
  #expect(failure(path + ".tmp_compaction_space") == side(.compactionLeftover))
}

@Test func `a realm is opened whatever its name`() throws {
  let folder = try TemporaryFolder()
  let realm = try Fixture.bytes("engine/dogs.realm")
  for name in ["captain.log", "app.v23.backup.realm", "no ending", "ünïcode 語.realm", "-"] {
    #expect(failure(try folder.write(name, realm)) == nil, "\(name)")
  }
}

@Test func `reading changes nothing, not even the time of access`() throws {
  let folder = try TemporaryFolder()
  let path = try folder.write("a.realm", try Fixture.bytes("engine/all-types.realm"))
  // A careless read would update an access time that is older than the modification.
  var times = [timeval(tv_sec: 1_000_000_000, tv_usec: 0), timeval(tv_sec: 1_600_000_000, tv_usec: 0)]
  #expect(utimes(path, &times) == 0)
  for prefersPages in [true, false] {
    _ = try ByteStore.open(.path(path), key: nil, prefersPages: prefersPages).store.allBytes()
  }
  var information = stat()
  #expect(stat(path, &information) == 0)
  #if os(Linux)
    #expect(information.st_atim.tv_sec == 1_000_000_000)
    #expect(information.st_mtim.tv_sec == 1_600_000_000)
  #endif
  #expect(try folder.names() == ["a.realm"])
}

private func listen(at path: String) throws -> Int32 {
  #if os(Linux)
    let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
  #else
    let descriptor = socket(AF_UNIX, SOCK_STREAM, 0)
  #endif
  var address = sockaddr_un()
  address.sun_family = sa_family_t(AF_UNIX)
  withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8.prefix($0.count - 1)) }
  let result = withUnsafePointer(to: &address) {
    $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
      bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
    }
  }
  try #require(result == 0)
  return descriptor
}

/// A system that refuses to open, or only refuses what the owner alone may ask for.
private struct RefusingCalls: FileCalls {
  private let system = SystemFileCalls()
  private let onlyPrivilege: Bool

  init(onlyPrivilege: Bool = false) { self.onlyPrivilege = onlyPrivilege }

  func open(_ path: String, flags: Int32) throws(SystemCallError) -> Int32 {
    guard onlyPrivilege else { throw SystemCallError(name: "open", number: EACCES) }
    let plain = O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY
    guard flags == plain else { throw SystemCallError(name: "open", number: EPERM) }
    return try system.open(path, flags: flags)
  }

  func status(ofPath path: String) throws(SystemCallError) -> FileStatus { try system.status(ofPath: path) }
  func status(of descriptor: Int32) throws(SystemCallError) -> FileStatus { try system.status(of: descriptor) }
  func close(_ descriptor: Int32) { system.close(descriptor) }
  func read(_ descriptor: Int32, into buffer: UnsafeMutableRawBufferPointer) throws(SystemCallError) -> Int {
    try system.read(descriptor, into: buffer)
  }
  func read(_ descriptor: Int32, into buffer: UnsafeMutableRawBufferPointer, at offset: UInt64)
    throws(SystemCallError) -> Int
  {
    try system.read(descriptor, into: buffer, at: offset)
  }
  func waitUntilReady(_ descriptor: Int32, forWriting: Bool) throws(SystemCallError) {}
  func map(_ descriptor: Int32, length: Int) throws(SystemCallError) -> UnsafeMutableRawPointer {
    try system.map(descriptor, length: length)
  }
  func isRemote(_ descriptor: Int32) -> Bool { false }
  func isTerminal(_ descriptor: Int32) -> Bool { false }
  func pause(milliseconds: UInt32) {}
}

import Foundation
import TestSupport
import Testing

@testable import RealmStorage

#if os(Linux)
  @Test func `processes that hold a realm are known without a lock being taken`() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write("a.realm", try Fixture.bytes("engine/dogs.realm"))
    #expect(LockHolders.of(realm: path) == .processes([]))
    #expect(try folder.names() == ["a.realm"])
    let children = [
      try ChildProcess("StorageProbe", ["hold", path]), try ChildProcess("StorageProbe", ["hold", path]),
    ]
    for child in children { #expect(child.read(until: "\n") == "held\n") }
    let expected = children.map { LockHolder(processID: $0.processID, command: "StorageProbe", isExclusive: false) }
    #expect(LockHolders.of(realm: path) == .processes(expected.sorted { ($0.processID ?? 0) < ($1.processID ?? 0) }))
    for child in children { #expect(child.wait().status == 0) }
    // The lock file stays; it says nothing about who is there.
    #expect(LockHolders.of(realm: path) == .processes([]))
    #expect(try folder.names() == ["a.realm", "a.realm.lock"])
  }

  @Test func `who holds a realm is known by every name that leads to it`() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write("a.realm", try Fixture.bytes("engine/dogs.realm"))
    try #require(symlink("a.realm", folder.path("b.realm")) == 0)
    try #require(symlink("b.realm", folder.path("c.realm")) == 0)
    for held in ["a.realm", "b.realm", "c.realm"] {
      let child = try ChildProcess("StorageProbe", ["hold", folder.path(held)])
      #expect(child.read(until: "\n") == "held\n")
      let holders = LockHolders.processes([
        LockHolder(processID: child.processID, command: "StorageProbe", isExclusive: false)
      ])
      #expect(LockHolders.of(realm: folder.path("c.realm")) == holders)
      #expect(LockHolders.query(realm: folder.path("c.realm")).get() == holders)
      #expect(LockHolders.mayBeWritten(realm: folder.path("c.realm"), on: try InputFile(path: path)))
      #expect(throws: AccessError.inUse(path: folder.path("c.realm"), holders: holders)) {
        try ExclusiveAccess(toRealm: folder.path("c.realm"))
      }
      #expect(child.wait().status == 0)
      #expect(LockHolders.of(realm: folder.path("c.realm")) == .processes([]))
    }
  }

  @Test func `a lock of this process is nobody else's`() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write("a.realm", [])
    let descriptor = open(try folder.write("a.realm.lock", []), O_RDONLY)
    defer { close(descriptor) }
    #expect(flock(descriptor, LOCK_EX | LOCK_NB) == 0)
    #expect(LockHolders.of(realm: path) == .processes([]))
  }

  @Test func `a page is tried longer only where somebody may be writing`() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write("a.realm", try Fixture.bytes("engine/dogs.realm"))
    let input = try InputFile(path: path)
    #expect(!LockHolders.mayBeWritten(realm: path, on: input))
    let child = try ChildProcess("StorageProbe", ["hold", path])
    #expect(child.read(until: "\n") == "held\n")
    #expect(LockHolders.mayBeWritten(realm: path, on: input))
    #expect(child.wait().status == 0)
    #expect(!LockHolders.mayBeWritten(realm: path, on: input))
  }

  @Test(
    arguments: [
      ("1: FLOCK  ADVISORY  WRITE 4711 fe:00:131090 0 EOF", true, 4711, "fe:00", 131_090),
      ("12: FLOCK  ADVISORY  READ 1 103:10a:7 0 EOF", false, 1, "103:10a", 7),
      ("3: FLOCK  ADVISORY  READ 0 00:2f:99 0 EOF", false, nil, "00:2f", 99),
      ("3: FLOCK  ADVISORY  READ -1 00:2f:99 0 EOF", false, nil, "00:2f", 99),
    ] as [(String, Bool, Int32?, String, UInt64)])
  func `a line of the kernel's table is a lock`(
    line: String, isExclusive: Bool, process: Int32?, device: String, inode: UInt64
  ) throws {
    let entry = try #require(LockTable.Entry(line: line[...]))
    #expect(entry.isExclusive == isExclusive)
    #expect(entry.processID == process)
    #expect(entry.device == device)
    #expect(entry.inode == inode)
  }

  @Test(arguments: [
    "1: -> FLOCK  ADVISORY  WRITE 4711 fe:00:131090 0 EOF", "2: POSIX  ADVISORY  READ 12 fe:00:131090 0 EOF",
    "3: OFDLCK ADVISORY  READ -1 fe:00:131090 0 EOF", "4: FLOCK  ADVISORY  WRITE x fe:00:131090 0 EOF",
    "5: FLOCK  ADVISORY  WRITE 4711 fe:00 0 EOF", "", "6: FLOCK",
  ])
  func `a line that is no held flock is none`(line: String) { #expect(LockTable.Entry(line: line[...]) == nil) }
#else
  @Test func `who holds a realm is unknown here`() throws {
    let folder = try TemporaryFolder()
    #expect(LockHolders.of(realm: folder.path("a.realm")) == .unknown)
  }
#endif

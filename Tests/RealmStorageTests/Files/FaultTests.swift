import Foundation
import TestSupport
import Testing

@testable import RealmStorage

@Test func `a fault in a realm's mapping ends with one line and status 2`() throws {
  let folder = try TemporaryFolder()
  let path = try folder.write("a.realm", try Fixture.bytes("engine/all-types.realm"))
  let ending = try ChildProcess("StorageProbe", ["fault", path]).wait()
  #expect(ending == .init(status: 2, errors: "probe: \(path) was cut short\n"))
}

@Test func `a fault elsewhere takes the usual course`() throws {
  let folder = try TemporaryFolder()
  let path = try folder.write("a.realm", try Fixture.bytes("engine/dogs.realm"))
  let ending = try ChildProcess("StorageProbe", ["fault-elsewhere", path]).wait()
  #expect(ending.signal == SIGBUS)
  #expect(!ending.errors.contains("must not be written"))
}

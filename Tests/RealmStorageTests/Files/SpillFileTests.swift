import Foundation
import TestSupport
import Testing

@testable import RealmStorage

/// The temporary file of work that needs more memory than it may use.
@Suite struct SpillFileTests {
  @Test func `bytes are read as they were appended, wherever they are`() throws {
    let folder = try TemporaryFolder()
    let file = try SpillFile(SpillSettings(folder: folder.path))
    var random = SeededGenerator(seed: 1)
    var expected: [UInt8] = []
    for length in [0, 1, 4095, 4096, 4097, 65_535, 65_536, 200_000, 3, 65_537] {
      let bytes = (0..<length).map { _ in UInt8.random(in: 0...255, using: &random) }
      try bytes.withUnsafeBytes { try file.append($0) }
      expected += bytes
      #expect(file.count == UInt64(expected.count))
      for _ in 0..<20 where !expected.isEmpty {
        let start = Int.random(in: 0..<expected.count, using: &random)
        let count = Int.random(in: 0...min(expected.count - start, 150_000), using: &random)
        var found = [UInt8](repeating: 0, count: count)
        try found.withUnsafeMutableBytes { try file.read(into: $0, at: UInt64(start)) }
        #expect(found == Array(expected[start..<start + count]))
      }
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
  }

  #if os(Linux)
    @Test func `the file is encrypted, with another key each time`() throws {
      let folder = try TemporaryFolder()
      let settings = SpillSettings(folder: folder.path)
      let files = [try SpillFile(settings), try SpillFile(settings)]
      let text = [UInt8](repeating: UInt8(ascii: "p"), count: 1 << 17)
      for file in files { try text.withUnsafeBytes { try file.append($0) } }
      let links = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").filter { name in
        let target = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/" + name)
        return target?.hasPrefix(folder.path) ?? false
      }
      let contents = try links.map { try Data(contentsOf: URL(fileURLWithPath: "/proc/self/fd/" + $0)) }
      #expect(contents.count == 2 && contents.allSatisfy { $0.count == 1 << 17 })
      #expect(contents[0] != contents[1])
      for content in contents { #expect(content.firstRange(of: Data("ppp".utf8)) == nil) }
      withExtendedLifetime(files) {}
    }
  #endif

  @Test func `a folder that does not exist is an error that names it`() throws {
    let folder = try TemporaryFolder()
    #expect(throws: OutputError.temporary(folder: folder.path("none"), name: "open", errorNumber: ENOENT)) {
      _ = try SpillFile(SpillSettings(folder: folder.path("none")))
    }
  }

  @Test func `whatever call fails is an error, and nothing stays open`() throws {
    let folder = try TemporaryFolder()
    let bytes = [UInt8](repeating: 1, count: 1 << 17)
    for call in 1...4 {
      let calls = FailingCalls(.inputOutputError, atCall: call)
      #expect(throws: OutputError.self) {
        let file = try SpillFile(SpillSettings(folder: folder.path, calls: calls))
        try bytes.withUnsafeBytes { try file.append($0) }
      }
      #expect(calls.hasFailed && calls.openDescriptors == 0)
    }
  }

  @Test func `the largest member moves to the file, and reads as before`() throws {
    let folder = try TemporaryFolder()
    let spill = Spill(SpillSettings(memory: 100_000, folder: folder.path))
    let collections = [SpilledPieces(spill), SpilledPieces(spill)]
    var pieces: [(collection: Int, piece: SpilledPieces.Piece, bytes: [UInt8])] = []
    for number in 0..<3000 {
      let collection = number % 5 == 0 ? 1 : 0
      let bytes = [UInt8](repeating: UInt8(number & 0xff), count: number % 200)
      pieces.append((collection, try bytes.withUnsafeBytes { try collections[collection].append($0) }, bytes))
    }
    #expect(spill.end > 0)
    #expect(collections.reduce(0) { $0 + $1.spillableByteCount } <= 100_000 + 1 << 18)
    for (collection, piece, bytes) in pieces.shuffled() {
      #expect(try collections[collection].withBytes(of: piece) { Array($0) } == bytes)
    }
  }
}

import Foundation
import TestSupport
import Testing

@testable import RealmSystem

@Suite struct SystemTextTests {
  @Test(
    "any bytes become text and the same bytes again",
    arguments: [
      [], Array("app.realm".utf8), Array("é😀/ü".utf8), [0xe9], [0x63, 0xe9, 0x2e], [0xc3], [0xf0, 0x9f, 0x98],
      [0xff, 0xfe, 0x80], [0xed, 0xa0, 0x80], Array("\u{10fe80}\u{10feff}\u{10ffff}".utf8), [0xf4, 0x8f, 0xba],
      [0xf4, 0x8f, 0xba, 0x80, 0xe9],
    ] as [[UInt8]])
  func roundTrip(_ bytes: [UInt8]) {
    let text = SystemText.text(of: bytes)
    #expect(SystemText.bytes(of: text) == bytes)
    #expect(!text.contains("\u{fffd}"))
  }

  @Test("random bytes as well") func random() {
    var generator = SystemRandomNumberGenerator()
    for _ in 0..<2000 {
      let bytes = (0..<Int.random(in: 0...12)).map { _ in
        // Mostly such as begin or continue characters at the end of Unicode.
        [0xf4, 0x8f, 0xba, 0xbb, 0x80, 0xbf, UInt8.random(in: 0...255, using: &generator)].randomElement() ?? 0
      }
      #expect(SystemText.bytes(of: SystemText.text(of: bytes)) == bytes, "\(bytes)")
    }
  }

  @Test("text is left alone, and no two names are the same text") func text() {
    #expect(SystemText.text(of: Array("Ünï-😀".utf8)) == "Ünï-😀")
    #expect(SystemText.text(of: [0xe9]) != SystemText.text(of: Array("\u{10fee9}".utf8)))
  }

  @Test("no path gets to the system but by its bytes") func sources() throws {
    let sources = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appendingPathComponent("Sources")
    let calls = [
      "open", "openat", "stat", "lstat", "access", "unlink", "rename", "link", "mkdir", "rmdir", "readlink", "opendir",
      "statvfs", "fopen", "realpath", "getenv", "unsetenv", "csystem_unfinished_add", "csystem_rename_exclusively",
    ]
    let call = "(?:\(calls.joined(separator: "|")))\\((?:path|name|newPath|file|folder|target|realm)"
    var files = 0
    for case let file as URL in FileManager.default.enumerator(at: sources, includingPropertiesForKeys: nil) ?? .init()
    where file.pathExtension == "swift" && !file.path.contains("/ManualPages/") {
      files += 1
      let text = try String(contentsOf: file, encoding: .utf8)
      func lines(with pattern: String) throws -> [Substring] {
        try text.matches(ofPattern: "(?m)^.*(?:\(pattern)).*$").map { $0[0] }
          .filter { !$0.contains("func ") && !$0.contains("///") }
      }
      #expect(try lines(with: #"(?<!Typed)CommandLine\.|unsafeArgv"#) == [], "\(file.lastPathComponent)")
      for line in try lines(with: " \(call)[,)]|\\{\(call)") {
        // The methods of the same names.
        #expect(
          ["calls)", "to: ", "opening)", "editor)"].contains { line.contains($0) }, "\(file.lastPathComponent): \(line)"
        )
      }
    }
    #expect(files > 100)
  }
}

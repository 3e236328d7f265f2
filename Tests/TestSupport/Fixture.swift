import Foundation

/// The realms that tests read.
///
/// `Fixtures/` in the project has what every run needs. A larger corpus of the same layout (`engine/`, `real/`,
/// `bench/`) may be elsewhere; the environment variable `REALMCTL_CORPUS` names its folder, and tests that run over
/// "all realms" then include it.
package enum Fixture {
  /// The project's folder `Fixtures`.
  package static let folder = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .appendingPathComponent("Fixtures")

  /// The external corpus; nil if none is named.
  package static let corpus: URL? = ProcessInfo.processInfo.environment["REALMCTL_CORPUS"]
    .flatMap { $0.isEmpty ? nil : URL(fileURLWithPath: $0) }

  /// The path of a fixture in the project, such as `engine/dogs.realm`. Files that are not in the project are looked up
  /// in the corpus.
  package static func path(_ name: String) -> String {
    let own = folder.appendingPathComponent(name).path
    if let corpus, !FileManager.default.fileExists(atPath: own) { return corpus.appendingPathComponent(name).path }
    return own
  }

  /// Whether the project or the corpus has a fixture.
  package static func exists(_ name: String) -> Bool { FileManager.default.fileExists(atPath: path(name)) }

  /// All bytes of a fixture in the project.
  package static func bytes(_ name: String) throws -> [UInt8] { try bytes(ofFile: path(name)) }

  /// All bytes of a file.
  package static func bytes(ofFile path: String) throws -> [UInt8] {
    [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
  }

  /// The paths of all files with an extension in a folder of the project's fixtures and of the corpus, each name once.
  package static func all(in name: String, ending: String = ".realm") -> [String] {
    var paths: [String: String] = [:]
    for root in [folder, corpus].compactMap({ $0 }) {
      let directory = root.appendingPathComponent(name)
      for file in (try? FileManager.default.contentsOfDirectory(atPath: directory.path)) ?? []
      where file.hasSuffix(ending) && paths[file] == nil {
        paths[file] = directory.appendingPathComponent(file).path
      }
    }
    return paths.sorted { $0.key < $1.key }.map(\.value)
  }

  /// The realms of the reference engine, for tests of what is in them: those that are copies of others are left out.
  package static let contents: [String] = all(in: "engine").filter { path in
    !["-copy", "-compacted"].contains { path.contains($0) }
  }

  /// The key of every encrypted file that was made for this project: bytes 0, 1, 2 … 63.
  package static let engineKey: [UInt8] = Array(0..<64)

  /// The keys of the encrypted files of the SDKs' own tests, by the names in `Docs/Format/4-file-versions.md` §5.1.
  package enum PublishedKey {
    package static let k1 = Array("1234567890123456789012345678901123456789012345678901234567890123".utf8)
    package static let k2 = [UInt8](repeating: 1, count: 64)
  }
}

extension Fixture {
  /// The text that the reference engine printed for a fixture, such as `dogs.json`; nil if there is none.
  package static func engineOutput(_ name: String) throws -> [UInt8]? {
    let plain = folder.appendingPathComponent("engine/" + name)
    if FileManager.default.fileExists(atPath: plain.path) { return try bytes(ofFile: plain.path) }
    return try decompressed(plain.path + ".gz")
  }

  /// The bytes of a file compressed by gzip; nil if it does not exist.
  package static func decompressed(_ path: String) throws -> [UInt8]? {
    guard FileManager.default.fileExists(atPath: path) else { return nil }
    return [UInt8](try Process.output(of: ["gzip", "-dc", path]))
  }
}

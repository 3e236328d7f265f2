import Foundation

/// The files that are damaged.
struct Corpus {
  struct Entry {
    let name: String
    let bytes: [UInt8]
    let isEncrypted: Bool
    let nodes: [Int]
  }

  let entries: [Entry]

  /// The project's fixtures, and the realms in `folders` besides.
  init(_ folders: [String]) throws {
    var entries: [Entry] = []
    for folder in folders {
      for file in try FileManager.default.contentsOfDirectory(atPath: folder).sorted() where file.hasSuffix(".realm") {
        let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: folder + "/" + file)))
        let isEncrypted = file.contains("encrypted")
        entries.append(
          Entry(
            name: file, bytes: bytes, isEncrypted: isEncrypted, nodes: isEncrypted ? [] : Mutator.nodes(in: bytes)))
      }
    }
    self.entries = entries
  }

  /// What is written to for a seed: mostly damaged less, because a file that cannot be opened is not written to.
  func inputToWrite(seed: UInt64) -> (entry: Entry, bytes: [UInt8]) { input(seed: seed, isGentle: seed >> 1 & 3 != 0) }

  /// The input a seed stands for: small files more often than large ones, which say less per second.
  ///
  /// - Parameter isGentle: whether only what nodes hold is damaged, so that most files can still be opened.
  func input(seed: UInt64, isGentle: Bool = false) -> (entry: Entry, bytes: [UInt8]) {
    var random = SeededGenerator(seed: seed ^ 0x5eed)
    let picks = (0..<3).compactMap { _ in entries.randomElement(using: &random) }
    let entry = picks.min { $0.bytes.count < $1.bytes.count } ?? entries[0]
    let donor = entries.randomElement(using: &random)?.bytes ?? []
    var mutator = Mutator(seed: seed)
    return (entry, mutator.damaged(entry.bytes, nodes: entry.nodes, donor: donor, isGentle: isGentle))
  }
}

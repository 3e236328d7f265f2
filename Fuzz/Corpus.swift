import Foundation
import RealmStorage
import TestSupport

/// The files that are damaged.
struct Corpus {
  struct Entry {
    let name: String
    let bytes: [UInt8]
    /// Whether the file is encrypted as it is.
    let isEncrypted: Bool
    /// Where nodes begin; empty if nothing is known of the inside.
    let nodes: [Int]
    /// Whether its nodes can be read and written again.
    let hasTree: Bool
  }

  /// What is read and written for a seed.
  struct Input {
    let name: String
    var bytes: [UInt8]
    let isEncrypted: Bool
  }

  let entries: [Entry]
  private let trees: [Entry]
  private let encrypted: [Entry]
  private let plain: [Entry]
  /// Nil for all kinds in turn.
  let kind: InputKind?

  /// Larger files take too long to read for what they find.
  private static let largestTree = 200_000

  /// The realms in `folders` that can be read.
  init(_ folders: [String], kind: InputKind?) throws {
    self.kind = kind
    var entries: [Entry] = []
    for folder in folders {
      for file in try FileManager.default.contentsOfDirectory(atPath: folder).sorted() where file.hasSuffix(".realm") {
        let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: folder + "/" + file)))
        guard let entry = Self.entry(file, bytes) else { continue }
        entries.append(entry)
      }
    }
    // No engine is at hand that writes them.
    for format in Header.legacyFormats {
      let bytes = LegacyRealm.everything(format: format).bytes(format % 2 == 0 ? .normal : .streaming)
      guard let entry = Self.entry("format-\(format).realm", bytes) else { continue }
      entries.append(entry)
    }
    self.entries = entries
    (plain, encrypted) = (entries.filter { !$0.isEncrypted }, entries.filter(\.isEncrypted))
    trees = entries.filter(\.hasTree)
  }

  /// Nil for a file that is refused before anything of it is read.
  private static func entry(_ name: String, _ bytes: [UInt8]) -> Entry? {
    let isPlain = bytes.count > 24 && bytes[16..<20].elementsEqual("T-DB".utf8)
    guard isPlain else {
      guard let realm = try? FuzzedRealm(bytes, key: FuzzedRealm.key()), (try? realm.use { try realm.open() }) != nil
      else { return nil }
      return Entry(name: name, bytes: bytes, isEncrypted: true, nodes: [], hasTree: false)
    }
    guard (try? Snapshot(of: ByteStore(copying: bytes), wasDecrypted: false)) != nil else { return nil }
    let hasTree = bytes.count <= largestTree && (try? NodeTree(bytes)) != nil
    return Entry(name: name, bytes: bytes, isEncrypted: false, nodes: Mutator.nodes(in: bytes), hasTree: hasTree)
  }

  /// What is written to for a seed: mostly damaged less, because a file that cannot be opened is not written to.
  func inputToWrite(seed: UInt64) -> Input { input(seed: seed, isGentle: seed >> 1 & 3 != 0) }

  /// The input for a seed: small files more often than large ones, which find less per second.
  ///
  /// - Parameter isGentle: whether only what nodes hold is damaged, so that most files can still be opened.
  func input(seed: UInt64, isGentle: Bool = false) -> Input {
    var random = SeededGenerator(seed: seed ^ 0x5eed)
    let kinds = InputKind.damaging
    let kind = kind ?? kinds[Int.random(in: kinds.indices, using: &random)]
    var input = input(kind, &random, seed: seed, isGentle: isGentle)
    // The repository has no older files: newer ones that say they are older lead to the same code.
    if !kind.isSound, !input.isEncrypted, input.bytes.count > 24,
      Int.random(in: 0..<12, using: &random) == 0
    {
      let format = (UInt8(10)...23).randomElement(using: &random) ?? 10
      (input.bytes[20], input.bytes[21]) = (format, format)
    }
    return input
  }

  private func input(_ kind: InputKind, _ random: inout SeededGenerator, seed: UInt64, isGentle: Bool) -> Input {
    switch kind {
    case .rql:
      guard let entry = Self.small(plain, &random) else { return Input(name: "nothing", bytes: [], isEncrypted: false) }
      return Input(name: entry.name, bytes: entry.bytes, isEncrypted: false)
    case .plan, .import:
      // A plan takes longer if there are more objects.
      guard let entry = Self.small(plain.filter { $0.bytes.count <= Self.largestTree }, &random) else {
        return Input(name: "nothing", bytes: [], isEncrypted: false)
      }
      return Input(name: entry.name, bytes: entry.bytes, isEncrypted: false)
    case .bytes: return changed(plain, &random, seed: seed, isGentle: isGentle)
    case .numbers, .planted:
      let entry = Self.small(trees, &random)
      guard let entry, var planter = try? Planter(entry.bytes, seed: seed) else {
        return changed(plain, &random, seed: seed, isGentle: isGentle)
      }
      let bytes = kind == .numbers ? planter.withNumbers() : planter.withPlants()
      return Input(name: entry.name, bytes: bytes, isEncrypted: false)
    case .recover:
      let inner = InputKind.damaging.randomElement(using: &random) ?? .bytes
      var input = input(inner, &random, seed: seed, isGentle: isGentle || seed % 2 == 0)
      input.bytes.lose(&random)
      return input
    case .encrypted:
      if Int.random(in: 0..<3, using: &random) == 0 {
        return changed(encrypted, &random, seed: seed, isGentle: isGentle)
      }
      let inner = [InputKind.bytes, .numbers, .planted].randomElement(using: &random) ?? .bytes
      let input = input(inner, &random, seed: seed, isGentle: isGentle)
      guard let bytes = try? FuzzedRealm.encrypted(input.bytes) else { return input }
      return Input(name: input.name, bytes: bytes, isEncrypted: true)
    }
  }

  private func changed(
    _ entries: [Entry], _ random: inout SeededGenerator, seed: UInt64, isGentle: Bool
  ) -> Input {
    guard let entry = Self.small(entries, &random) ?? self.entries.first else {
      return Input(name: "nothing", bytes: [], isEncrypted: false)
    }
    let donor = self.entries.randomElement(using: &random)?.bytes ?? []
    var mutator = Mutator(seed: seed)
    let bytes = mutator.damaged(entry.bytes, nodes: entry.nodes, donor: donor, isGentle: isGentle)
    return Input(name: entry.name, bytes: bytes, isEncrypted: entry.isEncrypted)
  }

  private static func small(_ entries: [Entry], _ random: inout SeededGenerator) -> Entry? {
    (0..<3).compactMap { _ in entries.randomElement(using: &random) }.min { $0.bytes.count < $1.bytes.count }
  }
}

extension [UInt8] {
  /// Removes what disks and careless copies remove.
  fileprivate mutating func lose(_ random: inout SeededGenerator) {
    guard count > 4096 else { return }
    switch Int.random(in: 0..<6, using: &random) {
    case 0: for place in 0..<24 { self[place] = 0 }
    case 1: removeLast(Int.random(in: 1..<count, using: &random))
    case 2, 3:
      for _ in 0..<Int.random(in: 1...6, using: &random) {
        let page = Int.random(in: 0..<count >> 12, using: &random) << 12
        for place in page..<page + 4096 { self[place] = 0 }
      }
    case 4:
      let start = Int.random(in: 0..<count - 512, using: &random)
      for place in start..<start + 512 { self[place] = UInt8.random(in: 0...255, using: &random) }
    default: return
    }
  }
}

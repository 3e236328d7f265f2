import RealmStorage
import RealmText

/// The text of a plan as a tree.
package enum PlanDocument {
  /// The languages a plan can be written in.
  package enum Language: Hashable, Sendable {
    case json, yaml
  }

  /// More than any plan that people write; it bounds memory.
  package static let longestText = 16 << 20

  /// The language of a file with that name; for other names and `-`, the first character decides.
  package static func language(ofPath path: String, _ bytes: [UInt8]) -> Language {
    let name = path.lowercased()
    if name.hasSuffix(".json") { return .json }
    if name.hasSuffix(".yml") || name.hasSuffix(".yaml") { return .yaml }
    let spaces = Array(" \t\r\n".utf8)
    return withoutMark(bytes).first { !spaces.contains($0) } == UInt8(ascii: "{") ? .json : .yaml
  }

  /// Reads a plan, or another document in its languages.
  ///
  /// - Parameter kind: what messages call it.
  /// - Throws: `PlanError` for anything but one value in the language.
  package static func parse(
    _ bytes: [UInt8], _ language: Language, kind: String = "plan"
  ) throws(PlanError) -> PlanNode {
    let start = PlanLocation(line: 1, column: 1)
    let bytes = withoutMark(bytes)
    guard bytes.count <= longestText else {
      throw PlanError("the \(kind) is longer than \(longestText >> 20) MiB", at: start)
    }
    guard String(utf8: bytes) != nil else {
      throw PlanError("the \(kind) is not UTF-8 text", at: invalidPlace(in: bytes))
    }
    guard language == .json else { return try PlanYAML.parse(bytes, kind: kind) }
    do throws(PlanError) { return try PlanJSON(bytes).parse() } catch {
      throw PlanError(
        "not valid JSON: \(error.summary.problem)", advice: error.summary.advice ?? "fix the file",
        at: error.summary.location)
    }
  }

  /// Without the byte order mark that some editors put before UTF-8.
  private static func withoutMark(_ bytes: [UInt8]) -> [UInt8] {
    bytes.starts(with: [0xef, 0xbb, 0xbf]) ? Array(bytes.dropFirst(3)) : bytes
  }

  private static func invalidPlace(in bytes: [UInt8]) -> PlanLocation {
    let map = LineMap(bytes)
    var low = 0
    var high = bytes.count
    // The bytes before the first wrong one are text, or end in the middle of a character.
    func isText(_ end: Int) -> Bool {
      (0...3).contains { cut in
        end >= cut && bytes[(end - cut)..<end].allSatisfy { $0 >= 0x80 && $0 < 0xf8 }
          && String(utf8: bytes[..<(end - cut)]) != nil
      }
    }
    while low < high {
      let middle = (low + high + 1) / 2
      if isText(middle) { low = middle } else { high = middle - 1 }
    }
    return map.location(ofByte: low)
  }
}

/// Where the lines of a text begin.
struct LineMap {
  private let bytes: [UInt8]
  private let starts: [Int]
  /// The number of characters before each block of bytes: a text of one line is as long as the whole.
  private var counts: [Int] = []
  private static let blockSize = 64

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    var (starts, count) = ([0], 0)
    for (index, byte) in bytes.enumerated() {
      if index % Self.blockSize == 0 { counts.append(count) }
      if Self.beginsCharacter(byte) { count += 1 }
      if byte == UInt8(ascii: "\n") { starts.append(index + 1) }
    }
    counts.append(count)
    self.starts = starts
  }

  private static func beginsCharacter(_ byte: UInt8) -> Bool { byte & 0xc0 != 0x80 }

  /// The number of characters that begin before a byte.
  private func characters(before offset: Int) -> Int {
    let offset = min(offset, bytes.count)
    let block = offset / Self.blockSize
    return counts[block] + bytes[(block * Self.blockSize)..<offset].count(where: Self.beginsCharacter)
  }

  /// - Parameter offset: from 0 to the number of bytes.
  func location(ofByte offset: Int) -> PlanLocation {
    var (low, high) = (0, starts.count - 1)
    while low < high {
      let middle = (low + high + 1) / 2
      if starts[middle] <= offset { low = middle } else { high = middle - 1 }
    }
    let column = characters(before: max(offset, starts[low])) - characters(before: starts[low])
    return PlanLocation(line: low + 1, column: column + 1)
  }
}

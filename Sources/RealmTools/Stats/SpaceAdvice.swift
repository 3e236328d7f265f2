import RealmInspection
import RealmStorage

/// Something that would make a realm smaller.
package enum SpaceAdvice: Hashable, Sendable {
  /// A compaction would free about this many bytes.
  case compact(gain: UInt64)
  /// Older snapshots take space, as they do while something reads them.
  case olderSnapshots(bytes: UInt64)
  /// The history of changes takes a large part.
  case history(bytes: UInt64)
  /// An index takes more than the values it finds.
  case largeIndex(table: RealmString, property: RealmString, index: UInt64, values: UInt64)
  /// One property takes most of the file.
  case mostOfTheFile(table: RealmString, property: RealmString, bytes: UInt64)
  /// Many objects repeat a few strings. Numbers in their place would save about this many bytes.
  case repeatedStrings(table: RealmString, property: RealmString, distinct: Int, objects: Int, saved: UInt64)

  /// Less than this is not worth a change.
  private static let leastBytes: UInt64 = 64 << 10

  /// Bytes it is about: what is saved, or what is taken.
  package var byteCount: UInt64 {
    switch self {
    case .compact(let bytes), .olderSnapshots(let bytes), .history(let bytes): bytes
    case .largeIndex(_, _, let index, _): index
    case .mostOfTheFile(_, _, let bytes): bytes
    case .repeatedStrings(_, _, _, _, let saved): saved
    }
  }

  package static func all(for space: FileSpace) -> [SpaceAdvice] {
    func bytes(_ kind: SpaceKind) -> UInt64 { space.parts.reduce(0) { $1.kind == kind ? $0 + $1.byteCount : $0 } }
    func isMuch(_ bytes: UInt64) -> Bool { bytes >= leastBytes && bytes >= space.fileSize / 10 }
    var advice: [SpaceAdvice] = []
    let gain = space.fileSize - min(space.compactedSize, space.fileSize)
    // A realm that cannot be read as a whole cannot be compacted either.
    if isMuch(gain), space.damageCount == 0 { advice.append(.compact(gain: gain)) }
    if isMuch(bytes(.olderSnapshots)) { advice.append(.olderSnapshots(bytes: bytes(.olderSnapshots))) }
    if isMuch(bytes(.history)) { advice.append(.history(bytes: bytes(.history))) }
    for property in space.properties {
      let (table, name) = (property.table, property.property)
      if !property.isPrimaryKey, property.indexBytes > property.valueBytes, isMuch(property.indexBytes) {
        advice.append(
          .largeIndex(table: table, property: name, index: property.indexBytes, values: property.valueBytes))
      }
      let all = property.valueBytes + property.indexBytes
      if all > space.fileSize / 2, all >= leastBytes {
        advice.append(.mostOfTheFile(table: table, property: name, bytes: all))
      }
      if let repetition = property.repetition {
        let saved = property.valueBytes - min(property.enumeratedBytes(repetition), property.valueBytes)
        if saved >= leastBytes, saved >= space.fileSize / 50 {
          advice.append(
            .repeatedStrings(
              table: table, property: name, distinct: repetition.distinctCount, objects: property.objectCount,
              saved: saved))
        }
      }
    }
    return advice.enumerated().sorted { ($1.element.byteCount, $0.offset) < ($0.element.byteCount, $1.offset) }
      .map(\.element)
  }
}

extension PropertySpace {
  /// Bytes the property would take if each string were stored once, and its number in each object.
  fileprivate func enumeratedBytes(_ repetition: TextRepetition) -> UInt64 {
    let count = repetition.distinctCount
    let bitsPerNumber: UInt64 = count <= 2 ? 1 : count <= 4 ? 2 : count <= 16 ? 4 : count <= 128 ? 8 : 16
    // A separate string takes a header and padding.
    return repetition.distinctBytes + 16 * UInt64(count) + UInt64(max(objectCount, 0)) * bitsPerNumber / 8
  }
}

/// A file format in which realms can be written: what it can store, and how it lays things out
/// (Docs/Format/4-file-versions.md §3).
///
/// Builders ask it instead of comparing numbers. Formats that no released engine writes (12–19, 21) are not included.
package enum TargetFormat: UInt8, CaseIterable, Sendable {
  case format10 = 10
  case format11 = 11
  case format20 = 20
  case format22 = 22
  case format23 = 23
  case format24 = 24

  /// The format to write unless another is requested.
  package static let newest = TargetFormat.format24

  /// As the header of a file has it.
  package var number: UInt8 { rawValue }

  /// The formats that only a downgrade writes.
  package static let older = allCases.filter { $0 != .newest }

  // MARK: What it can store

  /// Whether properties of a type exist.
  package func holds(_ type: PropertyType) -> Bool {
    switch type {
    case .int, .bool, .string, .data, .date, .float, .double, .object: true
    case .decimal128, .objectID: self >= .format20
    case .uuid, .mixed: self >= .format22
    case .linkingObjects: false
    }
  }

  /// Whether there are collections of a kind.
  package func holds(_ collection: CollectionKind) -> Bool { collection == .list || self >= .format22 }

  /// Whether there are tables of a kind.
  package func holds(_ kind: TableKind) -> Bool {
    switch kind {
    case .topLevel: true
    case .embedded: self >= .format20
    case .asymmetric: self >= .format22
    }
  }

  /// Whether a property may have an index of a kind; what no format allows is not asked.
  package func holdsIndex(_ index: IndexKind, on property: Property) -> Bool {
    switch index {
    case .none: true
    case .fullText: self >= .format23
    case .general: property.collection == nil || self >= .format24
    }
  }

  /// Whether Mixed values may be lists and dictionaries.
  package var holdsNestedCollections: Bool { self >= .format24 }

  /// Whether there are placeholders of objects that are linked to but not there.
  package var holdsTombstones: Bool { self >= .format20 }

  /// Whether a set of Mixed values may contain both a string and data with the same bytes.
  package var tellsTextsFromData: Bool { textOrder != .signedBytes(mixesTextsWithData: true) }

  // MARK: How it lays things out

  /// For the history that an app keeps for itself in the file (§3.10).
  package var historySchemaVersion: UInt64 { self >= .format24 ? 1 : 0 }

  /// Slots of the root of a table (§3.2).
  var tableSlotCount: Int { self >= .format20 ? 14 : 12 }

  /// Slots of a leaf of Mixed values (§3.7).
  var mixedSlotCount: Int { holdsNestedCollections ? 6 : 4 }

  /// Whether decimals are stored in as few bytes as they need; otherwise in 16 (§3.7).
  var shortensDecimals: Bool { self >= .format24 }

  /// Whether the objects that link to one are listed in a tree; otherwise in one node (§3.6).
  var hasTreesOfIncomingLinks: Bool { self >= .format24 }

  /// Whether keys of columns distinguish lists of links from links (§3.4).
  var tellsListsOfLinks: Bool { self < .format24 }

  /// Whether dictionaries are sorted by their keys, in two trees; otherwise by hashes of the keys, in clusters (§3.8).
  package var hasSortedDictionaries: Bool { self >= .format23 }

  /// How texts and data are ordered (Docs/Format/2-nodes-and-values.md §7.3).
  package var textOrder: TextSorting {
    switch self {
    case .format24: .unsignedBytes
    case .format23: .signedBytes(mixesTextsWithData: false)
    case .format10, .format11, .format20, .format22: .signedBytes(mixesTextsWithData: true)
    }
  }

  /// Which index a primary key has (§3.3).
  func indexOfPrimaryKey(_ type: PropertyType) -> PrimaryKeyIndex {
    switch self {
    case .format10, .format11: type == .int ? .ordinary : .none
    case .format20: .none
    case .format22, .format23, .format24: .implied
    }
  }

  /// Whether the keys of objects with such a primary key are made of its values (§3.3).
  package func derivesObjectKeys(from type: PropertyType) -> Bool {
    switch self {
    case .format10, .format11: type == .string
    case .format20: true
    case .format22, .format23, .format24: false
    }
  }
}

extension TargetFormat: Comparable {
  /// The older one is less.
  package static func < (left: TargetFormat, right: TargetFormat) -> Bool { left.rawValue < right.rawValue }
}

/// The index of a primary key.
enum PrimaryKeyIndex {
  case none
  /// As of any other property, which the description of the columns mentions.
  case ordinary
  /// One that the description of the columns does not mention.
  case implied
}

/// The order of strings and data in sets, of keys in dictionaries, and of values in the lists of indexes.
package enum TextSorting: Hashable, Sendable {
  case unsignedBytes
  /// Bytes as signed numbers, as engines compare them on Intel and Apple processors. Strings among Mixed values are in
  /// the order of `TextCollation`.
  ///
  /// - Parameter mixesTextsWithData: whether strings and data among Mixed values are sorted together by their bytes;
  ///   otherwise strings come first.
  case signedBytes(mixesTextsWithData: Bool)
}

import RealmExchange
import RealmInspection
import RealmStorage

/// Why a realm is as large as it is: what its bytes are used for, and what can be done about it.
package struct RealmStats: Sendable {
  package let fileFormat: UInt8
  package let space: FileSpace
  /// The most worthwhile first.
  package let advice: [SpaceAdvice]

  /// - Parameter progress: called from time to time with the share that is done, from 0 to 1.
  /// - Throws: `StorageError` if the survey cannot be made; damage is part of the result.
  package init(_ realm: OpenedRealm, progress: @escaping (Double) -> Void = { _ in }) throws {
    var survey = SpaceSurvey(realm.snapshot, fileSize: realm.bytes.physicalSize)
    survey.progress = progress
    self.init(try survey.run(), fileFormat: realm.snapshot.header.format)
  }

  private init(_ space: FileSpace, fileFormat: UInt8) {
    (self.space, self.fileFormat) = (space, fileFormat)
    advice = SpaceAdvice.all(for: space)
  }

  /// How parts are grouped for people.
  package enum Grouping: String, CaseIterable, Sendable {
    case part
    case `class`
    case property
  }

  /// Parts of the file that are shown as one.
  package struct Group: Hashable, Sendable {
    /// Nil if it has parts of several kinds.
    package let kind: SpaceKind?
    /// The table's name, with `class_`; nil for what belongs to the file.
    package let table: RealmString?
    package let property: RealmString?
    package fileprivate(set) var byteCount: UInt64
  }

  /// All bytes of the file, the largest groups first.
  package func groups(by grouping: Grouping) -> [Group] {
    var groups: [Group] = []
    var places: [Group: Int] = [:]
    for part in space.parts {
      let hasOwnKind =
        switch grouping {
        case .part: true
        case .class: part.table == nil
        case .property: part.property == nil
        }
      let key = Group(
        kind: hasOwnKind ? part.kind : nil, table: part.table, property: grouping == .class ? nil : part.property,
        byteCount: 0)
      if let place = places[key] {
        groups[place].byteCount += part.byteCount
      } else {
        places[key] = groups.count
        groups.append(key)
        groups[groups.count - 1].byteCount = part.byteCount
      }
    }
    // Groups of one size keep the order of the file.
    return groups.enumerated().sorted { ($1.element.byteCount, $0.offset) < ($0.element.byteCount, $1.offset) }
      .map(\.element)
  }
}

import RealmStorage

/// Names for the tables of a damaged file: those that the file states, unless no table can have them or another one has.
struct RescuedTableNames {
  private let stated: Set<RealmString>
  private var taken: Set<RealmString> = []
  /// Invented names.
  private(set) var madeUp: Set<RealmString> = []
  private var number = 0

  /// - Parameter stated: all names that the file states; none of them is invented for another table.
  init(stated: some Sequence<RealmString>) {
    self.stated = Set(stated.compactMap { ($0.correctedTableName ?? $0).repairedName })
  }

  /// - Parameter stated: the name that the file states for a table; nil if it is lost.
  /// - Returns: that name if it can be one, with the prefix that it should have.
  mutating func name(_ stated: RealmString?) -> RealmString {
    let stated = stated.flatMap { ($0.correctedTableName ?? $0).repairedName }
    if let stated, stated != RealmString(TableSchema.classPrefix), !stated.isEmpty,
      stated.utf8.count <= TableLayout.longestName, taken.insert(stated).inserted
    {
      return stated
    }
    while true {
      number += 1
      let name = RealmString(TableSchema.classPrefix + "Recovered\(number)")
      guard !self.stated.contains(name) else { continue }
      taken.insert(name)
      madeUp.insert(name)
      return name
    }
  }
}

/// Names for the properties of a table: those that its description states, unless no property can have them or another
/// one has.
struct RescuedPropertyNames {
  private var taken: Set<RealmString> = []

  /// The name for a property whose name is lost.
  static func madeUp(_ position: Int) -> RealmString { RealmString("property\(position + 1)") }

  /// - Parameter position: of the property, for a name that is lost.
  mutating func name(_ stated: RealmString?, at position: Int) -> RealmString {
    let madeUp = Self.madeUp(position)
    let stated = stated.flatMap(\.repairedName)
    var name = stated.flatMap { $0.utf8.count > TableSchema.longestName ? nil : $0 } ?? madeUp
    while !taken.insert(name).inserted {
      name = name.utf8.count < TableSchema.longestName ? RealmString(utf8: name.utf8 + "_".utf8) : madeUp
    }
    return name
  }
}

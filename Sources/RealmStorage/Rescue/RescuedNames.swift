/// Names for the tables of a damaged file: those that the file states, unless no table can have them or another one has.
struct RescuedTableNames {
  private let stated: Set<RealmString>
  private var taken: Set<RealmString> = []
  /// Invented names.
  private(set) var madeUp: Set<RealmString> = []
  private var number = 0

  /// - Parameter stated: all names that the file states; none of them is invented for another table.
  init(stated: some Sequence<RealmString>) { self.stated = Set(stated) }

  /// - Parameter stated: the name that the file states for a table; nil if it is lost.
  mutating func name(_ stated: RealmString?) -> RealmString {
    if let stated, !stated.isEmpty, stated.utf8.count <= TableLayout.longestName, taken.insert(stated).inserted {
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
    var name = stated.flatMap { $0.isEmpty || $0.utf8.count > TableSchema.longestName ? nil : $0 } ?? madeUp
    while !taken.insert(name).inserted {
      name = name.utf8.count < TableSchema.longestName ? RealmString(utf8: name.utf8 + "_".utf8) : madeUp
    }
    return name
  }
}

extension TableSchema {
  /// Whether the name of the table or of a property has bytes that no app gives to one. A damaged name that is still a
  /// text cannot be told from another name, except where it is no longer that of a class.
  var hasDamagedName: Bool {
    name.isDamagedName || hasAlmostClassPrefix || properties.contains { $0.name.isDamagedName }
  }

  /// The prefix of classes with one wrong byte turns a class into an internal table.
  private var hasAlmostClassPrefix: Bool {
    let prefix = Array(Self.classPrefix.utf8)
    guard name.utf8.count >= prefix.count else { return false }
    return zip(prefix, name.utf8).count { $0 != $1 } == 1
  }
}

extension RealmString {
  /// Whether the bytes are not UTF-8, or one of them is zero.
  fileprivate var isDamagedName: Bool { utf8.contains(0) || String(validating: utf8, as: UTF8.self) == nil }
}

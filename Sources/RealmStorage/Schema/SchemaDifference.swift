/// What has to change for a realm with one schema to have another.
///
/// Classes are compared by name, properties by name within their class; the order of properties does not count, and
/// internal tables are left out. A class or property with a new name counts as one removed and one added: a schema does
/// not show a rename.
///
/// ```swift
/// let difference = SchemaDifference(from: stored, to: target)
/// for change in difference.changes { print(change.effect.rawValue, change.text ?? "") }
/// ```
public struct SchemaDifference: Hashable, Sendable {
  /// In the order of the SDKs' error lists: first classes that were added or removed, by name; then, class by class, by
  /// name, its stored properties in stored order, its new properties in the target's order, and its primary key (or all
  /// properties of a new class); last, changes of a class's kind, by name.
  public var changes: [SchemaChange]
  /// Classes and properties that were renamed, which are not among the changes. Two schemas alone do not show a rename;
  /// only the caller knows.
  public internal(set) var renames: [SchemaRename] = []

  /// The changes that make one schema the other.
  public init(from stored: Schema, to target: Schema) {
    let pairs = Self.pairs(stored: stored, target: target)
    changes = []
    for pair in pairs {
      switch pair {
      case .onlyStored(let table): changes.append(.removeClass(table))
      case .onlyTarget(let table): changes.append(.addClass(table))
      case .both: continue
      }
    }
    for pair in pairs {
      switch pair {
      case .onlyStored: continue
      case .onlyTarget(let table): changes.append(.addInitialProperties(table))
      case .both(let old, let new): appendChanges(from: old, to: new)
      }
    }
    for case .both(let old, let new) in pairs where old.kind != new.kind {
      changes.append(.changeKind(className: old.displayName, from: old.kind, to: new.kind))
    }
  }

  /// Whether the schemas are the same to an app.
  public var isEmpty: Bool { changes.isEmpty && renames.isEmpty }

  /// Whether an app would have to raise the schema version.
  public var needsMigration: Bool { changes.contains(where: \.needsMigration) }
}

// MARK: - Comparison

extension SchemaDifference {
  private enum Pair {
    case onlyStored(TableSchema)
    case onlyTarget(TableSchema)
    case both(stored: TableSchema, target: TableSchema)
  }

  /// The classes of both schemas by name, each with its counterpart.
  private static func pairs(stored: Schema, target: Schema) -> [Pair] {
    var stored = sortedClasses(of: stored)[...]
    var target = sortedClasses(of: target)[...]
    var pairs: [Pair] = []
    while let old = stored.first, let new = target.first {
      if old.name == new.name {
        pairs.append(.both(stored: old, target: new))
      } else {
        pairs.append(old.name < new.name ? .onlyStored(old) : .onlyTarget(new))
      }
      if old.name <= new.name { stored.removeFirst() }
      if new.name <= old.name { target.removeFirst() }
    }
    return pairs + stored.map(Pair.onlyStored) + target.map(Pair.onlyTarget)
  }

  private static func sortedClasses(of schema: Schema) -> [TableSchema] {
    schema.classes.filter { !$0.displayName.isEmpty }.sorted { $0.name < $1.name }
  }

  private mutating func appendChanges(from old: TableSchema, to new: TableSchema) {
    let newPositions = Self.positions(of: new.properties)
    let oldPositions = Self.positions(of: old.properties)
    let name = old.displayName

    for (index, property) in old.properties.enumerated() where !property.isComputed {
      guard let position = newPositions[property.name], !new.properties[position].isComputed else {
        changes.append(.removeProperty(className: name, property))
        continue
      }
      let oldHasIndex = property.index == .general || old.primaryKeyIndex == index
      let newHasIndex = new.properties[position].index == .general || new.primaryKeyIndex == position
      appendChanges(
        of: property, to: new.properties[position], in: name, hadGeneralIndex: oldHasIndex,
        getsGeneralIndex: newHasIndex)
    }
    for property in new.properties where !property.isComputed && oldPositions[property.name] == nil {
      changes.append(.addProperty(className: name, property))
    }
    let oldKey = old.primaryKey?.name
    let newKey = new.primaryKey?.name
    if oldKey != newKey { changes.append(.changePrimaryKey(className: name, from: oldKey, to: newKey)) }
  }

  /// `hadGeneralIndex` and `getsGeneralIndex` count a primary key in, which is always indexed.
  private mutating func appendChanges(
    of old: Property, to new: Property, in name: RealmString, hadGeneralIndex: Bool, getsGeneralIndex: Bool
  ) {
    guard old.type == new.type, old.collection == new.collection, old.target == new.target else {
      changes.append(.changeType(className: name, from: old, to: new))
      return
    }
    if old.isOptional, !new.isOptional { changes.append(.makeRequired(className: name, old)) }
    if !old.isOptional, new.isOptional { changes.append(.makeOptional(className: name, old)) }
    if !hadGeneralIndex, getsGeneralIndex { changes.append(.addIndex(className: name, old, .general)) }
    if hadGeneralIndex, !getsGeneralIndex { changes.append(.removeIndex(className: name, old)) }
    if old.index != .fullText, new.index == .fullText { changes.append(.addIndex(className: name, old, .fullText)) }
    if old.index == .fullText, new.index != .fullText { changes.append(.removeIndex(className: name, old)) }
  }

  /// The position of each name. Names are unique in any valid schema; otherwise the first stored one counts.
  private static func positions(of properties: [Property]) -> [RealmString: Int] {
    let positions = properties.storedFirst
    return Dictionary(positions.map { (properties[$0].name, $0) }, uniquingKeysWith: { first, _ in first })
  }
}

// MARK: - Refusals

extension SchemaDifference {
  /// A way to open a realm that bears some changes and refuses others.
  public enum OpenMode: Hashable, Sendable, CaseIterable {
    /// At the stored schema version.
    case sameVersion
    /// Read-only.
    case readOnly
    /// As a synchronized realm, which only ever grows.
    case additive
    /// Already open, while another process changes the schema.
    case changedByOthers
    /// After a migration that had to do everything itself.
    case manual
  }

  /// The changes that opening in `mode` refuses.
  public func refused(in mode: OpenMode) -> [SchemaChange] { changes.filter { !mode.allows($0) } }

  /// The SDKs' message for the refused changes, one `- ` line for each; nil when none is refused.
  public func refusalMessage(in mode: OpenMode) -> String? {
    let lines = refused(in: mode).compactMap(\.text).map { "\n- " + $0 }
    guard !lines.isEmpty else { return nil }
    return mode.headline + lines.joined() + mode.lastLine
  }
}

extension SchemaDifference.OpenMode {
  fileprivate func allows(_ change: SchemaChange) -> Bool {
    switch change {
    case .addClass, .addInitialProperties, .addIndex, .removeIndex: self != .manual
    case .removeClass: self != .changedByOthers
    case .addProperty: self == .additive || self == .changedByOthers
    case .removeProperty: self == .additive || self == .readOnly
    case .changeKind: self == .readOnly
    case .changeType, .makeOptional, .makeRequired, .changePrimaryKey: false
    }
  }

  fileprivate var headline: String {
    switch self {
    case .sameVersion, .manual: "Migration is required due to the following errors:"
    case .readOnly: "The following changes cannot be made in read-only schema mode:"
    case .additive: "The following changes cannot be made in additive-only schema mode:"
    case .changedByOthers: "Unsupported schema changes were made by another client or process:"
    }
  }

  fileprivate var lastLine: String {
    switch self {
    case .sameVersion, .manual, .readOnly: ""
    case .additive, .changedByOthers:
      """

      If your app is running in development mode, you can delete the realm and restart the app to update your schema.
      """
    }
  }
}

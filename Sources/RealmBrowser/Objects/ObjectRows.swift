import RealmPresentation
import RealmStorage

/// Which objects a view shows, in a form that outlives a snapshot.
enum RowsSource: Hashable, Sendable {
  /// All objects of a table.
  case table(RealmString)
  /// Some objects of a table, in this order.
  case keys(table: RealmString, [ObjectKey])
  /// The targets of a list or set of links.
  case links(ValueAddress)
  /// The objects that link to an object through one property.
  case backlinks(ObjectAddress, origin: RealmString, property: RealmString)

  /// Finds the rows in a realm; nil if they no longer exist.
  func open(in realm: BrowsedRealm) throws -> (any ObjectRows)? {
    switch self {
    case .table(let name): realm.table(named: name).map { ObjectsInOrder($0) }
    case .keys(let name, let keys): realm.table(named: name).map { KeyedRows($0, keys) }
    case .links(let address): try LinkedRows(address, in: realm)
    case .backlinks(let object, let origin, let property):
      try BacklinkRows(to: object, origin: origin, property: property, in: realm)
    }
  }
}

/// Objects by position. Belongs to one thread; valid as long as the pages it was made from are kept.
protocol ObjectRows: AnyObject {
  var table: Table { get }
  var count: Int { get }
  func row(at position: Int) -> ObjectRow
  /// The position of an object, the nearest one if it is there more than once; nil if it is not one of them, or
  /// finding out would take long.
  func position(of key: ObjectKey, near hint: Int) -> Int?
}

/// Rows given by a list of keys.
protocol ObjectRowsWithKeys {
  var keys: [ObjectKey] { get }
}

extension ObjectRows {
  /// Looks at the places around `hint`.
  fileprivate func nearbyPosition(of key: ObjectKey, near hint: Int) -> Int? {
    let window = max(0, hint - 2000)..<max(0, min(count, hint + 2000))
    if window.contains(hint), row(at: hint).key == key { return hint }
    return window.nearest(to: hint) { row(at: $0).key == key }
  }
}

extension Range<Int> {
  /// The position nearest to `hint` that is one of those wanted.
  fileprivate func nearest(to hint: Int, where isWanted: (Int) -> Bool) -> Int? {
    var found: Int?
    for position in self {
      if let found, position - hint >= hint - found { break }
      if isWanted(position) { found = position }
    }
    return found
  }
}

// MARK: - Kinds

private final class ObjectsInOrder: ObjectRows {
  private let positions: ObjectPositions

  init(_ table: Table) { positions = ObjectPositions(of: table) }

  var table: Table { positions.table }
  var count: Int { positions.count }

  func row(at position: Int) -> ObjectRow {
    switch positions.entry(at: position) {
    case .object(let batch, let row): .object(batch, row: row)
    case .damaged(let error): .damaged(error)
    }
  }

  func position(of key: ObjectKey, near hint: Int) -> Int? { positions.position(of: key) }
}

private final class KeyedRows: ObjectRows, ObjectRowsWithKeys {
  let table: Table
  let keys: [ObjectKey]

  init(_ table: Table, _ keys: [ObjectKey]) {
    self.table = table
    self.keys = keys
  }

  var count: Int { keys.count }

  func row(at position: Int) -> ObjectRow {
    guard keys.indices.contains(position) else { return .absent("no such row") }
    return table.row(of: keys[position])
  }

  func position(of key: ObjectKey, near hint: Int) -> Int? {
    keys.indices.contains(hint) && keys[hint] == key ? hint : keys.indices.nearest(to: hint) { keys[$0] == key }
  }
}

/// A list or set of links. Positions are those of the file, links to missing objects included.
private final class LinkedRows: ObjectRows {
  let table: Table
  let count: Int
  private let list: ListView
  private let snapshot: Snapshot
  private var window: (start: Int, elements: [ElementView]) = (0, [])

  init?(_ address: ValueAddress, in realm: BrowsedRealm) throws {
    guard let value = try realm.value(at: address), let list = value.listOrSet, let target = list.linkTarget,
      let table = realm.snapshot.table(target)
    else { return nil }
    self.table = table
    self.list = list
    snapshot = realm.snapshot
    count = try list.count(in: snapshot)
  }

  func row(at position: Int) -> ObjectRow {
    guard position >= 0, position < count else { return .absent("no such row") }
    if !(window.start..<window.start + window.elements.count).contains(position) {
      let start = position / 64 * 64
      window = (start, list.elements(at: start..<min(start + 64, count), in: snapshot))
    }
    switch window.elements[position - window.start] {
    case .value(.link(_, let key)): return table.row(of: key)
    case .value: return .absent("null")
    case .unresolvedLink: return .absent("an object not in this file")
    case .damaged(let error): return .damaged(error)
    }
  }

  func position(of key: ObjectKey, near hint: Int) -> Int? { nearbyPosition(of: key, near: hint) }
}

/// The objects that link to an object, each once and in the order of their keys. If there are very many, they are in
/// the order of the file, because sorting would take longer than a screen may.
private final class BacklinkRows: ObjectRows {
  let table: Table
  private(set) var count: Int
  /// The keys in order, if there are not too many; then those that could not be read.
  private var keys: [ObjectKey]?
  private var damage: [StorageError] = []
  /// Number of links that are sorted at once.
  private static let mostInOrder = 100_000
  private let group: BacklinkGroup
  private let snapshot: Snapshot
  private var window: (start: Int, keys: [Result<ObjectKey, StorageError>]) = (0, [])

  init?(to address: ObjectAddress, origin: RealmString, property: RealmString, in realm: BrowsedRealm) throws {
    snapshot = realm.snapshot
    guard let (batch, row) = try realm.object(at: address), let table = realm.table(named: origin) else { return nil }
    let index = table.schema.properties.firstIndex { $0.name == property }
    let groups = snapshot.backlinks(to: batch, row: row)
    let found = groups.first { (try? $0.get()).map { $0.origin == table.key && $0.propertyIndex == index } ?? false }
    guard let group = try found?.get() else { return nil }
    self.table = table
    self.group = group
    count = group.count
    if count <= Self.mostInOrder { putInOrder() }
  }

  private func putInOrder() {
    var unique: [ObjectKey] = []
    unique.reserveCapacity(count)
    for key in group.originKeys(at: 0..<count, in: snapshot) {
      switch key {
      case .success(let key): unique.append(key)
      case .failure(let error): damage.append(error)
      }
    }
    unique.sort()
    var last: ObjectKey?
    unique.removeAll { key in
      defer { last = key }
      return key == last
    }
    keys = unique
    count = unique.count + damage.count
  }

  func row(at position: Int) -> ObjectRow {
    guard position >= 0, position < count else { return .absent("no such row") }
    if let keys {
      return position < keys.count ? table.row(of: keys[position]) : .damaged(damage[position - keys.count])
    }
    if !(window.start..<window.start + window.keys.count).contains(position) {
      let start = position / 64 * 64
      window = (start, group.originKeys(at: start..<min(start + 64, count), in: snapshot))
    }
    switch window.keys[position - window.start] {
    case .success(let key): return table.row(of: key)
    case .failure(let error): return .damaged(error)
    }
  }

  func position(of key: ObjectKey, near hint: Int) -> Int? {
    keys.map { $0.firstIndex(of: key) } ?? nearbyPosition(of: key, near: hint)
  }
}

extension ValueView {
  /// The list or set; nil for other values.
  var listOrSet: ListView? {
    switch self {
    case .list(let list), .set(let list): list
    default: nil
    }
  }
}

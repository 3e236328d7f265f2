import RealmQuery
import RealmStorage
import RealmSystem
import RealmText

/// The values of all classes in which something was found: first objects with the key, then others by class and object.
struct FoundValues: Sendable {
  /// One of them.
  struct Place: Hashable, Sendable {
    var object: ObjectAddress
    /// Nil if the object itself was found, by its object key.
    var property: RealmString?
    var snippet: Snippet
  }

  /// What to look for.
  enum Wanted: Hashable, Sendable {
    case objectKey(ObjectKey)
    /// A text somewhere in a value; or a primary key, if `key` is one of the class.
    case text(TextPattern, key: String)

    /// `#123` is an object key, text in quotes is searched for literally, `~` begins a regular expression; nil for an
    /// empty text.
    ///
    /// - Throws: an error in the expression.
    init?(_ text: String) throws(PatternError) {
      if text.hasPrefix("#"), let number = Int64(text.dropFirst()) {
        self = .objectKey(ObjectKey(rawValue: number))
        return
      }
      let isQuoted = text.count > 2 && text.hasPrefix("\"") && text.hasSuffix("\"")
      var wanted = isQuoted ? String(text.dropFirst().dropLast()) : text
      // Ids are shown in lower case, and may be typed in either.
      let isID = RealmUUID(text: RealmString(text)) != nil || ObjectID(text: RealmString(text)) != nil
      if isID { wanted = wanted.lowercased() }
      guard let pattern = try isQuoted ? TextPattern(wanted) : TextPattern(typed: wanted) else { return nil }
      self = .text(pattern, key: isQuoted ? "" : text)
    }

    /// As it is called in messages.
    var text: String {
      switch self {
      case .objectKey(let key): "#\(key.rawValue)"
      case .text(let pattern, _): pattern.text
      }
    }
  }

  private(set) var places: [Place] = []
  private(set) var damage = DamageTally()
  /// Whether there may be more than are listed.
  private(set) var isFull = false

  /// More than anybody looks through; each takes a few hundred bytes at most.
  static let mostPlaces = 10_000

  init() {}

  /// The units of work of `init`: one for each object.
  static func work(in realm: BrowsedRealm) -> Int {
    classes(of: realm).reduce(0) { $0 + ((try? $1.objectCount()) ?? 0) }
  }

  private static func classes(of realm: BrowsedRealm) -> [Table] {
    realm.snapshot.tables.filter(\.schema.isClass).sorted { $0.schema.name < $1.schema.name }
  }

  /// Searches all classes, and passes on from time to time what was found so far.
  ///
  /// - Throws: `TaskProgress.Stopped`, `BrowserProblem.stale`, errors of opening the file's pages.
  init(
    of wanted: Wanted, in realm: BrowsedRealm, _ progress: TaskProgress, _ publish: (FoundValues) -> Void
  ) throws {
    for table in realm.snapshot.damagedTables where table.name.hasPrefix(TableSchema.classPrefix) {
      damage.add(Damage(table: TableSchema.displayName(ofTable: table.name), part: .table, error: table.error))
    }
    let classes = Self.classes(of: realm)
    switch wanted {
    case .objectKey(let key): for table in classes { try add(key, in: table, realm, progress) }
    case .text(let pattern, let key):
      for table in classes { try addPrimaryKey(key, in: table, realm, progress) }
      if !places.isEmpty { publish(self) }
      let keyed = Set(places.map(\.object))
      for table in classes where !isFull { try search(table, for: pattern, keyed, realm, progress, publish) }
    }
  }

  // MARK: By key

  private mutating func add(
    _ key: ObjectKey, in table: Table, _ realm: BrowsedRealm, _ progress: TaskProgress
  ) throws {
    try progress.advance(by: (try? table.objectCount()) ?? 0)
    let own = realm.isReadInPages ? try realm.withoutPages() : realm
    do {
      guard try own.table(named: table.schema.name)?.object(key) != nil else { return }
      let snippet = Snippet(of: Array("#\(key.rawValue)".utf8))
      places.append(
        Place(object: ObjectAddress(table: table.schema.name, key: key), property: nil, snippet: snippet))
    } catch let error as StorageError {
      damage.add(Damage(table: table.schema.displayName, part: .objects, error: error))
    }
  }

  /// The object with a primary key, found by an index if there is one.
  private mutating func addPrimaryKey(
    _ text: String, in table: Table, _ realm: BrowsedRealm, _ progress: TaskProgress
  ) throws {
    try progress.check()
    guard let property = table.schema.primaryKey, let value = Self.value(text, property.type) else { return }
    let own = realm.isReadInPages ? try realm.withoutPages() : realm
    guard let table = own.table(named: table.schema.name) else { return }
    let query = try Query(
      RQL.written(property.name) + " == $0", arguments: [.value(value)], of: table, in: own.snapshot)
    let result = try query.keys(QueryOptions(limit: 1) { _ in try progress.check() })
    for key in result.keys {
      places.append(
        Place(
          object: ObjectAddress(table: table.schema.name, key: key), property: property.name,
          snippet: Snippet(of: Array(text.utf8))))
    }
  }

  private static func value(_ text: String, _ type: PropertyType) -> Value? {
    switch type {
    case .string: text.isEmpty ? nil : .string(RealmString(text))
    case .int: Int64(text).map { .int($0) }
    case .objectID: ObjectID(text: RealmString(text)).map { .objectID($0) }
    case .uuid: RealmUUID(text: RealmString(text)).map { .uuid($0) }
    default: nil
    }
  }

  // MARK: By text

  /// - Parameter keyed: objects whose primary key is listed already.
  private mutating func search(
    _ table: Table, for pattern: TextPattern, _ keyed: Set<ObjectAddress>, _ realm: BrowsedRealm,
    _ progress: TaskProgress, _ publish: (FoundValues) -> Void
  ) throws {
    let schema = table.schema
    var walk = try ShownRowWalk(.table(schema.name), in: realm, progress)
    var found = self
    var published = found.places.count
    // Once enough are found, no more are listed.
    try EarlyEnd.ends {
      try walk.forEach { group in
        try found.add(group, schema, pattern, keyed, progress)
        if found.places.count > 2 * published {
          published = found.places.count
          publish(found)
        }
        if found.isFull { throw EarlyEnd() }
      }
    }
    found.damage.add(rows: walk.skipped)
    self = found
    if places.count > published { publish(self) }
  }

  private mutating func add(
    _ group: ShownRowWalk.Group, _ schema: TableSchema, _ pattern: TextPattern, _ keyed: Set<ObjectAddress>,
    _ progress: TaskProgress
  ) throws {
    let matcher = ValueMatcher(pattern, group.snapshot, progress, listsPlaces: true)
    var found: [(row: Int, place: Place)] = []
    for (index, property) in schema.properties.enumerated() {
      try matcher.match(group.batch, property: index, rows: group.rows, &damage) { row in
        let object = ObjectAddress(table: schema.name, key: group.key(at: row))
        if index == schema.primaryKeyIndex, keyed.contains(object) { return }
        found.append((row, Place(object: object, property: property.name, snippet: matcher.snippet)))
      }
    }
    found.sort { $0.row < $1.row }
    let room = Self.mostPlaces - places.count
    places += found.prefix(room).map(\.place)
    if found.count > room { isFull = true }
  }
}

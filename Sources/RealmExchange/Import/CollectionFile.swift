import RealmStorage
import RealmText

/// A CSV or TSV file with the elements of one property, next to the file of the class: `Person.dogs.csv` with the columns
/// `_owner`, `_position` (list), `_key` (dictionary) and `_value`, as `export --explode` writes them.
package struct CollectionFile: Hashable, Sendable {
  package let path: String
  package let property: RealmString
  package let separator: UInt8
  /// The same as for the file of the class.
  package let null: RealmString?

  package init(_ path: String, property: RealmString, separator: UInt8, null: RealmString?) {
    (self.path, self.property, self.separator, self.null) = (path, property, separator, null)
  }

  /// The columns of such a file.
  struct Columns {
    let owner: Int
    let value: Int
    let position: Int?
    let key: Int?
    let type: Int?

    /// Nil if the header is not that of such a file.
    init?(_ names: [RealmString]) {
      guard let owner = names.firstIndex(of: "_owner"), let value = names.firstIndex(of: "_value") else { return nil }
      (self.owner, self.value) = (owner, value)
      (position, key) = (names.firstIndex(of: "_position"), names.firstIndex(of: "_key"))
      type = names.firstIndex(of: "_value_type")
      guard names.count == 2 + [position, key, type].count(where: { $0 != nil }) else { return nil }
    }

    var collection: CollectionKind { key != nil ? .dictionary : position != nil ? .list : .set }
  }

  /// Whether a file begins as such a file does.
  package static func isOne(_ path: String, separator: UInt8) -> Bool {
    guard let names = try? DelimitedSource.header(ofFile: path, separator: separator) else { return false }
    return Columns(names) != nil
  }

  static func reader(_ path: String, _ separator: UInt8) throws -> DelimitedReader {
    let input = try SequentialInput(path)
    return DelimitedReader(name: name(of: path), separator: separator, source: { try input.read(into: $0) })
  }

  /// The columns, whose names are the first row.
  ///
  /// - Throws: `InputError.source`.
  func columns(_ rows: DelimitedReader) throws -> Columns {
    guard try rows.next(), let columns = Columns((0..<rows.fieldCount).map { rows.text($0) }) else {
      throw InputError.source(
        .content, "\(name) does not have the columns _owner, _position or _key, _value and _value_type")
    }
    return columns
  }

  /// Its name in messages.
  var name: String { Self.name(of: path) }

  private static func name(of path: String) -> String { path.split(separator: "/").last.map(String.init) ?? path }
}

/// The elements of a collection file by their owners. SQLite keeps them in a file without a name.
final class CollectionElements {
  let property: DataProperty
  let file: CollectionFile
  private let database: SQLiteDatabase
  private let search: SQLiteStatement
  private let note: SQLiteStatement
  private let isKeyOfOther: Bool
  private let columns: CollectionFile.Columns
  private var ownerCount = 0
  private var foundCount = 0

  /// A row that cannot be used.
  struct Problem {
    let line: Int
    let column: Int
    let reason: String
    var value: String?
  }

  /// Reads the whole file.
  ///
  /// - Throws: `InputError.source`, `DatabaseError`, `StorageError`; what `onProblem` throws.
  init(
    _ file: CollectionFile, _ property: DataProperty, of dataClass: DataClass, isKeyOfOther: Bool,
    onProblem: (Problem) throws -> Void
  ) throws {
    (self.property, self.file, self.isKeyOfOther) = (property, file, isKeyOfOther)
    database = try SQLiteDatabase("", .temporary)
    try database.execute(
      """
      PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF;
      CREATE TABLE element (owner BLOB, place, value BLOB, quoted INTEGER, type BLOB, line INTEGER, col INTEGER);
      CREATE TABLE found (owner BLOB PRIMARY KEY) WITHOUT ROWID;
      BEGIN
      """)
    let rows = try CollectionFile.reader(file.path, file.separator)
    let found = try file.columns(rows)
    columns = found
    // Rows without a position are in the order of the list.
    guard property.collection == found.collection || property.collection == .list && found.collection == .set
    else {
      throw InputError.source(
        .schema,
        "\(file.name) has the columns of a \(found.collection.choice("list", "set", "dictionary")), and "
          + "'\(dataClass.name).\(property.name)' is not one")
    }
    let insertion = try database.prepare("INSERT INTO element VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)")
    while try rows.next() {
      if let problem = try Self.insert(rows, found, insertion) { try onProblem(problem) }
    }
    try database.execute("COMMIT; CREATE INDEX element_owner ON element (owner, place)")
    ownerCount = Int(try database.number("SELECT count(DISTINCT owner) FROM element"))
    search = try database.prepare(
      "SELECT place, value, quoted, type, line, col FROM element WHERE owner = ?1 ORDER BY place, rowid")
    note = try database.prepare("INSERT OR IGNORE INTO found VALUES (?1)")
  }

  private static func insert(
    _ rows: DelimitedReader, _ columns: CollectionFile.Columns, _ insertion: SQLiteStatement
  ) throws -> Problem? {
    let count = 2 + [columns.position, columns.key, columns.type].count { $0 != nil }
    guard rows.fieldCount == count else {
      if rows.fieldCount == 1, rows.withField(0, { $0.isEmpty }) { return nil }
      return Problem(
        line: rows.line, column: 1,
        reason: "the row has \(rows.fieldCount.counted("field")), expected \(count)")
    }
    func bytes(_ index: Int?) -> [UInt8] { index.map { rows.withField($0) { Array($0) } } ?? [] }
    var place = RelationalRecords.Cell.null
    if let position = columns.position {
      guard let number = Int64(text: rows.text(position).description) else {
        return Problem(
          line: rows.place(position).line, column: rows.column(position), reason: "_position must be a whole number",
          value: ShownText.beginning(of: rows.text(position).description))
      }
      place = .integer(number)
    }
    let (owner, key, value, type) = (
      bytes(columns.owner), bytes(columns.key), bytes(columns.value), bytes(columns.type)
    )
    try owner.withUnsafeBytes { owner in
      try key.withUnsafeBytes { key in
        try value.withUnsafeBytes { value in
          try type.withUnsafeBytes { type in
            defer { insertion.reset() }
            try insertion.bind(.blob(owner), at: 0)
            try insertion.bind(columns.key == nil ? place : .blob(key), at: 1)
            try insertion.bind(.blob(value), at: 2)
            try insertion.bind(.integer(rows.isQuoted(columns.value) ? 1 : 0), at: 3)
            try insertion.bind(.blob(type), at: 4)
            try insertion.bind(.integer(Int64(rows.place(columns.value).line)), at: 5)
            try insertion.bind(.integer(Int64(rows.column(columns.value))), at: 6)
            _ = try insertion.step()
          }
        }
      }
    }
    return nil
  }

  /// An element in the JSON of an object: where its text begins, and where the element is in the file.
  struct Place {
    let property: RealmString
    let start: Int
    let line: Int
    let column: Int
  }

  /// Writes the elements of an owner as JSON.
  ///
  /// - Parameter onElement: called with the place where each begins.
  func append(of owner: UnsafeRawBufferPointer, _ fields: DelimitedFields, _ onElement: (Place) -> Void) throws {
    let isDictionary = property.collection == .dictionary
    fields.text.append(isDictionary ? "{" : "[")
    defer { search.reset() }
    try search.bind(.blob(owner), at: 0)
    var isFirst = true
    while try search.step() {
      if !isFirst { fields.text.append(",") }
      isFirst = false
      onElement(
        Place(
          property: property.name, start: fields.text.count, line: Int(search.integer(4)),
          column: Int(search.integer(5))))
      if isDictionary {
        fields.text.appendJSON(Self.bytes(search.cell(0)), style: .lossless)
        fields.text.append(":")
      }
      let (value, isQuoted) = (Self.bytes(search.cell(1)), search.integer(2) != 0)
      if columns.type != nil, property.type == .mixed {
        fields.append(value, isQuoted: isQuoted, as: RealmString(Self.bytes(search.cell(3))))
      } else {
        fields.append(element: value, isQuoted: isQuoted, property, isKeyOfOther: isKeyOfOther)
      }
    }
    fields.text.append(isDictionary ? "}" : "]")
    guard !isFirst else { return }
    note.reset()
    try note.bind(.blob(owner), at: 0)
    _ = try note.step()
    note.reset()
    foundCount += 1
  }

  private static func bytes(_ cell: RelationalRecords.Cell) -> UnsafeRawBufferPointer {
    if case .blob(let bytes) = cell { bytes } else { UnsafeRawBufferPointer(start: nil, count: 0) }
  }

  /// The first element of each owner that no row of the class has.
  func forEachOrphan(of className: RealmString, _ body: (Problem) throws -> Void) throws {
    guard foundCount < ownerCount else { return }
    let rows = try database.prepare(
      """
      SELECT owner, min(line) FROM element WHERE owner NOT IN (SELECT owner FROM found) GROUP BY owner ORDER BY min(line)
      """)
    while try rows.step() {
      let owner = ShownText.beginning(of: RealmString(Self.bytes(rows.cell(0))).description)
      try body(
        Problem(
          line: Int(rows.integer(1)), column: 1, reason: "the file of the class has no \(className) '\(owner)'",
          value: owner))
    }
  }
}

import RealmModels
import RealmStorage
import RealmText

/// The objects of a SQLite file in the relational form, as an export made it.
package final class RelationalSource: ImportSource {
  private let file: RelationalFile
  private let output = LineOutput()
  private let reader: RelationalReader
  private var positions: [Int] = []
  private var rows: SQLiteStatement?
  private var plan: RelationalReader.Plan?
  private var head: [UInt8] = []
  /// The position of the object key among the columns of `rows`.
  private var keyColumn = 0

  package let coerces = false
  package let ownsObjectKeys = true
  package private(set) var byteCount = 0

  /// - Throws: `DatabaseError`.
  package convenience init(_ path: String) throws { self.init(try RelationalFile(path)) }

  /// - Throws: `InputError.source`, `DatabaseError`, `StorageError.file`.
  package convenience init(exploded folder: String) throws { self.init(try ExplodedFolder.file(at: folder)) }

  private init(_ file: RelationalFile) {
    self.file = file
    reader = RelationalReader(file, style: .lossless, text: output.text)
  }

  /// The classes in it.
  package var schema: Schema { file.schema }

  package func open(_ classes: ImportedClasses, note: @escaping (ImportProblem) throws -> Void) throws {
    try classes.requireRoom(for: file.schema)
    positions = file.relational.classes.indices.reversed().filter { position in
      let schema = file.relational.classes[position].schema
      return schema.kind != .embedded && classes.classNamed(schema.displayName) != nil
    }
  }

  package func read(_ buffer: UnsafeMutableRawBufferPointer) throws -> Int {
    try output.read(buffer) { try appendObject() }
  }

  private func appendObject() throws -> Bool {
    while true {
      if let rows, let plan, try rows.step() {
        head.withUnsafeBytes { output.text.append(bytes: $0) }
        if case .integer(let key) = rows.cell(keyColumn) {
          output.text.append("\"objKey\":")
          output.text.append(integer: key)
          output.text.append(",")
        }
        output.text.append("\"value\":")
        let before = output.text.count
        try reader.writeMembers(rows, of: plan)
        byteCount += output.text.count - before
        output.text.append("}\n")
        return true
      }
      guard let position = positions.popLast() else { return false }
      let plan = reader.plan(of: position)
      let selection = Self.selection(from: plan.table)
      (self.plan, keyColumn) = (plan, selection.keyColumn)
      rows = try file.database.prepare(selection.statement)
      let text = TextBuffer(capacity: 64)
      text.append("{\"class\":")
      text.appendJSON(plan.table.schema.displayName, style: .lossless)
      text.append(",")
      head = text.withBytes { Array($0) }
    }
  }

  /// The rows of a class, sorted by the object keys that a realm made of them has, and the position of the column with
  /// these keys.
  static func selection(from table: RelationalClass) -> (statement: String, keyColumn: Int) {
    let key = SQLText.quoted(table.keyName.name)
    guard table.key != .objectKey else { return (RelationalReader.selection(from: table) + " ORDER BY \(key)", 0) }
    // After the columns and the number of the row.
    let column = table.table.columns.count + 1
    let name = SQLText.literal(table.table.sqlName)
    let selection = RelationalReader.selection(
      from: table,
      and: [
        "(SELECT k.\"key\" FROM \"_realm_keys\" k WHERE k.\"class\" = \(name) "
          // Without the plus, SQLite converts the other side to the type of the column, and cannot search for it.
          + "AND k.\"object\" = +\(SQLText.quoted(table.table.sqlName)).\(key))"
      ])
    return (selection + " ORDER BY \(column + 1), \(key)", column)
  }

  package func place(_ location: JSONLocation, property: RealmString?) -> ImportPlace {
    ImportPlace(line: 0, column: 0)
  }
}

extension ImportedClasses {
  /// Makes sure that the classes and properties of a source are here, and that its links find the same objects.
  ///
  /// - Parameter links: whether a mixed property of a class can have links to another.
  /// - Throws: `InputError.source` that names all that are not.
  func requireRoom(
    for schema: Schema,
    links: (_ owner: TableSchema, _ property: Property, _ target: TableSchema) -> Bool = { _, _, _ in true }
  ) throws {
    try requireSameKeys(in: schema, links)
    guard !ignoresUnknown else { return }
    var missing = (classes: [String](), properties: [String]())
    for table in schema.classes {
      guard let dataClass = classNamed(table.displayName) else {
        missing.classes.append("'\(table.displayName)'")
        continue
      }
      for property in table.properties where !property.isComputed {
        if !dataClass.properties.contains(where: { $0.name == property.name }) {
          missing.properties.append("'\(table.displayName).\(property.name)'")
        }
      }
    }
    guard !missing.classes.isEmpty || !missing.properties.isEmpty else { return }
    throw InputError.source(
      .missing(classes: missing.classes, properties: missing.properties, canAddProperties: canAddProperties))
  }

  /// Links in a source name the primary keys of the source, which are looked up as those of the realm.
  private func requireSameKeys(in schema: Schema, _ links: (TableSchema, Property, TableSchema) -> Bool) throws {
    for table in schema.classes where table.kind != .embedded {
      guard let dataClass = classNamed(table.displayName) else { continue }
      let (key, given) = (dataClass.primaryKey.map { dataClass.properties[$0].name }, table.primaryKey?.name)
      guard key != given else { continue }
      for owner in schema.classes {
        let known = classNamed(owner.displayName)?.properties ?? []
        for property in owner.properties where property.target == table.name || property.type == .mixed {
          guard !property.isComputed, let here = known.first(where: { $0.name == property.name }), here.lookup == nil,
            property.type != .mixed || links(owner, property, table)
          else { continue }
          func shown(_ name: RealmString?) -> String {
            name.map { "has the primary key '\($0)'" } ?? "has no primary key"
          }
          let path = "\(owner.displayName).\(property.name)"
          throw InputError.source(
            .schema,
            "'\(path)' can link to objects of class '\(table.displayName)', which \(shown(given)) in the source, "
              + "but here it \(shown(key))",
            advice: given == nil || property.type == .mixed
              ? "use --ignore-unknown with a schema without '\(path)'"
              : "use --link \(path)=\(table.displayName).\(given ?? "")")
        }
      }
    }
  }
}

import RealmModels
import RealmStorage
import RealmText

/// Finds classes that fit the content of files.
package final class SchemaInference {
  private let choices: InferenceChoices
  private var order: [RealmString] = []
  private var classes: [RealmString: ClassInference] = [:]
  /// Classes of sources that have a schema of their own.
  private var known: [TableSchema] = []

  /// Rows of a file that were left out, because they do not have a field for each column.
  package struct SkippedRows: Sendable {
    package let path: String
    /// The line of the first.
    package let line: Int
    /// What is wrong with the first.
    package let problem: String
    package fileprivate(set) var count = 1
  }

  /// Those of each file that has some. An import reports each when it is read.
  package private(set) var skippedRows: [SkippedRows] = []

  /// Foreign keys of databases that are no links, with the path of the database.
  package private(set) var unlinkedKeys: [(path: String, key: ForeignDatabase.UnlinkedKey)] = []

  package init(_ choices: InferenceChoices = InferenceChoices()) { self.choices = choices }

  /// The classes found so far, in the order in which they were found.
  package var schema: Schema { schema(apartFrom: []) }

  /// - Parameter others: names of tables that no inner class gets.
  private func schema(apartFrom others: [RealmString]) -> Schema {
    let sources = Set(known.map(\.name))
    let names = order.filter { !sources.contains(TableSchema.tableName(ofClass: $0)) }
    var taken = sources.union(names.map(TableSchema.tableName(ofClass:))).union(others)
    return Schema(tables: known + names.flatMap { classes[$0]?.classes(named: $0, choices, taken: &taken) ?? [] })
  }

  /// The classes to add to a schema, and what its own classes may lack. Objects in a property that exists are of the
  /// class that it has.
  ///
  /// - Parameter addsProperties: whether its classes get new properties.
  package func schema(addedTo existing: Schema, addsProperties: Bool) -> Schema {
    let tables = schema(apartFrom: existing.tables.map(\.name)).tables
    let found = Dictionary(tables.map { ($0.name, $0) }) { first, _ in first }
    let own = Dictionary(existing.tables.map { ($0.name, $0) }) { first, _ in first }
    let sources = Set(known.map(\.name))
    var added: [RealmString: TableSchema] = [:]
    var order: [RealmString] = []
    var visited: Set<[RealmString]> = []
    var open = tables.filter { $0.kind != .embedded || sources.contains($0.name) }.map { (table: $0, name: $0.name) }
    open.reverse()
    while let (table, name) = open.popLast() {
      guard visited.insert([table.name, name]).inserted, own[name] == nil || addsProperties else { continue }
      if let names = added[name].map({ Set($0.properties.map(\.name)) }) {
        added[name]?.properties += table.properties.filter { !names.contains($0.name) }
      } else {
        order.append(name)
        added[name] = table
        added[name]?.name = name
      }
      for property in table.properties.reversed() {
        guard let inner = property.target.flatMap({ found[$0] }) else { continue }
        let known = own[name]?.property(named: property.name)
        if known == nil {
          open.append((inner, inner.name))
        } else if let target = known?.target, inner.kind == .embedded {
          open.append((inner, target))
        }
      }
    }
    return Schema(tables: order.compactMap { added[$0] })
  }

  /// A choice about a class or a property that no source has; nil if there is none.
  ///
  /// - Parameters:
  ///   - links: whether links are looked at, which can also be those of classes that exist already.
  ///   - existing: classes that the realm has; types may name them.
  package func unknownChoice(
    links: Bool, existing: Schema = Schema(tables: [])
  ) -> (choice: InferenceChoices.Kind, fault: SourceFault)? {
    let schema = schema
    func fault(_ className: RealmString, _ property: RealmString?) -> SourceFault? {
      guard let table = schema.classNamed(className) else {
        return .noClass(className, among: schema.classes.map(\.displayName))
      }
      guard let property, table.property(named: property) == nil else { return nil }
      return .noProperty(property, of: table)
    }
    for (className, property) in choices.primaryKeys.sorted(by: { $0.key < $1.key }) {
      if let error = ownSchema(of: className, unless: { $0.primaryKey?.name == property }) {
        return (.primaryKey, error)
      }
      if let table = existing.classNamed(className) {
        guard table.primaryKey?.name != property else { continue }
        let error = SourceFault(
          .schema, "'\(className)' already exists, with another primary key or without one",
          advice: "change it with 'set_primary_key' in a plan of 'migrate'")
        return (.primaryKey, error)
      }
      if let error = fault(className, property) { return (.primaryKey, error) }
      guard schema.classNamed(className)?.property(named: property)?.canBePrimaryKey == false else { continue }
      let error = SourceFault(
        .schema, "'\(className).\(property)' cannot be the primary key",
        advice: "use a property of type int, string, objectId or uuid")
      return (.primaryKey, error)
    }
    for path in choices.types.keys.sorted(by: { ($0.className, $0.property) < ($1.className, $1.property) }) {
      let type = choices.types[path]?.typeText
      if let error = ownSchema(
        of: path.className, unless: { $0.property(named: path.property).map { $0.typeText == type } ?? true })
      {
        return (.type, error)
      }
      if let property = existing.classNamed(path.className)?.property(named: path.property) {
        guard let choice = choices.types[path],
          (choice.typeText, choice.isOptional) != (property.typeText, property.isOptional)
        else { continue }
        let error = SourceFault(
          .schema, "'\(path)' already exists, with another type",
          advice: "change it with 'migrate --convert'; --type is for new properties")
        return (.type, error)
      }
      if let error = fault(path.className, path.property) { return (.type, error) }
      let classes = schema.classes.map(\.displayName) + existing.classes.map(\.displayName)
      guard let target = choices.types[path]?.targetClass, !classes.contains(target) else { continue }
      let near = TypeVocabulary.type(meantBy: target.description, classes: classes.map(\.description))
      let error = SourceFault(
        .content, "'\(target)' is neither a type nor a class",
        advice: near.map { "did you mean '\($0)'?" } ?? "realmctl-schema(5) lists the types")
      return (.type, error)
    }
    guard links else { return nil }
    for path in choices.links.keys.sorted(by: { ($0.className, $0.property) < ($1.className, $1.property) }) {
      if let error = fault(path.className, path.property) { return (.link, error) }
    }
    return nil
  }

  /// A class of a source that has a schema: nothing is inferred for it. Nil for all others.
  ///
  /// - Parameter isSame: whether the class has what is chosen.
  private func ownSchema(of className: RealmString, unless isSame: (TableSchema) -> Bool) -> SourceFault? {
    guard let table = known.first(where: { $0.displayName == className }), !isSame(table) else { return nil }
    return SourceFault(
      .schema, "the source has a schema, from which '\(className)' is taken as it is",
      advice: "change the class with 'migrate' afterward")
  }

  /// Takes the classes that fit a database.
  package func add(_ database: ForeignDatabase, at path: String) {
    add(database.schema)
    unlinkedKeys += database.unlinkedKeys.map { (path, $0) }
  }

  /// Takes the classes of a schema.
  package func add(_ schema: Schema) {
    for table in schema.classes where !known.contains(where: { $0.name == table.name }) { known.append(table) }
  }

  private func inference(_ name: RealmString, isOfTexts: Bool) -> ClassInference {
    if let found = classes[name] { return found }
    let made = ClassInference(isOfTexts: isOfTexts)
    classes[name] = made
    order.append(name)
    return made
  }

  // MARK: CSV

  /// Reads rows of CSV or TSV.
  ///
  /// - Throws: `InputError.source`, `StorageError`.
  package func addRows(at path: String, _ form: DelimitedForm) throws {
    let input = try SequentialInput(path)
    let rows = DelimitedReader(separator: form.separator, source: { try input.read(into: $0) })
    try addRows(rows, form, path)
    for file in form.collections { try addElements(of: file, form.className) }
  }

  private func addRows(_ rows: DelimitedReader, _ form: DelimitedForm, _ path: String) throws {
    let inference = inference(form.className, isOfTexts: true)
    var names = form.columns ?? []
    if form.columns == nil {
      guard try rows.next() else { return }
      names = try DelimitedSource.names(in: rows)
      if let error = DelimitedSource.otherSeparator(in: names, form.separator) { throw error }
    }
    if let both = form.collections.first(where: { names.contains($0.property) }) {
      throw InputError.source(
        .content, "the column '\(both.property)' has the same name as the file \(both.path) with its elements",
        advice: "remove one of them")
    }
    let columns = names.map { inference.values($0, of: form.className) }
    while try rows.next() {
      if rows.fieldCount == 1, columns.count != 1, !rows.isQuoted(0), rows.withField(0, { $0.isEmpty }) { continue }
      guard rows.fieldCount == columns.count else {
        if form.columns != nil, rows.line == 1 {
          throw InputError.source(
            .content, "the row has \(rows.fieldCount.counted("field")), and --columns names \(columns.count)",
            advice: "name every column", line: 1, column: 1)
        }
        if skippedRows.last?.path == path {
          skippedRows[skippedRows.count - 1].count += 1
        } else {
          let problem = DelimitedSource.problem(ofRow: rows.fieldCount, expected: columns.count)
          skippedRows.append(SkippedRows(path: path, line: rows.line, problem: problem))
        }
        continue
      }
      inference.addObject()
      for (index, column) in columns.enumerated() {
        rows.withField(index) { field in
          let isNull = form.null.map { field.elementsEqual($0.utf8) } ?? field.isEmpty
          if isNull, !rows.isQuoted(index) { column.addNull() } else { column.add(text: field) }
        }
      }
    }
  }

  /// Reads the elements of one property.
  private func addElements(of file: CollectionFile, _ className: RealmString) throws {
    let rows = try CollectionFile.reader(file.path, file.separator)
    let columns = try file.columns(rows)
    let elements = inference(className, isOfTexts: true).elements(
      file.property, columns.collection, areMixed: columns.type != nil)
    while try rows.next() {
      guard columns.value < rows.fieldCount else { continue }
      rows.withField(columns.value) { field in
        let isNull = file.null.map { field.elementsEqual($0.utf8) } ?? field.isEmpty
        if isNull, !rows.isQuoted(columns.value) { elements.addNull() } else { elements.add(text: field) }
      }
    }
  }

  // MARK: JSON

  /// Reads objects of JSON in any form that `export` writes.
  ///
  /// - Parameters:
  ///   - className: the class of objects that do not name theirs.
  ///   - guess: what else it may be, if the file is no document with an array for each class.
  /// - Throws: `InputError.source`, `StorageError`.
  package func addObjects(at path: String, className: RealmString?, orElse guess: RealmString? = nil) throws {
    func reader() throws -> JSONReader {
      let input = try SequentialInput(path)
      return JSONReader(options: .exported, source: { try input.read(into: $0) })
    }
    do {
      let usesGuess = try className == nil && guess != nil && !Self.isDocument(reader())
      try addObjects(reader(), usesGuess ? guess : className)
    } catch let error as JSONError {
      switch error {
      case .input(let cause): throw cause
      case .malformed(let fault, let location):
        throw InputError.source(
          .content, "not valid JSON: \(fault)", advice: "fix the file", line: location.line, column: location.column)
      }
    }
  }

  /// Whether the only value is an object with nothing but arrays of objects. Empty arrays alone say nothing.
  private static func isDocument(_ reader: JSONReader) throws(JSONError) -> Bool {
    guard try reader.next() == .beginObject else { return false }
    var hasObjects = false
    while case .key = try reader.next() {
      guard try reader.next() == .beginArray else { return false }
      while true {
        let token = try reader.next()
        if token == .endArray { break }
        guard token == .beginObject else { return false }
        try reader.skipValue(after: token)
        hasObjects = true
      }
    }
    guard hasObjects else { return false }
    return try reader.next() == .end
  }

  private func addObjects(_ reader: JSONReader, _ className: RealmString?) throws {
    while true {
      switch try reader.next() {
      case .end: return
      case .beginArray: while let value = try reader.readValue() { try add(value, className, reader) }
      case .beginObject: try addTop(reader, className)
      default: throw InputError.source(.content, "expected objects", line: reader.location.line)
      }
    }
  }

  /// An object at the top: a document with an array for each class, whose objects are read one by one, or an object.
  private func addTop(_ reader: JSONReader, _ className: RealmString?) throws {
    var object = JSONObject()
    while case .key = try reader.next() {
      let name = reader.text
      let token = try reader.next()
      guard token == .beginArray, className == nil || className == name, object.isEmpty else {
        object.append(name, try reader.readValue(beginningWith: token))
        continue
      }
      // A class without objects is one as well.
      _ = inference(name, isOfTexts: false)
      // Objects in arrays belong to a class, unless the array's object is itself an object of a class, which only a
      // class name reveals.
      while let value = try reader.readValue() { try add(value, name, reader) }
    }
    if !object.isEmpty { try add(.object(object), className, reader) }
  }

  private func add(_ value: JSONValue, _ className: RealmString?, _ reader: JSONReader) throws {
    guard case .object(let object) = value else {
      throw InputError.source(.content, "expected objects", line: reader.location.line)
    }
    if case .string(let name)? = object["class"], case .object(let inner)? = object["value"], object.count <= 3 {
      return inference(name, isOfTexts: false).add(inner, of: name)
    }
    guard className != nil || object["properties"] == nil || object["name"] == nil else {
      throw InputError.source(
        .content, "this is a schema file, not data", advice: "give it to --schema", line: reader.location.line)
    }
    guard let className else {
      throw InputError.source(
        .content, "the objects do not name their class", advice: "name it with --class", line: reader.location.line)
    }
    inference(className, isOfTexts: false).add(object, of: className)
  }
}

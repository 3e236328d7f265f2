import RealmStorage
import RealmText

/// Builds the tables of a new realm from a schema and data: `bundle --schema S --data D`, `import --create`.
///
/// The data is read once, front to back. Kept in memory are the keys of objects, unless they are numbers that follow each
/// other, and the 256 objects of each class that were read last. Links, what search indexes need and, where links lead to
/// objects that come later, the values of those properties are kept as well, in a file if they need too much memory.
///
/// ```swift
/// let realm = DataRealm(schema: schema, options: DataOptions())
/// let (roots, report) = try realm.build(from: input.read, into: output)
/// ```
package struct DataRealm {
  package struct Report: Sendable, Equatable {
    /// Number of objects by class, embedded classes included, in the order of the file.
    package var objectCounts: [ClassCount] = []
    /// The numbers of the sources, from 0, that contain nothing: no object and no array, not even an empty one.
    package var emptySources: [Int] = []
    /// By property, how many numbers have digits that its type does not keep.
    package var roundedCounts: [PropertyPath: Int] = [:]

    package init() {}
  }

  private let schema: Schema
  private let options: DataOptions

  /// - Parameter schema: valid for a realm. Properties that are computed are left out; tables that are not classes too.
  package init(schema: Schema, options: DataOptions = DataOptions()) {
    (self.schema, self.options) = (schema, options)
  }

  /// Opens a data source when it is that source's turn.
  package typealias Source = () throws -> any ImportSource

  /// Reads one JSON text and writes all tables.
  ///
  /// - Parameter source: fills the start of a buffer with the next bytes and returns their number; 0 at the end.
  /// - Throws: the same errors as for several sources, but errors of the text are not wrapped.
  package func build(
    from source: @escaping (UnsafeMutableRawBufferPointer) throws -> Int, into output: any NodeOutput,
    onProgress: (Int) throws -> Void = { _ in }
  ) throws -> (roots: RealmRoots, report: Report) {
    do {
      return try build(
        from: [{ JSONSource(reading: source, coerces: options.coerces) }], into: output, onProgress: onProgress)
    } catch InputError.input(_, let error) {
      throw error
    }
  }

  /// Reads all data, one source after another, and writes all tables. Objects may link to objects of other sources.
  ///
  /// - Parameter onProgress: called from time to time with the number of bytes read; if it throws, the work ends.
  /// - Throws: `InputError.input` for an error in one source, `InputError.unresolvedLinks` for links without targets, `BuildError`
  ///   for content that no realm can store; any error of `output` and `onProgress`.
  package func build(
    from sources: [Source], into output: any NodeOutput, onProgress: (Int) throws -> Void = { _ in }
  ) throws -> (roots: RealmRoots, report: Report) {
    let tables = storedTables()
    for table in tables { try table.requireNames() }
    let group = try GroupBuilder(
      tables.enumerated().map { TableDefinition(key: TableKey(rawValue: UInt32($0)), schema: $1) }, output: output)
    try group.tables[0].append(schemaVersion: options.schemaVersion ?? schema.version ?? 0)
    let report = try readObjects(from: sources, into: group, onProgress)
    return (try group.finish(), report)
  }

  /// Reads all data. What objects are known by is forgotten at the end, before indexes and incoming links take memory.
  private func readObjects(
    from sources: [Source], into group: GroupBuilder, _ onProgress: (Int) throws -> Void
  ) throws -> Report {
    let reader = JSONReader(options: .exported) { _ in 0 }
    let builders = Array(group.tables.dropFirst())
    let stages = builders.enumerated().map { ClassStage(number: $0, table: $1, group.spill) }
    let objects = ObjectReader(reader, options, classes(of: builders.map(\.schema)), stages)
    var report = Report()
    var byteCount = 0
    for (number, source) in sources.enumerated() {
      do {
        let source = try source()
        let known = ImportedClasses(
          classes: objects.classes, ignoresUnknown: options.ignoresUnknownProperties, className: options.className)
        // An import can leave out a row; a realm that is built from data cannot.
        try source.open(known) { throw InputError.source(.content, $0.reason) }
        objects.scalars = ScalarReader(reader: reader, coerces: options.coerces || source.coerces)
        reader.begin(source: source.read)
        let isEmpty = try DataDocument(objects).read { try onProgress(byteCount + source.byteCount) }
        if isEmpty, !source.hasHeader { report.emptySources.append(number) }
        byteCount += source.byteCount
      } catch let error where Self.isOfSource(error) {
        throw InputError.input(number, error)
      }
    }

    for stage in stages { try stage.flush(objects) }
    if objects.hasUnresolvedLinks { try objects.requireResolvedLinks() }
    try group.finishObjects()
    do {
      for stage in stages { try stage.writeDeferred(objects) }
    } catch is StagedCopy.UnresolvedLink {
      try objects.requireResolvedLinks()
      throw BuildError.wrongType
    }
    report.roundedCounts = objects.roundedCounts
    report.objectCounts = builders.map { ClassCount(name: $0.schema.displayName, objectCount: $0.count) }
    return report
  }

  private static func isOfSource(_ error: any Error) -> Bool {
    error is InputError || error is JSONError || error is StorageError || error is DatabaseError
  }

  // MARK: Tables

  /// The table of the schema version, and the classes by name, as an SDK creates them.
  private func storedTables() -> [TableSchema] {
    let classes = schema.classes.sorted { $0.name < $1.name }.map { table in
      var stored = table
      let primaryKey = table.primaryKey
      stored.properties = table.properties.filter { $0.type != .linkingObjects }
      stored.primaryKeyIndex = primaryKey.flatMap { stored.properties.firstIndex(of: $0) }
      return stored
    }
    return [SchemaVersionTable.schema] + classes
  }

  private func classes(of schemas: [TableSchema]) -> [DataClass] {
    let numbers = Dictionary(schemas.enumerated().map { ($1.name, $0) }) { first, _ in first }
    let kinds = Dictionary(schemas.map { ($0.name, $0.kind) }) { first, _ in first }
    return schemas.enumerated().map {
      DataClass(number: $0, schema: $1, numbers: numbers, kinds: kinds, defaults: options.defaults)
    }
  }
}

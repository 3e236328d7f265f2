import RealmStorage
import RealmText

/// Builds the tables of a realm from a schema and JSON data: `bundle --schema S --data D`.
///
/// The data is read once, front to back. Memory holds the keys of objects, links, what search indexes need, and the
/// 256 objects of each class that were read last; where links lead to objects that come later, also the values of those
/// properties.
///
/// ```swift
/// let realm = DataRealm(schema: schema, options: DataOptions())
/// let (roots, report) = try realm.build(from: input.read, into: output)
/// ```
public struct DataRealm {
  public struct Report: Sendable, Equatable {
    /// Objects by class, embedded ones included, in the order of the file.
    public var objectCounts: [ClassCount] = []

    public struct ClassCount: Sendable, Equatable {
      public let name: RealmString
      public let count: Int
    }

    public init() {}
  }

  private let schema: Schema
  private let options: DataOptions

  /// - Parameter schema: valid for a realm. Properties that are computed are left out; tables that are no classes too.
  public init(schema: Schema, options: DataOptions = DataOptions()) {
    self.schema = schema
    self.options = options
  }

  /// Reads all data and writes all tables.
  ///
  /// - Parameters:
  ///   - source: fills the start of a buffer with the next bytes of the data and tells how many, 0 at the end.
  ///   - checkpoint: called now and then with the number of bytes read; what it throws ends the work.
  /// - Throws: `DataError` and `UnresolvedLinks` for what is wrong with the data, `JSONError` where it is no JSON,
  ///   `BuildError` for what no realm can hold; what `source` and `output` throw.
  public func build(
    from source: @escaping (UnsafeMutableRawBufferPointer) throws -> Int, into output: any NodeOutput,
    checkpoint: (Int) throws -> Void = { _ in }
  ) throws -> (roots: GroupBuilder.Roots, report: Report) {
    let tables = storedTables()
    let group = try GroupBuilder(
      tables.enumerated().map { TableDefinition(key: TableKey(rawValue: UInt32($0)), schema: $1) }, output: output)
    try group.tables[0].append(schemaVersion: options.schemaVersion ?? schema.version ?? 0)

    var byteCount = 0
    let reader = JSONReader(options: Self.readerOptions) { buffer in
      let count = try source(buffer)
      byteCount += count
      return count
    }
    let builders = Array(group.tables.dropFirst())
    let stages = builders.enumerated().map { ClassStage(number: $0, table: $1) }
    let objects = ObjectReader(reader, options, Self.classes(of: builders.map(\.schema)), stages)
    try DataDocument(objects).read { try checkpoint(byteCount) }

    for stage in stages { try stage.flush(objects) }
    try objects.requireResolvedLinks()
    try group.finishObjects()
    for stage in stages { try stage.writeDeferred(objects) }
    var report = Report()
    report.objectCounts = builders.map { Report.ClassCount(name: $0.schema.displayName, count: $0.count) }
    return (try group.finish(), report)
  }

  private static var readerOptions: JSONReader.Options {
    var options = JSONReader.Options()
    options.isSequence = true
    options.restoresBytes = true
    options.acceptsCoreForms = true
    return options
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

  private static func classes(of schemas: [TableSchema]) -> [DataClass] {
    let numbers = Dictionary(schemas.enumerated().map { ($1.name, $0) }) { first, _ in first }
    let kinds = Dictionary(schemas.map { ($0.name, $0.kind) }) { first, _ in first }
    return schemas.enumerated().map { DataClass(number: $0, schema: $1, numbers: numbers, kinds: kinds) }
  }
}

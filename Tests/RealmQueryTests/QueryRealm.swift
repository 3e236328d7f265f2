import RealmExchange
import RealmModels
import RealmQuery
import RealmStorage
import TestSupport

/// The data set of `Fixtures/queries`, or another one, as a realm for queries.
struct QueryRealm {
  let snapshot: Snapshot
  let bytes: [UInt8]
  /// Keeps the bytes.
  private let store: ByteStore

  /// - Parameter changing: makes another schema of the one in the file.
  init(changing: (inout Schema) -> Void = { _ in }) throws {
    var schema = try SchemaFile(Fixture.bytes("queries/schema.json")).schema
    changing(&schema)
    try self.init(schema, data: try Fixture.bytes("queries/data.json"))
  }

  init(schema: String, data: String) throws {
    try self.init(SchemaFile(Array(schema.utf8)).schema, data: Array(data.utf8))
  }

  private init(_ schema: Schema, data: [UInt8]) throws {
    let image = RealmImage()
    let input = BytesInput(data)
    let roots = try DataRealm(schema: schema).build(from: input.read, into: image).roots
    try self.init(bytes: image.finish(roots))
  }

  init(bytes: [UInt8]) throws {
    self.bytes = bytes
    store = ByteStore(copying: bytes)
    snapshot = try Snapshot(of: store)
  }

  func table(_ name: String) throws -> Table {
    guard let table = snapshot.table(displayName: RealmString(name)) else { throw StorageError.file(.missing) }
    return table
  }

  /// The answer of a query, in the form of `Fixtures/queries/reference.txt`.
  func answer(
    _ query: ReferenceQuery, _ dialect: Dialect, _ options: QueryOptions = QueryOptions()
  ) throws -> ReferenceQuery.Answer {
    do {
      let table = try table(query.className)
      let arguments = try query.arguments.map { try QueryArgument.arguments(json: $0) } ?? []
      let bound = try Query(query.text, arguments: arguments, of: table, in: snapshot, dialect: dialect)
      return .objects(try bound.keys(options).keys.map { try name(of: $0, table) })
    } catch let error as QueryError {
      return .error("\(error.code.rawValue): \(error.referenceMessage)")
    }
  }

  /// The primary key, or `#` and the object key.
  private func name(of key: ObjectKey, _ table: Table) throws -> String {
    guard let property = table.schema.primaryKeyIndex, let values = try table.values(of: key, in: snapshot) else {
      return "#\(key.rawValue)"
    }
    return switch values[property] {
    case .int(let number): "\(number)"
    case .string(let text): "\(text)"
    default: "#\(key.rawValue)"
    }
  }
}

/// Bytes that are provided in one piece.
private final class BytesInput {
  private var bytes: ArraySlice<UInt8>
  init(_ bytes: [UInt8]) { self.bytes = bytes[...] }

  func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
    let part = bytes.prefix(buffer.count)
    buffer.copyBytes(from: part)
    bytes = bytes.dropFirst(part.count)
    return part.count
  }
}

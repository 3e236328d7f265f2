public struct SchemaUpdate {
  public init(to target: Schema, version: UInt64?, policy: MigrationPolicy, function: MigrationFunction?) {}
  public func run(in file: RealmFile) throws -> MigrationOutcome { throw StorageError.unsupportedFormat(0) }
}

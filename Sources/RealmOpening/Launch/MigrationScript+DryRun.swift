import RealmStorage
import RealmSystem

extension MigrationScript {
  /// Runs the script on a realm in memory that has a schema and no objects.
  ///
  /// - Throws: what the script throws.
  package func dryRun(on schema: Schema) throws {
    let path = "dryRun.realm"
    try FileBackend.$calls.withValue(MemoryFiles(.scratch)) {
      let output = try SafeOutput(at: path, replacing: .any)
      _ = try StreamingWriter(key: nil, threadLimit: 0, progress: nil).write(EmptyRealm(), .fresh, to: output)
      try output.close()
      try output.publish()
      let file = try RealmFile(unpublished: path, key: nil)
      let transaction = try WriteTransaction(file)
      try transaction.addTables(schema.tables.filter(\.isClass))
      if let version = schema.version { try transaction.setSchemaVersion(version) }
      try transaction.commit()
      let second = try WriteTransaction(file)
      defer { second.rollBack() }
      _ = try run(second)
    }
  }
}

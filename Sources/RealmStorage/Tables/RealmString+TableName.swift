extension RealmString {
  /// The name of a class whose prefix has one wrong byte, with the right one: the wrong one makes the class look like an
  /// internal table, which most commands leave out. The same for the table with the schema version, if one bit of its name is
  /// wrong that does not make a letter upper case. Nil for all others.
  package var correctedTableName: RealmString? {
    let wrongBits = zip(SchemaVersionTable.name.utf8, utf8).map { $0 ^ $1 }.filter { $0 != 0 }
    if utf8.count == SchemaVersionTable.name.utf8.count, wrongBits.count == 1, wrongBits[0].nonzeroBitCount == 1,
      wrongBits[0] != 0x20
    {
      return SchemaVersionTable.name
    }
    let prefix = Array(TableSchema.classPrefix.utf8)
    guard utf8.count > prefix.count, zip(prefix, utf8).count(where: { $0 != $1 }) == 1 else { return nil }
    return RealmString(utf8: prefix + utf8.dropFirst(prefix.count))
  }
}

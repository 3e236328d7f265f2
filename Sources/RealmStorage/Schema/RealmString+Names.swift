extension TableSchema {
  /// Whether a realm may get this class, with the names that it has.
  ///
  /// - Throws: as `RealmString.requireName()`.
  package func requireNames() throws(BuildError) {
    try name.requireName()
    for property in properties { try property.name.requireName() }
  }

  /// The name of the object key in queries, and in exported objects without a primary key: `_key`, or with as many more
  /// underscores as it takes to be different from all properties.
  package var objectKeyMember: RealmString {
    var name: RealmString = "_key"
    while property(named: name) != nil { name = RealmString("_\(name)") }
    return name
  }
}

extension RealmString {
  /// Whether it cannot be the name of a table or property: the bytes are not UTF-8, or one of them is zero. A damaged name
  /// that is still text cannot be told from another name, except for the prefix of a class.
  package var isDamagedName: Bool { utf8.contains(0) || !isValidText }

  /// Whether a new table or property may have this name, with its prefix. Those that files have already are kept.
  ///
  /// - Throws: `BuildError.nameEmpty`, `nameTooLong`, `nameNotText`.
  func requireName() throws(BuildError) {
    guard !isEmpty else { throw .nameEmpty }
    guard utf8.count <= TableSchema.longestName else { throw .nameTooLong(self) }
    guard !isDamagedName else { throw .nameNotText(self) }
  }

  /// The name up to its first zero byte, with U+FFFD in place of what is not UTF-8; nil if nothing is left.
  package var repairedName: RealmString? {
    guard isDamagedName else { return isEmpty ? nil : self }
    let text = utf8.prefix { $0 != 0 }
    return text.isEmpty ? nil : RealmString(String(decoding: text, as: UTF8.self))
  }
}

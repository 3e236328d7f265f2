import RealmStorage
import RealmText

/// Detects the form of data by its content, and reads the objects in it:
///
/// * `json`: an object with a member per class, whose value is an array of objects;
/// * `ndjson`: one object after another, without a class if there is only one, otherwise one line per object with its
///   class;
/// * `typed`, `typed-ndjson`: lines with class, object key and value, with or without an array around them.
///
/// Anything that looks like a document or a line is read as one, even if the only class has properties with these
/// names: `export` never writes bare objects that look like that (`BareLines`).
struct DataDocument {
  let objects: ObjectReader
  private var reader: JSONReader { objects.reader }

  /// The class of objects that do not name theirs.
  private let bareClass: DataClass?
  /// Whether objects without their class could begin with the key of one that has it around it.
  private let isLineKeyBare: Bool
  /// What the first keys of objects name, and the classes of lines: mostly the same again.
  private let firstKeys = LastName()
  private let lineClasses = LastName()

  init(_ objects: ObjectReader) {
    self.objects = objects
    if let name = objects.options.className {
      bareClass = objects.classNamed(name).flatMap { $0.isEmbedded ? nil : $0 }
    } else {
      let candidates = objects.classes.filter { $0.schema.isClass && !$0.isEmbedded }
      bareClass = candidates.count == 1 ? candidates.first : nil
    }
    isLineKeyBare =
      bareClass.map { bare in
        bare.properties.contains { $0.name == Self.lineKey } || bare.primaryKey == nil && bare.keyName == Self.lineKey
      } ?? false
  }

  /// Reads everything.
  ///
  /// - Parameter onProgress: called between objects.
  /// - Returns: whether there is nothing at all.
  func read(onProgress: () throws -> Void) throws -> Bool {
    var isEmpty = true
    // A document without classes if nothing follows, and else an object.
    var beginsWithEmptyObject = false
    while true {
      try onProgress()
      let token = try reader.next()
      if token == .end { return isEmpty }
      _ = try objects.recovering(at: 0) {
        if beginsWithEmptyObject { try readEmptyObject() }
        beginsWithEmptyObject = false
        switch token {
        case .beginObject:
          if case .key = try reader.next() {
            try readTop(onProgress)
          } else if isEmpty {
            beginsWithEmptyObject = true
          } else {
            try readEmptyObject()
          }
        case .beginArray: try readArray(onProgress)
        default: throw objects.fault(.unexpectedShape)
        }
      }
      isEmpty = false
    }
  }

  private func readArray(_ onProgress: () throws -> Void) throws {
    while true {
      try onProgress()
      let token = try reader.next()
      if token == .endArray { return }
      _ = try objects.recovering(at: 1) {
        guard token == .beginObject else { throw try objects.fault(.unexpectedShape, skipping: token) }
        guard case .key = try reader.next() else { return try readEmptyObject() }
        if try isLine() { try readLine() } else { try readBareObject() }
      }
    }
  }

  /// An object at the top, its first key read: the whole of `json`, or a line.
  private func readTop(_ onProgress: () throws -> Void) throws {
    if let named = classNamedByKey, try isDocument() {
      try readClasses(from: named, onProgress)
    } else if try isLine() {
      try readLine()
    } else {
      if bareClass == nil, try isUnknownClass() { throw try objects.fault(.unknownClass(reader.text), skipping: .key) }
      try readBareObject()
    }
  }

  // MARK: Forms

  /// Whether the first key, which names no class, has an array as a class of a document has.
  private func isUnknownClass() throws -> Bool {
    try reader.peek {
      guard case .beginArray = try reader.next() else { return false }
      let first = try reader.next()
      return first == .beginObject || first == .endArray
    }
  }

  /// Whether the first key, which names a class, begins a document.
  private func isDocument() throws -> Bool {
    guard isBareKey || isLineKey else { return true }
    return try reader.peek {
      guard case .beginArray = try reader.next() else { return false }
      let first = try reader.next()
      return first == .beginObject || first == .endArray
    }
  }

  /// Whether the first key begins an object with its class around it.
  private func isLine() throws -> Bool {
    guard isLineKey else { return false }
    guard isLineKeyBare else { return true }
    return try reader.peek {
      guard case .string = try reader.next(), case .key = try reader.next() else { return false }
      if reader.textEquals("objKey") {
        guard case .number = try reader.next(), case .key = try reader.next() else { return false }
      }
      guard reader.textEquals("value") else { return false }
      return try reader.next() == .beginObject
    }
  }

  /// Whether objects without their class could begin with the key.
  private var isBareKey: Bool {
    guard let bareClass else { return false }
    return bareClass.property(namedByLastKeyOf: reader, expected: 0) != nil
      || bareClass.isObjectKey(namedByLastKeyOf: reader)
  }

  private var isLineKey: Bool { reader.textEquals(Self.lineKey.utf8) }

  private static let lineKey: RealmString = "class"

  private var classNamedByKey: NamedClass? { named(firstKeys) }

  /// What the text that was read last names.
  private func named(_ last: LastName) -> NamedClass? {
    guard !reader.textEquals(last.name.utf8) || !last.isKnown else { return last.named }
    let name = reader.text
    last.named =
      objects.classNamed(name).map(NamedClass.known)
      ?? (TableSchema.isSchemaVersionTable(documentName: name) ? .internalTable : nil)
    (last.name, last.isKnown) = (name, true)
    return last.named
  }

  /// The name that was looked up last.
  private final class LastName {
    var name: RealmString = ""
    var named: NamedClass?
    var isKnown = false
  }

  private enum NamedClass {
    case known(DataClass)
    /// A table that is not a class, as the engine's own forms have it.
    case internalTable
  }

  // MARK: json

  /// Members of the document from the first, whose key is read.
  private func readClasses(from first: NamedClass, _ onProgress: () throws -> Void) throws {
    var current = first
    while true {
      switch current {
      case .internalTable: try reader.skipValue(after: .key)
      case .known(let dataClass):
        _ = try objects.recovering(at: reader.depth) { try readObjects(of: dataClass, onProgress) }
      }
      guard let next = try nextClass() else { return }
      current = next
    }
  }

  /// The class that the next member names; nil at the end of the document.
  private func nextClass() throws -> NamedClass? {
    while case .key = try reader.next() {
      var next: NamedClass?
      _ = try objects.recovering(at: reader.depth) {
        next = classNamedByKey
        if next == nil { throw try objects.fault(.unknownClass(reader.text), skipping: .key) }
      }
      if let next { return next }
    }
    return nil
  }

  private func readObjects(of dataClass: DataClass, _ onProgress: () throws -> Void) throws {
    guard !dataClass.isEmbedded else {
      throw try objects.fault(.embeddedAtTop(dataClass.name), skipping: .key)
    }
    guard case .beginArray = try reader.next() else { throw objects.fault(.unexpectedShape) }
    while true {
      try onProgress()
      let token = try reader.next()
      if token == .endArray { return }
      _ = try objects.recovering(at: reader.depth - (token == .beginObject || token == .beginArray ? 1 : 0)) {
        guard token == .beginObject else { throw objects.fault(.unexpectedShape) }
        try objects.readObject(of: dataClass, hasKey: false)
      }
    }
  }

  // MARK: Lines

  /// A line, its first key read.
  private func readLine() throws {
    guard case .string = try reader.next() else { throw objects.fault(.unexpectedShape) }
    guard let named = named(lineClasses) else { throw objects.fault(.unknownClass(reader.text)) }
    var key: Int64?
    while true {
      guard case .key = try reader.next() else { throw objects.fault(.missingKey("value", after: "class")) }
      guard reader.textEquals("objKey") else { break }
      key = try objects.readObjectKey(member: "objKey", ofClass: lineClasses.name)
    }
    guard reader.textEquals("value") else { throw objects.fault(.missingKey("value", after: "class")) }
    guard case .beginObject = try reader.next() else { throw objects.fault(.unexpectedShape) }
    switch named {
    case .internalTable: try reader.skipValue(after: .beginObject)
    case .known(let dataClass):
      try requireTopLevel(dataClass)
      try objects.readObject(of: dataClass, hasKey: false) { object in
        if let key { object.givenKey = key }
      }
    }
    guard case .endObject = try reader.next() else { throw objects.fault(.unexpectedShape) }
  }

  private func readBareObject() throws {
    guard let bareClass else { throw objects.fault(.classNotNamed) }
    try objects.readObject(of: bareClass, hasKey: true)
  }

  private func readEmptyObject() throws {
    guard let bareClass else { throw objects.fault(.classNotNamed) }
    try objects.readEmptyObject(of: bareClass)
  }

  private func requireTopLevel(_ dataClass: DataClass) throws {
    guard !dataClass.isEmbedded else { throw objects.fault(.embeddedAtTop(dataClass.name)) }
  }
}

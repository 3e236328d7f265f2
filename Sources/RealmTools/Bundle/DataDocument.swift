import RealmStorage
import RealmText

/// Tells the forms of data apart by their content and reads the objects in them:
///
/// * `json`: an object with a member per class, whose value is an array of objects;
/// * `ndjson`: objects one after another, bare where there is one class, else each in a line with its class;
/// * `typed`, `typed-ndjson`: lines with class, object key and value, with or without an array around them.
struct DataDocument {
  let objects: ObjectReader
  private var reader: JSONReader { objects.reader }

  /// The class of objects that do not tell it.
  private let bareClass: DataClass?

  init(_ objects: ObjectReader) {
    self.objects = objects
    let named = objects.options.className
    let candidates = objects.classes.filter { $0.schema.isClass && !$0.isEmbedded && named.map($0.hasName) ?? true }
    bareClass = candidates.count == 1 ? candidates.first : nil
  }

  /// Reads everything.
  ///
  /// - Parameter checkpoint: called between objects.
  /// - Returns: whether there is nothing at all.
  func read(checkpoint: () throws -> Void) throws -> Bool {
    var isEmpty = true
    while true {
      try checkpoint()
      let token = try reader.next()
      if token == .end { return isEmpty }
      isEmpty = false
      switch token {
      case .beginObject: try readTop(checkpoint)
      case .beginArray:
        while true {
          try checkpoint()
          let token = try reader.next()
          if token == .endArray { break }
          guard token == .beginObject else { throw objects.fault(.unexpectedShape) }
          try readLine()
        }
      default: throw objects.fault(.unexpectedShape)
      }
    }
  }

  /// An object at the top: the whole of `json`, or a line.
  private func readTop(_ checkpoint: () throws -> Void) throws {
    guard case .key = try reader.next() else { return }
    guard !isLineKey, let dataClass = classNamedByKey else { return try readLineOrObject() }
    // `{"Dog": [` begins a document, unless the only class has a property of that name.
    if let bareClass, bareClass.property(namedByLastKeyOf: reader, expected: 0) != nil {
      return try readBareObject()
    }
    try readClasses(from: dataClass, checkpoint)
  }

  private var isLineKey: Bool { reader.textEquals("class") }

  private var classNamedByKey: NamedClass? {
    let name = reader.text
    if let found = objects.classes.first(where: { $0.hasName(name) }) { return .known(found) }
    return name == Self.metadata ? .internalTable : nil
  }

  private enum NamedClass {
    case known(DataClass)
    /// A table that is not a class, as the engine's own forms have it.
    case internalTable
  }

  private static let metadata: RealmString = "metadata"

  // MARK: json

  /// Members of the document from the first, whose key is read.
  private func readClasses(from first: NamedClass, _ checkpoint: () throws -> Void) throws {
    var current = first
    while true {
      switch current {
      case .internalTable: try reader.skipValue(after: .key)
      case .known(let dataClass): try readObjects(of: dataClass, checkpoint)
      }
      guard case .key = try reader.next() else { return }
      guard let next = classNamedByKey else { throw objects.fault(.unknownClass(reader.text)) }
      current = next
    }
  }

  private func readObjects(of dataClass: DataClass, _ checkpoint: () throws -> Void) throws {
    try requireTopLevel(dataClass)
    guard case .beginArray = try reader.next() else { throw objects.fault(.unexpectedShape) }
    while true {
      try checkpoint()
      let token = try reader.next()
      if token == .endArray { return }
      guard token == .beginObject else { throw objects.fault(.unexpectedShape) }
      try objects.readObject(of: dataClass, hasKey: false)
    }
  }

  // MARK: Lines

  /// A line behind its opening brace.
  private func readLine() throws {
    guard case .key = try reader.next() else {
      guard let bareClass else { throw objects.fault(.classNotTold) }
      try objects.readEmptyObject(of: bareClass)
      return
    }
    try readLineOrObject()
  }

  /// A line or a bare object, its first key read.
  private func readLineOrObject() throws {
    // A class may have a property of that name.
    let isProperty = bareClass?.property(namedByLastKeyOf: reader, expected: 0) != nil
    guard isLineKey, !isProperty else { return try readBareObject() }
    guard case .string = try reader.next() else { throw objects.fault(.unexpectedShape) }
    let name = reader.text
    guard let dataClass = objects.classes.first(where: { $0.hasName(name) }) else {
      throw objects.fault(.unknownClass(name))
    }
    try requireTopLevel(dataClass)
    var key: Int64?
    while true {
      guard case .key = try reader.next() else { throw objects.fault(.unexpectedShape) }
      if reader.textEquals("objKey") {
        key = try objects.readObjectKey(of: dataClass)
      } else {
        break
      }
    }
    guard reader.textEquals("value"), case .beginObject = try reader.next() else {
      throw objects.fault(.unexpectedShape)
    }
    try objects.readObject(of: dataClass, hasKey: false) { object in
      if let key { object.givenKey = key }
    }
    guard case .endObject = try reader.next() else { throw objects.fault(.unexpectedShape) }
  }

  private func readBareObject() throws {
    guard let bareClass else { throw objects.fault(.classNotTold) }
    try objects.readObject(of: bareClass, hasKey: true)
  }

  private func requireTopLevel(_ dataClass: DataClass) throws {
    guard !dataClass.isEmbedded else { throw objects.fault(.embeddedAtTop(dataClass.name)) }
  }
}

extension DataClass {
  /// Whether this is the class of a name, given with or without the prefix of its table.
  func hasName(_ text: RealmString) -> Bool { text == name || text == schema.name }
}

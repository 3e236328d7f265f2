import RealmStorage
import RealmText

/// Reads objects of a schema from JSON: their values into cells, the objects inside them on the way.
///
/// Complete objects go to the stage of their class, or to a receiver. An object inside another is complete first.
final class ObjectReader: LinkResolution {
  let reader: JSONReader
  let options: DataOptions
  let classes: [DataClass]
  private let classesByName: [RealmString: DataClass]
  var scalars: ScalarReader
  /// By property, how many of the numbers that were read have digits that its type does not keep.
  private(set) var roundedCounts: [PropertyPath: Int] = [:]
  let stages: [ClassStage]
  /// First the classes' own, then those of the lookups.
  let directories: [IdentityDirectory]
  /// By directory, the links to objects that had not been read.
  var pendingCounts: [UInt64]
  /// The classes and properties that links use to find objects, other than primary keys.
  let lookups: [(classNumber: Int, property: Int)]
  /// Objects being read, the outermost first; kept to be used again.
  private var openObjects: [OpenObject] = []
  var openCount = 0
  /// Whether the property being read links to an object that has not been read yet.
  var hasPendingLink = false
  /// Collections that are open inside a Mixed value.
  var mixedDepth = 0
  /// Where the keys of the open dictionaries are.
  var keyOffsets: [Int] = []

  /// Receives complete objects instead of the stages. Reading then continues after an error.
  weak var receiver: (any ObjectReceiver)?

  /// Tells files apart whose object keys mean objects of their own.
  var objectKeyScope: UInt32 = 0

  init(_ reader: JSONReader, _ options: DataOptions, _ classes: [DataClass], _ stages: [ClassStage]) {
    (self.reader, self.options, self.classes, self.stages) = (reader, options, classes, stages)
    classesByName = Self.byName(classes)
    scalars = ScalarReader(reader: reader, coerces: options.coerces)
    lookups = classes.flatMap { dataClass in
      dataClass.properties.compactMap { property in
        property.lookup.flatMap { lookup in property.target.map { ($0, lookup) } }
      }
    }
    // Those of lookups are gone through entry by entry.
    directories = (0..<classes.count + lookups.count).map { IdentityDirectory(keepsRuns: $0 < classes.count) }
    pendingCounts = Array(repeating: 0, count: directories.count)
  }

  /// The class with a name. A table name with its prefix is also accepted if no class has that name.
  func classNamed(_ name: RealmString) -> DataClass? { classesByName[name] }

  private static func byName(_ classes: [DataClass]) -> [RealmString: DataClass] {
    let names = Dictionary(classes.map { ($0.name, $0) }) { first, _ in first }
    return names.merging(classes.map { ($0.schema.name, $0) }) { name, _ in name }
  }

  // MARK: LinkResolution

  func object(of cell: StagedCell) -> ObjectKey? { directories[cell.classNumber].object(cell.entry) }
  func table(_ classNumber: Int) -> TableKey { stages[classNumber].table.key }

  // MARK: Objects

  /// Reads an object of a class, after its opening brace.
  ///
  /// - Parameters:
  ///   - hasKey: whether the first key has been read.
  ///   - end: called when the object is read but not complete yet: only then does a line give its object key.
  /// - Returns: the key of the object.
  @discardableResult
  func readObject(of dataClass: DataClass, hasKey: Bool, end: (OpenObject) throws -> Void = { _ in }) throws
    -> ObjectKey
  {
    let object = openObject()
    defer { openCount -= 1 }
    object.begin(dataClass)
    let outerHasPendingLink = hasPendingLink
    try readMembers(of: dataClass, into: object, hasKey: hasKey)
    hasPendingLink = outerHasPendingLink
    try end(object)
    return try finish(object, of: dataClass)
  }

  /// Passes a complete object on, or tells the receiver why it is left out.
  ///
  /// - Throws: `RejectedObject` once the receiver has been told; the errors of `complete`.
  func finish(_ object: OpenObject, of dataClass: DataClass) throws -> ObjectKey {
    guard let receiver else { return try complete(object, of: dataClass) }
    do {
      guard !object.isBad else { throw RejectedObject() }
      return try receiver.receive(object, of: dataClass)
    } catch InputError.data(let error) {
      try receiver.note(error)
    } catch is RejectedObject {}
    receiver.reject(object, of: dataClass)
    throw RejectedObject()
  }

  /// Reads something. If it is wrong and a receiver records that, reading continues after it.
  ///
  /// - Parameter depth: of the containers around it.
  /// - Returns: whether it was correct.
  func recovering(at depth: Int, _ body: () throws -> Void) throws -> Bool {
    guard let receiver else {
      try body()
      return true
    }
    let (count, levels, pending) = (openCount, mixedDepth, hasPendingLink)
    do {
      try body()
      return true
    } catch InputError.data(let error) {
      try receiver.note(error)
    } catch is RejectedObject {}
    (openCount, mixedDepth, hasPendingLink) = (count, levels, pending)
    while reader.depth > depth { _ = try reader.next() }
    return false
  }

  /// The property, of the object around all others, whose value is being read.
  var outermostProperty: RealmString? {
    guard openCount > 0, let dataClass = openObjects[0].dataClass else { return nil }
    return openObjects[0].current.map { dataClass.properties[$0].name }
  }

  func openObject() -> OpenObject {
    if openCount == openObjects.count { openObjects.append(OpenObject()) }
    openCount += 1
    return openObjects[openCount - 1]
  }

  private func readMembers(of dataClass: DataClass, into object: OpenObject, hasKey: Bool) throws {
    var expected = 0
    var token = hasKey ? .key : try reader.next()
    var engineKey = token == .key ? try engineKey(of: dataClass) : nil
    while case .key = token {
      if let property = dataClass.property(namedByLastKeyOf: reader, expected: expected) {
        if let key = engineKey, property.name == Self.engineKeyMember, isEngineKey(property, object) {
          (object.givenKey, engineKey) = (key, nil)
          object.cells[property.index] = .missing
          if !property.takesNumbers {
            try reader.skipValue(after: .key)
            token = try reader.next()
            continue
          }
        }
        object.current = property.index
        let isRight = try recovering(at: reader.depth) {
          guard object.cells[property.index].kind == .missing else {
            throw try fault(.repeatedProperty(className: dataClass.name, property: property.name), skipping: .key)
          }
          hasPendingLink = false
          object.cells[property.index] = try read(property, of: dataClass, object)
          if hasPendingLink { object.pendingProperties.append(property.index) }
        }
        object.current = nil
        if !isRight { object.isBad = true }
        expected = property.index + 1
      } else if try !recovering(at: reader.depth, { try readOther(of: dataClass, into: object) }) {
        object.isBad = true
      }
      token = try reader.next()
    }
  }

  /// Whether the number in the first member is something other than the value of the property with that name: the
  /// property does not take numbers, or its value follows.
  private func isEngineKey(_ property: DataProperty, _ object: OpenObject) -> Bool {
    !property.takesNumbers || object.cells[property.index].kind != .missing
  }

  private static let engineKeyMember: RealmString = "_key"

  /// The object key that the engine's own form may give in the first member, whose key has been read. A property may
  /// have the same name; its value then follows.
  private func engineKey(of dataClass: DataClass) throws -> Int64? {
    guard dataClass.primaryKey == nil, dataClass.keyName != Self.engineKeyMember, reader.textEquals("_key") else {
      return nil
    }
    return try reader.peek { try reader.next() == .number ? reader.integer.flatMap { $0 >= 0 ? $0 : nil } : nil }
  }

  /// Reads a member that is not a property: an object key, or something to pass over.
  private func readOther(of dataClass: DataClass, into object: OpenObject) throws {
    if dataClass.isObjectKey(namedByLastKeyOf: reader) {
      object.givenKey = try readObjectKey(member: dataClass.keyName, ofClass: dataClass.name)
      return
    }
    guard options.ignoresUnknownProperties else {
      throw try fault(.unknownProperty(className: dataClass.name, property: reader.text), skipping: .key)
    }
    try reader.skipValue(after: .key)
  }

  /// The value of a member that gives an object its key.
  func readObjectKey(member: RealmString, ofClass name: RealmString) throws -> Int64 {
    let token = try reader.next()
    guard token == .number, let key = reader.integer, key >= 0 else {
      throw fault(.wrongType(className: name, property: member, .objectKey(token, reader)))
    }
    return key
  }

  /// Gives an object its key and passes it on.
  func complete(_ object: OpenObject, of dataClass: DataClass) throws -> ObjectKey {
    try fillIn(object, of: dataClass)
    let stage = stages[dataClass.number]
    let key = try key(of: object, dataClass, stage)
    if let identity = identity(of: object, dataClass) {
      let directory = directories[dataClass.number]
      let entry = directory.entry(of: identity, in: object.values)
      guard directory.define(entry, as: key) else {
        let text = directory.text(ofEntry: entry)
        throw fault(
          dataClass.primaryKey == nil
            ? .existingObjectKey(className: dataClass.name, key: text)
            : .existingPrimaryKey(className: dataClass.name, key: text))
      }
    }
    for property in object.pendingProperties { stage.notePending(property) }
    try stage.append(object.cells, object.values, key: key, resolve: self)
    return key
  }

  /// Gives properties without a value their default: from the schema file, or otherwise of their type.
  private func fillIn(_ object: OpenObject, of dataClass: DataClass) throws {
    for index in object.cells.indices where object.cells[index].kind == .missing {
      let property = dataClass.properties[index]
      if let value = dataClass.givenDefaults[property.index] {
        object.cells[property.index] = object.values.cell(of: value)
        continue
      }
      guard !options.isStrict, property.index != dataClass.primaryKey || property.isNullable else {
        throw fault(
          .missingProperty(
            className: dataClass.name, property: property.name, isStrict: property.index != dataClass.primaryKey))
      }
      object.cells[property.index] = property.defaultCell
    }
  }

  /// What links use to name the object; nil if no link can name it.
  private func identity(of object: OpenObject, _ dataClass: DataClass) -> StagedCell? {
    if let primaryKey = dataClass.primaryKey { return object.cells[primaryKey] }
    return object.givenKey.map(identity(ofKey:))
  }

  /// What names an object in a class without a primary key.
  func identity(ofKey given: Int64) -> StagedCell {
    StagedCell(kind: .int, small: objectKeyScope, first: UInt64(bitPattern: given))
  }

  private func key(of object: OpenObject, _ dataClass: DataClass, _ stage: ClassStage) throws -> ObjectKey {
    guard options.keepsObjectKeys, !dataClass.isEmbedded else { return try stage.nextKey() }
    if options.keepsGivenKeys, object.givenKey == nil, !stage.keepsKeys { return try stage.nextKey() }
    stage.keepsKeys = true
    // Objects that are identified by their primary keys need no other key.
    let key =
      try object.givenKey.map(ObjectKey.init(rawValue:)) ?? (dataClass.primaryKey.map { _ in try stage.nextKey() })
    guard let key, stage.ascends(key) else { throw fault(.objectKeyOutOfOrder(className: dataClass.name)) }
    return key
  }

  // MARK: Values

  private func read(_ property: DataProperty, of owner: DataClass, _ object: OpenObject) throws -> StagedCell {
    let token = try reader.next()
    let start = reader.tokenOffset
    let rounded = scalars.roundedCount
    do {
      let cell =
        switch property.collection {
        case nil: try readSingle(property, token, object, owner)
        case .dictionary: try readDictionary(property, token, object, owner)
        case .list, .set: try readElements(property, token, object, owner)
        }
      guard let cell else { throw mismatch(property, token, owner, at: start) }
      // Embedded objects count their own.
      if scalars.roundedCount > rounded, property.type != .object {
        let path = PropertyPath(className: owner.name, property: property.name)
        roundedCounts[path, default: 0] += scalars.roundedCount - rounded
      }
      return cell
    } catch let error as BuildError {
      throw fault(.unstorable(className: owner.name, property: property.name, error))
    } catch let error as NumberOutOfRange {
      throw fault(
        .numberOutOfRange(
          className: owner.name, property: property.name, number: error.number, type: error.type.schemaName))
    }
  }

  /// - Parameters:
  ///   - token: the first of the value that does not fit.
  ///   - start: its offset.
  private func mismatch(
    _ property: DataProperty, _ token: JSONReader.Token, _ owner: DataClass, isElement: Bool = false, at start: Int
  ) -> InputError {
    let mismatch = TypeMismatch(
      property, target: property.target.map { classes[$0] }, isElement: isElement, token, reader)
    return fault(.wrongType(className: owner.name, property: property.name, mismatch), at: start)
  }

  @inline(__always)
  private func readSingle(
    _ property: DataProperty, _ token: JSONReader.Token, _ object: OpenObject, _ owner: DataClass
  ) throws -> StagedCell? {
    if case .null = token {
      guard property.isNullable else {
        throw fault(.nullForRequired(className: owner.name, property: property.name))
      }
      return .null
    }
    switch property.type {
    case .mixed: return try readMixed(token, object, property, owner)
    case .object: return try readLink(property, token, object)
    default: return try scalars.read(token, as: property.type, into: object.values, limit: property.byteLimit)
    }
  }

  /// A list or set: an array, or `{"$set": […]}`.
  private func readElements(
    _ property: DataProperty, _ token: JSONReader.Token, _ object: OpenObject, _ owner: DataClass
  ) throws -> StagedCell? {
    if token == .null { throw fault(.nullForRequired(className: owner.name, property: property.name)) }
    if property.collection == .set, token == .beginObject {
      guard case .key = try reader.next(), reader.textEquals("$set") else { return nil }
      guard let cell = try readElements(property, try reader.next(), object, owner) else { return nil }
      guard case .endObject = try reader.next() else { return nil }
      return cell
    }
    guard token == .beginArray else { return nil }
    let mark = object.values.beginCollection()
    while true {
      let next = try reader.next()
      if case .endArray = next { break }
      let start = reader.tokenOffset
      guard let cell = try readSingle(property, next, object, owner) else {
        throw mismatch(property, next, owner, isElement: true, at: start)
      }
      // A set of Mixed does not contain collections.
      if property.collection == .set, [.list, .dictionary].contains(cell.kind) {
        throw mismatch(property, next, owner, isElement: true, at: start)
      }
      object.values.append(cell)
    }
    return object.values.endCollection(property.collection == .set ? .set : .list, from: mark)
  }

  /// A dictionary: an object, or `{"$dictionary": {…}}`.
  private func readDictionary(
    _ property: DataProperty, _ token: JSONReader.Token, _ object: OpenObject, _ owner: DataClass
  ) throws -> StagedCell? {
    if token == .null { throw fault(.nullForRequired(className: owner.name, property: property.name)) }
    guard token == .beginObject else { return nil }
    var next = try reader.next()
    if next == .key, reader.textEquals("$dictionary") {
      guard case .beginObject = try reader.next() else { return nil }
      guard let cell = try readEntries(property, try reader.next(), object, owner) else { return nil }
      next = try reader.next()
      return next == .endObject ? cell : nil
    }
    return try readEntries(property, next, object, owner)
  }

  /// Entries up to the closing brace, from the first key on.
  private func readEntries(
    _ property: DataProperty, _ first: JSONReader.Token, _ object: OpenObject, _ owner: DataClass
  ) throws -> StagedCell? {
    let mark = object.values.beginCollection()
    let firstKey = keyOffsets.count
    defer { keyOffsets.removeSubrange(firstKey...) }
    var token = first
    while token == .key {
      object.values.append(try readKey(property, object, owner))
      let next = try reader.next()
      let start = reader.tokenOffset
      guard let cell = try readSingle(property, next, object, owner) else {
        throw mismatch(property, next, owner, isElement: true, at: start)
      }
      object.values.append(cell)
      token = try reader.next()
    }
    return try endDictionary(from: mark, firstKey, object, property, owner)
  }

  /// - Parameter firstKey: the place in `keyOffsets` of the first key.
  func endDictionary(
    from mark: Int, _ firstKey: Int, _ object: OpenObject, _ property: DataProperty, _ owner: DataClass
  ) throws -> StagedCell {
    if let cell = object.values.endDictionary(from: mark) { return cell }
    let (number, key) = object.values.repeatedKey(from: mark)
    throw fault(
      .repeatedKey(className: owner.name, property: property.name, key: key), at: keyOffsets[firstKey + number])
  }

  /// A key of a dictionary; the engine refuses some (Docs/Format/2-nodes-and-values.md §5.3).
  func readKey(_ property: DataProperty, _ object: OpenObject, _ owner: DataClass) throws -> StagedCell {
    try reader.withText { key in
      guard key.first != UInt8(ascii: "$"), !key.contains(UInt8(ascii: ".")) else {
        throw BuildError.dictionaryKey(RealmString(key))
      }
      keyOffsets.append(reader.tokenOffset)
      return try scalars.text(into: object.values, limit: property.byteLimit)
    }
  }

  // MARK: Ends

  /// Whether links are known to point to objects that were never read.
  var hasUnresolvedLinks: Bool { directories.contains(where: \.hasUndefined) }

  /// - Throws: `InputError.unresolvedLinks` if links point to objects that were never read.
  func requireResolvedLinks() throws {
    /// By class and entry, the first link to it.
    var firstLinks: [[Int: UInt64]] = Array(repeating: [:], count: classes.count)
    for stage in stages {
      try stage.forEachPendingLink(self) { link, _, _ in
        let known = firstLinks[link.classNumber][link.entry] ?? .max
        firstLinks[link.classNumber][link.entry] = min(known, link.number)
      }
    }
    let count = firstLinks.reduce(0) { $0 + $1.count }
    guard count > 0 else { return }
    var targets: [UnresolvedLinks.Target] = []
    for (number, links) in firstLinks.enumerated() {
      let first = links.sorted { $0.value < $1.value }.prefix(UnresolvedLinks.mostListed - targets.count)
      targets += first.map { entry, _ in
        UnresolvedLinks.Target(className: classes[number].name, key: directories[number].text(ofEntry: entry))
      }
    }
    let places = try placesOfPendingLinks(to: targets)
    for (index, target) in targets.enumerated() { targets[index].place = places[target] }
    throw InputError.unresolvedLinks(UnresolvedLinks(targets: targets, count: count))
  }

  /// For some objects that were never read, the property of the first link to each, and its class.
  private func placesOfPendingLinks(
    to targets: [UnresolvedLinks.Target]
  ) throws -> [UnresolvedLinks.Target: UnresolvedLinks.Place] {
    struct Found {
      let property: PropertyPath
      let owner: Int
      var objects: [ObjectKey] = []
      var last: ObjectKey?
      var count = 0
    }
    var found: [UnresolvedLinks.Target: Found] = [:]
    let wanted = Set(targets)
    for (number, (dataClass, stage)) in zip(classes, stages).enumerated() {
      try stage.forEachPendingLink(self) { link, property, object in
        let target = UnresolvedLinks.Target(
          className: classes[link.classNumber].name, key: directories[link.classNumber].text(ofEntry: link.entry))
        guard wanted.contains(target) else { return }
        let path = PropertyPath(className: dataClass.name, property: dataClass.properties[property].name)
        var place = found[target] ?? Found(property: path, owner: number)
        guard place.property == path, place.last != object else { return }
        if place.objects.count < UnresolvedLinks.Place.mostListed { place.objects.append(object) }
        (place.last, place.count) = (object, place.count + 1)
        found[target] = place
      }
    }
    return found.mapValues { place in
      var result = UnresolvedLinks.Place(property: place.property)
      result.objects = directories[place.owner].texts(of: place.objects)
      result.count = place.count
      return result
    }
  }

  /// A mistake that is known before its value is read. If reading continues, it continues after the value.
  func fault(_ fault: DataFault, skipping token: JSONReader.Token) throws -> InputError {
    let error = self.fault(fault)
    if receiver != nil { try reader.skipValue(after: token) }
    return error
  }

  /// - Parameter offset: of the token that is wrong, if it is not the last.
  func fault(_ fault: DataFault, at offset: Int? = nil) -> InputError {
    // An embedded object is found by the object around it.
    let names = openObjects[..<openCount].lazy.reversed().compactMap { object -> String? in
      guard let primaryKey = object.dataClass?.primaryKey, object.cells[primaryKey].kind != .missing else { return nil }
      return IdentityDirectory.text(of: object.cells[primaryKey], in: object.values)
    }
    return .data(
      DataMistake(fault: fault, location: reader.location(ofByte: offset ?? reader.tokenOffset), object: names.first))
  }
}

/// Takes the objects that data has, in place of the stages of a new realm.
protocol ObjectReceiver: AnyObject {
  /// Receives a complete object.
  ///
  /// - Returns: the key that links store; for an embedded object, the receiver's own number for it.
  /// - Throws: `InputError.data` for an object that is left out.
  func receive(_ object: OpenObject, of dataClass: DataClass) throws -> ObjectKey
  /// Takes note of something that is wrong.
  ///
  /// - Throws: what ends the reading.
  func note(_ error: DataMistake) throws
  /// Called when an object is left out; what could be read of it is known.
  func reject(_ object: OpenObject, of dataClass: DataClass)
}

/// An object that is left out; the receiver knows why.
struct RejectedObject: Error {}

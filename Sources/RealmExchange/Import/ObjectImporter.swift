import RealmStorage
import RealmText

/// Brings objects of other files into a realm, in one transaction.
///
/// ```swift
/// let importer = ObjectImporter(transaction, options)
/// let report = try importer.run(sources)
/// ```
///
/// In memory are the object that is being read, and the keys that links have named. Objects with links to objects that
/// have not been read yet get their values once everything has been read; if there are many of them, they wait in a
/// file.
package final class ObjectImporter: ObjectReceiver {
  private let transaction: WriteTransaction
  let options: ImportOptions
  let classes: [DataClass]
  let tableKeys: [TableKey]
  var tables: [TableEditor] = []
  let objects: ObjectReader
  var counts: [ImportCounts]
  private var report = ImportReport()
  var sources: [any ImportSource] = []
  var sourceNumber = 0
  /// Embedded objects of the object that is being read.
  private var held: [ImportedObject] = []
  var waiting: WaitingObjects
  private var doomed: [Set<ObjectKey>]
  /// By class, the new objects that wait, if rows may be left out. Objects that link to them wait as well, because they
  /// have to be left out with them.
  var uncertain: [Set<ObjectKey>]
  /// Objects among them without a primary key, by directory and entry.
  var uncertainEntries: [Int: [Int: ObjectKey]] = [:]
  /// By class, the keys of objects that are left out for what is wrong in themselves: they are not missing, nor those of
  /// other objects of the realm that have the same primary keys.
  var rejectedEntries: [Set<Int>]
  /// By class, the primary keys that existing objects get from rows that wait.
  var claimedKeys: [[Value: ObjectKey]]
  /// Whether objects that wait get their links.
  var isFinishing = false
  /// By class, the objects that are left out.
  var leftOut: [Set<ObjectKey>]
  /// By class, new objects whose row is left out, and which the next one of their rows inserts.
  var emptied: [Set<ObjectKey>]
  /// By class, the objects by the property that they are matched by.
  var matches: [Int: [Value: ObjectKey]] = [:]
  let matchProperties: [Int: Int]
  /// By class, whether any property links to it.
  private let isTarget: [Bool]
  private var objectsSinceSpill = 0
  /// Receives each problem as it is found.
  package var onProblem: (ImportProblem) throws -> Void = { _ in }
  /// Called from time to time with the number of bytes read.
  package var onProgress: (Int) throws -> Void = { _ in }

  /// The number of objects between two spills.
  private static let spillInterval = 20_000

  /// - Throws: `InputError.source` for options that do not fit the schema.
  package init(_ transaction: WriteTransaction, _ options: ImportOptions) throws {
    (self.transaction, self.options) = (transaction, options)
    let tables = transaction.tables.filter { $0.schema.isClass }
    let schemas = tables.map(\.schema)
    let numbers = Dictionary(schemas.enumerated().map { ($1.name, $0) }) { first, _ in first }
    let kinds = Dictionary(schemas.map { ($0.name, $0.kind) }) { first, _ in first }
    let lookups = try Self.lookups(options.lookups, schemas, numbers)
    classes = schemas.enumerated().map {
      DataClass(
        number: $0, schema: $1, numbers: numbers, kinds: kinds, defaults: options.data.defaults, lookups: lookups)
    }
    let targets = Set(classes.flatMap(\.properties).compactMap(\.target))
    isTarget = classes.map { !$0.isEmbedded && targets.contains($0.number) }
    waiting = WaitingObjects(classes, options)
    tableKeys = tables.map(\.key)
    self.tables = tables
    counts = Array(repeating: ImportCounts(), count: schemas.count)
    doomed = Array(repeating: [], count: schemas.count)
    (uncertain, leftOut, emptied) = (doomed, doomed, doomed)
    rejectedEntries = Array(repeating: [], count: schemas.count)
    claimedKeys = Array(repeating: [:], count: schemas.count)
    matchProperties = try Self.matchProperties(options.matches, classes)
    try Self.requireClass(options.data.className, classes)
    objects = ObjectReader(JSONReader(options: .exported) { _ in 0 }, options.data, classes, [])
    objects.receiver = self
  }

  private static func lookups(
    _ wanted: [PropertyPath: PropertyPath], _ schemas: [TableSchema], _ numbers: [RealmString: Int]
  ) throws -> [PropertyPath: Int] {
    var numbersOfProperties: [PropertyPath: Int] = [:]
    for (path, found) in wanted.sorted(by: { "\($0.key)" < "\($1.key)" }) {
      guard let schema = schemas.first(where: { $0.displayName == path.className }) else {
        throw InputError.source(.noClass(path.className, among: schemas.map(\.displayName)))
      }
      guard let property = schema.property(named: path.property) else {
        throw InputError.source(.noProperty(path.property, of: schema))
      }
      guard property.type == .object, let target = property.target.flatMap({ numbers[$0] }),
        schemas[target].kind != .embedded
      else {
        throw InputError.source(
          .schema, "'\(path)' is not a link, or links to embedded objects",
          advice: "name a property that links to a class that is not embedded")
      }
      guard schemas[target].displayName == found.className else {
        throw InputError.source(
          .schema, "'\(path)' links to objects of class '\(schemas[target].displayName)', not of '\(found.className)'")
      }
      guard let index = schemas[target].properties.firstIndex(where: { $0.name == found.property }) else {
        throw InputError.source(.noProperty(found.property, of: schemas[target]))
      }
      guard schemas[target].properties[index].canIdentify else {
        throw InputError.source(
          .schema, "links cannot find objects of class '\(found.className)' by '\(found.property)'",
          advice: "use a property of type int, string, date, objectId or uuid")
      }
      if index != schemas[target].primaryKeyIndex { numbersOfProperties[path] = index }
    }
    return numbersOfProperties
  }

  /// The class that bare objects are of has to exist.
  private static func requireClass(_ name: RealmString?, _ classes: [DataClass]) throws {
    guard let name else { return }
    guard let dataClass = classes.first(where: { $0.name == name || $0.schema.name == name }) else {
      throw InputError.source(
        .noClass(
          name, among: classes.map(\.name), orElse: "use --create-classes to create '\(name)'"))
    }
    guard !dataClass.isEmbedded else { throw InputError.source(.embedded(name)) }
  }

  private static func matchProperties(
    _ wanted: [RealmString: RealmString], _ classes: [DataClass]
  ) throws -> [Int: Int] {
    var found: [Int: Int] = [:]
    for (className, name) in wanted {
      guard let dataClass = classes.first(where: { $0.name == className }) else {
        throw InputError.source(.noClass(className, among: classes.map(\.name)))
      }
      guard let index = dataClass.schema.properties.firstIndex(where: { $0.name == name }) else {
        throw InputError.source(.noProperty(name, of: dataClass.schema))
      }
      guard dataClass.schema.properties[index].canIdentify else {
        throw InputError.source(
          .schema, "objects of class '\(className)' cannot be found by '\(name)'",
          advice: "use a property of type int, string, date, objectId or uuid")
      }
      if index != dataClass.primaryKey { found[dataClass.number] = index }
    }
    return found
  }

  // MARK: Running

  /// Reads all sources.
  ///
  /// - Throws: `InputError.problems` if there are more problems than allowed; `InputError.source`, `InputError.input` for a
  ///   problem with a whole source; the errors of changing a realm.
  package func run(_ sources: [any ImportSource]) throws -> ImportReport {
    self.sources = sources
    var byteCount = 0
    for (number, source) in sources.enumerated() {
      sourceNumber = number
      do {
        try read(source, number) { try onProgress(byteCount + source.byteCount) }
      } catch let error where Self.isOfSource(error) {
        throw InputError.input(number, error)
      }
      byteCount += source.byteCount
    }
    try finishLinks()
    for (number, keys) in doomed.enumerated() where !keys.isEmpty {
      counts[number].deleted = try tables[number].delete(Array(keys))
    }
    report.roundedCounts = objects.roundedCounts
    report.counts = zip(classes, counts).filter { $1 != ImportCounts() }.map { ($0.name, $1) }
    if options.mode == .delete {
      report.unidentified = classes.filter {
        !$0.isEmbedded && $0.primaryKey == nil && matchProperties[$0.number] == nil && counts[$0.number].read > 0
      }.map(\.name)
    }
    guard report.problemCount <= options.mostErrors else { throw InputError.problems(report) }
    return report
  }

  private static func isOfSource(_ error: any Error) -> Bool {
    error is InputError || error is DatabaseError || error is StorageError
  }

  private func read(_ source: any ImportSource, _ number: Int, onProgress: () throws -> Void) throws {
    let known = ImportedClasses(
      classes: classes, ignoresUnknown: options.data.ignoresUnknownProperties, className: options.data.className,
      canAddProperties: options.canAddProperties)
    try source.open(known) { [unowned self] problem in
      var problem = problem
      problem.source = number
      try add(problem)
      // An element of a collection, in a file of its own, is no object.
      if problem.file == nil, let name = problem.className, let dataClass = classes.first(where: { $0.name == name }) {
        countRejected(dataClass)
      }
    }
    objects.objectKeyScope = source.ownsObjectKeys ? UInt32(number) + 1 : 0
    objects.scalars = ScalarReader(reader: objects.reader, coerces: options.data.coerces || source.coerces)
    objects.reader.begin(source: source.read)
    do {
      let isEmpty = try DataDocument(objects).read { try onProgress() }
      if isEmpty, !source.hasHeader { report.emptySources.append(number) }
    } catch let error as JSONError {
      switch error {
      case .input(let cause): throw cause
      case .malformed(let fault, let location):
        let place = source.place(location, property: nil)
        try add(
          ImportProblem(
            source: number, line: place.line, column: place.column, className: nil, property: nil, object: nil,
            value: nil, reason: "not valid JSON: \(fault); the rest of the file is not read", remedy: .fixSyntax))
      }
    }
  }

  // MARK: Problems

  func note(_ error: DataMistake) throws {
    let fault = error.fault.place
    // In an object inside another, the property of that one is the column.
    let place = sources[sourceNumber].place(error.location, property: objects.outermostProperty ?? fault?.property)
    try add(
      ImportProblem(
        source: sourceNumber, file: place.file, line: place.line, column: place.column, className: fault?.className,
        property: fault?.property, object: error.object, value: place.value,
        reason: "\(error.fault)", advice: advice(place.value, error.fault), remedy: remedy(error.fault)))
  }

  private func remedy(_ fault: DataFault) -> ImportProblem.Remedy? {
    switch fault {
    case .classNotNamed: .nameTheClass
    case .unknownClass: .createClasses
    case .unknownProperty: .ignoreUnknown
    case .existingPrimaryKey:
      switch options.mode {
      case .insert: .updateExisting
      default: options.matches.isEmpty ? nil : .matchByPrimaryKey
      }
    default: nil
    }
  }

  /// Advice for an unknown class or property, and for numbers written as spreadsheets write them.
  private func advice(_ value: String?, _ fault: DataFault) -> String? {
    if case .unknownClass(let name) = fault {
      let known = classes.filter { !$0.isEmbedded }.map(\.name.description)
      return NameAdvice.classes.text(for: name.description, among: known)
    }
    if case .unknownProperty(let name, let property) = fault {
      let known = classes.first { $0.name == name }?.properties.map(\.name.description) ?? []
      return Similarity.question(about: property.description, among: known)
    }
    if case .missingProperty(_, _, let isStrict) = fault { return DataFault.adviceOnMissing(isStrict: isStrict) }
    guard case .wrongType(let className, let name, let mismatch) = fault, let value else { return nil }
    let nulls = ["NULL", "NIL", "NONE", "N/A", "NA", "\\N"]
    if nulls.contains(value.uppercased()), sources[sourceNumber] is DelimitedSource {
      return "if it means null, use --null '\(value)'"
    }
    let dataClass = classes.first { $0.name == className }
    let property = dataClass?.properties.first { $0.name == name }
    if property?.type == .object, property?.targetIsEmbedded == false, property?.lookup == nil {
      return "to find objects by another property, use --link \(className).\(name)=CLASS.PROPERTY"
    }
    if mismatch.type == .date { return PropertyType.date.advice(on: value) }
    guard value.contains(",") else { return nil }
    if value.matches(#"[+-]?[0-9]{1,3}(,[0-9]{3})+(\.[0-9]+)?"#) {
      return "write \(value.replacing(",", by: "")), without commas"
    }
    guard mismatch.type != .int, Double(value.replacing(",", by: ".")) != nil else { return nil }
    return "write \(value.replacing(",", by: ".")), with a decimal point"
  }

  func add(_ problem: ImportProblem) throws {
    report.problemCount += 1
    if report.problems.count < ImportReport.mostProblems { report.problems.append(problem) }
    try onProblem(problem)
  }

  func reject(_ object: OpenObject, of dataClass: DataClass) {
    guard !dataClass.isEmbedded else { return }
    if options.createsMissing || matchProperties[dataClass.number] != nil, let primaryKey = dataClass.primaryKey,
      object.cells[primaryKey].kind != .missing
    {
      rejectedEntries[dataClass.number].insert(
        objects.directories[dataClass.number].entry(of: object.cells[primaryKey], in: object.values))
    }
    countRejected(dataClass)
  }

  private func countRejected(_ dataClass: DataClass) {
    counts[dataClass.number].read += 1
    counts[dataClass.number].rejected += 1
    if objects.openCount <= 1 { held.removeAll(keepingCapacity: true) }
  }

  // MARK: Objects

  func receive(_ object: OpenObject, of dataClass: DataClass) throws -> ObjectKey {
    let values = ImportedValues(values: object.values, tables: tableKeys, classes: classes, held: held)
    var imported = values.object(object.cells, of: dataClass)
    if dataClass.isEmbedded {
      try requireComplete(imported)
      held.append(imported)
      return ObjectKey(rawValue: Int64(held.count - 1))
    }
    defer { if objects.openCount <= 1 { held.removeAll(keepingCapacity: true) } }
    let entry = try entry(of: object, dataClass)
    let key = try RealmError.uncovering { try take(&imported, object) }
    if let entry {
      if uncertain[dataClass.number].contains(key) {
        uncertainEntries[dataClass.number, default: [:]][entry] = key
      } else {
        _ = objects.directories[dataClass.number].define(entry, as: key)
      }
    } else {
      define(key, of: object, dataClass)
    }
    try spillSometimes()
    return key
  }

  /// Lets links that are read from now on find an object at once, without looking up its primary key in the realm.
  func define(_ key: ObjectKey, of object: OpenObject, _ dataClass: DataClass) {
    guard isTarget[dataClass.number], options.mode != .delete, let primaryKey = dataClass.primaryKey,
      object.cells[primaryKey].kind != .missing,
      !uncertain[dataClass.number].contains(key)
    else { return }
    let entry = objects.directories[dataClass.number].entry(of: object.cells[primaryKey], in: object.values)
    _ = objects.directories[dataClass.number].define(entry, as: key)
  }

  /// The key that links in the source use for an object of a class without a primary key.
  func entry(of object: OpenObject, _ dataClass: DataClass) throws -> Int? {
    guard dataClass.primaryKey == nil, let given = object.givenKey else { return nil }
    let entry = objects.directories[dataClass.number].entry(of: objects.identity(ofKey: given), in: object.values)
    guard objects.directories[dataClass.number].object(entry) == nil,
      uncertainEntries[dataClass.number]?[entry] == nil
    else {
      throw objects.fault(.existingObjectKey(className: dataClass.name, key: "\(given)"))
    }
    return entry
  }

  private func take(_ imported: inout ImportedObject, _ object: OpenObject) throws -> ObjectKey {
    let dataClass = imported.dataClass
    let existing = try find(imported)
    if options.mode != .delete, options.mode != .skip || existing == nil {
      try requireFreePrimaryKey(imported, existing, object)
    }
    switch (existing, options.mode) {
    case (let key?, .insert):
      _ = key
      throw objects.fault(.existingPrimaryKey(className: dataClass.name, key: nameText(object) ?? "null"))
    case (let key?, .skip):
      // Only when all objects have been read is it clear whether a new one stays.
      if uncertain[dataClass.number].contains(key) {
        counts[dataClass.number].read += 1
        try wait(imported, key, isNew: false, object)
      } else {
        count(dataClass) { $0.skipped += 1 }
      }
      return key
    case (let key?, .delete):
      let isFirst = doomed[dataClass.number].insert(key).inserted
      count(dataClass) { if !isFirst { $0.skipped += 1 } }
      return key
    case (nil, .delete):
      count(dataClass) { $0.skipped += 1 }
      return ObjectKey(rawValue: -1)
    case (let key?, _):
      if options.mode == .replace { fillIn(&imported) }
      try requireComplete(imported, isThere: true)
      try change(imported, key, object)
      return key
    case (nil, _):
      try requireComplete(imported)
      return try make(imported, object)
    }
  }

  func count(_ dataClass: DataClass, _ body: (inout ImportCounts) -> Void) {
    counts[dataClass.number].read += 1
    body(&counts[dataClass.number])
  }

  func nameText(_ object: OpenObject) -> String? {
    guard let dataClass = object.dataClass,
      let index = matchProperties[dataClass.number] ?? dataClass.primaryKey, object.cells[index].kind != .missing
    else { return nil }
    return IdentityDirectory.text(of: object.cells[index], in: object.values)
  }

  /// - Throws: `InputError.data` for a value that is missing and has no default.
  private func requireComplete(_ object: ImportedObject, isThere: Bool = false) throws {
    let dataClass = object.dataClass
    guard !isThere, options.data.isStrict || dataClass.primaryKey != nil else { return }
    guard object.members.count < dataClass.properties.count else { return }
    let given = Set(object.members.map(\.property))
    for property in dataClass.properties where !given.contains(property.index) {
      guard dataClass.givenDefaults[property.index] == nil else { continue }
      guard !options.data.isStrict, property.index != dataClass.primaryKey || property.isNullable else {
        throw objects.fault(
          .missingProperty(
            className: dataClass.name, property: property.name, isStrict: property.index != dataClass.primaryKey))
      }
    }
  }

  /// Gives properties without a value their defaults.
  func fillIn(_ object: inout ImportedObject) {
    let given = Set(object.members.map(\.property))
    let dataClass = object.dataClass
    for property in dataClass.properties where !given.contains(property.index) && property.index != dataClass.primaryKey
    {
      let value = dataClass.givenDefaults[property.index] ?? property.defaultValue
      object.members.append((property.index, .plain(value)))
    }
  }

  func find(_ object: ImportedObject) throws -> ObjectKey? {
    let number = object.dataClass.number
    if let property = matchProperties[number] {
      guard case .plain(let value)? = object.members.first(where: { $0.property == property })?.value else {
        throw objects.fault(
          .missingProperty(className: object.dataClass.name, property: object.dataClass.properties[property].name))
      }
      // Having no value is nothing in common.
      return try value == .null ? nil : matches(of: number, property)[value]
    }
    return try primaryKeyValue(of: object).flatMap { try tables[number].find(primaryKey: $0) }
  }

  /// The primary key that an object has or gets: null if it is missing and may be. What is deleted must be named.
  private func primaryKeyValue(of object: ImportedObject) -> Value? {
    guard let index = object.dataClass.primaryKey else { return nil }
    if case .plain(let value)? = object.members.first(where: { $0.property == index })?.value { return value }
    return object.dataClass.properties[index].isNullable && options.mode != .delete ? .null : nil
  }

  /// An object that is matched by another property may have the primary key of a third one.
  private func requireFreePrimaryKey(
    _ imported: ImportedObject, _ existing: ObjectKey?, _ object: OpenObject
  ) throws {
    let dataClass = imported.dataClass
    guard matchProperties[dataClass.number] != nil, let primaryKey = dataClass.primaryKey else { return }
    // An object that exists keeps the key that the source does not give.
    let isGiven = imported.members.contains { $0.property == primaryKey }
    guard isGiven || existing == nil, let value = primaryKeyValue(of: imported) else { return }
    let owners = [try tables[dataClass.number].find(primaryKey: value), claimedKeys[dataClass.number][value]]
    guard owners.contains(where: { $0 != nil && $0 != existing }) else { return }
    let text = isGiven ? IdentityDirectory.text(of: object.cells[primaryKey], in: object.values) : "null"
    throw objects.fault(.existingPrimaryKey(className: dataClass.name, key: text))
  }

  /// The objects of a class by the property they are matched by.
  func matches(of number: Int, _ property: Int) throws -> [Value: ObjectKey] {
    if let known = matches[number] { return known }
    let name = classes[number].properties[property].name
    var found: [Value: ObjectKey] = [:]
    for key in try tables[number].keys() {
      let value = try tables[number].value(name, of: key)
      guard value != .null else { continue }
      guard found.updateValue(key, forKey: value) == nil else {
        throw InputError.source(
          .schema,
          "several objects of class '\(classes[number].name)' have the same '\(name)', so they cannot be matched by it")
      }
    }
    matches[number] = found
    return found
  }

  // MARK: Memory

  func spillSometimes() throws {
    objectsSinceSpill += 1
    guard options.spills, objectsSinceSpill >= Self.spillInterval, objects.openCount <= 1 else { return }
    objectsSinceSpill = 0
    try transaction.spill()
    try transaction.forgetEarlierSpills()
    tables = tableKeys.compactMap { transaction.table($0) }
  }
}

extension Property {
  /// Whether objects can be found by the values of this property.
  fileprivate var canIdentify: Bool {
    guard collection == nil else { return false }
    return [.int, .string, .date, .objectID, .uuid].contains(type)
  }
}

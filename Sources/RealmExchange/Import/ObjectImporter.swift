import RealmStorage
import RealmText

/// Brings objects of other files into a realm, in one transaction.
///
/// ```swift
/// let importer = ObjectImporter(transaction, options)
/// let report = try importer.run(sources)
/// ```
///
/// What is in memory: the object that is being read, and the keys that links have named. Objects with links to others that
/// have not come get their values when all have; many of them wait in a file.
package final class ObjectImporter: ObjectReceiver {
  private let transaction: WriteTransaction
  private let options: ImportOptions
  private let classes: [DataClass]
  private let tableKeys: [TableKey]
  private var tables: [TableEditor] = []
  private let objects: ObjectReader
  private var counts: [ImportCounts]
  private var report = ImportReport()
  private var sources: [any ImportSource] = []
  private var sourceNumber = 0
  /// Embedded objects of the object that is being read.
  private var held: [ImportedObject] = []
  private var waiting: WaitingObjects
  private var doomed: [Set<ObjectKey>]
  /// By class, the new objects that wait, where rows may be left out: what links to them waits, too, as it has to be left out
  /// with them.
  private var uncertain: [Set<ObjectKey>]
  /// Objects among them without a primary key, by directory and entry.
  private var uncertainEntries: [Int: [Int: ObjectKey]] = [:]
  /// Whether objects that wait get their links.
  private var isFinishing = false
  /// By class, those that are left out.
  private var leftOut: [Set<ObjectKey>]
  /// By class, the objects by the property that they are matched by.
  private var matches: [Int: [Value: ObjectKey]] = [:]
  private let matchProperties: [Int: Int]
  /// By class, whether links of properties lead to it.
  private let isTarget: [Bool]
  private var objectsSinceSpill = 0
  /// Takes every problem, as it is found.
  package var onProblem: (ImportProblem) throws -> Void = { _ in }
  /// Called now and then with the number of bytes read.
  package var onProgress: (Int) throws -> Void = { _ in }

  /// Objects between two spills.
  private static let spillInterval = 20_000

  /// - Throws: `ImportSourceError` for options that do not fit the schema.
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
    (uncertain, leftOut) = (doomed, doomed)
    matchProperties = try Self.matchProperties(options.matches, classes)
    var readerOptions = JSONReader.Options()
    (readerOptions.isSequence, readerOptions.restoresBytes, readerOptions.acceptsCoreForms) = (true, true, true)
    objects = ObjectReader(JSONReader(options: readerOptions) { _ in 0 }, options.data, classes, [])
    objects.receiver = self
  }

  private static func lookups(
    _ wanted: [PropertyPath: PropertyPath], _ schemas: [TableSchema], _ numbers: [RealmString: Int]
  ) throws -> [PropertyPath: Int] {
    var numbersOfProperties: [PropertyPath: Int] = [:]
    for (path, found) in wanted.sorted(by: { "\($0.key)" < "\($1.key)" }) {
      guard let schema = schemas.first(where: { $0.displayName == path.className }),
        let property = schema.property(named: path.property)
      else { throw ImportSourceError(.schema, "no property '\(path)'") }
      guard property.type == .object, let target = property.target.flatMap({ numbers[$0] }),
        schemas[target].kind != .embedded
      else { throw ImportSourceError(.schema, "'\(path)' is not a link to objects of their own") }
      guard schemas[target].displayName == found.className else {
        throw ImportSourceError(
          .schema, "'\(path)' links to objects of '\(schemas[target].displayName)', not of '\(found.className)'")
      }
      guard let index = schemas[target].properties.firstIndex(where: { $0.name == found.property }) else {
        throw ImportSourceError(.schema, "no property '\(found)'")
      }
      guard schemas[target].properties[index].canIdentify else {
        throw ImportSourceError(
          .schema, "links cannot find objects of '\(found.className)' by '\(found.property)'",
          advice: "use a property of type int, string, date, objectId or uuid")
      }
      if index != schemas[target].primaryKeyIndex { numbersOfProperties[path] = index }
    }
    return numbersOfProperties
  }

  private static func matchProperties(
    _ wanted: [RealmString: RealmString], _ classes: [DataClass]
  ) throws -> [Int: Int] {
    var found: [Int: Int] = [:]
    for (className, name) in wanted {
      guard let dataClass = classes.first(where: { $0.name == className }) else {
        throw ImportSourceError(.schema, "the realm has no class '\(className)'")
      }
      guard let index = dataClass.schema.properties.firstIndex(where: { $0.name == name }) else {
        throw ImportSourceError(.schema, "no property '\(className).\(name)'")
      }
      guard dataClass.schema.properties[index].canIdentify else {
        throw ImportSourceError(
          .schema, "objects of '\(className)' cannot be found by '\(name)'",
          advice: "use a property of type int, string, date, objectId or uuid")
      }
      if index != dataClass.primaryKey { found[dataClass.number] = index }
    }
    return found
  }

  // MARK: Running

  /// Reads all sources.
  ///
  /// - Throws: `ImportFailure` where more is wrong than may be; `ImportSourceError`, `SourceFailure` for what is wrong with
  ///   a source as a whole; what changing a realm throws.
  package func run(_ sources: [any ImportSource]) throws -> ImportReport {
    self.sources = sources
    var byteCount = 0
    for (number, source) in sources.enumerated() {
      sourceNumber = number
      do {
        try read(source, number) { try onProgress(byteCount + source.byteCount) }
      } catch let error where Self.isOfSource(error) {
        throw ImportSourceFailure(number: number, error: error)
      }
      byteCount += source.byteCount
    }
    try finishLinks()
    for (number, keys) in doomed.enumerated() where !keys.isEmpty {
      counts[number].deleted = try tables[number].delete(Array(keys))
    }
    report.counts = zip(classes, counts).filter { $1 != ImportCounts() }.map { ($0.name, $1) }
    guard report.problemCount <= options.mostErrors else { throw ImportFailure(report: report) }
    return report
  }

  private static func isOfSource(_ error: any Error) -> Bool {
    error is ImportSourceError || error is RelationalFile.Problem || error is StorageError
  }

  private func read(_ source: any ImportSource, _ number: Int, onProgress: () throws -> Void) throws {
    let known = ImportedClasses(
      classes: classes, ignoresUnknown: options.data.ignoresUnknownProperties, className: options.data.className)
    try source.open(known) { [unowned self] problem in
      var problem = problem
      problem.source = number
      try add(problem)
      if let name = problem.className, let dataClass = classes.first(where: { $0.name == name }) { reject(dataClass) }
    }
    if source.ownsObjectKeys { try forgetObjectKeys() }
    objects.scalars = ScalarReader(reader: objects.reader, coerces: options.data.coerces || source.coerces)
    objects.reader.begin(source: source.read)
    do {
      let isEmpty = try DataDocument(objects).read { try onProgress() }
      if isEmpty { report.emptySources.append(number) }
    } catch let error as JSONError {
      switch error {
      case .input(let cause): throw cause
      case .malformed(let fault, let location):
        let place = source.place(location, property: nil)
        try add(
          ImportProblem(
            source: number, line: place.line, column: place.column, className: nil, property: nil, object: nil,
            value: nil, reason: "\(fault); the rest of the file is not read"))
      }
    }
    if source.ownsObjectKeys { try forgetObjectKeys() }
  }

  /// Object keys mean nothing outside of the file that gives them, or the files that were exported together.
  private func forgetObjectKeys() throws {
    let keyless = classes.filter { $0.primaryKey == nil }
    guard !keyless.isEmpty else { return }
    try finishLinks(ofClassesWithoutKeys: true)
    for dataClass in keyless { objects.directories[dataClass.number] = IdentityDirectory() }
  }

  // MARK: Problems

  func note(_ error: DataError) throws {
    let fault = error.fault.place
    // In an object inside another, the property of that one is the column.
    let place = sources[sourceNumber].place(error.location, property: objects.outermostProperty ?? fault?.property)
    try add(
      ImportProblem(
        source: sourceNumber, file: place.file, line: place.line, column: place.column, className: fault?.className,
        property: fault?.property, object: error.object, value: place.value,
        reason: "\(error.fault)" + Self.hint(place.value, error.fault), remedy: Self.remedy(error.fault)))
  }

  private static func remedy(_ fault: DataFault) -> ImportProblem.Remedy? {
    switch fault {
    case .classNotNamed: .nameTheClass
    case .existingPrimaryKey: .updateExisting
    default: nil
    }
  }

  /// What to do about numbers as spreadsheets write them.
  private static func hint(_ value: String?, _ fault: DataFault) -> String {
    guard case .wrongType = fault, let value, value.contains(","),
      Double(value.replacing(",", with: ".")) != nil
    else { return "" }
    return "; write \(value.replacing(",", with: ".")), with a decimal point"
  }

  private func add(_ problem: ImportProblem) throws {
    report.problemCount += 1
    if report.problems.count < ImportReport.mostProblems { report.problems.append(problem) }
    try onProblem(problem)
  }

  func reject(_ dataClass: DataClass) {
    guard !dataClass.isEmbedded else { return }
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
    let key = try take(&imported, object)
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

  /// Lets links that are read from now on lead to an object at once, without looking for its primary key in the realm.
  private func define(_ key: ObjectKey, of object: OpenObject, _ dataClass: DataClass) {
    guard isTarget[dataClass.number], matchProperties[dataClass.number] == nil, options.mode != .delete,
      let primaryKey = dataClass.primaryKey, object.cells[primaryKey].kind != .missing,
      !uncertain[dataClass.number].contains(key)
    else { return }
    let entry = objects.directories[dataClass.number].entry(of: object.cells[primaryKey], in: object.values)
    _ = objects.directories[dataClass.number].define(entry, as: key)
  }

  /// What links in the source call an object of a class without a primary key.
  private func entry(of object: OpenObject, _ dataClass: DataClass) throws -> Int? {
    guard dataClass.primaryKey == nil, let given = object.givenKey else { return nil }
    let entry = objects.directories[dataClass.number].entry(of: .int(given), in: object.values)
    guard objects.directories[dataClass.number].object(entry) == nil,
      uncertainEntries[dataClass.number]?[entry] == nil
    else {
      throw objects.fault(.existingPrimaryKey(className: dataClass.name, key: "\(given)"))
    }
    return entry
  }

  private func take(_ imported: inout ImportedObject, _ object: OpenObject) throws -> ObjectKey {
    let dataClass = imported.dataClass
    let existing = try find(imported)
    switch (existing, options.mode) {
    case (let key?, .insert):
      _ = key
      throw objects.fault(.existingPrimaryKey(className: dataClass.name, key: nameText(object) ?? ""))
    case (let key?, .skip):
      count(dataClass) { $0.skipped += 1 }
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

  private func count(_ dataClass: DataClass, _ body: (inout ImportCounts) -> Void) {
    counts[dataClass.number].read += 1
    body(&counts[dataClass.number])
  }

  private func nameText(_ object: OpenObject) -> String? {
    guard let dataClass = object.dataClass,
      let index = matchProperties[dataClass.number] ?? dataClass.primaryKey, object.cells[index].kind != .missing
    else { return nil }
    return IdentityDirectory.text(of: object.cells[index], in: object.values)
  }

  /// - Throws: `DataError` for a value that is missing and has no default.
  private func requireComplete(_ object: ImportedObject, isThere: Bool = false) throws {
    let dataClass = object.dataClass
    guard !isThere, options.data.isStrict || dataClass.primaryKey != nil else { return }
    let given = Set(object.members.map(\.property))
    for property in dataClass.properties where !given.contains(property.index) {
      guard dataClass.givenDefaults[property.index] == nil else { continue }
      guard !options.data.isStrict, property.index != dataClass.primaryKey || property.isNullable else {
        throw objects.fault(.missingProperty(className: dataClass.name, property: property.name))
      }
    }
  }

  /// Gives properties without a value their defaults.
  private func fillIn(_ object: inout ImportedObject) {
    let given = Set(object.members.map(\.property))
    let dataClass = object.dataClass
    for property in dataClass.properties where !given.contains(property.index) && property.index != dataClass.primaryKey
    {
      let value = dataClass.givenDefaults[property.index] ?? property.defaultValue
      object.members.append((property.index, .plain(value)))
    }
  }

  private func find(_ object: ImportedObject) throws -> ObjectKey? {
    let number = object.dataClass.number
    if let property = matchProperties[number] {
      guard case .plain(let value)? = object.members.first(where: { $0.property == property })?.value else {
        throw objects.fault(
          .missingProperty(className: object.dataClass.name, property: object.dataClass.properties[property].name))
      }
      return try matches(of: number, property)[value]
    }
    guard let primaryKey = object.dataClass.primaryKey else { return nil }
    guard case .plain(let value)? = object.members.first(where: { $0.property == primaryKey })?.value else {
      return nil
    }
    return try tables[number].find(primaryKey: value)
  }

  /// The objects of a class by the property they are matched by.
  private func matches(of number: Int, _ property: Int) throws -> [Value: ObjectKey] {
    if let known = matches[number] { return known }
    let name = classes[number].properties[property].name
    var found: [Value: ObjectKey] = [:]
    try tables[number].forEachKey { key in
      let value = try tables[number].value(name, of: key)
      guard found.updateValue(key, forKey: value) == nil || value == .null else {
        throw ImportSourceError(
          .schema,
          "several objects of '\(classes[number].name)' have the same '\(name)', so they cannot be matched by it")
      }
    }
    matches[number] = found
    return found
  }

  // MARK: Making and changing

  private func make(_ object: ImportedObject, _ open: OpenObject) throws -> ObjectKey {
    let dataClass = object.dataClass
    let table = tables[dataClass.number]
    var primaryKey: Value?
    if let index = dataClass.primaryKey {
      primaryKey = .null
      if case .plain(let value)? = object.members.first(where: { $0.property == index })?.value { primaryKey = value }
    }
    let key = try primaryKey.map { try table.create(primaryKey: $0) } ?? table.create()
    if let property = matchProperties[dataClass.number] {
      if case .plain(let value)? = object.members.first(where: { $0.property == property })?.value {
        matches[dataClass.number]?[value] = key
      }
    }
    var later: [(property: Int, value: ImportedValue)] = []
    for (index, value) in object.members where index != dataClass.primaryKey {
      let property = dataClass.properties[index]
      if case .plain(let value) = value {
        if value != property.defaultValue || property.type == .float || property.type == .double {
          try table.set(property.name, of: key, to: value.inSet)
        }
      } else if let known = try resolved(value) {
        try set(known, property, of: key, in: table)
      } else {
        later.append((index, value))
      }
    }
    try setGivenDefaults(of: object, key, in: table)
    if !later.isEmpty { try wait(ImportedObject(dataClass: dataClass, members: later), key, isNew: true, open) }
    count(dataClass) { $0.inserted += 1 }
    return key
  }

  private func setGivenDefaults(of object: ImportedObject, _ key: ObjectKey, in table: TableEditor) throws {
    let dataClass = object.dataClass
    guard dataClass.givenDefaults.contains(where: { $0 != nil }) else { return }
    let given = Set(object.members.map(\.property))
    for property in dataClass.properties where !given.contains(property.index) && property.index != dataClass.primaryKey
    {
      if let value = dataClass.givenDefaults[property.index] { try table.set(property.name, of: key, to: value) }
    }
  }

  private func change(_ object: ImportedObject, _ key: ObjectKey, _ open: OpenObject) throws {
    let known = try object.members.map { (property: $0.property, value: try resolved($0.value)) }
    guard known.allSatisfy({ $0.value != nil }) else {
      counts[object.dataClass.number].read += 1
      return try wait(object, key, isNew: false, open)
    }
    let isChanged = try change(
      key, of: object.dataClass, known.compactMap { member in member.value.map { (member.property, $0) } })
    count(object.dataClass) { if isChanged { $0.updated += 1 } else { $0.unchanged += 1 } }
  }

  /// - Returns: whether anything was another value before.
  private func change(
    _ key: ObjectKey, of dataClass: DataClass, _ members: [(property: Int, value: ImportedValue)]
  ) throws -> Bool {
    let table = tables[dataClass.number]
    var isChanged = false
    for (index, value) in members where index != dataClass.primaryKey || matchProperties[dataClass.number] != nil {
      let property = dataClass.properties[index]
      guard try !isSame(value, table.value(property.name, of: key), property) else { continue }
      isChanged = true
      try set(value, property, of: key, in: table)
    }
    return isChanged
  }

  /// Whether a property has a value already, embedded objects compared by what is in them.
  private func isSame(_ value: ImportedValue, _ old: Value, _ property: DataProperty) throws -> Bool {
    switch (value, old) {
    case (.plain(let value), _): return value.inSet.isSame(as: old)
    case (.embedded(let object), .link(_, let key)):
      let table = tables[object.dataClass.number]
      let given = Set(object.members.map(\.property))
      for property in object.dataClass.properties where !given.contains(property.index) {
        let value = object.dataClass.givenDefaults[property.index] ?? property.defaultValue
        guard try value.isSame(as: table.value(property.name, of: key)) else { return false }
      }
      return try object.members.allSatisfy { index, value in
        let property = object.dataClass.properties[index]
        return try isSame(value, table.value(property.name, of: key), property)
      }
    case (.list(let elements), .list(let others)):
      return try elements.count == others.count
        && zip(elements, others).allSatisfy { try isSame($0, $1, property) }
    case (.dictionary(let entries), .dictionary(let others)):
      return try entries.count == others.count
        && entries.allSatisfy { name, value in try others[name].map { try isSame(value, $0, property) } ?? false }
    default: return false
    }
  }

  private func set(_ value: ImportedValue, _ property: DataProperty, of key: ObjectKey, in table: TableEditor) throws {
    switch value {
    case .plain(let value): try table.set(property.name, of: key, to: value.inSet)
    case .embedded(let object):
      try fill(try table.createEmbedded(in: property.name, of: key), with: object)
    case .list(let elements):
      try table.set(property.name, of: key, to: .list([]))
      for element in elements {
        guard case .embedded(let object) = element else { continue }
        try fill(try table.createEmbedded(in: property.name, of: key), with: object)
      }
    case .dictionary(let entries):
      try table.set(property.name, of: key, to: .dictionary([:]))
      for (name, value) in entries {
        if case .embedded(let object) = value {
          try fill(try table.createEmbedded(in: property.name, of: key, dictionaryKey: name), with: object)
        } else {
          try table.setEntry(name, of: property.name, of: key, to: .null)
        }
      }
    case .set, .pending: throw BuildError.wrongType
    }
  }

  private func fill(_ key: ObjectKey, with object: ImportedObject) throws {
    let table = tables[object.dataClass.number]
    for (index, value) in object.members {
      try set(value, object.dataClass.properties[index], of: key, in: table)
    }
    try setGivenDefaults(of: object, key, in: table)
  }

  // MARK: Links

  /// A value without pending links; nil where one of them is to something that has not come.
  private func resolved(_ value: ImportedValue) throws -> ImportedValue? {
    switch value {
    case .plain: return value
    case .embedded(let object):
      var known = object
      for (position, member) in object.members.enumerated() {
        guard let value = try resolved(member.value) else { return nil }
        known.members[position].value = value
      }
      return .embedded(known)
    case .pending(let directory, let entry, let isInMixed):
      guard let (table, key) = try target(directory, entry) else { return nil }
      return .plain(isInMixed ? .typedLink(table, key) : .link(table, key))
    case .list(let elements):
      guard let known = try resolved(elements) else { return nil }
      return known.plain.map { .plain(.list($0)) } ?? .list(known)
    case .set(let elements):
      guard let known = try resolved(elements) else { return nil }
      return known.plain.map { .plain(.set($0)) } ?? .set(known)
    case .dictionary(let entries):
      guard let known = try resolved(entries.map(\.value)) else { return nil }
      let names = entries.map(\.name)
      if let plain = known.plain {
        return .plain(.dictionary(Dictionary(zip(names, plain)) { first, _ in first }))
      }
      return .dictionary(zip(names, known).map { (name: $0, value: $1) })
    }
  }

  private func resolved(_ values: [ImportedValue]) throws -> [ImportedValue]? {
    var known: [ImportedValue] = []
    for value in values {
      guard let value = try resolved(value) else { return nil }
      known.append(value)
    }
    return known
  }

  /// The object that an entry of a directory names: one that came, or one that the realm has.
  private func target(_ directory: Int, _ entry: Int) throws -> (TableKey, ObjectKey)? {
    let number = directory < classes.count ? directory : objects.lookups[directory - classes.count].classNumber
    if let key = objects.directories[directory].object(entry) { return (tableKeys[number], key) }
    guard directory < classes.count, classes[directory].primaryKey != nil else { return nil }
    let value = objects.directories[directory].value(ofEntry: entry)
    guard let key = try tables[directory].find(primaryKey: value) else { return nil }
    guard isFinishing || !uncertain[directory].contains(key) else { return nil }
    _ = objects.directories[directory].define(entry, as: key)
    return (tableKeys[directory], key)
  }

  private func wait(_ object: ImportedObject, _ key: ObjectKey, isNew: Bool, _ open: OpenObject) throws {
    let linking = object.members.filter { member in
      var isLinking = false
      member.value.forEachPending { _, _ in isLinking = true }
      return isLinking
    }
    let places = linking.map { member in
      let name = object.dataClass.properties[member.property].name
      return (member.property, sources[sourceNumber].place(objects.reader.location, property: name))
    }
    if isNew, options.mostErrors > 0 { uncertain[object.dataClass.number].insert(key) }
    try waiting.append(
      WaitingObjects.Waiter(
        object: object, key: key, isNew: isNew, source: sourceNumber, places: places, name: nameText(open)))
  }

  /// Gives objects the links that they wait for.
  ///
  /// - Parameter ofClassesWithoutKeys: only to objects that are known by what one source calls them.
  private func finishLinks(ofClassesWithoutKeys: Bool = false) throws {
    if !ofClassesWithoutKeys { try fillLookups() }
    isFinishing = true
    defer { isFinishing = false }
    for (directory, entries) in uncertainEntries {
      for (entry, key) in entries { _ = objects.directories[directory].define(entry, as: key) }
    }
    uncertainEntries = [:]
    let objectsToFinish = waiting
    waiting = WaitingObjects(classes, options)
    // Which of them stay is known only when all have come.
    if !ofClassesWithoutKeys {
      uncertain = Array(repeating: [], count: classes.count)
      if options.mostErrors > 0 { try findLeftOut(among: objectsToFinish) }
    }
    try objectsToFinish.forEach { object in
      guard !ofClassesWithoutKeys || waitsForObjectKey(object.object) else { return try waiting.append(object) }
      try finish(object)
      try spillSometimes()
    }
  }

  private func waitsForObjectKey(_ object: ImportedObject) -> Bool {
    object.members.contains { member in
      var found = false
      member.value.forEachPending { directory, _ in
        if directory < classes.count, classes[directory].primaryKey == nil { found = true }
      }
      return found
    }
  }

  private func finish(_ waiter: WaitingObjects.Waiter) throws {
    let dataClass = waiter.object.dataClass
    if options.createsMissing { try makeTargets(of: waiter.object) }
    var missing: [(property: Int, directory: Int, entry: Int)] = []
    for member in waiter.object.members {
      try member.value.forEachPending { directory, entry in
        guard try isMissing(directory, entry) else { return }
        missing.append((member.property, directory, entry))
      }
    }
    guard missing.isEmpty else {
      for (property, directory, entry) in missing { try noteMissing(property, directory, entry, waiter) }
      counts[dataClass.number].rejected += 1
      guard waiter.isNew else { return }
      counts[dataClass.number].inserted -= 1
      try noteLostLinks(to: waiter)
      return try tables[dataClass.number].delete(waiter.key)
    }
    let known = try waiter.object.members.compactMap { member in
      try resolved(member.value).map { (property: member.property, value: $0) }
    }
    guard try tables[dataClass.number].contains(waiter.key) else { return }
    let isChanged = try change(waiter.key, of: dataClass, known)
    guard !waiter.isNew else { return }
    if isChanged { counts[dataClass.number].updated += 1 } else { counts[dataClass.number].unchanged += 1 }
  }

  /// Whether the target of a link is nowhere, or left out.
  private func isMissing(_ directory: Int, _ entry: Int) throws -> Bool {
    guard let (table, key) = try target(directory, entry) else { return true }
    return tableKeys.firstIndex(of: table).map { leftOut[$0].contains(key) } ?? false
  }

  /// Finds the new objects that link to what is nowhere, those that link to them, and so on.
  private func findLeftOut(among waiters: WaitingObjects) throws {
    var isDone = false
    while !isDone {
      isDone = true
      try waiters.forEach { waiter in
        let number = waiter.object.dataClass.number
        guard waiter.isNew, !leftOut[number].contains(waiter.key) else { return }
        var isMissing = false
        for member in waiter.object.members {
          try member.value.forEachPending { directory, entry in
            guard try !isMissing && self.isMissing(directory, entry) else { return }
            isMissing = try target(directory, entry) != nil || !canMakeTarget(in: directory)
          }
        }
        guard isMissing else { return }
        leftOut[number].insert(waiter.key)
        isDone = false
      }
    }
  }

  private func canMakeTarget(in directory: Int) -> Bool {
    options.createsMissing && directory < classes.count && classes[directory].primaryKey != nil
  }

  private func noteMissing(_ property: Int, _ directory: Int, _ entry: Int, _ waiter: WaitingObjects.Waiter) throws {
    let dataClass = waiter.object.dataClass
    let lookup = directory < classes.count ? nil : objects.lookups[directory - classes.count]
    let target = classes[lookup?.classNumber ?? directory]
    let by = lookup.map { " with \(target.properties[$0.property].name)" } ?? ""
    let place = waiter.place(of: property)
    let name = objects.directories[directory].text(ofEntry: entry)
    let isLeftOut = try self.target(directory, entry) != nil
    try add(
      ImportProblem(
        source: waiter.source, file: place.file, line: place.line, column: place.column, className: dataClass.name,
        property: dataClass.properties[property].name, object: waiter.name,
        value: name,
        reason: "property '\(dataClass.name).\(dataClass.properties[property].name)': "
          + (isLeftOut ? "\(target.name)\(by) '\(name)' is left out" : "there is no \(target.name)\(by) '\(name)'"),
        remedy: isLeftOut ? nil : .createTargets))
  }

  /// Notes links that go with an object that is left out: those of objects around it in JSON, which got them at once.
  private func noteLostLinks(to waiter: WaitingObjects.Waiter) throws {
    let target = waiter.object.dataClass
    let place = waiter.place(of: waiter.object.members[0].property)
    for (table, property, origins) in try tables[target.number].backlinks(of: waiter.key) {
      guard let number = tableKeys.firstIndex(of: table) else { continue }
      for origin in origins where !leftOut[number].contains(origin) && (number, origin) != (target.number, waiter.key) {
        try add(
          ImportProblem(
            source: waiter.source, file: place.file, line: place.line, column: place.column,
            className: classes[number].name, property: property, object: nil, value: waiter.name,
            reason: "property '\(classes[number].name).\(property)' of object key \(origin.rawValue): "
              + "\(target.name)\(waiter.name.map { " '\($0)'" } ?? "") is left out, and the link with it",
            remedy: nil))
      }
    }
  }

  private func makeTargets(of object: ImportedObject) throws {
    for member in object.members {
      try member.value.forEachPending { directory, entry in
        guard canMakeTarget(in: directory), try target(directory, entry) == nil else { return }
        let value = objects.directories[directory].value(ofEntry: entry)
        let key = try tables[directory].create(primaryKey: value)
        _ = objects.directories[directory].define(entry, as: key)
        counts[directory].created += 1
      }
    }
  }

  /// Finds the objects that links name by other properties than primary keys.
  private func fillLookups() throws {
    for (number, lookup) in objects.lookups.enumerated() {
      let directory = classes.count + number
      var wanted: [Value: Int] = [:]
      for entry in 0..<objects.directories[directory].count {
        wanted[objects.directories[directory].value(ofEntry: entry)] = entry
      }
      guard !wanted.isEmpty else { continue }
      let target = classes[lookup.classNumber]
      let name = target.properties[lookup.property].name
      try tables[lookup.classNumber].forEachKey { key in
        guard let entry = wanted[try tables[lookup.classNumber].value(name, of: key)] else { return }
        guard objects.directories[directory].define(entry, as: key) else {
          throw ImportSourceError(
            .schema,
            "several objects of '\(target.name)' have '\(objects.directories[directory].text(ofEntry: entry))' as their "
              + "'\(name)', so links cannot find them by it")
        }
      }
    }
  }

  // MARK: Memory

  private func spillSometimes() throws {
    objectsSinceSpill += 1
    guard options.spills, objectsSinceSpill >= Self.spillInterval, objects.openCount <= 1 else { return }
    objectsSinceSpill = 0
    try transaction.spill()
    try transaction.forgetEarlierSpills()
    tables = tableKeys.compactMap { transaction.table($0) }
  }
}

/// What is wrong with one of the sources as a whole.
package struct ImportSourceFailure: Error {
  package let number: Int
  package let error: any Error
}

extension ImportedValue {
  /// Calls `body` with each pending link, at any depth.
  fileprivate func forEachPending(_ body: (_ directory: Int, _ entry: Int) throws -> Void) rethrows {
    switch self {
    case .plain: return
    case .embedded(let object): for member in object.members { try member.value.forEachPending(body) }
    case .pending(let directory, let entry, _): try body(directory, entry)
    case .list(let elements), .set(let elements): for element in elements { try element.forEachPending(body) }
    case .dictionary(let entries): for entry in entries { try entry.value.forEachPending(body) }
    }
  }
}

extension [ImportedValue] {
  /// The values, where all are plain.
  fileprivate var plain: [Value]? {
    var values: [Value] = []
    for element in self {
      guard case .plain(let value) = element else { return nil }
      values.append(value)
    }
    return values
  }
}

extension Value {
  private var isNaN: Bool {
    switch self {
    case .float(let number): number.isNaN
    case .double(let number): number.isNaN
    default: false
    }
  }

  /// With each element of a set once.
  fileprivate var inSet: Value {
    guard case .set(let elements) = self else { return self }
    // Sets with NaN have no order, and come as the engine left them (Docs/Format/2-nodes-and-values.md §7.1).
    guard !elements.contains(where: \.isNaN) else { return self }
    var seen: Set<Value> = []
    let distinct = elements.filter { seen.insert($0).inserted }
    return distinct.count == elements.count ? self : .set(distinct)
  }
}

extension Property {
  /// Whether objects can be found by their values of it.
  fileprivate var canIdentify: Bool {
    guard collection == nil else { return false }
    return [.int, .string, .date, .objectID, .uuid].contains(type)
  }
}

extension DataProperty {
  /// The value of an object that is given none.
  fileprivate var defaultValue: Value {
    switch collection {
    case .list: return .list([])
    case .set: return .set([])
    case .dictionary: return .dictionary([:])
    case nil: break
    }
    guard !isNullable else { return .null }
    switch type {
    case .string: return .string("")
    case .data: return .data([])
    default:
      let cell = defaultCell
      return ImportedValues.scalar(cell)
    }
  }
}

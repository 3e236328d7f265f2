import RealmStorage
import RealmText

/// Links to objects that are read later, or never.
extension ObjectImporter {
  /// A value without pending links; nil if one of its links points to an object that has not been read.
  func resolved(_ value: ImportedValue) throws -> ImportedValue? {
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

  func resolved(_ values: [ImportedValue]) throws -> [ImportedValue]? {
    var known: [ImportedValue] = []
    for value in values {
      guard let value = try resolved(value) else { return nil }
      known.append(value)
    }
    return known
  }

  /// The object that an entry of a directory names: one that was read, or one that the realm already has.
  func target(_ directory: Int, _ entry: Int) throws -> (TableKey, ObjectKey)? {
    let number = directory < classes.count ? directory : objects.lookups[directory - classes.count].classNumber
    if let key = objects.directories[directory].object(entry) { return (tableKeys[number], key) }
    guard directory < classes.count, classes[directory].primaryKey != nil else { return nil }
    if matchProperties[directory] != nil {
      // Later rows may change the primary keys of the realm, and a row that is left out is none of its objects.
      guard isFinishing, !rejectedEntries[directory].contains(entry) else { return nil }
    }
    let value = objects.directories[directory].value(ofEntry: entry)
    guard let key = try tables[directory].find(primaryKey: value) else { return nil }
    guard isFinishing || !uncertain[directory].contains(key) else { return nil }
    _ = objects.directories[directory].define(entry, as: key)
    return (tableKeys[directory], key)
  }

  func wait(_ object: ImportedObject, _ key: ObjectKey, isNew: Bool, _ open: OpenObject) throws {
    let linking = object.members.filter { member in
      var isLinking = false
      member.value.forEachPending { _, _ in isLinking = true }
      return isLinking
    }
    // A row without links may wait for an earlier one.
    let placed = linking.isEmpty ? object.members.prefix(1) : linking[...]
    let places = placed.map { member in
      let name = object.dataClass.properties[member.property].name
      return (member.property, sources[sourceNumber].place(objects.reader.location, property: name))
    }
    let number = object.dataClass.number
    if isNew, options.mostErrors > 0 { uncertain[number].insert(key) }
    if !isNew, matchProperties[number] != nil, let primaryKey = object.dataClass.primaryKey,
      case .plain(let value)? = object.members.first(where: { $0.property == primaryKey })?.value
    {
      claimedKeys[number][value] = key
    }
    try waiting.append(
      WaitingObjects.Waiter(
        object: object, key: key, isNew: isNew, source: sourceNumber, places: places, name: nameText(open)))
  }

  /// Sets the links that objects are waiting for: only when all objects have been read is it clear which of them stay.
  func finishLinks() throws {
    try fillLookups()
    isFinishing = true
    defer { isFinishing = false }
    for (directory, entries) in uncertainEntries {
      for (entry, key) in entries { _ = objects.directories[directory].define(entry, as: key) }
    }
    uncertainEntries = [:]
    let objectsToFinish = waiting
    waiting = WaitingObjects(classes, options)
    uncertain = Array(repeating: [], count: classes.count)
    if options.mostErrors > 0 { try findLeftOut(among: objectsToFinish) }
    var lost: [WaitingObjects.Waiter] = []
    try objectsToFinish.forEach { waiter in
      if try !finish(waiter) { lost.append(waiter) }
      try spillSometimes()
    }
    // Until here they are what rows must not link to.
    for waiter in lost {
      try noteLostLinks(to: waiter)
      try tables[waiter.object.dataClass.number].delete(waiter.key)
    }
  }

  /// - Returns: false for a new object that does not stay.
  private func finish(_ waiter: WaitingObjects.Waiter) throws -> Bool {
    let dataClass = waiter.object.dataClass
    let isEmptied = emptied[dataClass.number].contains(waiter.key)
    let isLeftOut = leftOut[dataClass.number].contains(waiter.key)
    if options.mode == .skip, !waiter.isNew, !isEmptied, !isLeftOut {
      counts[dataClass.number].skipped += 1
      return true
    }
    var missing: [(property: Int, directory: Int, entry: Int)] = []
    for member in waiter.object.members {
      try member.value.forEachPending { directory, entry in
        guard try isLost(directory, entry) else { return }
        // What it says of itself follows from the rest.
        let target = try target(directory, entry)
        guard target.map({ $0 != (tableKeys[dataClass.number], waiter.key) }) ?? true else { return }
        missing.append((member.property, directory, entry))
      }
    }
    let lacksKey = try (isEmptied || isLeftOut) && !makesObject(waiter)
    guard missing.isEmpty, !lacksKey else {
      for (property, directory, entry) in missing { try noteMissing(property, directory, entry, waiter) }
      if missing.isEmpty { try noteMissingKey(waiter) }
      counts[dataClass.number].rejected += 1
      guard waiter.isNew else { return true }
      counts[dataClass.number].inserted -= 1
      if !isLeftOut { try empty(waiter) }
      return !isLeftOut
    }
    if options.createsMissing { try makeTargets(of: waiter.object) }
    let known = try waiter.object.members.compactMap { member in
      try resolved(member.value).map { (property: member.property, value: $0) }
    }
    guard try tables[dataClass.number].contains(waiter.key) else { return true }
    let isChanged = try change(waiter.key, of: dataClass, known)
    guard !waiter.isNew else { return true }
    if isEmptied {
      emptied[dataClass.number].remove(waiter.key)
      counts[dataClass.number].inserted += 1
    } else if isChanged {
      counts[dataClass.number].updated += 1
    } else {
      counts[dataClass.number].unchanged += 1
    }
    return true
  }

  /// Whether a row can insert its object, should the rows before it be left out: an object that is matched by another
  /// property got its primary key from them.
  private func makesObject(_ waiter: WaitingObjects.Waiter) throws -> Bool {
    let dataClass = waiter.object.dataClass
    guard !waiter.isNew, matchProperties[dataClass.number] != nil, let primaryKey = dataClass.primaryKey else {
      return true
    }
    return try waiter.object.members.contains { $0.property == primaryKey }
      || canHaveNull(dataClass, primaryKey, waiter.key)
  }

  /// Whether null can be the primary key of an object: no other one has it.
  private func canHaveNull(_ dataClass: DataClass, _ primaryKey: Int, _ key: ObjectKey) throws -> Bool {
    guard dataClass.properties[primaryKey].isNullable else { return false }
    return try tables[dataClass.number].find(primaryKey: .null).map { $0 == key } ?? true
  }

  private func noteMissingKey(_ waiter: WaitingObjects.Waiter) throws {
    guard let primaryKey = waiter.object.dataClass.primaryKey else { return }
    let dataClass = waiter.object.dataClass
    let name = dataClass.properties[primaryKey].name
    let place = waiter.places.first?.place
    try add(
      ImportProblem(
        source: waiter.source, file: place?.file, line: place?.line ?? 0, column: place?.column ?? 0,
        className: dataClass.name, property: name, object: waiter.name, value: nil,
        reason: "\(DataFault.missingProperty(className: dataClass.name, property: name))",
        advice: DataFault.adviceOnMissing(isStrict: false), remedy: nil))
  }

  /// Takes back the values of a row that is left out, where another row has the same object.
  private func empty(_ waiter: WaitingObjects.Waiter) throws {
    var blank = ImportedObject(dataClass: waiter.object.dataClass, members: [])
    fillIn(&blank)
    let dataClass = blank.dataClass
    if matchProperties[dataClass.number] != nil, let primaryKey = dataClass.primaryKey,
      try canHaveNull(dataClass, primaryKey, waiter.key)
    {
      blank.members.append((primaryKey, .plain(.null)))
    }
    _ = try change(waiter.key, of: blank.dataClass, blank.members)
    emptied[blank.dataClass.number].insert(waiter.key)
  }

  /// Whether the target of a link does not exist, or is left out.
  private func isMissing(_ directory: Int, _ entry: Int) throws -> Bool {
    guard let (table, key) = try target(directory, entry) else { return true }
    return tableKeys.firstIndex(of: table).map { leftOut[$0].contains(key) } ?? false
  }

  /// Whether a link cannot be set: its target is missing and cannot be made, or is left out.
  private func isLost(_ directory: Int, _ entry: Int) throws -> Bool {
    guard try isMissing(directory, entry) else { return false }
    return try target(directory, entry) != nil || !canMakeTarget(directory, entry)
  }

  /// Finds the new objects all of whose rows link to missing objects, those that link to them, and so on.
  private func findLeftOut(among waiters: WaitingObjects) throws {
    var search = LeftOutSearch(classCount: classes.count)
    try waiters.forEach { waiter in
      let object = search.object(waiter.key, of: waiter.object.dataClass.number, isNew: waiter.isNew)
      var targets: [Int] = []
      var isMissing = false
      for member in waiter.object.members {
        try member.value.forEachPending { directory, entry in
          guard try !isMissing && !isLost(directory, entry) else { return isMissing = true }
          guard let (table, key) = try target(directory, entry), let number = tableKeys.firstIndex(of: table),
            waiters.contains(key, classes[number])
          else { return }
          targets.append(search.object(key, of: number, isNew: false))
        }
      }
      if try !isMissing && makesObject(waiter) { search.addRow(of: object, linkingTo: targets) }
    }
    for (number, key) in search.leftOut() { leftOut[number].insert(key) }
  }

  private func canMakeTarget(_ directory: Int, _ entry: Int) -> Bool {
    options.createsMissing && directory < classes.count && classes[directory].primaryKey != nil
      && !rejectedEntries[directory].contains(entry)
  }

  private func noteMissing(_ property: Int, _ directory: Int, _ entry: Int, _ waiter: WaitingObjects.Waiter) throws {
    let dataClass = waiter.object.dataClass
    let lookup = directory < classes.count ? nil : objects.lookups[directory - classes.count]
    let target = classes[lookup?.classNumber ?? directory]
    let place = waiter.place(of: property)
    let name = objects.directories[directory].text(ofEntry: entry)
    let isKey = lookup == nil && target.primaryKey == nil
    let found =
      lookup.map { "of class '\(target.name)' with \(target.properties[$0.property].name) '\(name)'" }
      ?? "\(name) of class '\(target.name)'"
    let isLeftOut =
      try self.target(directory, entry) != nil || lookup == nil && rejectedEntries[directory].contains(entry)
    try add(
      ImportProblem(
        source: waiter.source, file: place.file, line: place.line, column: place.column, className: dataClass.name,
        property: dataClass.properties[property].name, object: waiter.name,
        value: name,
        reason: "property '\(dataClass.name).\(dataClass.properties[property].name)': "
          + (isLeftOut
            ? "object \(found) is left out"
            : isKey
              ? "no object with the \(target.keyName) \(found) is in the sources, and --link finds those of the realm"
              : "no object \(found) exists"
                + (lookup != nil && options.createsMissing ? ", and --create-missing needs a primary key" : "")),
        remedy: isLeftOut || options.createsMissing || lookup != nil || isKey ? nil : .createTargets))
  }

  /// Records links that disappear with an object that is left out: those of the objects around it in JSON, which were
  /// set at once.
  private func noteLostLinks(to waiter: WaitingObjects.Waiter) throws {
    let target = waiter.object.dataClass
    let place = waiter.place(of: waiter.object.members[0].property)
    for (table, property, origins) in try tables[target.number].backlinks(of: waiter.key) {
      guard let number = tableKeys.firstIndex(of: table) else { continue }
      for origin in origins where !leftOut[number].contains(origin) && (number, origin) != (target.number, waiter.key) {
        let name = try primaryKeyText(of: origin, classes[number])
        try add(
          ImportProblem(
            source: waiter.source, file: place.file, line: place.line, column: place.column,
            className: classes[number].name, property: property, object: name, value: waiter.name,
            reason: "property '\(classes[number].name).\(property)'"
              + (name == nil ? " of object \(origin.rawValue): " : ": ")
              + "\(waiter.name.map { "object \($0)" } ?? "an object") of class '\(target.name)' is left out, and the link with it",
            remedy: nil))
      }
    }
  }

  /// Nil for an object without a primary key.
  private func primaryKeyText(of key: ObjectKey, _ dataClass: DataClass) throws -> String? {
    guard let primaryKey = dataClass.primaryKey else { return nil }
    switch try tables[dataClass.number].value(dataClass.properties[primaryKey].name, of: key) {
    case .int(let number): return "\(number)"
    case .string(let text): return ShownText.beginning(of: text.description)
    case .objectID(let id): return TextBuffer.string { $0.append(id) }
    case .uuid(let id): return TextBuffer.string { $0.append(id) }
    default: return "null"
    }
  }

  private func makeTargets(of object: ImportedObject) throws {
    for member in object.members {
      try member.value.forEachPending { directory, entry in
        guard canMakeTarget(directory, entry), try target(directory, entry) == nil else { return }
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
      for key in try tables[lookup.classNumber].keys() {
        guard let entry = wanted[try tables[lookup.classNumber].value(name, of: key)] else { continue }
        guard objects.directories[directory].define(entry, as: key) else {
          throw InputError.source(
            .schema,
            "several objects of class '\(target.name)' have '\(objects.directories[directory].text(ofEntry: entry))' as their "
              + "'\(name)', so links cannot find them by it")
        }
      }
    }
  }
}

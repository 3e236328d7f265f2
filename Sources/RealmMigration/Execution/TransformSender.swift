import RealmExchange
import RealmStorage
import RealmTerminal
import RealmText

/// Objects that a program of the user's changes: it gets one JSON object per line and answers in the same way, in any
/// order (Docs/Plan.md).
extension PlanExecution {
  func transform(_ action: PlanOperation.Transform, _ done: inout PlanReport.Operation) throws {
    let table = try table(action.className)
    (done.className, done.objects) = (action.className.value, table.objectCount)
    guard !run.options.checksOnly else { return }
    guard run.options.allowsCommands else {
      throw PlanError("external commands need --allow-exec", at: action.className.location)
    }
    guard let before = current.table(table.key)?.table else { return }
    let keys = try action.filter.map { try query($0, before).sorted() }
    let sender = TransformSender(self, table.key, before, keys, stepStart.snapshot, current.snapshot)
    let receiver = TransformReceiver(self, table.key, action, isKnown: keys.map(Set.init))
    defer { (done.computed, done.deleted, done.created) = (receiver.changed, receiver.deleted, receiver.created) }
    do {
      let command = try ExternalCommand(action.command)
      try command.run(
        within: .seconds(action.timeoutSeconds), next: { try sender.append(to: &$0) }, line: { try receiver.take($0) })
    } catch let failure as ExternalCommand.Failure {
      throw PlanError("'\(action.command[0])' \(failure)", at: action.className.location)
    }
    done.objects = sender.count
    try receiver.finish()
  }

  var planName: String { run.plan.name ?? "" }
}

/// Writes what the program reads.
private final class TransformSender {
  private enum State { case header, objects, end }

  private let execution: PlanExecution
  private let table: Table
  private let keys: [ObjectKey]?
  private var position = 0
  private var batches: ObjectBatches
  private var state = State.header
  private let text = TextBuffer(capacity: 1 << 16)
  private let old: (table: Table, json: ObjectJSON)?
  private let new: ObjectJSON
  private let oldVersion: UInt64
  private(set) var count = 0

  init(
    _ execution: PlanExecution, _ key: TableKey, _ table: Table, _ keys: [ObjectKey]?, _ old: Snapshot, _ new: Snapshot
  ) {
    (self.execution, self.table, self.keys) = (execution, table, keys)
    batches = table.batches()
    let text = self.text
    self.old = old.table(key).map { ($0, ObjectJSON(.typed, of: old, to: text)) }
    self.new = ObjectJSON(.typed, of: new, to: text)
    oldVersion = old.schema.version ?? 0
  }

  /// - Returns: false after the last line.
  func append(to bytes: inout [UInt8]) throws -> Bool {
    text.removeAll()
    switch state {
    case .header:
      appendHeader()
      state = .objects
    case .objects: if try !appendObjects() { state = .end }
    case .end:
      text.append("{\"type\":\"end\"}\n")
      text.withBytes { bytes.append(contentsOf: $0) }
      return false
    }
    text.withBytes { bytes.append(contentsOf: $0) }
    return true
  }

  private func appendHeader() {
    text.append("{\"type\":\"header\",\"plan\":")
    text.appendJSON(execution.planName)
    text.append(",\"step\":")
    text.append(integer: execution.step.version.value)
    text.append(",\"class\":")
    text.appendJSON(table.schema.displayName, style: .lossless)
    text.append(",\"oldVersion\":")
    text.append(integer: oldVersion)
    text.append("}\n")
  }

  /// - Returns: false if there are no more.
  private func appendObjects() throws -> Bool {
    if let keys {
      let end = min(position + 64, keys.count)
      for key in keys[position..<end] {
        if let place = try table.object(key) { try append(place.batch, place.row) }
      }
      position = end
      return position < keys.count
    }
    switch batches.next() {
    case nil: return false
    case .damaged(let error)?: throw error
    case .batch(let batch)?:
      for row in 0..<batch.count { try append(batch, row) }
      try releasePagesIfNeeded()
      return true
    }
  }

  private func releasePagesIfNeeded() throws {
    let snapshot = execution.current.snapshot
    guard snapshot.holdsTooManyPages else { return }
    for json in [new, old?.json].compactMap({ $0 }) { json.forgetPlaces() }
    execution.current.forgetPlaces()
    try snapshot.releasePages()
    if let error = batches.restorePlaces() { throw error }
  }

  private func append(_ batch: ObjectBatch, _ row: Int) throws {
    let key = batch.key(at: row)
    text.append("{\"type\":\"object\",\"key\":")
    text.append(integer: key.rawValue)
    text.append(",\"old\":")
    if let old, let place = try old.table.object(key) {
      try old.json.append(place.batch, row: place.row)
    } else {
      text.append("null")
    }
    text.append(",\"new\":")
    try new.append(batch, row: row)
    text.append("}\n")
    count += 1
  }
}

/// Does what the program answers.
private final class TransformReceiver {
  private let execution: PlanExecution
  private let key: TableKey
  private let action: PlanOperation.Transform
  /// The objects that were sent; nil for all.
  private let isKnown: Set<ObjectKey>?
  private var lineNumber = 0
  private(set) var changed = 0
  private(set) var deleted = 0
  private(set) var created = 0
  private var doomed: [ObjectKey] = []

  init(_ execution: PlanExecution, _ key: TableKey, _ action: PlanOperation.Transform, isKnown: Set<ObjectKey>?) {
    (self.execution, self.key, self.action, self.isKnown) = (execution, key, action, isKnown)
  }

  func take(_ line: ArraySlice<UInt8>) throws {
    lineNumber += 1
    guard line.contains(where: { $0 > 0x20 }) else { return }
    guard String(utf8: line) != nil else { throw located("the answer is not UTF-8 text") }
    let node: PlanNode
    do throws(PlanError) { node = try PlanJSON(Array(line)).parse() } catch {
      throw located("not valid JSON: \(error.summary.problem)", advice: error.summary.advice)
    }
    do {
      try RealmError.uncovering { try take(node) }
    } catch let error as PlanError {
      throw located(error.mistakes[0].problem, advice: error.mistakes[0].advice)
    } catch let error as ValueError {
      throw located(error.fact, advice: error.advice)
    } catch let error as any ChangeRefusal {
      throw located("\(error)")
    }
  }

  private func located(_ problem: String, advice: String? = nil) -> PlanError {
    PlanError(
      "line \(lineNumber) of '\(action.command[0])': \(problem)", advice: advice, at: action.className.location)
  }

  private func refuse(_ message: String) -> ValueError { ValueError(message) }

  private func take(_ node: PlanNode) throws {
    guard let entries = node.entries else { throw refuse("a line must be a JSON object") }
    let known = ["key", "set", "delete", "append", "create", "ref", "value", "log"]
    if let unknown = entries.first(where: { !known.contains($0.key) }) {
      throw ValueError(
        "unknown key '\(unknown.key)'", advice: Similarity.question(about: unknown.key, among: known))
    }
    if let log = node["log"] { return execution.warn(log.text ?? PlanFields.shown(log), at: action.className.location) }
    if let className = node["create"] { return try create(className, node) }
    guard case .number(let digits)? = node["key"]?.content, let number = Int64(digits) else {
      throw refuse(
        node["key"].map { "'key' must be a number, not \(PlanFields.shown($0))" }
          ?? "'key', 'create' or 'log' is missing")
    }
    let object = ObjectKey(rawValue: number)
    guard let table = execution.transaction.table(key), isKnown?.contains(object) ?? true, try table.contains(object)
    else {
      throw refuse("object \(number) was not sent")
    }
    if node["delete"]?.content == .bool(true) { return doomed.append(object) }
    guard node["set"] != nil || node["append"] != nil else { throw refuse("'set', 'append' or 'delete' is missing") }
    try forEachProperty(of: node["set"], table) { property, value in
      try set(property, of: object, to: value, table)
    }
    try forEachProperty(of: node["append"], table) { property, value in
      guard property.collection == .list || property.collection == .set else {
        throw refuse("'\(property.name)' is not a list")
      }
      if try appendEmbedded(value, property, object, table) { return }
      let added = try execution.literal.value(value, of: property).elements ?? []
      let old = try table.value(property.name, of: object).elements ?? []
      try table.set(
        property.name, of: object, to: execution.fit(.list(old + added), to: property))
    }
    changed += 1
  }

  private func forEachProperty(
    of node: PlanNode?, _ table: TableEditor, _ body: (Property, PlanNode) throws -> Void
  ) throws {
    guard let node else { return }
    guard let entries = node.entries else { throw refuse("'set' and 'append' take a JSON object") }
    for entry in entries {
      let name = Located(entry.name, at: entry.location)
      try body(try execution.property(name, of: table), entry.value)
    }
  }

  private func set(_ property: Property, of object: ObjectKey, to node: PlanNode, _ table: TableEditor) throws {
    let target = property.target.flatMap { try? execution.transaction.table($0) }
    guard target?.schema.kind == .embedded, !node.isNull else {
      return try table.set(property.name, of: object, to: execution.literal.value(node, of: property))
    }
    let bound = try execution.bind(PlanReader().plainValue(node), for: property, of: table)
    let scope = try EvaluationScope(
      table.key, old: execution.stepStart, new: execution.current, clock: execution.clock)
    try execution.makeObjects(bound, property, object, table, scope)
  }

  /// Creates embedded objects at the end of a list.
  ///
  /// - Returns: false if the list does not contain embedded objects.
  private func appendEmbedded(
    _ node: PlanNode, _ property: Property, _ object: ObjectKey, _ table: TableEditor
  ) throws -> Bool {
    let target = property.target.flatMap { try? execution.transaction.table($0) }
    guard target?.schema.kind == .embedded else { return false }
    let bound = try execution.bind(PlanReader().plainValue(node), for: property, of: table)
    let scope = try EvaluationScope(
      table.key, old: execution.stepStart, new: execution.current, clock: execution.clock)
    guard case .list(let elements) = bound else { return true }
    for case .embedded(let fields) in elements {
      try execution.fill(table.createEmbedded(in: property.name, of: object), property, fields, scope)
    }
    return true
  }

  private func create(_ className: PlanNode, _ node: PlanNode) throws {
    guard let name = className.text else { throw refuse("'create' must be the name of a class") }
    let table = try execution.table(Located(RealmString(name), at: className.location))
    guard table.schema.kind != .embedded else {
      throw refuse("'\(name)' is an embedded class: set its objects through a property of their parents")
    }
    var key: ObjectKey
    if let primaryKey = table.schema.primaryKey {
      guard let value = node["value"]?[primaryKey.name.description] else {
        throw refuse("the primary key '\(primaryKey.name)' is missing")
      }
      key = try table.create(
        primaryKey: execution.literal.value(value, of: primaryKey), allowsDuplicates: true)
    } else {
      key = try table.create()
    }
    created += 1
    try forEachProperty(of: node["value"], table) { property, value in
      guard property.name != table.schema.primaryKey?.name else { return }
      try set(property, of: key, to: value, table)
    }
    if let reference = node["ref"]?.text { execution.references[RealmString(reference)] = (table.key, key) }
  }

  /// Objects are deleted once nothing more is read.
  func finish() throws { deleted = try execution.delete(doomed, of: key) }
}

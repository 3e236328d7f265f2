import RealmQuery
import RealmStorage
import RealmText

/// What formulas can see: one object, as it was and as it is, and facts about the run.
final class EvaluationScope {
  let clock: RunClock
  private let old: SnapshotReader
  private let new: SnapshotReader
  private let oldTable: TableReader?
  private let newTable: TableReader
  private var hasOld = false
  /// Values that the path being followed has found so far.
  private var valueCount = 0
  private(set) var key = ObjectKey(rawValue: -1)
  /// Gives text its place.
  let buffer = TextBuffer(capacity: 256)

  /// - Parameters:
  ///   - old: the state when the step began.
  ///   - new: the state before the operation.
  init(_ table: TableKey, old: SnapshotReader, new: SnapshotReader, clock: RunClock) throws {
    guard let newTable = new.table(table) else { throw EditError.noSuchTable("") }
    (self.old, self.new, self.newTable, self.clock) = (old, new, newTable, clock)
    oldTable = old.table(table)
  }

  /// Goes to an object.
  func go(to batch: ObjectBatch, row: Int, isSameBatch: Bool) throws {
    key = batch.key(at: row)
    if isSameBatch { newTable.go(toRow: row) } else { newTable.go(to: batch, row: row) }
    guard let oldTable, oldTable !== newTable else {
      hasOld = oldTable != nil
      return
    }
    hasOld = try oldTable.seek(key)
  }

  /// The name of the object in messages: `id=7` with its primary key, which users know; otherwise its object key.
  var name: String {
    for table in [hasOld ? oldTable : nil, newTable].compactMap({ $0 }) {
      let schema = table.table.schema
      guard let index = schema.primaryKeyIndex, let value = try? table.value(index) else { continue }
      return "\(schema.properties[index].name)=\(value.shown)"
    }
    return "\(key.rawValue)"
  }

  /// Goes to an object; false if there is none.
  func go(to key: ObjectKey) throws -> Bool {
    guard try newTable.seek(key) else { return false }
    self.key = key
    hasOld = try oldTable.map { $0 === newTable ? true : try $0.seek(key) } ?? false
    return true
  }

  func releasePagesIfNeeded() throws {
    if old !== new { try old.releasePagesIfNeeded() }
  }

  /// The values of an object are of no use any more.
  func forgetPlaces() { new.forgetPlaces() }

  // MARK: Paths

  private func start(_ start: BoundFormula.Start) -> (SnapshotReader, TableReader, Int)? {
    guard case .property(let before, let now) = start else { return nil }
    if let before, hasOld, let oldTable { return (old, oldTable, before) }
    return now.map { (new, newTable, $0) }
  }

  func value(_ path: ExpressionPath, _ start: BoundFormula.Start) throws -> Value {
    let (reader, first): (SnapshotReader, Value)
    switch start {
    case .object(let isOld, let isNew):
      if isOld, hasOld, let oldTable {
        (reader, first) = (old, .link(oldTable.table.key, key))
      } else if isNew {
        (reader, first) = (new, .link(newTable.table.key, key))
      } else {
        return .null
      }
    case .property:
      guard let (found, table, index) = self.start(start) else { return .null }
      (reader, first) = (found, try table.value(index))
    }
    var value = first
    valueCount = 0
    for element in path.rest {
      if value == .null { return .null }
      value = try follow(element, from: value, reader)
      guard valueCount <= ValueBound.mostValues else { throw Self.tooMany(path) }
    }
    return value
  }

  /// A value that needs no copy; nil if it does.
  func view(_ path: ExpressionPath, _ start: BoundFormula.Start) throws -> ValueView? {
    guard path.rest.isEmpty, let (_, table, index) = self.start(start) else { return nil }
    return try table.view(index)
  }

  private static func tooMany(_ path: ExpressionPath) -> ValueError {
    ValueError("'\(path.text)' has more than \(ValueBound.mostValues) values")
  }

  /// What a path has found, with what it has passed.
  private func count(_ found: Value) -> Value {
    valueCount += 1
    if case .list(let elements) = found { valueCount += elements.count }
    return found
  }

  private func follow(_ element: ExpressionPath.Element, from value: Value, _ reader: SnapshotReader) throws -> Value {
    switch (element, value) {
    case (.index(let index), .list(let elements)), (.index(let index), .set(let elements)):
      return elements.indices.contains(index) ? elements[index] : .null
    case (.key(let key), .dictionary(let entries)): return entries[key] ?? .null
    case (.name(let name), .link(let table, let key)), (.name(let name), .typedLink(let table, let key)):
      return try property(name, of: key, table, reader)
    case (.name, .list(let elements)), (.name, .set(let elements)):
      // A path of many links has no end.
      return .list(
        try elements.map {
          guard valueCount <= ValueBound.mostValues else { return .null }
          return $0 == .null ? .null : count(try follow(element, from: $0, reader))
        })
    case (.name(let name), .dictionary(let entries)): return entries[name] ?? .null
    case (.backlinks(let className, let name), .link(let table, let key)),
      (.backlinks(let className, let name), .typedLink(let table, let key)):
      return try backlinks(className, name, to: key, table, reader)
    case (.backlinks, .list(let elements)), (.backlinks, .set(let elements)):
      return .list(
        try elements.flatMap { link -> [Value] in
          guard link != .null, valueCount <= ValueBound.mostValues,
            case .list(let found) = count(try follow(element, from: link, reader))
          else { return [] }
          return found
        })
    case (.name(let name), _): throw ValueError("\(value.kindName) has no property '\(name)'")
    case (.backlinks, _): throw ValueError("nothing links to \(value.kindName)")
    case (.index, _): throw ValueError("\(value.kindName) has no elements")
    case (.key, _): throw ValueError("\(value.kindName) has no keys")
    }
  }

  private func property(
    _ name: RealmString, of key: ObjectKey, _ table: TableKey, _ reader: SnapshotReader
  ) throws -> Value {
    guard let target = reader.table(table) else { return .null }
    guard let index = target.index(of: name) else {
      throw ValueError("'\(target.table.schema.displayName)' has no property '\(name)'")
    }
    // The reader of this class is at the object that the formula is about.
    guard target === newTable || target === oldTable else {
      return try target.seek(key) ? target.value(index) : .null
    }
    guard let place = try target.table.object(key) else { return .null }
    return try Value(place.batch.values(ofProperty: index).value(at: place.row), reader.snapshot.collectionWalk())
  }

  /// The objects of a class that link to one by a property, in the order of their keys: the file has no other that means
  /// anything. One that links there more than once is there as often.
  private func backlinks(
    _ className: RealmString, _ name: RealmString, to key: ObjectKey, _ table: TableKey, _ reader: SnapshotReader
  ) throws -> Value {
    guard let target = reader.table(table)?.table,
      let (origin, index) = reader.incomingLink(to: target, from: className, by: name),
      let place = try target.object(key)
    else { return .list([]) }
    let group = try reader.snapshot.backlinks(to: place.batch, row: place.row, index: index)
    let keys = try group.originKeys(at: 0..<group.count, in: reader.snapshot).map { try $0.get() }
    return .list(keys.sorted { $0.rawValue < $1.rawValue }.map { .link(origin, $0) })
  }

  /// The value that represents an object in text: its primary key.
  func primaryKey(of link: Value, old isOld: Bool = false) throws -> Value? {
    guard case .link(let table, let key) = link.asPlainLink else { return nil }
    for reader in [new, old] {
      guard let target = reader.table(table), let property = target.table.schema.primaryKey,
        let index = target.index(of: property.name), let place = try target.table.object(key)
      else { continue }
      return try Value(place.batch.values(ofProperty: index).value(at: place.row), reader.snapshot.collectionWalk())
    }
    return nil
  }
}

extension Value {
  /// A link, however it is stored.
  var asPlainLink: Value {
    if case .typedLink(let table, let key) = self { return .link(table, key) }
    return self
  }
}

/// The result of `now()`, `new_uuid()` and `new_objectid()`.
final class RunClock {
  let now: Timestamp
  private var random: any RandomNumberGenerator
  private var counter: UInt32

  init(now: Timestamp, random: any RandomNumberGenerator) {
    self.now = now
    self.random = random
    var generator = random
    counter = UInt32.random(in: 0...0xff_ffff, using: &generator)
    self.random = generator
  }

  /// Random (version 4).
  func makeUUID() -> RealmUUID {
    let (head, tail) = (random.next() as UInt64, random.next() as UInt64)
    return RealmUUID(
      head: head & 0xffff_ffff_ffff_0fff | 0x4000, tail: tail & 0x3fff_ffff_ffff_ffff | 0x8000_0000_0000_0000)
  }

  /// Seconds, five random bytes, a counter.
  func makeObjectID() -> ObjectID {
    counter = (counter + 1) & 0xff_ffff
    let seconds = UInt64(UInt32(truncatingIfNeeded: now.seconds)) << 32
    let bytes = UInt64(random.next() as UInt64) & 0xff_ffff_ffff
    return ObjectID(head: seconds | bytes >> 8, tail: UInt32(truncatingIfNeeded: bytes & 0xff) << 24 | counter)
  }
}

// MARK: - Formulas

extension BoundFormula {
  /// The value for the object that the scope is at.
  ///
  /// - Throws: `ValueError`; `StorageError` if values are damaged.
  func value(in scope: EvaluationScope) throws -> Value { try value(of: formula.root, scope) }

  private func value(of expression: Expression, _ scope: EvaluationScope) throws -> Value {
    switch expression {
    case .constant(let value): return value
    case .number(let number, let exact): return isDecimal ? .decimal(exact) : .double(number)
    case .path(let index): return try scope.value(formula.paths[index], starts[index])
    case .negate(let inner): return try FormulaArithmetic.negate(value(of: inner, scope))
    case .not(let inner): return try truth(inner, scope).map { .bool(!$0) } ?? .null
    case .and(let terms): return try decided(terms, by: false, scope)
    case .or(let terms): return try decided(terms, by: true, scope)
    case .remainder(let left, let right):
      let (left, right) = try operands(left, right, scope)
      return try FormulaArithmetic.remainder(left, right)
    case .arithmetic(let sign, let left, let right):
      let (left, right) = try operands(left, right, scope)
      return try FormulaArithmetic.apply(sign, left, right)
    case .comparison(let comparison, let left, let right):
      let (left, right) = try operands(left, right, scope)
      return try FormulaArithmetic.compare(comparison, left, right)
    case .call(let function, let arguments): return try call(function, arguments, scope)
    }
  }

  /// A number beside a decimal is one.
  private func operands(_ left: Expression, _ right: Expression, _ scope: EvaluationScope) throws -> (Value, Value) {
    let values = try (value(of: left, scope), value(of: right, scope))
    switch (left, values.0, right, values.1) {
    case (.number(_, let exact), _, _, .decimal): return (.decimal(exact), values.1)
    case (_, .decimal, .number(_, let exact), _): return (values.0, .decimal(exact))
    default: return values
    }
  }

  /// Goes from the first term on as far as is needed: to one that decides, or to null.
  private func decided(_ terms: [Expression], by decisive: Bool, _ scope: EvaluationScope) throws -> Value {
    for term in terms {
      guard let truth = try truth(term, scope) else { return .null }
      if truth == decisive { return .bool(decisive) }
    }
    return .bool(!decisive)
  }

  /// Nil for null.
  private func truth(_ expression: Expression, _ scope: EvaluationScope) throws -> Bool? {
    switch try value(of: expression, scope) {
    case .null: return nil
    case .bool(let flag): return flag
    case let other: throw ValueError("\(other.shown) is neither true nor false")
    }
  }

  private func call(_ function: Expression.Function, _ arguments: [Expression], _ scope: EvaluationScope) throws
    -> Value
  {
    switch function {
    // Only the parts that are needed must have a value.
    case .if:
      return try value(of: truth(arguments[0], scope) == true ? arguments[1] : arguments[2], scope)
    case .coalesce:
      for argument in arguments {
        let value = try value(of: argument, scope)
        if value != .null { return value }
      }
      return .null
    case .key: return .int(scope.key.rawValue)
    default: break
    }
    let values = try arguments.map { try value(of: $0, scope) }
    if !function.takesNull, values.contains(.null) { return .null }
    return try FunctionCall(function: function, arguments: values, scope: scope).value()
  }
}

/// A template whose names were looked up in a class.
struct BoundTemplate {
  private enum Part {
    case text([UInt8])
    case insert(BoundFormula, fallback: [UInt8]?)
  }

  private let parts: [Part]
  let onNull: NullPolicy

  init(
    _ template: Template, at location: PlanLocation, onNull: NullPolicy,
    old: (table: TableSchema, schema: Schema)?, new: (table: TableSchema, schema: Schema), model: TableSchema? = nil
  ) throws(PlanError) {
    self.onNull = onNull
    var parts: [Part] = []
    for part in template.parts {
      switch part {
      case .text(let bytes): parts.append(.text(bytes))
      case .insert(let formula, let fallback):
        parts.append(
          .insert(try BoundFormula(formula, at: location, old: old, new: new, model: model), fallback: fallback))
      }
    }
    self.parts = parts
  }

  /// The text for the object that the scope is at; null if an inserted value is null and makes the whole null.
  func value(in scope: EvaluationScope) throws -> Value {
    let buffer = scope.buffer
    buffer.removeAll()
    for part in parts {
      try ValueBound.require(buffer.count)
      switch part {
      case .text(let bytes): bytes.withUnsafeBytes { buffer.append(bytes: $0) }
      case .insert(let formula, let fallback):
        if try formula.append(to: buffer, scope) { continue }
        if let fallback {
          fallback.withUnsafeBytes { buffer.append(bytes: $0) }
          continue
        }
        switch onNull {
        case .empty: continue
        case .fail: throw ValueError("'\(formula.formula.text)' is null")
        case .propagate, .default, .delete: return .null
        }
      }
    }
    try ValueBound.require(buffer.count)
    return .string(RealmString(utf8: buffer.withBytes { Array($0) }))
  }
}

extension BoundFormula {
  /// Appends the value as text.
  ///
  /// - Returns: false, and nothing appended, for null.
  fileprivate func append(to buffer: TextBuffer, _ scope: EvaluationScope) throws -> Bool {
    if case .path(let index) = formula.root, let view = try scope.view(formula.paths[index], starts[index]) {
      switch view {
      case .null: return false
      case .string(let text):
        try text.forEachPiece { buffer.append(bytes: $0) }
        return true
      case .int(let number):
        buffer.append(integer: number)
        return true
      default: break
      }
    }
    let value = try value(in: scope)
    switch value {
    case .null: return false
    case .link, .typedLink:
      guard let key = try scope.primaryKey(of: value), buffer.append(plain: key) else {
        throw ValueError("'\(formula.text)' is a link to an object without a primary key, which has no text form")
      }
      return true
    default:
      guard buffer.append(plain: value) else {
        throw ValueError("'\(formula.text)' is \(value.kindName), which has no text form")
      }
      return true
    }
  }
}

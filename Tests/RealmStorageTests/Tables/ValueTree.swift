@testable import RealmStorage

/// A value with everything in it, to be written and compared.
indirect enum ValueTree {
  case single(ValueView)
  case list([ValueTree])
  case set([ValueTree])
  case dictionary([(key: [UInt8], value: ValueTree)])

  /// Appends the value to a column.
  func copy(into column: ColumnBuilder, _ owner: OwnedBytes) throws {
    switch self {
    case .single(let value): try column.append(value)
    case .list(let elements), .set(let elements):
      if case .set = self { try column.begin(.set) } else { try column.begin(.list) }
      for element in elements { try element.copy(into: column, owner) }
      try column.end()
    case .dictionary(let entries):
      try column.begin(.dictionary)
      for entry in entries {
        try column.append(key: owner.blob(entry.key))
        try entry.value.copy(into: column, owner)
      }
      try column.end()
    }
  }

  /// All bits in words.
  var text: String {
    get throws {
      switch self {
      case .single(let value): try Self.text(value)
      case .list(let elements): "[" + (try elements.map { try $0.text }.joined(separator: " ")) + "]"
      case .set(let elements): "<" + (try elements.map { try $0.text }.joined(separator: " ")) + ">"
      case .dictionary(let entries):
        "{" + (try entries.map { "\(Hex.text($0.key)):\(try $0.value.text)" }.joined(separator: " ")) + "}"
      }
    }
  }

  private static func text(_ value: ValueView) throws -> String {
    switch value {
    case .null: "null"
    case .int(let number): "i\(number)"
    case .bool(let flag): "\(flag)"
    case .float(let number): "f\(number.bitPattern)"
    case .double(let number): "d\(number.bitPattern)"
    case .string(let text): "s\(Hex.text(try text.copied()))"
    case .data(let data): "b\(Hex.text(try data.copied()))"
    case .date(let date): "t\(date.seconds).\(date.nanoseconds)"
    case .decimal(let decimal): "n\(decimal.high).\(decimal.low)"
    case .objectID(let id): "o\(id.head).\(id.tail)"
    case .uuid(let uuid): "u\(uuid.head).\(uuid.tail)"
    case .link(let table, let key): "l\(table.rawValue).\(key.rawValue)"
    case .typedLink(let table, let key): "x\(table.rawValue).\(key.rawValue)"
    case .list, .set, .dictionary: "?"
    }
  }

  /// Reads a value with everything in it.
  init(_ value: ValueView, _ walk: CollectionWalk) throws {
    switch value {
    case .list(let list):
      var elements: [ValueTree] = []
      try list.forEach(walk, damaged: { throw $0 }) { elements.append(try ValueTree($0, walk)) }
      self = .list(elements)
    case .set(let set):
      var elements: [ValueTree] = []
      try set.forEachOfSet(walk, damaged: { throw $0 }) { elements.append(try ValueTree($0, walk)) }
      self = .set(elements)
    case .dictionary(let dictionary):
      var entries: [(key: [UInt8], value: ValueTree)] = []
      try dictionary.forEach(walk, damaged: { throw $0 }) { entries.append((try $0.copied(), try ValueTree($1, walk))) }
      self = .dictionary(entries)
    default: self = .single(value)
    }
  }
}

/// Random values, the same for the same seed, often near the limits of encodings.
struct ValueGenerator {
  private var state: UInt64
  let owner: OwnedBytes
  /// Where links may lead: table and keys.
  var targets: [(table: TableKey, keys: [ObjectKey])] = []

  init(seed: UInt64, owner: OwnedBytes) {
    state = seed
    self.owner = owner
  }

  /// SplitMix64.
  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
    return mixed ^ (mixed >> 31)
  }

  mutating func below(_ bound: Int) -> Int { Int(next() % UInt64(max(bound, 1))) }

  mutating func chance(_ percent: Int) -> Bool { below(100) < percent }

  private mutating func integer() -> Int64 {
    switch below(4) {
    case 0: Int64(below(4))
    case 1: Int64(truncatingIfNeeded: next()) >> Int64(below(64))
    case 2: [0, 1, 3, 15, 127, 128, -128, 32767, -32769, 1 << 31, .max, .min, -1][below(13)]
    default: Int64(below(300)) - 100
    }
  }

  private mutating func bytes(_ lengths: [Int]) -> [UInt8] {
    let length = lengths[below(lengths.count)]
    return (0..<length).map { _ in UInt8(truncatingIfNeeded: next()) }
  }

  /// A value of a column, null included where it may be.
  mutating func single(_ code: TypeCode, isNullable: Bool) -> ValueView {
    if isNullable, chance(15) { return .null }
    switch code {
    case .int: return .int(integer())
    case .bool: return .bool(chance(50))
    case .string: return .string(owner.blob(bytes(chance(80) ? [0, 1, 3, 7, 8, 15] : [16, 31, 62, 63, 64, 200])))
    case .binary: return .data(owner.blob(bytes(chance(80) ? [0, 1, 8, 63, 64] : [65, 300])))
    case .float: return .float(chance(50) ? Float(below(100)) / 8 : Float(bitPattern: UInt32(next() & 0x7f7f_ffff)))
    case .double: return .double(chance(50) ? Double(below(100)) / 8 : -.infinity)
    case .timestamp:
      let seconds = chance(50) ? Int64(below(3)) - 1 : integer()
      let nanoseconds = Int32(chance(50) ? 0 : below(1_000_000_000))
      return .date(Timestamp(seconds: seconds, nanoseconds: seconds < 0 ? -nanoseconds : nanoseconds))
    case .decimal:
      let coefficient = Unsigned128(UInt64(bitPattern: integer()) >> UInt64(below(64)))
      return .decimal(Decimal128(coefficient: coefficient, exponent: below(800) - 400, isNegative: chance(50)))
    case .objectID: return .objectID(ObjectID(head: next(), tail: UInt32(truncatingIfNeeded: next())))
    case .uuid: return .uuid(RealmUUID(head: next(), tail: next()))
    default: return .null
    }
  }

  mutating func link(to table: TableKey) -> ValueView {
    guard let target = targets.first(where: { $0.table == table }), !target.keys.isEmpty else { return .null }
    return .link(table, target.keys[below(target.keys.count)])
  }

  private mutating func mixedSingle() -> ValueView {
    let codes: [TypeCode] = [.int, .bool, .string, .binary, .float, .double, .timestamp, .decimal, .objectID, .uuid]
    if chance(10) { return .null }
    if chance(10), !targets.isEmpty, case .link(let table, let key) = link(to: targets[below(targets.count)].table) {
      return .typedLink(table, key)
    }
    return single(codes[below(codes.count)], isNullable: false)
  }

  mutating func mixed(depth: Int = 0) -> ValueTree {
    guard depth < 3, chance(20) else { return .single(mixedSingle()) }
    let count = below(6)
    guard chance(50) else { return .list((0..<count).map { _ in mixed(depth: depth + 1) }) }
    return .dictionary(keys(count).map { ($0, mixed(depth: depth + 1)) })
  }

  /// Distinct keys of a dictionary in order.
  mutating func keys(_ count: Int) -> [[UInt8]] {
    var keys: Set<[UInt8]> = []
    for _ in 0..<count { keys.insert(Array("k\(below(5000))".utf8) + (chance(10) ? [0xc3, 0xa9] : [])) }
    return keys.sorted { $0.lexicographicallyPrecedes($1) }
  }

  /// A value of any column.
  mutating func value(_ column: Column) throws -> ValueTree {
    guard let collection = column.collection else { return element(column.element) }
    let count = chance(1) ? 1000 + below(1500) : chance(30) ? 0 : below(20)
    switch collection {
    case .list: return .list((0..<count).map { _ in element(column.element) }.filter { isElement($0, column.element) })
    case .set: return .set(try sorted((0..<count).map { _ in setElement(column.element) }, column.element))
    case .dictionary: return .dictionary(keys(count).map { ($0, element(column.element)) })
    }
  }

  private mutating func element(_ type: ElementType) -> ValueTree {
    switch type.code {
    case .mixed: mixed()
    case .link: .single(link(to: type.target))
    default: .single(single(type.code, isNullable: type.isNullable))
    }
  }

  private mutating func setElement(_ type: ElementType) -> ValueTree {
    type.code == .mixed ? .single(mixedSingle()) : element(type)
  }

  /// Lists and sets of links cannot contain null.
  private func isElement(_ value: ValueTree, _ type: ElementType) -> Bool {
    guard type.code == .link, case .single(.null) = value else { return true }
    return false
  }

  private func sorted(_ elements: [ValueTree], _ type: ElementType) throws -> [ValueTree] {
    var values: [ValueView] = elements.compactMap { element in
      guard isElement(element, type), case .single(let value) = element else { return nil }
      return value
    }
    values.sort { ValueOrder.compare($0, $1) < 0 }
    var distinct: [ValueTree] = []
    for (index, value) in values.enumerated() {
      if index > 0, ValueOrder.compare(values[index - 1], value) == 0 { continue }
      distinct.append(.single(value))
    }
    return distinct
  }
}

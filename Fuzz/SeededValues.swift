import RealmStorage
import TestSupport

/// Values that a seed repeats.
struct SeededValues {
  private var random: SeededGenerator

  init(seed: UInt64) { random = SeededGenerator(seed: seed) }

  static let types: [PropertyType] = [
    .int, .bool, .string, .data, .date, .float, .double, .decimal128, .objectID, .uuid, .mixed, .object,
  ]

  /// From 0 up to, not including, a number of sides.
  mutating func roll(_ sides: Int) -> Int { Int.random(in: 0..<max(sides, 1), using: &random) }
  mutating func pick<Items: Collection>(_ items: Items) -> Items.Element? { items.randomElement(using: &random) }

  mutating func scalar(_ type: PropertyType, isOptional: Bool) -> Value {
    if isOptional, roll(6) == 0 { return .null }
    let bits = random.next()
    let number = roll(3) == 0 ? Int64(bitPattern: bits) : Int64(bits % 20) - 5
    switch type {
    case .bool: return .bool(number & 1 == 0)
    case .float: return .float(Float(number % 1000) / 4)
    case .double: return .double(Double(number) / 8)
    case .string: return .string(text(number))
    case .data: return .data(text(number).utf8)
    case .date: return .date(Timestamp(seconds: number / 16, nanoseconds: number < 0 ? -5 : 7))
    case .decimal128: return .decimal(Decimal128(low: number.magnitude, high: 0x3040_0000_0000_0000))
    case .objectID: return .objectID(ObjectID(head: bits, tail: 7))
    case .uuid: return .uuid(RealmUUID(head: bits, tail: 9))
    default: return .int(number)
    }
  }

  private mutating func text(_ number: Int64) -> RealmString {
    switch roll(8) {
    case 0: ""
    case 1: RealmString(String(repeating: "long text ", count: 1 + roll(17)) + "\(number)")
    case 2: RealmString(String(repeating: "x", count: roll(5000)))
    default: RealmString("t\(number)")
    }
  }

  mutating func mixed(depth: Int) -> Value {
    if depth < 3, roll(5) == 0 {
      if roll(2) == 0 { return .list((0..<roll(4)).map { _ in mixed(depth: depth + 1) }) }
      var entries: [RealmString: Value] = [:]
      for _ in 0..<roll(4) { entries[RealmString("m\(roll(9))")] = mixed(depth: depth + 1) }
      return .dictionary(entries)
    }
    return scalar(pick(Self.types.dropLast(2)) ?? .int, isOptional: true)
  }
}

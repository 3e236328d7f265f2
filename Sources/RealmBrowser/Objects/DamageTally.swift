import RealmPresentation
import RealmStorage

/// What a piece of work could not read: how much, and the name of the first part.
struct DamageTally: Sendable {
  private(set) var values = 0
  /// Number of objects, or of parts of a table with objects.
  private(set) var objects = 0
  private(set) var first: Damage?

  init() {}

  /// The number of rows that could not be read, and of which nothing else is known.
  mutating func add(rows count: Int) { objects += count }

  mutating func add(_ damage: Damage) {
    if first == nil { first = damage }
    switch damage.part {
    case .table, .objects: objects += 1
    case .values(_, _, let count): values += count
    case .value, .column: values += 1
    }
  }

  mutating func add(_ report: DamageReport) {
    let before = objects
    report.described.forEach { add($0) }
    values += max(report.count - report.described.count, 0)
    // If it is known how many objects a damaged part has, that number counts.
    if report.missingObjects > 0 { objects = before + report.missingObjects }
  }

  mutating func merge(_ other: DamageTally) {
    first = first ?? other.first
    values += other.values
    objects += other.objects
  }

  /// `2 objects and 5 values could not be read, first Dog.breed of #0`; nil if everything could be read.
  var text: String? {
    guard objects > 0 || values > 0 else { return nil }
    var parts: [String] = []
    if objects > 0 { parts.append(CountText.counted(objects, "object")) }
    if values > 0 { parts.append(CountText.counted(values, "value")) }
    let name = first.map { ", first " + Self.name(of: $0) } ?? ""
    return parts.joined(separator: " and ") + " could not be read" + name
  }

  private static func name(of damage: Damage) -> String {
    switch damage.part {
    case .table: "class \(damage.table)"
    case .objects: "in class \(damage.table)"
    case .values(let property, let key, _), .value(let property, let key):
      "\(damage.table).\(property) of #\(key.rawValue)"
    case .column(let column): "\(damage.table).\(column)"
    }
  }
}

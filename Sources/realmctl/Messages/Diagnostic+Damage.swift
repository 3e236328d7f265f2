import RealmExchange
import RealmInspection
import RealmOpening
import RealmStorage
import RealmText
import RealmTools

extension Diagnostic {
  /// What is missing in an output because it could not be read.
  init(_ damage: Damage, path: String) {
    self.init(Self.missing(damage), because: damage.error, path: path, isListed: true)
  }

  /// - Parameters:
  ///   - missing: what could not be read.
  ///   - error: why.
  ///   - isListed: whether it is one of several, after which the advice comes.
  init(_ missing: String, because error: any Error, path: String, isListed: Bool = false) {
    let what = missing + " cannot be read"
    switch error as? StorageError {
    case .corrupted(let corruption):
      let place = corruption.ref.isNull ? nil : "node \(corruption.ref)"
      self.init(
        .failed, .invalidDatabase, path: path, "\(what): \(corruption.reason)", detail: place,
        advice: isListed ? nil : corruption.reason.advice(on: path))
    case .some(let error):
      self.init(error, path: path)
      problem = what + ": " + problem
    case nil:
      self.init(.failed, .invalidDatabase, path: path, what, detail: "\(error)")
    }
  }

  /// The line after all damage.
  ///
  /// - Parameters:
  ///   - count: damages in all.
  ///   - described: those that had a line of their own.
  ///   - objects: objects that are missing as a whole, as far as known.
  init(missingParts count: Int, described: Int, objects: Int, path: String) {
    let among = objects > 0 ? ", among them \(objects.counted("object"))" : ""
    let rest = described < count ? "; the first \(described) are listed above" : ""
    self.init(
      .failed, .invalidDatabase, path: path,
      "\(count) damaged \(count == 1 ? "part is" : "parts are") missing from the output\(among)\(rest)",
      advice: "the rest is complete; 'recover' looks for the missing parts in the whole file")
  }

  fileprivate static func missing(_ damage: Damage) -> String {
    let name = "class '\(damage.table)'"
    return switch damage.part {
    case .table: name
    case .objects: "some objects of \(name)"
    case .values(let property, let first, let count):
      "'\(property)' of \(count.counted("object")) of \(name), starting with object \(first.rawValue),"
    case .value(let property, let object):
      "'\(property)' of object \(object.rawValue) of \(name)"
    case .column(let column): "a value of '\(column)' of \(name)"
    }
  }
}

/// What an output lacks because of damage.
struct MissingParts {
  var tables: [Diagnostic] = []
  var reports: [DamageReport] = []
  /// Whether replaced bytes are reported; not if every changed value is reported already.
  var countsReplacedBytes = true

  var count: Int { reports.reduce(tables.count) { $0 + $1.count } }
  var isEmpty: Bool { count == 0 }

  func report(on console: Console, path: String) {
    let replaced = countsReplacedBytes ? reports.reduce(0) { $0 + $1.replacedBytes } : 0
    if replaced > 0 { console.warn(Diagnostic(replacedBytes: replaced, path: path)) }
    guard !isEmpty else { return }
    for var table in tables {
      table.advice = nil
      console.report(table)
    }
    // A value of many nodes gets one line.
    var lines: [(name: String, diagnostic: Diagnostic, count: Int)] = []
    var numbers: [String: Int] = [:]
    for damage in reports.flatMap(\.described) {
      let name = Diagnostic.missing(damage)
      if let number = numbers[name] {
        lines[number].count += 1
      } else {
        numbers[name] = lines.count
        lines.append((name, Diagnostic(damage, path: path), 1))
      }
    }
    for var line in lines {
      if line.count > 1 { line.diagnostic.problem += ", and \((line.count - 1).counted("more place"))" }
      console.report(line.diagnostic)
    }
    let described = reports.reduce(tables.count) { $0 + $1.described.count }
    let objects = reports.reduce(0) { $0 + $1.missingObjects }
    console.report(Diagnostic(missingParts: count, described: described, objects: objects, path: path))
  }
}

extension Diagnostic {
  /// Text that JSON cannot keep.
  fileprivate init(replacedBytes count: Int, path: String) {
    self.init(
      .done, .notSupported, path: path,
      "\(count.counted("byte")) of text that is not UTF-8 \(count == 1 ? "was" : "were") replaced by U+FFFD",
      advice: "use --format typed to keep \(count == 1 ? "it" : "them")")
  }
}

extension Console {
  /// Reports what could not be read; what to do comes after the last one.
  func report(damage: [Diagnostic]) -> RunStatus {
    for (index, var diagnostic) in damage.enumerated() {
      if index < damage.count - 1 { diagnostic.advice = nil }
      report(diagnostic)
    }
    return damage.isEmpty ? .done : .failed
  }
}

extension Corruption.Reason {
  /// - Parameter path: of the file that the node is in.
  func advice(on path: String) -> String {
    switch self {
    case .readFailed: "copy the file to another disk"
    default: DamageAdvice.usual(for: path)
    }
  }
}

extension Corruption {
  /// Where the node is, with the class and the property that it belongs to as far as they can be found; nil if it is not
  /// known.
  func place(in path: String) -> String? {
    ref.isNull ? nil : found(in: path)?.text ?? "node \(ref)"
  }

  /// The largest file that is searched for the sake of a message.
  private static let mostBytes: UInt64 = 64 << 20

  private func found(in path: String) -> Finding.Place? {
    guard let bytes = try? ByteStore.open(.path(path), key: nil), bytes.physicalSize <= Self.mostBytes else {
      return nil
    }
    var place: Finding.Place?
    _ = try? Checker(bytes.store).run { finding in
      if place == nil, finding.place.ref == ref, finding.place.table != nil { place = finding.place }
    }
    return place
  }
}

/// What to do about a damaged file.
enum DamageAdvice {
  /// The usual advice, unless more is known.
  static func usual(for path: String) -> String {
    isLost(path) ? "use a backup" : "use a backup, or save the rest with 'recover'"
  }

  /// About a file that was cut off.
  static func onShortFile(_ path: String) -> String {
    isLost(path) ? lost : "copy it again from its source, use a backup, or save the rest with 'recover'"
  }

  /// About a file that 'recover' refuses.
  static let lost = "copy it again from its source, or use a backup"

  /// Whether 'recover' refuses a file: in formats 2 to 9 nothing can be found without the root.
  private static func isLost(_ path: String) -> Bool {
    guard let bytes = try? ByteStore.open(.path(path), key: nil), Header.isLegacy(bytes.store) else { return false }
    return (try? OpenedRealm(bytes)) == nil
  }
}

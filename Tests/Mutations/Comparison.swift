import RealmExchange
import RealmInspection
import RealmOpening
import RealmStorage
import RealmTools
import TestSupport

/// What readers and the checker say about the same bytes.
package struct Comparison: Sendable {
  /// What an export could not read, or kept a hash or a copy from being made, in words; empty if all can be done.
  package private(set) var damage: [String] = []
  /// How much an export writes.
  package private(set) var census = Census()
  package private(set) var errors = 0
  package private(set) var kinds: [FindingKind: Int] = [:]

  /// How much there is in an export.
  package struct Census: Equatable, Sendable {
    package var tables = 0
    package var properties = 0
    package var objects = 0
    /// Members of objects and elements of collections, however deep.
    package var items = 0

    fileprivate func hasFewerObjects(than other: Census) -> Bool {
      tables < other.tables || properties < other.properties || objects < other.objects
    }
  }

  package init(_ bytes: [UInt8]) {
    let store = ByteStore(copying: bytes)
    read(store)
    do {
      let summary = try Checker(store).run { _ in }
      (errors, kinds) = (summary.errors, summary.counts)
    } catch {
      // What is not a realm at all is an error, not a finding.
      errors = 1
    }
    if errors == 0, damage.isEmpty { useAsSound(store) }
  }

  /// What can be done with an undamaged realm: it can be hashed, copied and rebuilt, as an upgrade of an older one does.
  private mutating func useAsSound(_ store: ByteStore) {
    func attempt(_ what: String, _ body: (Snapshot) throws -> Void) {
      do { try body(Snapshot(of: store)) } catch { damage.append("\(what): \(error)") }
    }
    attempt("hash") { _ = try ContentHasher($0).run() }
    for rebuilds in [false, true] {
      attempt(rebuilds ? "rebuild" : "copy") { snapshot in
        var options = CopyOptions(identity: .fresh)
        options.rebuilds = rebuilds
        let folder = try TemporaryFolder()
        let output = try RealmCopy(of: snapshot, options).makeOutput(at: folder.path("copy"), replacing: .never)
        let report = try RealmCopy(of: snapshot, options).write(to: output)
        if !report.isVerified { damage.append("\(report.method) not verified: \(report.source?.findings ?? [])") }
      }
    }
  }

  /// All that an export of everything reads.
  private mutating func read(_ store: ByteStore) {
    do {
      let snapshot = try Snapshot(of: store)
      damage = snapshot.damagedTables.map { "table \($0.name): \($0.error)" }
      // Embedded objects too, by themselves.
      let options = ExportOptions(format: .json, tables: snapshot.tables)
      let counter = ItemCounter()
      let report = try Exporter(snapshot, options: options, sink: counter).run()
      damage += report.described.map { "\($0.table), \($0.part): \($0.error)" }
      census.tables = snapshot.tables.count
      census.properties = snapshot.tables.reduce(0) { $0 + $1.schema.properties.count }
      (census.objects, census.items) = (counter.objects, counter.items)
    } catch {
      damage.append("\(error)")
    }
  }

  /// How the two disagree, given what the undamaged realm shows; nil if they do not.
  package func disagreement(excluding sound: Comparison) -> Disagreement? {
    if errors == 0, let first = damage.first { return .unreportedDamage(first) }
    guard damage.isEmpty, kinds == sound.kinds else { return nil }
    if census.hasFewerObjects(than: sound.census) { return .silentLoss(sound.census, census) }
    return census.items < sound.census.items ? .fewerElements(sound.census, census) : nil
  }

  package enum Disagreement: Sendable, CustomStringConvertible {
    /// Differences that a checker cannot know.
    package var isInevitable: Bool { if case .fewerElements = self { true } else { false } }

    /// An export leaves something out, and the checker has no error.
    case unreportedDamage(String)
    /// There are fewer classes, properties or objects than before, and neither says a word.
    case silentLoss(Census, Census)
    /// There are fewer elements of collections. How many there were is written nowhere else where they are few.
    case fewerElements(Census, Census)

    package var description: String {
      switch self {
      case .unreportedDamage(let damage): "damaged for readers and not for the checker: \(damage)"
      case .silentLoss(let before, let after): "lost without a word: \(before) before, \(after) after"
      case .fewerElements(let before, let after): "shorter without a word: \(before) before, \(after) after"
      }
    }
  }
}

/// Counts objects, and commas and brackets outside of strings.
private final class ItemCounter: TextSink, @unchecked Sendable {
  var items = 0
  var objects = 0
  private var isInString = false
  private var isEscaped = false

  func finished(objects: Int) { self.objects += objects }

  func write(_ bytes: UnsafeRawBufferPointer) throws {
    for byte in bytes {
      if isInString {
        if isEscaped {
          isEscaped = false
        } else if byte == UInt8(ascii: "\\") {
          isEscaped = true
        } else if byte == UInt8(ascii: "\"") {
          isInString = false
        }
      } else if byte == UInt8(ascii: "\"") {
        isInString = true
      } else if byte == UInt8(ascii: ",") || byte == UInt8(ascii: "{") || byte == UInt8(ascii: "[") {
        items += 1
      }
    }
  }
}

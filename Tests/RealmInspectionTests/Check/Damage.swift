import TestSupport

@testable import RealmInspection
@testable import RealmStorage

/// A realm that is sound except for one planted change, and what the checker must say about it.
struct Damage: Sendable, CustomStringConvertible {
  /// What was done to the file.
  let story: String
  /// The realm that is changed.
  let fixture: String
  /// Every kind of finding that the change brings, and no other.
  let kinds: Set<FindingKind>
  /// Where the first kind is found; parts that are nil are not compared.
  let place: Finding.Place
  /// The severity of the first kind; its own if nil.
  let severity: Finding.Severity
  private let first: FindingKind
  private let change: @Sendable ([UInt8]) throws -> [UInt8]

  var description: String { "\(first.rawValue): \(story)" }

  private init(
    _ story: String, _ fixture: String, _ kinds: [FindingKind], _ place: Finding.Place, _ severity: Finding.Severity?,
    _ change: @escaping @Sendable ([UInt8]) throws -> [UInt8]
  ) {
    first = kinds[0]
    self.story = story
    self.fixture = "engine/\(fixture).realm"
    self.kinds = Set(kinds)
    self.place = place
    self.severity = severity ?? kinds[0].severity
    self.change = change
  }

  /// Changes bytes in place.
  static func bytes(
    _ story: String, of fixture: String, finds kinds: FindingKind..., at place: Finding.Place = Finding.Place(),
    severity: Finding.Severity? = nil, _ change: @escaping @Sendable (inout NodeEditor) throws -> Void
  ) -> Damage {
    Damage(story, fixture, kinds, place, severity) { bytes in
      var editor = NodeEditor(bytes)
      try change(&editor)
      return editor.bytes
    }
  }

  /// Changes nodes, which are then rewritten.
  static func nodes(
    _ story: String, of fixture: String, finds kinds: FindingKind..., at place: Finding.Place = Finding.Place(),
    severity: Finding.Severity? = nil, form: NodeTree.Form = .streaming,
    _ change: @escaping @Sendable (NodeTree) throws -> Void
  ) -> Damage {
    .nodes(story, of: fixture, finding: kinds, at: place, severity: severity, form: form, change)
  }

  /// As above, with the kinds in a list.
  static func nodes(
    _ story: String, of fixture: String, finding kinds: [FindingKind], at place: Finding.Place = Finding.Place(),
    severity: Finding.Severity? = nil, form: NodeTree.Form = .streaming,
    _ change: @escaping @Sendable (NodeTree) throws -> Void
  ) -> Damage {
    Damage(story, fixture, kinds, place, severity) { bytes in
      let tree = try NodeTree(bytes)
      try change(tree)
      return tree.written(form)
    }
  }

  /// The bytes of the damaged realm.
  func planted() throws -> [UInt8] { try change(Fixture.bytes(fixture)) }

  /// What the damaged realm shows beyond what the undamaged one does.
  func findings() throws -> [Finding] {
    let before = try CheckResult(of: Fixture.bytes(fixture))
    let after = try CheckResult(of: planted())
    let known = Set(
      before.findings.map(\.kind).filter { kind in
        after.summary.counts[kind] == before.summary.counts[kind]
      })
    return after.findings.filter { !known.contains($0.kind) }
  }

  /// The finding that the row is about.
  func expected(among findings: [Finding]) -> Finding? {
    findings.first { $0.kind == first && $0.severity == severity && $0.place.matches(place) }
  }
}

extension Finding.Place {
  /// Whether all parts that `wanted` names agree.
  func matches(_ wanted: Finding.Place) -> Bool {
    func agrees<Value: Equatable>(_ part: Value?, _ wanted: Value?) -> Bool { wanted == nil || part == wanted }
    return agrees(part, wanted.part) && agrees(table, wanted.table) && agrees(column, wanted.column)
      && agrees(object, wanted.object) && agrees(position, wanted.position) && agrees(ref, wanted.ref)
  }

  /// A value of an object.
  static func value(_ table: RealmString, _ column: RealmString, _ object: Int64? = nil, _ position: Int? = nil)
    -> Finding.Place
  {
    Finding.Place(
      table: table, column: .property(column), object: object.map { ObjectKey(rawValue: $0) }, position: position)
  }

  /// Part of a table.
  static func table(_ table: RealmString, _ part: Finding.Part? = nil, _ object: Int64? = nil) -> Finding.Place {
    Finding.Place(part: part, table: table, object: object.map { ObjectKey(rawValue: $0) })
  }

  static func part(_ part: Finding.Part, _ position: Int? = nil) -> Finding.Place {
    Finding.Place(part: part, position: position)
  }
}

/// Ways to a node that a row changes.
extension EditableNode {
  /// The first slot with a child.
  func firstChildSlot(from start: Int = 0) throws -> Int {
    guard let slot = elements.indices.dropFirst(start).first(where: { child($0) != nil }) else {
      throw NodeTree.Problem("no child")
    }
    return slot
  }
}

import RealmStorage

/// The history of changes (Docs/Format/1-container.md §3.5–3.7, §9 check 8).
struct HistoryCheck {
  private let context: CheckContext
  private let top: RawTop
  private let trees: ValueCheck

  init(_ context: CheckContext, top: RawTop) {
    self.context = context
    self.top = top
    trees = ValueCheck(context)
    trees.spot = Spot(part: .history)
  }

  private static let syncSlots = 21
  private static let syncNumbers = 1...12
  /// Columns of a sync history that have an entry per change.
  private static let syncColumns = 13...17

  func run() {
    if case .unknown(let code) = top.historyKind {
      return report(.historyType, .count(code), .historyType)
    }
    let (kind, version) = (top.historyKind, top.historySchemaVersion)
    if kind == .none {
      if version != 0 || top[.history].child != nil { report(.historyConsistency, .none, .history) }
    } else if case .futureSchema(_, let newest) = kind.problem(schemaVersion: version) {
      report(.historySchema, .counts(newest, found: version), .historySchema)
    }
    guard let root = top[.history].child else { return }
    switch kind {
    case .inRealm: checkEntries(count(root, of: .binary))
    case .syncClient where version >= 10: checkSync(root)
    default: break
    }
  }

  private func report(
    _ kind: FindingKind, _ facts: Finding.Facts = .none, _ slot: TopSlot? = nil, position: Int? = nil
  ) {
    let place = Finding.Place(part: .history, ref: top.ref, position: slot?.rawValue ?? position)
    context.log.add(kind, facts, at: place)
  }

  /// Entry i made version base + i + 1, and the base is the version less the number of entries (§3.6).
  private func checkEntries(_ count: Int?) {
    guard let count, UInt64(count) > top.version else { return }
    report(.historyCount, .counts(top.version, found: count))
  }

  // MARK: Sync client

  private func checkSync(_ ref: Ref) {
    guard let root = try? Node(ref, in: context.store) else { return }
    guard root.has(.refs), root.count == Self.syncSlots else {
      return report(.historyShape, .counts(Self.syncSlots, found: root.count))
    }
    for slot in 0..<Self.syncSlots {
      let content: SlotContent = Self.syncNumbers.contains(slot) ? .numberOrZero : .refOrZero
      guard !content.allows(root.slot(slot)) else { continue }
      report(.historyShape, .found(root.slot(slot).rawValue), position: slot)
    }
    if let versions = root.slot(Self.syncSlots - 1).child.flatMap({ try? Node($0, in: context.store) }) {
      checkSchemaVersions(versions)
    }
    checkEntries(count(root, 0))
    let counts = Self.syncColumns.compactMap { count(root, $0) }
    checkEntries(counts.first)
    for count in counts where count != counts.first {
      report(.historyShape, .counts(counts.first ?? 0, found: count))
    }
  }

  /// Four lists, of which the second refers to a text for each version.
  private func checkSchemaVersions(_ versions: Node) {
    let texts = versions.slot(1).child.flatMap { try? Node($0, in: context.store) }
    for node in [versions, texts].compactMap({ $0 }) {
      for slot in 0..<min(node.count, CheckContext.mostElements)
      where !SlotContent.refOrZero.allows(node.slot(slot)) {
        report(.historyShape, .found(node.slot(slot).rawValue), position: slot)
      }
    }
  }

  private func count(_ root: Node, _ slot: Int) -> Int? {
    root.slot(slot).child.flatMap { count($0, of: slot < 15 ? .binary : .int) }
  }

  private func count(_ root: Ref, of type: TypeCode) -> Int? {
    trees.checkTree(root) { $0.checkLeaf($1, ElementType(type, isNullable: type == .binary), inCollection: true) }
  }
}

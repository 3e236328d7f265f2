/// The history of changes (Docs/Format/1-container.md §3.5–3.7, §9 check 8).
struct HistoryCheck {
  private let context: CheckContext
  private let top: CheckedTop
  private let trees: ValueCheck

  init(_ context: CheckContext, top: CheckedTop) {
    self.context = context
    self.top = top
    trees = ValueCheck(context)
    trees.spot = Spot(part: .history)
  }

  private static let syncSlots = 21
  /// Columns of a sync history that have an entry per change.
  private static let syncColumns = 13...17

  func run() {
    let kind = HistoryKind(code: top.historyType)
    if case .unknown = kind {
      return report(.historyType, .found(Int64(clamping: top.historyType)), position: 7)
    }
    if top.historyType == 0, top.historySchema != 0 || !top.history.isNull { report(.historyConsistency, position: 8) }
    if kind != .none, case .futureSchema(_, let newest) = kind.problem(schemaVersion: top.historySchema) {
      report(.historySchema, .expected(Int64(newest), found: Int64(clamping: top.historySchema)), position: 9)
    }
    guard !top.history.isNull else { return }
    switch top.historyType {
    case 2: checkEntries(trees.checkTree(top.history) { trees.checkTexts($0, isString: false, true, nil, $1) })
    case 3 where top.historySchema >= 10: checkSync()
    default: break
    }
  }

  private func report(_ kind: FindingKind, _ facts: Finding.Facts = .none, position: Int? = nil) {
    context.log.add(kind, facts, at: Finding.Place(part: .history, ref: top.ref, position: position))
  }

  /// Entry i made version base + i + 1, and the base is the version less the number of entries (§3.6).
  private func checkEntries(_ count: Int?) {
    guard let count, UInt64(count) > top.version else { return }
    report(.historyCount, .expected(Int64(clamping: top.version), found: Int64(count)))
  }

  // MARK: Sync client

  private func checkSync() {
    guard let root = try? Node(top.history, in: context.store) else { return }
    guard root.flags & 0xf8 == 0x40, root.count == Self.syncSlots else {
      return report(.historyShape, .expected(Int64(Self.syncSlots), found: Int64(root.count)))
    }
    for slot in 1...12 {
      let element = RefOrTagged(root.uncheckedInt(slot))
      if !element.isTagged, element.rawValue != 0 { report(.historyShape, .found(element.rawValue), position: slot) }
    }
    checkEntries(count(root, 0))
    let counts = Self.syncColumns.compactMap { count(root, $0) }
    checkEntries(counts.first)
    for count in counts where count != counts.first {
      report(.historyShape, .expected(Int64(counts.first ?? 0), found: Int64(count)))
    }
  }

  private func count(_ root: Node, _ slot: Int) -> Int? {
    let element = RefOrTagged(root.uncheckedInt(slot))
    guard element.rawValue != 0 else { return nil }
    guard !element.isTagged else {
      report(.historyShape, position: slot)
      return nil
    }
    guard slot < 15 else {
      return trees.checkTree(element.ref) { leaf, base in
        trees.checkLeaf(leaf, ElementType(.int), inCollection: true, base: base)
      }
    }
    return trees.checkTree(element.ref) { trees.checkTexts($0, isString: false, true, nil, $1) }
  }
}

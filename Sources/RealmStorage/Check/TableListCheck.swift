/// The list of tables (Docs/Format/3-tables-and-objects.md §1, §9.1).
struct TableListCheck {
  private let context: CheckContext
  private let top: CheckedTop

  init(_ context: CheckContext, top: CheckedTop) {
    self.context = context
    self.top = top
  }

  private static let longestName = 63
  private static let mostTables = 0x1_0000

  /// The tables that can be read, with their columns paired.
  func run() -> [CheckedTable] {
    guard let refs = try? Node(top.tables, in: context.store) else { return [] }
    guard refs.flags & 0xf8 == 0x40, refs.count < Self.mostTables else {
      context.log.add(.nodeKind, at: place(refs.ref))
      return []
    }
    let names = tableNames()
    if let names, names.count != refs.count {
      context.log.add(
        .groupLengths, .expected(Int64(refs.count), found: Int64(names.count)), at: place(top.tableNames))
    }
    var tables: [CheckedTable] = []
    var seen: Set<RealmString> = []
    context.nextTableTags = Array(repeating: 0, count: refs.count)
    for slot in 0..<refs.count {
      let element = RefOrTagged(refs.uncheckedInt(slot))
      guard !element.isTagged, !element.ref.isNull else {
        if element.isTagged {
          context.nextTableTags[slot] = UInt32(truncatingIfNeeded: element.tagged)
        } else {
          context.log.add(.groupSlot, at: place(refs.ref, slot))
        }
        if let names { checkFreeSlot(names, slot) }
        continue
      }
      guard context.visit(element.ref) else { continue }
      let name = names.flatMap { self.name($0, slot, &seen) } ?? ""
      guard let table = TableCheck(context, name: name, ref: element.ref, slot: slot).run() else { continue }
      context.nextTableTags[slot] = table.key.tag &+ 1
      tables.append(table)
    }
    ColumnPairing(context, tables).run()
    return tables
  }

  private func place(_ ref: Ref, _ position: Int? = nil) -> Finding.Place {
    Finding.Place(part: .tables, ref: ref, position: position)
  }

  private func tableNames() -> Node? {
    guard let names = try? Node(top.tableNames, in: context.store) else { return nil }
    guard names.flags & 0xf8 == 0x08 else {
      context.log.add(.nodeKind, at: place(names.ref))
      return nil
    }
    return names
  }

  /// Where there is no table there is no name either: one that is left tells of a table that was lost.
  private func checkFreeSlot(_ names: Node, _ slot: Int) {
    guard slot < names.count else { return }
    do {
      guard let bytes = try StringLeaf.short(names, slot), !bytes.isEmpty else { return }
      context.log.add(.groupLostTable, .name(RealmString(bytes)), at: place(names.ref, slot))
    } catch {
      context.log.add(.groupName, at: place(names.ref, slot))
    }
  }

  private func name(_ names: Node, _ slot: Int, _ seen: inout Set<RealmString>) -> RealmString? {
    guard slot < names.count else { return nil }
    guard let bytes = try? StringLeaf.short(names, slot), !bytes.isEmpty, bytes.count <= Self.longestName else {
      context.log.add(.groupName, at: place(names.ref, slot))
      return nil
    }
    let name = RealmString(bytes)
    if !seen.insert(name).inserted {
      context.log.add(.groupDuplicateName, .name(name), at: place(names.ref, slot))
    }
    return name
  }
}

import RealmStorage

/// The list of tables (Docs/Format/3-tables-and-objects.md §1, §9.1).
struct TableListCheck {
  let context: CheckContext
  let top: RawTop

  static let longestName = 63

  /// The tables that can be read, with their columns paired.
  func run() -> [CheckedTable] {
    let report = { (node: Node) in context.log.add(.nodeKind, at: place(node.ref)) }
    guard let refs = context.node(top[.tables].child, .refs, otherwise: report) else { return [] }
    guard refs.count < TableKey.mostSlots else {
      report(refs)
      return []
    }
    let names = context.node(top[.tableNames].child, .fields, otherwise: report)
    if let names, names.count != refs.count {
      context.log.add(.groupLengths, .counts(refs.count, found: names.count), at: place(names.ref))
    }
    var tables: [CheckedTable] = []
    var seen: Set<RealmString> = []
    context.nextTableTags = Array(repeating: 0, count: refs.count)
    for slot in 0..<refs.count {
      let element = refs.slot(slot)
      guard let ref = element.child else {
        if element.isTagged {
          context.nextTableTags[slot] = UInt32(truncatingIfNeeded: element.tagged)
        } else {
          context.log.add(.groupSlot, at: place(refs.ref, slot))
        }
        if let names { checkFreeSlot(names, slot) }
        continue
      }
      guard context.visit(ref) else { continue }
      let name = names.flatMap { self.name($0, slot, &seen) } ?? ""
      guard let table = TableCheck(context: context, name: name, ref: ref, slot: slot).run() else { continue }
      context.nextTableTags[slot] = table.key.tag &+ 1
      tables.append(table)
    }
    ColumnPairing(context, tables).run()
    return tables
  }

  private func place(_ ref: Ref, _ position: Int? = nil) -> Finding.Place {
    Finding.Place(part: .tables, ref: ref, position: position)
  }

  /// A slot without a table has no name either; a name that is left shows that a table was lost.
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
    if name.isDamagedName || name.correctedTableName != nil {
      context.log.add(.groupName, .name(name), at: place(names.ref, slot))
    }
    if !seen.insert(name).inserted {
      context.log.add(.groupDuplicateName, .name(name), at: place(names.ref, slot))
    }
    return name
  }
}

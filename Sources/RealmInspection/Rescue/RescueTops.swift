import RealmStorage

/// The snapshots of a damaged file, and which of them to use.
struct RescueTops {
  /// The snapshot to use; nil if there is none.
  private(set) var base: RawTop?
  /// Whether the header points to it.
  private(set) var isLive = false
  /// Others that are still there, the newest first.
  private(set) var others: [RawTop] = []
  /// The format in the header, if that can be trusted.
  private(set) var format: UInt8?
  /// A format that is newer than the known ones.
  private(set) var unknownFormat: UInt8?
  /// Whether the header can be read.
  private(set) var hasHeader = false
  /// Where the header says that the root of the live snapshot is, if there is none.
  private(set) var lost: Ref?

  /// The version of the snapshot that the other root of the header points to, if that is complete and newer: the commit
  /// that made it was interrupted, or the header was damaged since.
  private(set) var newerVersion: UInt64?

  private let bytes: RescueBytes
  private static let mostOthers = 64

  /// What the header points to.
  init(_ bytes: RescueBytes) {
    self.bytes = bytes
    guard let header = try? RawHeader(of: bytes.store), header.mnemonic == RawHeader.mnemonicNumber,
      !bytes.lost.overlaps(0, length: RawHeader.size)
    else { return }
    hasHeader = true
    let formats = [header.format, header.selectsSecond ? header.formats.0 : header.formats.1]
    format = formats.first { Snapshot.readableFormats.contains($0) }
    if format == nil { unknownFormat = formats.first { $0 != 0 } }
    var live = Ref(header.topRef)
    if header.isStreaming { live = footerTop() ?? .null }
    base = top(live)
    isLive = base != nil
    if base == nil, live.isPlace(inFileOf: UInt64(bytes.byteCount)) { lost = live }
    if let other = top(Ref(header.otherTopRef)) {
      others.append(other)
      if let base, !header.isStreaming, !bytes.isSnapshotChosen, other.version > base.version, hasTables(other) {
        newerVersion = other.version
      }
    }
    if !header.isStreaming, let footer = footerTop(), let other = top(footer) { others.append(other) }
  }

  private func footerTop() -> Ref? {
    guard let footer = try? RawFooter(of: bytes.store), footer.cookie == Header.footerCookie else { return nil }
    return Ref(footer.topRef)
  }

  private func top(_ ref: Ref) -> RawTop? {
    guard !ref.isNull, let top = try? RawTop(ref, in: bytes.store), top.hasPlainFlags,
      RawTop.slotCounts.contains(top.count), !bytes.lost.overlaps(ref.rawValue, length: top.slots.byteSize)
    else { return nil }
    return top
  }

  /// Adds what a scan has found. If the header points nowhere, the newest snapshot whose tables can be found is used.
  mutating func add(_ scan: NodeScan) {
    let known = Set(([base].compactMap { $0 } + others).map(\.ref))
    others += scan.tops.compactMap { known.contains($0) ? nil : top($0) }
    // Of two with the same version, the one further back in the file was written later, or is as good.
    others.sort { ($0.version, $0.ref) > ($1.version, $1.ref) }
    guard base == nil, let best = others.firstIndex(where: { hasTables($0) }) else {
      others = Array(others.prefix(Self.mostOthers))
      return
    }
    base = others.remove(at: best)
    others = Array(others.prefix(Self.mostOthers))
  }

  private func hasTables(_ top: RawTop) -> Bool {
    guard let tables = top[.tables].child.flatMap(bytes.wholeNode), tables.flags & 0xd8 == 0x40,
      tables.count < TableKey.mostSlots
    else { return false }
    return (0..<tables.count).contains { slot in
      tables.slot(slot).child.map { (try? RescueTableTop($0, in: bytes)) != nil } ?? false
    }
  }

  // MARK: Tables

  /// The refs of the tables of a snapshot by slot, as far as they can be read.
  func tableRefs(of top: RawTop) -> [Int: Ref] {
    guard let ref = top[.tables].child, let node = try? Node(ref, in: bytes.store), node.flags & 0x58 == 0x40,
      node.count < TableKey.mostSlots
    else { return [:] }
    let other = bytes.other.flatMap { try? Node(ref, in: $0) }
    var refs: [Int: Ref] = [:]
    for slot in 0..<node.count {
      guard let child = node.slot(slot).child, other == nil || other?.slot(slot).child == child else { continue }
      refs[slot] = child
    }
    // Refs can be in each other's place: each root has the number of its table.
    let misplaced = refs.filter { (try? RescueTableTop($1, in: bytes, at: $0)) == nil }
    for ref in misplaced.values {
      guard let slot = (try? RescueTableTop(ref, in: bytes))?.key.slot, misplaced[slot] != nil else { continue }
      refs[slot] = ref
    }
    return refs
  }

  /// The slots of the snapshot's list of tables that have a name and no table: an engine that deletes a table clears its
  /// name, so that the name shows that the ref is what was lost.
  var slotsOfLostTables: Set<Int> {
    guard let base, let tables = base[.tables].child.flatMap(bytes.wholeNode), let names = names(of: base) else {
      return []
    }
    let slots = 0..<min(tables.count, names.count, TableKey.mostSlots)
    return Set(slots.filter { tables.slot($0).child == nil && !names[$0].isEmpty })
  }

  /// Where the file ended for the newest snapshot with the root that a table was taken from; nil if none has it.
  func end(ofSnapshotWith table: RescuedTable) -> UInt64? {
    guard let ref = table.top?.ref else { return nil }
    return ([base].compactMap { $0 } + others).first { tableRefs(of: $0).values.contains(ref) }?.logicalSize
  }

  /// The names of the tables by slot; nil if they are lost.
  func names(of top: RawTop) -> [RealmString]? {
    top[.tableNames].child.flatMap(bytes.wholeNode).flatMap { $0.count < TableKey.mostSlots ? try? $0.names() : nil }
  }
}

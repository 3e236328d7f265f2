import RealmStorage

/// Tells what each byte of a file is used for, in one pass over the nodes of a snapshot.
///
/// The file is not trusted: every byte counts once, and what cannot be read leaves bytes that nothing accounts for.
/// Among values, only strings are read, for their lengths and for repetitions.
package struct SpaceSurvey {
  private let snapshot: Snapshot
  private let fileSize: UInt64
  /// Called from time to time with the share that is done, from 0 to 1.
  package var progress: (Double) -> Void = { _ in }

  /// - Parameter fileSize: bytes of the file as it lies on disk.
  package init(_ snapshot: Snapshot, fileSize: UInt64) { (self.snapshot, self.fileSize) = (snapshot, fileSize) }

  /// The kinds that belong to no table have the first counters, in this order.
  private static let fileKinds = SpaceKind.allCases.filter {
    !SpaceKind.ofTable.contains($0) && !SpaceKind.ofProperty.contains($0)
  }

  private static func counter(_ kind: SpaceKind) -> Int { fileKinds.firstIndex(of: kind) ?? 0 }

  /// - Throws: `StorageError.file` where memory is short; what keeps the snapshot's own pages from being read again.
  package func run() throws -> FileSpace {
    let tables = snapshot.tables
    var bases: [Int] = []
    var counterCount = Self.fileKinds.count
    for table in tables {
      bases.append(counterCount)
      counterCount += TableSpace.counterCount(propertyCount: table.columns.count)
    }
    let unlistedBase = counterCount
    let unlisted = unlistedTables()
    counterCount += unlisted.count
    let size = Double(max(snapshot.byteCount, 1))
    let progress = progress
    let walk = try SpaceWalk(snapshot.store, counterCount: counterCount) { progress(Double($0) / size) }

    countEnds(walk)
    var properties: [PropertySpace] = []
    var free = FreeBlocks()
    var compacted = Compacted()
    var (sharedNodeCount, unlistedDamageCount) = (0, 0)
    if let top = snapshot.top {
      countRoot(top, walk)
      compacted.leftOut = walk.counters[Self.counter(.freeList)]
      for (table, base) in zip(tables, bases) {
        guard var space = TableSpace(table, walk, base: base) else {
          properties += RowTableSpace(table, walk, base: base).run()
          continue
        }
        space.run()
        properties += space.properties
      }
      let listedDamageCount = walk.damageCount
      for (index, table) in unlisted.enumerated() { walk.tree(table.root, SpaceWalk.Owner(unlistedBase + index)) }
      unlistedDamageCount = walk.damageCount - listedDamageCount
      if !top.history.isNull { walk.tree(top.history, SpaceWalk.Owner(Self.counter(.history))) }
      compacted.liveBytes = walk.byteCount
      // Only a history that is synchronized is kept, and only in the newest format.
      if !snapshot.historyKind.isSynchronized || snapshot.header.format != Header.newestFormat {
        compacted.leftOut += walk.counters[Self.counter(.history)]
      }
      sharedNodeCount = walk.sharedNodeCount
      countNewerSnapshot(walk)
      free = countFreeSpace(top, walk)
    }
    countRest(walk)
    // The walk has released the pages with the tables.
    if snapshot.store.pages != nil { try snapshot.releasePages() }

    let names = Names(tables: tables.map(\.schema), unlisted: unlisted)
    let places = names.places(fileKinds: Self.fileKinds)
    return FileSpace(
      fileSize: fileSize,
      parts: zip(places, walk.counters).filter { $1 > 0 }.map { place, count in
        SpacePart(kind: place.kind, table: place.table, property: place.property, byteCount: count)
      },
      properties: properties, freeBlocks: free,
      damage: walk.damage.map { entry in
        let place = places[entry.counter]
        return SpaceDamage(kind: place.kind, table: place.table, property: place.property, error: entry.error)
      },
      damageCount: walk.damageCount, unlistedDamageCount: unlistedDamageCount, sharedNodeCount: sharedNodeCount,
      compactedSize: snapshot.header.format != Header.newestFormat && snapshot.historyKind.isSynchronized
        ? fileSize : compacted.fileSize(isEncrypted: fileSize != UInt64(snapshot.byteCount)))
  }

  // MARK: Container

  private func countEnds(_ walk: SpaceWalk) {
    walk.count(from: 0, length: UInt64(RawHeader.size), Self.counter(.header))
    let size = UInt64(snapshot.byteCount)
    if snapshot.header.form == .streaming {
      let footer = UInt64(Header.footerSize)
      walk.count(from: size - min(footer, size), length: footer, Self.counter(.footer))
    }
    walk.count(fileSize - min(size, fileSize), Self.counter(.encryption))
  }

  private func countRoot(_ top: TopArray, _ walk: SpaceWalk) {
    let root = SpaceWalk.Owner(Self.counter(.root))
    _ = walk.refs(top.ref, root)
    if let evacuation = top.raw[.evacuation].child { walk.tree(evacuation, root) }
    for slot in [TopSlot.freePositions, .freeLengths, .freeVersions] {
      if let list = top.raw[slot].child { walk.tree(list, SpaceWalk.Owner(Self.counter(.freeList))) }
    }
    let tableList = SpaceWalk.Owner(Self.counter(.tableList))
    walk.tree(top.tableNames, tableList)
    _ = walk.refs(top.tables, tableList)
  }

  /// A table of the file that the snapshot does not list.
  private struct UnlistedTable {
    let root: Ref
    let name: RealmString
    /// Otherwise one that old formats keep for themselves, such as that of the primary keys.
    let isDamaged: Bool
  }

  private func unlistedTables() -> [UnlistedTable] {
    guard let top = snapshot.top, let roots = try? Node(top.tables, in: snapshot.store),
      (try? roots.requireRefs("")) != nil,
      let names = try? Node(top.tableNames, in: snapshot.store).names()
    else { return [] }
    let known = Set(snapshot.tables.map(\.root))
    let damaged = Set(snapshot.damagedTables.map(\.name))
    return zip(0..<roots.count, names).compactMap { slot, name in
      guard let root = roots.slot(slot).child, !known.contains(root) else { return nil }
      return UnlistedTable(root: root, name: name, isDamaged: damaged.contains(name))
    }
  }

  /// What belongs to the live snapshot, where that is not the one that is looked at.
  private func countNewerSnapshot(_ walk: SpaceWalk) {
    guard let live = try? Header(of: snapshot.store, wasDecrypted: false).topRef, live != snapshot.header.topRef,
      !live.isNull
    else { return }
    walk.tree(live, SpaceWalk.Owner(Self.counter(.newerSnapshot)))
  }

  /// What the lists of free space say of bytes that nothing else has.
  private func countFreeSpace(_ top: TopArray, _ walk: SpaceWalk) -> FreeBlocks {
    var free = FreeBlocks()
    let lists = RawFreeLists(top: top.raw, store: snapshot.store)
    func numbers(_ slot: TopSlot) -> Node? {
      (try? lists.list(slot)).flatMap { $0 }.flatMap { $0.has(.integers) ? $0 : nil }
    }
    guard let positions = numbers(.freePositions), let lengths = numbers(.freeLengths) else { return free }
    let versions = numbers(.freeVersions)
    let end = min(top.logicalSize, UInt64(snapshot.byteCount))
    var run = SpaceRange(0, count: 0)
    // More entries than there is room for can only be empty.
    for index in 0..<min(positions.count, lengths.count, snapshot.byteCount / NodeHeader.size) {
      let (start, length) = (positions.uncheckedUnsigned(index), lengths.uncheckedUnsigned(index))
      guard length > 0, start <= end, length <= end - start, start & 7 == 0, length & 7 == 0 else { continue }
      let isOlder = versions.map { index < $0.count && $0.uncheckedInt(index) != 0 } ?? false
      let counted = walk.count(from: start, length: length, Self.counter(isOlder ? .olderSnapshots : .free))
      guard counted > 0 else { continue }
      free.count += 1
      free.byteCount &+= counted
      run = start == run.end ? SpaceRange(run.start, to: start + length) : SpaceRange(start, count: length)
      free.largest = max(free.largest, run.byteCount)
    }
    if run.end == end { free.atEnd = run.byteCount }
    return free
  }

  /// What is left.
  private func countRest(_ walk: SpaceWalk) {
    let end = snapshot.logicalSize
    var (unaccounted, padding) = (UInt64(0), UInt64(0))
    walk.map.forEachGap(from: 0) { gap in
      let inside = min(gap.upperBound, max(end, gap.lowerBound)) - gap.lowerBound
      unaccounted &+= inside
      padding &+= gap.upperBound - gap.lowerBound - inside
    }
    // A file whose size is not a multiple of eight has bytes that the map does not know.
    padding &+= UInt64(snapshot.byteCount % 8)
    walk.count(unaccounted, Self.counter(.unaccounted))
    walk.count(padding, Self.counter(.padding))
  }

  /// What a compaction writes: the live nodes, three empty lists, header and footer.
  private struct Compacted {
    var liveBytes: UInt64 = 0
    /// Nodes of the lists of free space, and of a history that is not kept.
    var leftOut: UInt64 = 0

    func fileSize(isEncrypted: Bool) -> UInt64 {
      let ends = UInt64(RawHeader.size + Header.footerSize + 3 * NodeHeader.size)
      let size = liveBytes - min(leftOut, liveBytes) + ends
      return isEncrypted ? EncryptionLayout.fileSize(ofRealm: size) : size
    }
  }

  /// What the counters are.
  private struct Names {
    struct Place {
      let kind: SpaceKind
      var table: RealmString?
      var property: RealmString?
    }

    let tables: [TableSchema]
    let unlisted: [UnlistedTable]

    /// In the order of the counters.
    func places(fileKinds: [SpaceKind]) -> [Place] {
      var places = fileKinds.map { Place(kind: $0) }
      for table in tables {
        places += SpaceKind.ofTable.map { Place(kind: $0, table: table.name) }
        for property in table.properties {
          places += SpaceKind.ofProperty.map { Place(kind: $0, table: table.name, property: property.name) }
        }
      }
      return places + unlisted.map { Place(kind: $0.isDamaged ? .unreadable : .objects, table: $0.name) }
    }
  }
}

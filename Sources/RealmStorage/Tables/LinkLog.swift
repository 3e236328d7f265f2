/// The links of one column, recorded as they are written, to add the backlinks afterwards.
///
/// About four bytes per link, and more while they are sorted. What does not fit into memory is in sorted runs in a file.
final class LinkLog: SpillMember {
  private let spilled: Spill?
  private let targets = StepLog()
  private let origins = StepLog()
  private var runs: [Range<UInt64>] = []

  /// Links after which memory is taken for as many, and bytes of one while it is sorted.
  private static let (step, byteCount) = (1 << 8, 2 * MemoryLayout<Link>.stride)

  /// - Parameter spill: the memory that may be used; nil if there is no limit.
  init(_ spill: Spill? = nil) {
    spilled = spill
    spill?.register(self)
  }

  deinit { spilled?.shrink(spillableByteCount) }

  /// - Throws: as `Spill.grow`.
  func append(from origin: ObjectKey, to target: ObjectKey) throws {
    targets.append(target.rawValue)
    origins.append(origin.rawValue)
    if targets.count % Self.step == 0 { try spilled?.grow(Self.step * Self.byteCount) }
  }

  func removeAll() {
    spilled?.shrink(spillableByteCount)
    targets.removeAll()
    origins.removeAll()
  }

  // MARK: Spilling

  var spillableByteCount: Int { targets.count / Self.step * Self.step * Self.byteCount }

  func spill() throws {
    guard let spilled else { return }
    let links = takeLinks()
    let writer = SpillWriter(spilled)
    var last = Link(target: 0, origin: 0)
    while let link = links.next() {
      try writer.append(link.target - last.target)
      try writer.append(Varint.folded(link.origin &- last.origin))
      last = link
    }
    runs.append(try writer.finish())
  }

  /// Those in memory, and forgets them.
  private func takeLinks() -> SortedLinks {
    spilled?.shrink(spillableByteCount)
    defer {
      targets.removeAll()
      origins.removeAll()
    }
    return SortedLinks(targets, origins)
  }

  /// The links by target, those of a target in the order they came in, and forgets them.
  ///
  /// - Parameter table: what messages call the table of the targets.
  /// - Throws: as `Spill.grow`.
  func takeIncoming(of table: RealmString) throws -> IncomingLinks {
    guard let spilled, !runs.isEmpty else { return try IncomingLinks(.memory(takeLinks()), of: table) }
    try spill()
    defer { runs = [] }
    let size = spilled.bufferSize(forReaders: runs.count)
    let readers = runs.enumerated().map { LinkRun(SpillReader(spilled, $1, bufferSize: size), number: $0) }
    return try IncomingLinks(.file(MergedRuns(readers)), of: table)
  }
}

/// A link on its way to its target.
private struct Link {
  /// The key as an unsigned number: those of tombstones come last.
  var target: UInt64
  var origin: Int64
}

/// Links in memory, by target.
private final class SortedLinks {
  private var links: UnsafeMutableBufferPointer<Link>
  private var count = 0

  /// Bits of the key that links are distributed by in one pass.
  private static let bits: UInt64 = 11

  init(_ targets: StepLog, _ origins: StepLog) {
    links = .allocate(capacity: targets.count)
    var (targetReader, originReader) = (targets.makeReader(), origins.makeReader())
    var (last, differing, isSorted) = (UInt64(0), UInt64(0), true)
    var end = 0
    while let target = targetReader.next(), let origin = originReader.next() {
      let target = UInt64(bitPattern: target)
      links.initializeElement(at: end, to: Link(target: target, origin: origin))
      if end > 0, target < last { isSorted = false }
      differing |= target ^ links[0].target
      last = target
      end += 1
    }
    if !isSorted { sort(by: differing) }
  }

  deinit { links.deallocate() }

  /// From the lowest bits to the highest, so that links to one target stay in their order.
  ///
  /// - Parameter differing: the bits in which keys differ.
  private func sort(by differing: UInt64) {
    var other = UnsafeMutableBufferPointer<Link>.allocate(capacity: links.count)
    let mask: UInt64 = 1 << Self.bits - 1
    withUnsafeTemporaryAllocation(of: Int.self, capacity: 1 << Int(Self.bits)) { places in
      for shift in stride(from: 0, to: UInt64(64), by: Int(Self.bits)) where differing >> shift & mask != 0 {
        places.initialize(repeating: 0)
        for link in links { places[Int(link.target >> shift & mask)] += 1 }
        var end = 0
        for index in places.indices { (places[index], end) = (end, end + places[index]) }
        for link in links {
          let part = Int(link.target >> shift & mask)
          other.initializeElement(at: places[part], to: link)
          places[part] += 1
        }
        swap(&links, &other)
      }
    }
    other.deallocate()
  }

  func next() -> Link? {
    guard count < links.count else { return nil }
    defer { count += 1 }
    return links[count]
  }
}

/// A sorted run in the file.
private final class LinkRun: SortedRun {
  private let reader: SpillReader
  /// Earlier runs have earlier links.
  private let number: Int
  private(set) var link = Link(target: 0, origin: 0)

  init(_ reader: SpillReader, number: Int) { (self.reader, self.number) = (reader, number) }

  func precedes(_ other: LinkRun) -> Bool {
    link.target != other.link.target ? link.target < other.link.target : number < other.number
  }

  func advance() throws -> Bool {
    guard let step = try reader.next(), let originStep = try reader.next() else { return false }
    link = Link(target: link.target &+ step, origin: link.origin &+ Varint.unfolded(originStep))
    return true
  }
}

/// The incoming links of a table from one column, taken from its first object to its last.
struct IncomingLinks {
  fileprivate enum Source {
    case memory(SortedLinks)
    case file(MergedRuns<LinkRun>)
  }

  private var source: Source
  private let table: RealmString
  /// The next link.
  private var link: Link?
  private var origins: [Int64] = []

  fileprivate init(_ source: Source, of table: RealmString) throws {
    (self.source, self.table) = (source, table)
    try advance()
  }

  private mutating func advance() throws {
    switch source {
    case .memory(let links): link = links.next()
    case .file(let runs):
      if link != nil { try runs.advance() }
      link = runs.first?.link
    }
  }

  /// The keys of the objects that link to one, one per link. Keys come ascending as unsigned numbers.
  ///
  /// - Throws: `BuildError.danglingLink` if there is a link to an object before it that was not asked for; as `Spill.grow`.
  mutating func origins(of key: UInt64) throws -> [Int64] {
    origins.removeAll(keepingCapacity: true)
    while let next = link, next.target <= key {
      guard next.target == key else { throw dangling(next) }
      origins.append(next.origin)
      try advance()
    }
    return origins
  }

  /// - Throws: `BuildError.danglingLink` if there is another link.
  func requireEnd() throws { if let link { throw dangling(link) } }

  private func dangling(_ link: Link) -> BuildError {
    .danglingLink(table: table, key: Int64(bitPattern: link.target))
  }

  /// Writes the leaf of a cluster: one element per object (Docs/Format/2-nodes-and-values.md §2.12).
  mutating func writeLeaf(_ keys: [UInt64], _ nodes: NodeEncoder) throws -> Ref {
    let tree = BPlusTreeBuilder(.objectKey, nodes)
    return try nodes.integers(try keys.map { try tree.incomingLinks(origins(of: $0)) }, .refs)
  }

  /// The same for objects whose links are known.
  static func writeLeaf(_ origins: [[Int64]], _ nodes: NodeEncoder) throws -> Ref {
    let tree = BPlusTreeBuilder(.objectKey, nodes)
    return try nodes.integers(try origins.map { try tree.incomingLinks($0) }, .refs)
  }
}

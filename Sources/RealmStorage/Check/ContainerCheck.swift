/// The header of a file and its root (Docs/Format/1-container.md §1.4, §3).
struct ContainerCheck {
  /// What the rest of the check needs to know.
  struct Facts {
    let format: UInt8
    let form: Header.Form
    /// Null in a file without content, and where damage hides it.
    let topRef: Ref
    /// What the slot of the header holds that is not the live one.
    let otherRef: Ref
  }

  private let store: ByteStore
  private let log: FindingLog

  init(_ store: ByteStore, log: FindingLog) {
    self.store = store
    self.log = log
  }

  // MARK: Header

  /// - Throws: `StorageError.notARealm` where the bytes are no realm at all, `.unsupportedFormat`.
  func header() throws -> Facts {
    let size = UInt64(store.count)
    guard size > 0 else { throw StorageError.notARealm(.empty) }
    guard size >= RawHeader.size else { throw StorageError.notARealm(.tooSmall(size: size)) }
    let start = try store.bytes(at: 0, length: RawHeader.size)
    let bytes = UnsafeRawBufferPointer(start: start, count: RawHeader.size)
    guard let raw = RawHeader(bytes), bytes[16..<20].elementsEqual(RawHeader.mnemonic) else {
      throw StorageError.notARealm(.wrongMnemonic(wasDecrypted: false))
    }
    if size % 8 != 0 { report(.headerSize, .found(Int64(clamping: size))) }
    if bytes[22] != 0 { report(.headerReserved, .found(Int64(bytes[22])), position: 22) }
    let isSecond = raw.flags & 1 != 0
    let format = isSecond ? raw.formats.1 : raw.formats.0
    let isStreaming = !isSecond && raw.topRefs.0 == Header.streamingSentinel
    if isStreaming {
      if raw.flags != 0 || raw.topRefs.1 != 0 { report(.headerStreaming, .found(Int64(raw.flags))) }
    } else if raw.flags & 0xfe != 0 {
      report(.headerReserved, .found(Int64(raw.flags)), position: 23)
    }
    var top = isSecond ? raw.topRefs.1 : raw.topRefs.0
    // The first commit fills the other slot and selects it: a file that has one root never selects none.
    if top == 0, isSecond ? raw.topRefs.0 != 0 : raw.topRefs.1 != 0 { report(.headerTopRef, .other(.null)) }
    if isStreaming { top = topInFooter() ?? 0 }
    guard Snapshot.readableFormats.contains(format) || (format == 0 && top == 0) else {
      throw StorageError.unsupportedFormat(format)
    }
    let isPossible = top % 8 == 0 && top < size && (top == 0 || top >= UInt64(RawHeader.size))
    if !isPossible { report(.headerTopRef, .other(Ref(top))) }
    let other = isStreaming ? 0 : isSecond ? raw.topRefs.0 : raw.topRefs.1
    return Facts(
      format: format, form: isStreaming ? .streaming : .normal, topRef: isPossible ? Ref(top) : .null,
      otherRef: Ref(other))
  }

  private func topInFooter() -> UInt64? {
    let size = UInt64(store.count)
    guard store.count >= RawHeader.size + Header.footerSize,
      let footer = try? store.bytes(at: size - UInt64(Header.footerSize), length: Header.footerSize),
      case let cookie = UInt64(littleEndian: footer.loadUnaligned(fromByteOffset: 8, as: UInt64.self)),
      cookie == Header.footerCookie
    else {
      report(.headerFooter)
      return nil
    }
    return UInt64(littleEndian: footer.loadUnaligned(as: UInt64.self))
  }

  private func report(_ kind: FindingKind, _ facts: Finding.Facts = .none, position: Int? = nil) {
    log.add(kind, facts, at: Finding.Place(part: .header, position: position))
  }

  // MARK: Top array

  /// The root, read as far as it can be read; nil where no table can be reached through it.
  func top(_ facts: Facts) -> CheckedTop? {
    let ref = facts.topRef
    guard let node = try? Node(ref, in: store), node.hasRefs, node.scheme == .bits else {
      log.add(.topNode, at: Finding.Place(part: .top, ref: ref))
      return nil
    }
    if node.flags & 0xf8 != 0x40 { log.add(.topNode, at: Finding.Place(part: .top, ref: ref)) }
    if ![3, 5, 7, 9, 10, 11, 12].contains(node.count) {
      log.add(.topCount, .found(Int64(node.count)), at: Finding.Place(part: .top, ref: ref))
    }
    guard node.count >= 3 else { return nil }
    let top = CheckedTop(node)
    checkSlots(node)
    checkLogicalSize(top, node, facts)
    if node.count >= 7, top.storedVersion == 0 {
      log.add(.topVersion, at: Finding.Place(part: .top, ref: ref, position: 6))
    }
    checkEvacuation(node)
    checkOtherSlot(top, facts)
    return top
  }

  /// A commit fills the slot that is not live, and then flips the bit that selects it (§5). What it fills in is newer;
  /// after that bit alone was damaged it is so too.
  private func checkOtherSlot(_ top: CheckedTop, _ facts: Facts) {
    guard !facts.otherRef.isNull, let node = try? Node(facts.otherRef, in: store), node.flags & 0xf8 == 0x40,
      node.count >= 7, case let other = CheckedTop(node), other.storedVersion > top.version,
      other.logicalSize <= UInt64(store.count)
    else { return }
    report(
      .headerNewerState, .expected(Int64(clamping: other.storedVersion), found: Int64(clamping: top.version)))
  }

  /// Numbers are odd, refs are even (§3.1).
  private func checkSlots(_ node: Node) {
    for slot in 0..<min(node.count, 11) {
      let element = RefOrTagged(node.uncheckedInt(slot))
      let place = Finding.Place(part: .top, ref: node.ref, position: slot)
      switch slot {
      case 2 where !element.isTagged: log.add(.topNumber, at: place)
      case 6, 7, 9, 10:
        // A plain 0 is what a grown array is padded with.
        if !element.isTagged, element.rawValue != 0 { log.add(.topNumber, at: place) }
      case 0, 1, 3, 4, 5, 8:
        if element.isTagged || (slot < 2 && element.rawValue == 0) { log.add(.topRef, at: place) }
      default: break
      }
    }
  }

  private func checkLogicalSize(_ top: CheckedTop, _ node: Node, _ facts: Facts) {
    let isWithin = top.logicalSize <= UInt64(store.count) && top.logicalSize % 8 == 0
    // A copy ends with its root (§3.3).
    let end = node.ref.rawValue &+ UInt64(node.byteSize)
    guard isWithin, facts.form == .normal || top.logicalSize == end else {
      let expected = facts.form == .normal ? UInt64(store.count) : end
      return log.add(
        .topLogicalSize, .expected(Int64(clamping: expected), found: Int64(clamping: top.logicalSize)),
        at: Finding.Place(part: .top, ref: node.ref, position: 2))
    }
  }

  /// 0, a tagged limit, or a node of limit, waiting time and path (§3.4).
  private func checkEvacuation(_ node: Node) {
    guard node.count > 11, case let element = RefOrTagged(node.uncheckedInt(11)), element.rawValue != 0,
      !element.isTagged
    else { return }
    guard let state = try? Node(element.ref, in: store) else { return }
    let isSound =
      state.flags & 0xf8 == 0 && state.count >= 2 && (0..<state.count).allSatisfy { state.uncheckedInt($0) >= 0 }
    if !isSound { log.add(.topEvacuation, at: Finding.Place(part: .evacuation, ref: state.ref)) }
  }
}

/// The root of a snapshot, nothing of it believed but what each use proves.
struct CheckedTop {
  let ref: Ref
  let slotCount: Int
  let tableNames: Ref
  let tables: Ref
  let logicalSize: UInt64
  let freePositions: Ref
  let freeLengths: Ref
  let freeVersions: Ref
  let storedVersion: UInt64
  let historyType: UInt64
  let history: Ref
  let historySchema: UInt64

  /// A missing version reads as 1 (Docs/Format/1-container.md §3.1).
  var version: UInt64 { max(storedVersion, 1) }

  fileprivate init(_ node: Node) {
    func number(_ slot: Int) -> UInt64 { slot < node.count ? UInt64(bitPattern: node.uncheckedInt(slot)) >> 1 : 0 }
    func reference(_ slot: Int) -> Ref {
      guard slot < node.count, case let element = RefOrTagged(node.uncheckedInt(slot)), !element.isTagged else {
        return .null
      }
      return element.ref
    }
    ref = node.ref
    slotCount = node.count
    (tableNames, tables) = (reference(0), reference(1))
    (freePositions, freeLengths, freeVersions) = (reference(3), reference(4), reference(5))
    logicalSize = number(2)
    (storedVersion, historyType, historySchema) = (number(6), number(7), number(9))
    history = reference(8)
  }
}

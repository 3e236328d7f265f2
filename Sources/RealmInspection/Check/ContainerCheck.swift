import RealmStorage

/// The header of a file and its root (Docs/Format/1-container.md §1.4, §3).
struct ContainerCheck {
  /// What the rest of the check needs.
  struct Facts {
    let format: UInt8
    let form: Header.Form
    /// Null in a file without content, and if damage hides the root.
    let topRef: Ref
    /// The content of the header slot that is not live.
    let otherRef: Ref
  }

  let store: ByteStore
  let log: FindingLog

  // MARK: Header

  /// - Throws: `StorageError.notARealm` if the bytes are not a realm at all or have no such snapshot,
  ///   `.unsupportedFormat`.
  func header(choosing choice: SnapshotChoice) throws -> Facts {
    let live = try header()
    guard choice != .live else { return live }
    let chosen = try Snapshot(of: store, choosing: choice).header
    return Facts(format: chosen.format, form: chosen.form, topRef: chosen.topRef, otherRef: .null)
  }

  private func header() throws -> Facts {
    let size = UInt64(store.count)
    let raw = try RawHeader(of: store)
    guard raw.mnemonic == RawHeader.mnemonicNumber else {
      throw StorageError.notARealm(.wrongMnemonic(wasDecrypted: false))
    }
    if size % 8 != 0 { report(.headerSize, .count(size)) }
    if raw.reserved != 0 { report(.headerReserved, .count(raw.reserved), position: 22) }
    if raw.isStreaming {
      if raw.flags != 0 || raw.topRefs.1 != 0 { report(.headerStreaming, .count(raw.flags)) }
    } else if raw.flags & 0xfe != 0 {
      report(.headerReserved, .count(raw.flags), position: 23)
    }
    // The first commit fills the other slot and selects it: a file that has a root always selects one.
    if raw.topRef == 0, raw.otherTopRef != 0 { report(.headerTopRef, .text("0")) }
    let top = raw.isStreaming ? topInFooter() : raw.topRef
    guard Snapshot.readableFormats.contains(raw.format) || (raw.format == 0 && top == 0) else {
      throw StorageError.unsupportedFormat(raw.format)
    }
    let problem: String? =
      if top % 8 != 0 {
        "not a multiple of 8"
      } else if top >= size {
        "outside the file of \(size) bytes"
      } else if top != 0, top < UInt64(RawHeader.size) {
        "inside the header"
      } else {
        nil
      }
    if let problem { report(.headerTopRef, .text("\(top) (\(Ref(top))) is \(problem)")) }
    return Facts(
      format: raw.format, form: raw.isStreaming ? .streaming : .normal, topRef: problem == nil ? Ref(top) : .null,
      otherRef: raw.isStreaming ? .null : Ref(raw.otherTopRef))
  }

  /// Whether there is anything between header and footer, which in a copy of an empty realm is not so.
  private func hasContent() -> Bool {
    var offset = RawHeader.size
    while offset < store.count - Header.footerSize {
      let count = min(store.count - Header.footerSize - offset, PageCache.pageSize)
      guard let start = try? store.bytes(at: UInt64(offset), length: count) else { return true }
      if UnsafeRawBufferPointer(start: start, count: count).contains(where: { $0 != 0 }) { return true }
      offset += count
    }
    return false
  }

  private func topInFooter() -> UInt64 {
    guard let footer = try? RawFooter(of: store), footer.cookie == Header.footerCookie else {
      report(.headerFooter)
      return 0
    }
    if footer.topRef == 0, hasContent() { report(.headerTopRef, .text("0")) }
    return footer.topRef
  }

  private func report(_ kind: FindingKind, _ facts: Finding.Facts = .none, position: Int? = nil) {
    log.add(kind, facts, at: Finding.Place(part: .header, position: position))
  }

  // MARK: Top array

  /// The root, as far as it can be read; nil if no table can be reached through it.
  func top(_ facts: Facts) -> RawTop? {
    guard let top = try? RawTop(facts.topRef, in: store) else {
      report(.topNode, facts.topRef)
      return nil
    }
    if !top.hasPlainFlags { report(.topNode, top.ref) }
    if !RawTop.slotCounts.contains(top.count) { report(.topCount, top.ref, .count(top.count)) }
    guard top.count >= 3 else { return nil }
    for slot in top.wrongSlots {
      let isNumber = slot.content == .number || slot.content == .numberOrZero
      report(isNumber ? .topNumber : .topRef, top.ref, slot: slot)
    }
    checkLogicalSize(top, facts)
    let countsFromZero = Header.legacyFormats.contains(facts.format)
    if top.count > TopSlot.version.rawValue, top.storedVersion == 0, !countsFromZero {
      report(.topVersion, top.ref, slot: .version)
    }
    checkEvacuation(top[.evacuation])
    checkOtherSlot(top, facts)
    return top
  }

  private func report(_ kind: FindingKind, _ ref: Ref, _ facts: Finding.Facts = .none, slot: TopSlot? = nil) {
    log.add(kind, facts, at: Finding.Place(part: .top, ref: ref, position: slot?.rawValue))
  }

  /// A commit fills the slot that is not live, and then flips the bit that selects it (§5). So a newer root in that
  /// slot means an interrupted commit, or that the bit itself was damaged.
  private func checkOtherSlot(_ top: RawTop, _ facts: Facts) {
    guard !facts.otherRef.isNull, let other = try? RawTop(facts.otherRef, in: store), other.hasPlainFlags,
      other.count >= 7, other.storedVersion > top.version, other.logicalSize <= UInt64(store.count)
    else { return }
    report(.headerNewerState, .counts(other.storedVersion, found: top.version))
  }

  private func checkLogicalSize(_ top: RawTop, _ facts: Facts) {
    let isWithin = top.logicalSize <= UInt64(store.count) && top.logicalSize % 8 == 0
    // A copy ends with its root (§3.3).
    let end = top.ref.rawValue &+ UInt64(top.slots.byteSize)
    guard isWithin, facts.form == .normal || top.logicalSize == end else {
      let expected = facts.form == .normal ? UInt64(store.count) : end
      let facts = Finding.Facts.counts(expected, found: top.logicalSize)
      return report(.topLogicalSize, top.ref, facts, slot: .logicalSize)
    }
  }

  /// 0, a tagged limit, or a node of limit, waiting time and path (§3.4).
  private func checkEvacuation(_ element: RefOrTagged) {
    guard let ref = element.child, let state = try? Node(ref, in: store) else { return }
    let isSound =
      state.has(.integers) && state.count >= 2 && (0..<state.count).allSatisfy { state.uncheckedInt($0) >= 0 }
    if !isSound { log.add(.topEvacuation, at: Finding.Place(part: .evacuation, ref: state.ref)) }
  }
}

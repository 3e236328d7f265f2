import RealmStorage

/// Leaves of texts and data (Docs/Format/2-nodes-and-values.md §2.8–2.11, §2.13).
extension ValueCheck {
  private static let shortWidths = [0, 1, 2, 4, 8, 16]
  private static let largestBlob = 0xff_fff0

  func checkTexts(_ leaf: Node, isString: Bool, _ isNullable: Bool, _ enumeration: Ref?) -> Int? {
    if leaf.hasRefs {
      guard require(leaf, .refs, ignoringContext: true, "a leaf of strings or binaries") else { return nil }
      return leaf.context
        ? checkBigBlobs(leaf, isString: isString, isNullable)
        : checkSmallBlobs(leaf, isString: isString, isNullable)
    }
    if isString, leaf.has(.fields) { return checkShortTexts(leaf, isNullable) }
    if isString, let enumeration, leaf.has(.integers) {
      return checkEnumerated(leaf, isNullable, enumeration)
    }
    report(.leafKind, leaf.ref, .text("a leaf of strings or binaries"))
    return nil
  }

  // MARK: Short texts

  /// Fields of a text, zeros, and the number of those zeros; a number equal to the width is null (§2.8).
  private func checkShortTexts(_ leaf: Node, _ isNullable: Bool) -> Int? {
    let width = leaf.width
    guard Self.shortWidths.contains(width) else { return fail(.textWidth, leaf.ref, .count(width)) }
    guard width > 0 else {
      // Every element is null.
      if leaf.count > 0, !isNullable { report(.requiredNull, leaf.ref, element: 0) }
      return leaf.count
    }
    switch width {
    case 1: checkFields(leaf, UInt8.self, isNullable)
    case 2: checkFields(leaf, UInt16.self, isNullable)
    case 4: checkFields(leaf, UInt32.self, isNullable)
    case 8: checkFields(leaf, UInt64.self, isNullable)
    default:
      for index in 0..<leaf.count {
        guard let low = leaf.value(UInt64.self, atByte: index * 16),
          let high = leaf.value(UInt64.self, atByte: index * 16 + 8)
        else { break }
        let word = Unsigned128(high: UInt64(littleEndian: high), low: UInt64(littleEndian: low))
        checkField(leaf, index, width, padding: Int(word.high >> 56), isNullable) {
          (word << 8) >> (8 * (16 - $0)) == 0
        }
      }
    }
    return leaf.count
  }

  /// Fields as numbers: the highest byte is the count, below it the zeros, at the bottom the text.
  private func checkFields<Word: FixedWidthInteger & UnsignedInteger & BitwiseCopyable>(
    _ leaf: Node, _ type: Word.Type, _ isNullable: Bool
  ) {
    let width = MemoryLayout<Word>.size
    leaf.forEachWord(Word.self) { index, word in
      let padding = Int(truncatingIfNeeded: word >> Word(Word.bitWidth - 8))
      checkField(leaf, index, width, padding: padding, isNullable) { (word << 8) >> Word(8 * (width - $0)) == 0 }
    }
  }

  /// - Parameter isZero: whether a number of bytes before the count, where there is no text, are zeros.
  @inline(__always)
  private func checkField(
    _ leaf: Node, _ index: Int, _ width: Int, padding: Int, _ isNullable: Bool, _ isZero: (Int) -> Bool
  ) {
    guard padding < width else {
      if padding > width { return report(.textPadding, leaf.ref, .count(padding), element: index) }
      if !isNullable { report(.requiredNull, leaf.ref, element: index) }
      return
    }
    if !isZero(padding) { report(.textPadding, leaf.ref, .count(padding), element: index) }
  }

  // MARK: One blob for all

  /// End positions, one blob, flags of nulls (§2.9, §2.10).
  private func checkSmallBlobs(_ leaf: Node, isString: Bool, _ isNullable: Bool) -> Int? {
    guard leaf.count == 3 else { return fail(.blobParts, leaf.ref, .counts(3, found: leaf.count)) }
    guard let offsets = child(leaf, 0), let blob = child(leaf, 1), let nulls = child(leaf, 2) else { return nil }
    guard require(offsets, .integers, "ends of strings or binaries"),
      require(blob, .bytes, "a blob"), require(nulls, .integers, "flags of nulls")
    else { return nil }
    guard nulls.count == offsets.count else {
      return fail(.blobParts, nulls.ref, .counts(offsets.count, found: nulls.count))
    }
    guard offsets.count <= CheckContext.mostElements else { return offsets.count }
    let bytes = blob.bytes
    var start: Int64 = 0
    for index in 0..<offsets.count {
      let end = offsets.uncheckedInt(index)
      guard end >= start, end <= Int64(bytes.count) else {
        report(.blobOffsets, offsets.ref, .found(end), element: index)
        return offsets.count
      }
      checkNull(nulls, index, isNullable)
      // The terminator of a null is there too.
      if isString, end == start || bytes[Int(end) - 1] != 0 { report(.blobTerminator, blob.ref, element: index) }
      start = end
    }
    if start != Int64(bytes.count) {
      report(.blobOffsets, offsets.ref, .counts(bytes.count, found: start), element: offsets.count)
    }
    return offsets.count
  }

  private func checkNull(_ nulls: Node, _ index: Int, _ isNullable: Bool) {
    switch nulls.uncheckedInt(index) {
    case 0: break
    case 1: if !isNullable { report(.requiredNull, nulls.ref, element: index) }
    case let flag: report(.blobNulls, nulls.ref, .found(flag), element: index)
    }
  }

  // MARK: A blob each

  private func checkBigBlobs(_ leaf: Node, isString: Bool, _ isNullable: Bool) -> Int? {
    for index in 0..<leaf.count {
      let element = leaf.slot(index)
      context.prefetchChild(of: leaf, ahead: index)
      if element.isTagged {
        report(.nodeKind, leaf.ref, .text("a blob"), element: index)
      } else if let ref = element.child {
        if context.visit(ref), let blob = try? Node(ref, in: store) {
          checkBlob(blob, isString: isString, index)
        }
      } else if !isNullable {
        report(.requiredNull, leaf.ref, element: index)
      }
    }
    return leaf.count
  }

  func checkBlob(_ blob: Node, isString: Bool, _ element: Int) {
    if !blob.hasRefs, !blob.has(.bytes) { return report(.leafKind, blob.ref, .text("a blob"), element: element) }
    guard let last = blob.hasRefs ? lastPiece(blob, element) : blob else { return }
    if isString, last.bytes.last != 0 { report(.blobTerminator, last.ref, element: element) }
  }

  /// Values beyond 16 MiB lie in pieces, all but the last of them full (§2.11).
  private func lastPiece(_ blob: Node, _ element: Int) -> Node? {
    guard blob.has(.pieces), blob.count > 0 else { return fail(.blobPieces, blob.ref, element: element) }
    var last: Node?
    for index in 0..<blob.count {
      guard let piece = child(blob, index) else { return nil }
      let isFull = piece.count == Self.largestBlob || index == blob.count - 1
      guard piece.has(.bytes), isFull else {
        return fail(.blobPieces, piece.ref, .count(piece.count), element: element)
      }
      last = piece
    }
    return last
  }

  // MARK: Enumerated texts

  /// Positions in the list of distinct values (§2.13).
  private func checkEnumerated(_ leaf: Node, _ isNullable: Bool, _ enumeration: Ref) -> Int? {
    guard let node = try? Node(enumeration, in: store), let values = try? StringLeaf(node, isString: true, in: store)
    else { return leaf.count }
    for index in 0..<leaf.count {
      let position = leaf.uncheckedInt(index)
      guard position >= 0, position < Int64(values.count) else {
        report(.enumerationIndex, leaf.ref, .found(position), element: index)
        continue
      }
      guard !isNullable else { continue }
      if case .some(.none) = try? values.value(at: Int(position), isString: true, in: store) {
        report(.requiredNull, leaf.ref, element: index)
      }
    }
    return leaf.count
  }

  /// The list itself: a leaf of texts like any other.
  func checkEnumeration(_ column: CheckedColumn) {
    (spot.part, spot.column) = (.spec, .property(column.name))
    defer { spot.part = .objects }
    guard let leaf = try? Node(column.enumeration, in: store) else { return }
    _ = checkTexts(leaf, isString: true, true, nil)
  }
}

import RealmStorage

/// Leaves of numbers, dates and ids (Docs/Format/2-nodes-and-values.md §2.1–2.7).
extension ValueCheck {
  // MARK: Integers and booleans

  /// Element 0 is the value that means null: the largest of the width, or any other if the width is 64 bits (§2.2).
  func checkNullableInts(_ leaf: Node) -> Int? {
    guard require(leaf, .integers, "a leaf of optional integers") else { return nil }
    guard leaf.count > 0 else { return fail(.intMarker, leaf.ref) }
    let marker = leaf.uncheckedInt(0)
    if leaf.width < 64, marker != leaf.largestOfWidth {
      report(.intMarker, leaf.ref, .expected(leaf.largestOfWidth, found: marker))
    }
    return leaf.count - 1
  }

  func checkBools(_ leaf: Node, _ isNullable: Bool) -> Int? {
    guard require(leaf, .integers, "a leaf of booleans") else { return nil }
    guard leaf.width > 1 else { return leaf.count }
    for index in 0..<leaf.count {
      switch leaf.uncheckedInt(index) {
      case 0, 1: continue
      case 3 where isNullable: continue
      case 3: report(.requiredNull, leaf.ref, element: index)
      case let value: report(.boolValue, leaf.ref, .found(value), element: index)
      }
    }
    return leaf.count
  }

  // MARK: Floating point numbers

  /// Null is one pattern of bits; every other NaN is a value (§2.4).
  func checkReals<Word: FixedWidthInteger & BitwiseCopyable>(
    _ leaf: Node, _ type: Word.Type, null: Word, _ isNullable: Bool
  ) -> Int? {
    guard require(leaf, .fields, "a leaf of numbers of \(Word.bitWidth) bits") else { return nil }
    guard leaf.width == MemoryLayout<Word>.size || leaf.count == 0 else {
      return fail(.leafKind, leaf.ref, .text("numbers of \(Word.bitWidth) bits"))
    }
    guard !isNullable else { return leaf.count }
    leaf.forEachWord(Word.self) { index, word in
      if word == null { report(.requiredNull, leaf.ref, element: index) }
    }
    return leaf.count
  }

  // MARK: Dates

  func checkDates(_ leaf: Node, _ isNullable: Bool) -> Int? {
    guard require(leaf, .refs, "a leaf of dates") else { return nil }
    guard leaf.count == 2 else { return fail(.dateParts, leaf.ref, .counts(2, found: leaf.count)) }
    guard let seconds = child(leaf, 0), let nanoseconds = child(leaf, 1), let count = checkNullableInts(seconds),
      require(nanoseconds, .integers, "nanoseconds of dates")
    else { return nil }
    guard nanoseconds.count == count else {
      return fail(.dateParts, nanoseconds.ref, .counts(count, found: nanoseconds.count))
    }
    guard count <= CheckContext.mostElements else { return count }
    let null = seconds.uncheckedInt(0)
    for index in 0..<count {
      let whole = seconds.uncheckedInt(index + 1)
      guard whole != null else {
        if !isNullable { report(.requiredNull, seconds.ref, element: index) }
        continue
      }
      let part = nanoseconds.uncheckedInt(index)
      if !Self.isDate(whole, part) { report(.dateValue, nanoseconds.ref, .found(part), element: index) }
    }
    return count
  }

  /// Both parts agree in sign, and the second is less than one second (§2.5).
  static func isDate(_ seconds: Int64, _ nanoseconds: Int64) -> Bool {
    nanoseconds > -1_000_000_000 && nanoseconds < 1_000_000_000 && (seconds >= 0 || nanoseconds <= 0)
      && (seconds <= 0 || nanoseconds >= 0)
  }

  // MARK: Ids

  /// Blocks of a bitmap of nulls and eight values (§2.6).
  func checkFixed(_ leaf: Node, size: Int, _ isNullable: Bool) -> Int? {
    guard require(leaf, .fields, "a leaf of ids of \(size) bytes") else { return nil }
    let blockSize = 8 * size + 1
    let count = (leaf.count - (leaf.count + blockSize - 1) / blockSize) / size
    guard leaf.width == 1 || leaf.count == 0, leaf.count == count * size + (count + 7) / 8 else {
      return fail(.fixedSize, leaf.ref, .counts(count * size + (count + 7) / 8, found: leaf.count))
    }
    guard !isNullable else { return count }
    for block in 0..<(count + 7) / 8 {
      guard let bitmap = leaf.value(UInt8.self, atByte: block * blockSize) else { break }
      let rows = min(8, count - block * 8)
      for row in 0..<rows where bitmap >> UInt8(row) & 1 != 0 {
        report(.requiredNull, leaf.ref, element: block * 8 + row)
      }
    }
    return count
  }

  // MARK: Decimals

  func checkDecimals(_ leaf: Node, _ isNullable: Bool) -> Int? {
    guard require(leaf, .fields, ignoringContext: true, "a leaf of decimals") else { return nil }
    // Before format 24 there is one width (§12).
    let isWidth = [0, 4, 8, 16].contains(leaf.width) && (context.format >= 24 || leaf.width == 16 || leaf.count == 0)
    guard isWidth, let decimals = try? DecimalLeaf(leaf) else {
      return fail(.decimalWidth, leaf.ref, .count(leaf.width))
    }
    guard leaf.width > 0 else {
      if leaf.count > 0, !isNullable, !leaf.context { report(.decimalZero, leaf.ref) }
      return leaf.count
    }
    for index in 0..<leaf.count {
      do {
        if let value = try decimals.value(at: index) {
          if !value.isCanonical { report(.decimalValue, leaf.ref, element: index) }
        } else if !isNullable {
          report(.requiredNull, leaf.ref, element: index)
        }
      } catch {
        report(.decimalValue, leaf.ref, element: index)
      }
    }
    return leaf.count
  }
}

extension Decimal128 {
  /// Whether the bits are those an engine writes: at most 34 digits, never in the alternate form (§2.7).
  var isCanonical: Bool {
    let isAlternate = high & 0x6000_0000_0000_0000 == 0x6000_0000_0000_0000
    guard !isAlternate else { return high & 0x7800_0000_0000_0000 == 0x7800_0000_0000_0000 }
    return Unsigned128(high: high & 0x0001_ffff_ffff_ffff, low: low) < Self.coefficientLimit
  }
}

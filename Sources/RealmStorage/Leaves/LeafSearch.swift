extension Leaf {
  /// The rows whose values pass a test.
  ///
  /// - Parameters:
  ///   - among: the rows that matter; at most as many as the leaf has values.
  ///   - long: called with the length of each long value before it is read.
  ///   - damaged: called for each value that cannot be read.
  /// - Returns: nil where the leaf holds values of another type.
  func rows(
    passing test: LeafTest, among rows: RowMask, in store: ByteStore,
    long: (_ byteCount: Int) throws -> Void, damaged: (_ row: Int, _ error: StorageError) -> Void
  ) -> RowMask? {
    switch (searchable, test) {
    case (.ints(let node), .ints(let test)): node.elements(passing: test, skipping: 0).intersection(rows)
    case (.nullableInts(let leaf), .ints(let test)): leaf.rows(passing: test).intersection(rows)
    case (.bools(let node), .bools(let matchesTrue, let matchesFalse, let matchesNull)):
      node.booleans(matchesTrue, matchesFalse, matchesNull).intersection(rows)
    case (.floats(let node), .floats(let test)):
      node.reals(passing: test, as: UInt32.self, null: Float.nullBits) { Float(bitPattern: $0) }.intersection(rows)
    case (.doubles(let node), .doubles(let test)):
      node.reals(passing: test, as: UInt64.self, null: Double.nullBits) { Double(bitPattern: $0) }.intersection(rows)
    case (.dates(let leaf), .dates(let test)): leaf.rows(passing: test, among: rows)
    case (.strings(let leaf), .bytes(let test)):
      leaf.rows(passing: test, isString: true, among: rows, in: store, long: long, damaged: damaged)
    case (.binaries(let leaf), .bytes(let test)):
      leaf.rows(passing: test, isString: false, among: rows, in: store, long: long, damaged: damaged)
    default: nil
    }
  }
}

// MARK: - Integers

extension Node {
  /// The elements that pass a test, from element `skipping` on, which is row 0. The caller has proved the scheme and
  /// that there are at most 256 of them.
  fileprivate func elements(passing test: IntTest, skipping: Int) -> RowMask {
    let inside = elements(in: test.lower, test.upper, skipping: skipping)
    return test.isInside ? inside : RowMask(first: count - skipping).subtracting(inside)
  }

  fileprivate func elements(in lower: Int64, _ upper: Int64, skipping: Int) -> RowMask {
    switch flags & 7 {
    case 4: wholeElements(in: lower, upper, skipping, Int8.self, UInt8.self)
    case 5: wholeElements(in: lower, upper, skipping, Int16.self, UInt16.self)
    case 6: wholeElements(in: lower, upper, skipping, Int32.self, UInt32.self)
    case 7: wholeElements(in: lower, upper, skipping, Int64.self, UInt64.self)
    default: packedElements(in: lower, upper, skipping)
    }
  }

  /// Elements of less than a byte are numbers from 0 to 15.
  private func packedElements(in lower: Int64, _ upper: Int64, _ skipping: Int) -> RowMask {
    var table: UInt16 = 0
    for value in 0..<16 where Int64(value) >= lower && Int64(value) <= upper { table |= 1 << UInt16(value) }
    if table == 0 { return RowMask() }
    if table == .max { return RowMask(first: count - skipping) }
    var mask = RowMask()
    for index in skipping..<count where table >> UInt16(truncatingIfNeeded: uncheckedInt(index)) & 1 != 0 {
      mask.insert(index - skipping)
    }
    return mask
  }

  @inline(__always)
  private func wholeElements<Word: FixedWidthInteger & BitwiseCopyable, Distance: FixedWidthInteger & UnsignedInteger>(
    in lower: Int64, _ upper: Int64, _ skipping: Int, _ type: Word.Type, _ distance: Distance.Type
  ) -> RowMask {
    guard lower <= Int64(Word.max), upper >= Int64(Word.min) else { return RowMask() }
    let low = Word(clamping: lower)
    let span = Distance(truncatingIfNeeded: Word(clamping: upper) &- low)
    let start = payload + skipping * MemoryLayout<Word>.size
    return RowMask.filled(count: count - skipping) { index in
      let word = Word(
        littleEndian: start.loadUnaligned(fromByteOffset: index &* MemoryLayout<Word>.size, as: Word.self))
      return Distance(truncatingIfNeeded: word &- low) <= span
    }
  }

  /// 0 is false, 3 is null, all else is true (Docs/Format/2-nodes-and-values.md §2.3).
  fileprivate func booleans(_ matchesTrue: Bool, _ matchesFalse: Bool, _ matchesNull: Bool) -> RowMask {
    let falses = elements(in: 0, 0, skipping: 0)
    let nulls = elements(in: 3, 3, skipping: 0)
    let trues = RowMask(first: count).subtracting(falses).subtracting(nulls)
    return (matchesTrue ? trues : RowMask()).union(matchesFalse ? falses : RowMask())
      .union(matchesNull ? nulls : RowMask())
  }
}

extension NullableIntLeaf {
  fileprivate func rows(passing test: IntTest) -> RowMask {
    let nulls = node.elements(in: marker, marker, skipping: 1)
    let passing = node.elements(passing: test, skipping: 1)
    return test.matchesNull ? passing.union(nulls) : passing.subtracting(nulls)
  }
}

extension RowMask {
  /// The rows below `count` for which `matches` is true.
  ///
  /// Eight answers are bytes of one word first, and then bits of one byte: so that the comparisons can be done side by
  /// side.
  @inline(__always)
  fileprivate static func filled(count: Int, _ matches: (Int) -> Bool) -> RowMask {
    var mask = RowMask()
    var row = 0
    let whole = count & ~63
    while row < whole {
      let answers = withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 64) { bytes -> UInt64 in
        for index in 0..<64 { bytes[index] = matches(row &+ index) ? 1 : 0 }
        var bits: UInt64 = 0
        for group in 0..<8 {
          let word = UnsafeRawPointer(bytes.baseAddress.unsafelyUnwrapped)
            .loadUnaligned(fromByteOffset: group &* 8, as: UInt64.self)
          // Shifts bind more tightly than products.
          let byte = (UInt64(littleEndian: word) &* 0x0102_0408_1020_4080) &>> 56
          bits |= byte &<< UInt64(truncatingIfNeeded: group &* 8)
        }
        return bits
      }
      mask.words[row >> 6] = answers
      row &+= 64
    }
    while row < count {
      if matches(row) { mask.insert(row) }
      row &+= 1
    }
    return mask
  }
}

// MARK: - Reals and dates

extension Node {
  @inline(__always)
  fileprivate func reals<Real: BinaryFloatingPoint & Sendable, Word: FixedWidthInteger & BitwiseCopyable>(
    passing test: RealTest<Real>, as type: Word.Type, null: Word, _ real: (Word) -> Real
  ) -> RowMask {
    @inline(__always) func rows(_ accepts: (Real) -> Bool) -> RowMask {
      RowMask.filled(count: count) { index in
        let word = Word(
          littleEndian: payload.loadUnaligned(fromByteOffset: index &* MemoryLayout<Word>.size, as: Word.self))
        return word == null ? test.matchesNull : accepts(real(word))
      }
    }
    let value = test.value
    return switch test.order {
    case .equal: rows { $0 == value }
    case .notEqual: rows { $0 != value }
    case .less: rows { $0 < value }
    case .lessOrEqual: rows { $0 <= value }
    case .greater: rows { $0 > value }
    case .greaterOrEqual: rows { $0 >= value }
    }
  }
}

extension TimestampLeaf {
  fileprivate func rows(passing test: DateTest, among rows: RowMask) -> RowMask {
    let whole = test.value.seconds
    let before = IntTest(whole == .min ? nil : .min...whole - 1, isInside: true, matchesNull: false)
    let same = IntTest(whole...whole, isInside: true, matchesNull: false)
    let less = seconds.rows(passing: before)
    let equal = seconds.rows(passing: same)
    let nulls = seconds.rows(passing: IntTest(nil, isInside: true, matchesNull: true))
    let greater = RowMask(first: count).subtracting(less).subtracting(equal).subtracting(nulls)
    var mask = RowMask()
    if test.order.accepts(-1) { mask = mask.union(less) }
    if test.order.accepts(1) { mask = mask.union(greater) }
    if test.matchesNull { mask = mask.union(nulls) }
    equal.intersection(rows).forEach { row in
      let rest = nanoseconds.uncheckedInt(row)
      if test.order.accepts(ValueOrder.compare(rest, Int64(test.value.nanoseconds))) { mask.insert(row) }
    }
    return mask.intersection(rows)
  }
}

// MARK: - Texts and data

extension StringLeaf {
  fileprivate func rows(
    passing test: BytesTest, isString: Bool, among rows: RowMask, in store: ByteStore,
    long: (_ byteCount: Int) throws -> Void, damaged: (_ row: Int, _ error: StorageError) -> Void
  ) -> RowMask {
    let matchesNull = test.matchesNull
    @inline(__always) func search(_ matches: (UnsafeRawBufferPointer) -> Bool) -> RowMask {
      var mask = RowMask()
      rows.forEach { row in
        do {
          guard let bytes = try value(at: row, isString: isString, in: store) else {
            if matchesNull { mask.insert(row) }
            return
          }
          if bytes.count > WalkBudget.shortValue { try long(bytes.count) }
          if let contiguous = bytes.contiguous {
            if matches(contiguous) { mask.insert(row) }
          } else if try bytes.copied().withUnsafeBytes(matches) {
            mask.insert(row)
          }
        } catch {
          if let error = error as? StorageError { damaged(row, error) }
        }
      }
      return mask
    }
    switch test.condition {
    case .matches(let pattern): return search { pattern.matches($0) }
    case .differs(let pattern): return search { !pattern.matches($0) }
    case .order(let order, let bytes):
      return bytes.withUnsafeBytes { value in
        let other = BlobView(value)
        return search { order.accepts(ValueOrder.compareBytes(BlobView($0), other)) }
      }
    case .anything: return search { _ in true }
    case .nothing: return search { _ in false }
    }
  }
}

extension Leaf {
  /// The rows whose values pass a test.
  ///
  /// - Parameters:
  ///   - among: the rows to test; at most as many as the leaf has values.
  ///   - long: called with the length of each long value before it is read.
  ///   - damaged: called for each value that cannot be read.
  /// - Returns: nil if the leaf has values of another type.
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
    case (.dates(let leaf), .dates(let test)): leaf.rows(passing: test, among: rows, damaged: damaged)
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
    if flags & 7 == 1, skipping == 0 { return singleBits(matchesZero: table & 1 != 0, matchesOne: table & 2 != 0) }
    var mask = RowMask()
    for index in skipping..<count where table >> UInt16(truncatingIfNeeded: uncheckedInt(index)) & 1 != 0 {
      mask.insert(index - skipping)
    }
    return mask
  }

  /// Elements of one bit are a mask already.
  private func singleBits(matchesZero: Bool, matchesOne: Bool) -> RowMask {
    var ones = RowMask()
    for (index, byte) in bytes.prefix(RowMask.capacity / 8).enumerated() {
      ones.words[index >> 3] |= UInt64(byte) << UInt64((index & 7) * 8)
    }
    let all = RowMask(first: count)
    ones = ones.intersection(all)
    return (matchesOne ? ones : RowMask()).union(matchesZero ? all.subtracting(ones) : RowMask())
  }

  @inline(__always)
  private func wholeElements<Word: FixedWidthInteger & BitwiseCopyable, Distance: FixedWidthInteger & UnsignedInteger>(
    in lower: Int64, _ upper: Int64, _ skipping: Int, _ type: Word.Type, _ distance: Distance.Type
  ) -> RowMask {
    guard lower <= Int64(Word.max), upper >= Int64(Word.min) else { return RowMask() }
    let low = Word(clamping: lower)
    let span = Distance(truncatingIfNeeded: Word(clamping: upper) &- low)
    let start = payload + skipping * MemoryLayout<Word>.size
    @inline(__always) func word(_ index: Int) -> Word {
      Word(littleEndian: start.loadUnaligned(fromByteOffset: index &* MemoryLayout<Word>.size, as: Word.self))
    }
    // Equality is one instruction for many words, also where an order of words without a sign is not.
    guard span > 0 else { return RowMask.filled(count: count - skipping) { word($0) == low } }
    return RowMask.filled(count: count - skipping) { Distance(truncatingIfNeeded: word($0) &- low) <= span }
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
    let passing = node.elements(passing: test, skipping: 1)
    // The marker of null is also a number, and usually one that is treated as null should be.
    let markerPasses = (marker >= test.lower && marker <= test.upper) == test.isInside
    guard markerPasses != test.matchesNull else { return passing }
    let nulls = node.elements(in: marker, marker, skipping: 1)
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
          // A shift would bind tighter than the multiplication.
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
    @inline(__always) func word(_ index: Int) -> Word {
      Word(littleEndian: payload.loadUnaligned(fromByteOffset: index &* MemoryLayout<Word>.size, as: Word.self))
    }
    @inline(__always) func rows(_ accepts: (Real) -> Bool) -> RowMask {
      RowMask.filled(count: count) { accepts(real(word($0))) }
    }
    let value = test.value
    // Null is a NaN: it is different from everything, and nothing else.
    let passing =
      switch test.order {
      case .equal: rows { $0 == value }
      case .notEqual: rows { $0 != value }
      case .less: rows { $0 < value }
      case .lessOrEqual: rows { $0 <= value }
      case .greater: rows { $0 > value }
      case .greaterOrEqual: rows { $0 >= value }
      }
    guard test.matchesNull != (test.order == .notEqual) else { return passing }
    let nulls = RowMask.filled(count: count) { word($0) == null }
    return test.matchesNull ? passing.union(nulls) : passing.subtracting(nulls)
  }
}

extension TimestampLeaf {
  fileprivate func rows(
    passing test: DateTest, among rows: RowMask, damaged: (_ row: Int, _ error: StorageError) -> Void
  ) -> RowMask {
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
    return mask.intersection(rows).subtracting(invalidRows(among: rows.subtracting(nulls), damaged))
  }

  /// The rows whose two parts do not make a date. Most values are recognized as valid all at once.
  private func invalidRows(
    among rows: RowMask, _ damaged: (_ row: Int, _ error: StorageError) -> Void
  ) -> RowMask {
    let sound = nanoseconds.elements(in: 0, 999_999_999, skipping: 0)
    let negative = seconds.rows(passing: IntTest(.min ... -1, isInside: true, matchesNull: false))
    var invalid = RowMask()
    rows.subtracting(sound.subtracting(negative)).forEach { row in
      do { _ = try value(at: row) } catch {
        invalid.insert(row)
        if let error = error as? StorageError { damaged(row, error) }
      }
    }
    return invalid
  }
}

// MARK: - Texts and data

extension LeafTest {
  /// The only string that passes; nil if the test is not for a single string. It lives as long as the test.
  var exactText: UnsafeRawBufferPointer? { if case .bytes(let test) = self { test.exactText } else { nil } }
  var matchesNullText: Bool { if case .bytes(let test) = self { test.matchesNull } else { false } }
}

extension BytesTest {
  fileprivate var exactText: UnsafeRawBufferPointer? {
    if case .matches(let pattern) = condition { pattern.exactBytes } else { nil }
  }
}

extension Node {
  /// How a field of a leaf of short texts compares with a text.
  enum ShortTextMatch {
    case equal, different, null, damaged
  }

  /// - Parameter index: of one of the elements of a leaf of short texts, which are not of width 0.
  @inline(__always)
  func shortText(at index: Int, matches text: UnsafeRawBufferPointer) -> ShortTextMatch {
    let (width, length) = (width, text.count)
    let field = payload + index &* width
    let padding = Int(field.load(fromByteOffset: width &- 1, as: UInt8.self))
    guard padding == width &- 1 &- length, length < width else {
      return padding < width ? .different : padding == width ? .null : .damaged
    }
    for index in 0..<length where field.load(fromByteOffset: index, as: UInt8.self) != text[index] {
      return .different
    }
    return .equal
  }

  /// The rows of a leaf of short texts that are equal to one.
  fileprivate func shortTexts(
    equalTo text: UnsafeRawBufferPointer, _ matchesNull: Bool, among rows: RowMask,
    damaged: (_ row: Int, _ error: StorageError) -> Void
  ) -> RowMask {
    guard width > 0 else { return matchesNull ? rows : RowMask() }
    let rows = rows.intersection(RowMask(first: count))
    var mask = RowMask()
    rows.forEach { row in
      switch shortText(at: row, matches: text) {
      case .equal: mask.insert(row)
      case .different: break
      case .null: if matchesNull { mask.insert(row) }
      case .damaged: damaged(row, StringLeaf.wrongPadding(of: row, ref))
      }
    }
    return mask
  }
}

extension StringLeaf {
  fileprivate func rows(
    passing test: BytesTest, isString: Bool, among rows: RowMask, in store: ByteStore,
    long: (_ byteCount: Int) throws -> Void, damaged: (_ row: Int, _ error: StorageError) -> Void
  ) -> RowMask {
    let matchesNull = test.matchesNull
    if case .short(let node) = self, let text = test.exactText, isString {
      return node.shortTexts(equalTo: text, matchesNull, among: rows, damaged: damaged)
    }
    @inline(__always) func search(_ matches: (UnsafeRawBufferPointer) -> Bool) -> RowMask {
      var mask = RowMask()
      forEach(among: rows, isString: isString, in: store, damaged: damaged) { row, bytes in
        guard let bytes else {
          if matchesNull { mask.insert(row) }
          return
        }
        if bytes.count > WalkBudget.shortValue { try long(bytes.count) }
        if let contiguous = bytes.contiguous {
          if matches(contiguous) { mask.insert(row) }
        } else if try bytes.copied().withUnsafeBytes(matches) {
          mask.insert(row)
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
    case .length(let test):
      var mask = RowMask()
      forEach(among: rows, isString: isString, in: store, damaged: damaged) { row, bytes in
        if bytes.map({ test.contains(Int64($0.count)) }) ?? matchesNull { mask.insert(row) }
      }
      return mask
    case .anything: return search { _ in true }
    case .nothing: return search { _ in false }
    }
  }

  /// Calls `visit` with the values of some rows, nil for null.
  @inline(__always)
  private func forEach(
    among rows: RowMask, isString: Bool, in store: ByteStore, damaged: (_ row: Int, _ error: StorageError) -> Void,
    visit: (_ row: Int, _ bytes: BlobView?) throws -> Void
  ) {
    @inline(__always) func visiting(_ row: Int, _ value: () throws -> BlobView?) {
      do { try visit(row, value()) } catch {
        if let error = error as? StorageError { damaged(row, error) }
      }
    }
    if case .small(let blobs) = self {
      blobs.forEach(among: rows, isString: isString, damaged: damaged) { row, bytes in
        visiting(row) { bytes.map { BlobView($0) } }
      }
    } else {
      rows.forEach { row in visiting(row) { try value(at: row, isString: isString, in: store) } }
    }
  }

  /// The place of a string in a leaf of the keys of a dictionary; nil if it is not there.
  ///
  /// Most leaves are in order. Some of upgraded files are not, so a key that is not found in its place is searched for
  /// everywhere (Docs/Format/2-nodes-and-values.md §11.3).
  ///
  /// - Throws: `StorageError.corrupted` if a value that is compared cannot be read.
  func firstIndex(of text: UnsafeRawBufferPointer, in store: ByteStore) throws -> Int? {
    let wanted = BlobView(text)
    func order(_ index: Int) throws -> Int {
      guard let bytes = try value(at: index, isString: true, in: store) else { return -1 }
      return ValueOrder.compareBytes(bytes, wanted)
    }
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      let order = try order(middle)
      if order == 0 { return middle }
      if order < 0 { low = middle + 1 } else { high = middle }
    }
    if case .short(let node) = self {
      guard node.width > 0 else { return nil }
      for index in 0..<node.count {
        switch node.shortText(at: index, matches: text) {
        case .equal: return index
        case .different, .null: break
        case .damaged: throw Self.wrongPadding(of: index, node.ref)
        }
      }
      return nil
    }
    return try (0..<count).first { try order($0) == 0 }
  }
}

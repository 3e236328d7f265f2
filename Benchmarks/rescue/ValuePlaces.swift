import RealmStorage

/// Where the bytes of each value of a sound realm are, found from the nodes alone: a small separate reader, so that the
/// measured code does not measure itself.
final class ValuePlaces {
  /// Of one column of a group of objects.
  private struct Leaf {
    /// Bytes that all its values depend on.
    var ranges: [Range<Int>] = []
    /// Of the group's own node and its keys.
    var group: [Range<Int>] = []
    /// Of each value alone.
    var rows: [[Range<Int>]] = []
  }

  private struct Place {
    let leaves: Int
    let row: Int
  }

  private var leaves: [[Leaf]] = []
  private var objects: [RealmString: [ObjectKey: Place]] = [:]
  private let bytes: [UInt8]

  init(_ store: ByteStore, _ snapshot: Snapshot) throws {
    bytes = try store.copy(at: 0, length: store.count)
    let slot = Int(bytes[23] & 1)
    let ref = Int(truncatingIfNeeded: word(slot * 8))
    let top = ref == -1 ? Int(word(bytes.count - 16)) : ref
    for table in elements(elements(top)[1]) where table & 1 == 0 && table != 0 {
      let slots = elements(table)
      let key = TableKey(rawValue: UInt32(slots[3] >> 1))
      guard let name = snapshot.table(key)?.schema.name else { continue }
      let columns = elements(elements(slots[0])[5]).filter { ($0 >> 16) & 0x3f != 14 }
      objects[name] = [:]
      walk(slots[2], offset: 0, name, columns)
    }
  }

  private func walk(_ ref: Int, offset: Int, _ name: RealmString, _ columns: [Int]) {
    let slots = elements(ref)
    if bytes[ref + 4] & 0x80 != 0 {
      let offsets = slots[0] == 0 ? nil : elements(slots[0], isUnsigned: true)
      for index in 3..<slots.count {
        let relative = offsets.map { $0[index - 3] } ?? (index - 3) << (8 * (slots[1] >> 1))
        walk(slots[index], offset: offset + relative, name, columns)
      }
      return
    }
    let keys = slots[0] & 1 == 1 ? Array(0..<slots[0] >> 1) : elements(slots[0], isUnsigned: true)
    let group = [range(ref)] + (slots[0] & 1 == 1 ? [] : [range(slots[0])])
    leaves.append(
      columns.map { column in
        var leaf = leaf(slots[1 + column & 0xffff], column)
        leaf.group = group
        return leaf
      })
    for (row, key) in keys.enumerated() {
      objects[name]?[ObjectKey(rawValue: Int64(offset + key))] = Place(leaves: leaves.count - 1, row: row)
    }
  }

  private func leaf(_ ref: Int, _ column: Int) -> Leaf {
    let isCollection = (column >> 22) & 0xe0 != 0
    guard isCollection else { return Leaf(ranges: subtree(ref)) }
    return Leaf(
      ranges: [range(ref)], rows: elements(ref).map { $0 == 0 ? [] : subtree($0) })
  }

  private func subtree(_ ref: Int) -> [Range<Int>] {
    var ranges = [range(ref)]
    if bytes[ref + 4] & 0x40 != 0 {
      for element in elements(ref) where element & 1 == 0 && element != 0 { ranges += subtree(element) }
    }
    return ranges
  }

  // MARK: Nodes

  private func word(_ place: Int) -> UInt64 { (0..<8).reduce(0) { $0 | UInt64(bytes[place + $1]) << UInt64(8 * $1) } }

  private func count(_ ref: Int) -> Int { Int(bytes[ref + 5]) << 16 | Int(bytes[ref + 6]) << 8 | Int(bytes[ref + 7]) }

  private func range(_ ref: Int) -> Range<Int> {
    let (flags, count) = (Int(bytes[ref + 4]), count(ref))
    let width = (1 << (flags & 7)) >> 1
    let payload = [(count * width + 7) / 8, count * width, count, 0][flags >> 3 & 3]
    return ref..<ref + 8 + payload
  }

  private func elements(_ ref: Int, isUnsigned: Bool = false) -> [Int] {
    let width = (1 << Int(bytes[ref + 4] & 7)) >> 1
    return (0..<count(ref)).map { index in
      guard width > 0 else { return 0 }
      guard width >= 8 else { return Int(bytes[ref + 8 + index * width / 8]) >> (index * width % 8) & (1 << width - 1) }
      let size = width / 8
      let value = (0..<size).reduce(UInt64(0)) { $0 | UInt64(bytes[ref + 8 + index * size + $1]) << UInt64(8 * $1) }
      if isUnsigned { return Int(truncatingIfNeeded: value) }
      let shift = UInt64(64 - width)
      return Int(Int64(bitPattern: value << shift) >> Int64(shift))
    }
  }

  // MARK: Damage

  /// Says for each value whether all its bytes are unchanged.
  func test(_ damage: Damage, isEncrypted: Bool) -> (RealmString, ObjectKey, Int) -> Bool {
    let isIntact = isIntact(damage, isEncrypted: isEncrypted)
    let shared = leaves.map { $0.map { $0.ranges.allSatisfy(isIntact) } }
    return { name, key, property in
      guard let place = self.objects[name]?[key], shared[place.leaves][property] else { return false }
      let rows = self.leaves[place.leaves][property].rows
      return place.row >= rows.count || rows[place.row].allSatisfy(isIntact)
    }
  }

  /// Says for each value whether the bytes that identify its object are unchanged.
  func testWithGroups(_ damage: Damage, isEncrypted: Bool) -> (RealmString, ObjectKey, Int) -> Bool {
    let isIntact = isIntact(damage, isEncrypted: isEncrypted)
    let groups = leaves.map { $0.map { $0.group.allSatisfy(isIntact) } }
    return { name, key, property in self.objects[name]?[key].map { groups[$0.leaves][property] } ?? false }
  }

  private func isIntact(_ damage: Damage, isEncrypted: Bool) -> (Range<Int>) -> Bool {
    var sums = [Int32](repeating: 0, count: bytes.count + 1)
    for range in damage.ranges {
      for part in isEncrypted ? plain(range) : [range] {
        for place in part.clamped(to: 0..<bytes.count) { sums[place + 1] = 1 }
      }
    }
    for place in 1..<sums.count { sums[place] += sums[place - 1] }
    return { sums[$0.lowerBound] == sums[$0.upperBound] }
  }

  /// The plaintext of the encrypted pages that a range of the file touches; a page of counters stands for 64.
  private func plain(_ range: Range<Int>) -> [Range<Int>] {
    (range.lowerBound >> 12...(range.upperBound - 1) >> 12).map { page in
      let (block, rest) = page.quotientAndRemainder(dividingBy: 65)
      let first = (block * 64 + max(0, rest - 1)) << 12
      return first..<first + (rest == 0 ? 64 : 1) << 12
    }
  }
}

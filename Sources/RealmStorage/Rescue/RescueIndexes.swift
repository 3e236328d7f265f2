/// The numbers of a column according to its search index, for numbers that are lost themselves.
///
/// An index has the lower half of a number, and the other half only if the lower one does not distinguish two numbers
/// (Docs/Format/3-tables-and-objects.md §6.3). The width of a leaf shows whether the lower half is the whole number.
struct RescueIndexNumbers {
  /// The bits of a number, and how many of them are known.
  private struct Known {
    let bits: UInt64
    let isWhole: Bool
  }

  private var numbers: [Int64: Known] = [:]

  private static let mostNumbers = 1 << 24

  init(root: Ref, in bytes: RescueBytes) {
    var pending: [(ref: Ref, bits: UInt64, level: UInt64, depth: Int)] = [(root, 0, 0, 0)]
    var visited: Set<Ref> = []
    while let (ref, bits, level, depth) = pending.popLast() {
      bytes.letGoOfPages()
      guard depth < IndexNode.mostLevels, level < 2, numbers.count < Self.mostNumbers, visited.insert(ref).inserted,
        bytes.wholeNode(ref) != nil, let node = try? IndexNode(ref, in: bytes.store), bytes.isWhole(node.keys)
      else { continue }
      for index in 0..<node.count {
        let element = node.element(at: index)
        if node.isInner {
          if let child = element.child { pending.append((child, bits, level, depth + 1)) }
          continue
        }
        let word = UInt64(UInt32(bitPattern: node.chunk(at: index)).byteSwapped)
        let known = Known(bits: bits | word << (32 * level), isWhole: level == 1)
        if element.isTagged {
          add(Int64(bitPattern: element.tagged), known)
        } else if let child = element.child, let below = bytes.wholeNode(child) {
          if below.context {
            pending.append((child, known.bits, level + 1, depth + 1))
          } else if below.flags & 0xf8 == 0 {
            for row in 0..<below.count { add(below.uncheckedInt(row), known) }
          }
        }
      }
    }
  }

  private mutating func add(_ key: Int64, _ known: Known) {
    // If an object occurs twice, its number is not known.
    if let other = numbers.updateValue(known, forKey: key), other.bits != known.bits { numbers[key] = nil }
  }

  /// The number of an object; nil if it cannot be determined.
  ///
  /// - Parameter width: bits of the elements of the leaf that it was in.
  func number(of key: ObjectKey, width: Int) -> Int64? {
    guard let known = numbers[key.rawValue] else { return nil }
    let number: Int64
    if known.isWhole {
      number = Int64(bitPattern: known.bits)
    } else {
      guard width <= 32 else { return nil }
      number = Int64(Int32(truncatingIfNeeded: known.bits))
    }
    // Elements narrower than a byte have no sign.
    let range: ClosedRange<Int64> =
      width < 8
      ? 0...(1 << Int64(width)) - 1 : width == 64 ? .min ... .max : -1 << Int64(width - 1)...(1 << Int64(width - 1)) - 1
    return range.contains(number) ? number : nil
  }
}

/// The indexes of columns whose numbers are lost, read on demand.
final class RescueIndexCache {
  private let bytes: RescueBytes
  private var known: [Ref: RescueIndexNumbers] = [:]

  init(_ bytes: RescueBytes) { self.bytes = bytes }

  /// A number according to the index of its column.
  ///
  /// - Parameter leaf: where the number was.
  func number(of key: ObjectKey, root: Ref, leaf: Ref) -> Int64? {
    guard let node = try? Node(leaf, in: bytes.store), node.flags & 0xf8 == 0,
      !bytes.lost.overlaps(leaf.rawValue, length: Node.headerSize) || bytes.hasHead(at: leaf)
    else { return nil }
    let width = node.width
    if known[root] == nil { known[root] = RescueIndexNumbers(root: root, in: bytes) }
    return known[root]?.number(of: key, width: width)
  }
}

/// How wide the elements of a node are, and how they are packed (Docs/Format/2-nodes-and-values.md §1.2, §1.4).
struct ElementWidth: Hashable, Comparable, Sendable {
  /// The lowest three bits of a node's flags.
  let code: UInt8

  static let zero = ElementWidth(code: 0)

  private init(code: UInt8) { self.code = code }

  /// The least width that holds a number.
  init(holding value: Int64) {
    switch value {
    case 0: code = 0
    case 1: code = 1
    case 2...3: code = 2
    case 4...15: code = 3
    case -0x80...0x7f: code = 4
    case -0x8000...0x7fff: code = 5
    case -0x8000_0000...0x7fff_ffff: code = 6
    default: code = 7
    }
  }

  /// The least width that holds all of some numbers.
  init(holding values: UnsafeBufferPointer<Int64>) {
    // What each needs grows with its distance from 0, so the extremes decide.
    var lowest: Int64 = 0
    var highest: Int64 = 0
    for value in values {
      lowest = min(lowest, value)
      highest = max(highest, value)
    }
    code = max(ElementWidth(holding: lowest).code, ElementWidth(holding: highest).code)
  }

  static func < (left: ElementWidth, right: ElementWidth) -> Bool { left.code < right.code }

  /// Bits of one element.
  var bits: Int { (1 << Int(code)) >> 1 }

  /// Bytes of a payload without padding.
  func payloadSize(count: Int) -> Int { (count * bits + 7) / 8 }

  /// Packs numbers that this width holds.
  ///
  /// - Parameter target: `payloadSize(count:)` bytes.
  func pack(_ values: UnsafeBufferPointer<Int64>, into target: UnsafeMutableRawBufferPointer) {
    switch code {
    case 0: break
    case 1, 2, 3: packBits(values, into: target)
    case 4: store(values, into: target, as: Int8.self)
    case 5: store(values, into: target, as: Int16.self)
    case 6: store(values, into: target, as: Int32.self)
    default: store(values, into: target, as: Int64.self)
    }
  }

  @inline(__always)
  private func store<Element: FixedWidthInteger & BitwiseCopyable>(
    _ values: UnsafeBufferPointer<Int64>, into target: UnsafeMutableRawBufferPointer, as type: Element.Type
  ) {
    for (index, value) in values.enumerated() {
      target.storeBytes(
        of: Element(truncatingIfNeeded: value).littleEndian, toByteOffset: index * MemoryLayout<Element>.size, as: type)
    }
  }

  private func packBits(_ values: UnsafeBufferPointer<Int64>, into target: UnsafeMutableRawBufferPointer) {
    target.initializeMemory(as: UInt8.self, repeating: 0)
    for (index, value) in values.enumerated() {
      let bit = index * bits
      target[bit >> 3] |= UInt8(truncatingIfNeeded: value) << UInt8(bit & 7)
    }
  }
}

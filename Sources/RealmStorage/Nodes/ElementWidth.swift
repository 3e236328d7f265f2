/// How wide the elements of a node are, and how they are packed (Docs/Format/2-nodes-and-values.md §1.2, §1.4).
package struct ElementWidth: Hashable, Comparable, Sendable {
  /// The lowest three bits of a node's flags.
  package let code: UInt8

  static let zero = ElementWidth(code: 0)
  package static let bits32 = ElementWidth(code: 6)
  static let bits64 = ElementWidth(code: 7)

  private init(code: UInt8) { self.code = code }

  /// That of a node with these flags.
  package init(ofFlags flags: UInt8) { code = flags & 7 }

  /// The least width for a number.
  package init(holding value: Int64) {
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

  /// The least width for both bounds, and with them for all numbers in between and 0: what a number needs grows with
  /// its distance from 0.
  init(holding low: Int64, _ high: Int64) { self = max(ElementWidth(holding: low), ElementWidth(holding: high)) }

  /// The least width for all of some numbers.
  package init(holding values: UnsafeBufferPointer<Int64>) {
    var lowest: Int64 = 0
    var highest: Int64 = 0
    for value in values {
      lowest = min(lowest, value)
      highest = max(highest, value)
    }
    self.init(holding: lowest, highest)
  }

  /// The least width for numbers up to `largest` that are read as unsigned: keys and offsets, of 8 bits or more (§1.5).
  init(holdingUnsigned largest: UInt64) {
    code = largest < 1 << 8 ? 4 : largest < 1 << 16 ? 5 : largest < 1 << 32 ? 6 : 7
  }

  package static func < (left: ElementWidth, right: ElementWidth) -> Bool { left.code < right.code }

  /// Bits of one element.
  var bits: Int { (1 << Int(code)) >> 1 }

  /// The largest number; widths below 8 are unsigned.
  var largest: Int64 {
    switch code {
    case 0: 0
    case 1, 2, 3: 1 << Int64(bits) - 1
    default: Int64.max >> Int64(64 - bits)
    }
  }

  /// The next larger width; nil for the largest.
  var next: ElementWidth? { code < 7 ? ElementWidth(code: code + 1) : nil }

  /// Bytes of a payload without padding.
  func payloadSize(count: Int) -> Int { (count * bits + 7) / 8 }

  /// Packs numbers that fit in this width; of larger ones the low bits.
  ///
  /// - Parameter target: `payloadSize(count:)` bytes.
  func pack(_ values: UnsafeBufferPointer<Int64>, into target: UnsafeMutableRawPointer) {
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
    _ values: UnsafeBufferPointer<Int64>, into target: UnsafeMutableRawPointer, as type: Element.Type
  ) {
    for (index, value) in values.enumerated() {
      target.storeBytes(
        of: Element(truncatingIfNeeded: value).littleEndian, toByteOffset: index * MemoryLayout<Element>.size, as: type)
    }
  }

  /// From the low bits of each byte upwards.
  private func packBits(_ values: UnsafeBufferPointer<Int64>, into target: UnsafeMutableRawPointer) {
    let bytes = target.initializeMemory(as: UInt8.self, repeating: 0, count: payloadSize(count: values.count))
    for (index, value) in values.enumerated() {
      let bit = index * bits
      bytes[bit >> 3] |= UInt8(truncatingIfNeeded: value) << UInt8(bit & 7)
    }
  }
}

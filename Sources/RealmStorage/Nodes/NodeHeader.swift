/// The first eight bytes of a node: what its elements are and how many (Docs/Format/2-nodes-and-values.md §1.1–1.3).
@usableFromInline
package struct NodeHeader {
  /// Byte 4.
  @usableFromInline package let flags: UInt8
  /// Elements (schemes bits and multiply) or bytes (scheme ignore), 24 bits.
  @usableFromInline package let count: Int

  /// Bytes of a header.
  @inlinable package static var size: Int { 8 }
  /// `AAAA`, the place of a checksum that was never built; engines do not read it.
  package static let signature: UInt32 = 0x4141_4141
  /// Whether four bytes are the signature, but for a flipped bit or two: of random bytes one in eight million is.
  package static func isSignature(_ word: UInt32) -> Bool { (word.littleEndian ^ signature).nonzeroBitCount <= 2 }
  /// The largest number of elements.
  package static let mostElements = 0xff_ffff
  /// Engines do not handle nodes of this many bytes or more (Docs/Format/1-container.md §2).
  package static let nodeSizeLimit = 1 << 26

  /// How width and count make the size of the payload.
  @usableFromInline
  package enum Scheme: UInt8 { case bits = 0, multiply = 1, ignore = 2 }

  /// What the upper three bits of the flags say.
  package struct Kind: OptionSet {
    package let rawValue: UInt8

    package init(rawValue: UInt8) { self.rawValue = rawValue }
    package static let inner = Kind(rawValue: 0x80)
    package static let refs = Kind(rawValue: 0x40)
    package static let context = Kind(rawValue: 0x20)
  }

  @inlinable @inline(__always)
  package init(flags: UInt8, count: Int) { (self.flags, self.count) = (flags, count) }

  /// - Parameter widthCode: as in the flags: `1 << (widthCode - 1)` bits or bytes for each element, none at 0.
  package init(_ kind: Kind, _ scheme: Scheme, widthCode: UInt8, count: Int) {
    self.init(flags: kind.rawValue | scheme.rawValue << 3 | widthCode, count: count)
  }

  /// - Parameter word: the eight bytes as a little-endian number.
  @inline(__always)
  package init(_ word: UInt64) {
    self.init(
      flags: UInt8(truncatingIfNeeded: word >> 32), count: Int(truncatingIfNeeded: word.byteSwapped & 0xff_ffff))
  }

  /// The eight bytes as a little-endian number. The count is big-endian, in the last three of them.
  @inline(__always)
  package var word: UInt64 {
    UInt64(Self.signature) | UInt64(flags) << 32 | UInt64(UInt32(truncatingIfNeeded: count << 8).byteSwapped) << 40
  }

  /// Bytes of the payload without padding; nil for a scheme that there is not.
  @inline(__always)
  package var payloadSize: Int? { flags >> 3 & 3 > Scheme.ignore.rawValue ? nil : knownPayloadSize }

  /// The same, where the scheme is known to be one.
  @inlinable @inline(__always)
  package var knownPayloadSize: Int {
    // Without branches: nodes of all schemes alternate, and a processor cannot predict the next one. Nothing overflows:
    // 24 bits times 64 bytes at most.
    let scheme = flags &>> 3 & 3
    let width = (1 &<< Int(flags & 7)) &>> 1
    let bits = scheme == Scheme.ignore.rawValue ? 8 : width &<< (Int(scheme) &* 3)
    return (count &* bits &+ 7) &>> 3
  }

  /// Bytes of the node: header and payload, padded to eight; without payload for a scheme that there is not.
  @inline(__always) package var nodeSize: Int { Self.size &+ ((payloadSize ?? 0) &+ 7) & ~7 }

  // MARK: Writing

  /// Puts the header into memory of `nodeSize` bytes, zeros into the padding, and gives the place of the payload, which is
  /// not initialized.
  @inline(__always)
  func write(to node: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer {
    // Before the header, which is the last word of a node without payload.
    node.storeBytes(of: 0, toByteOffset: nodeSize - 8, as: UInt64.self)
    node.storeBytes(of: word.littleEndian, as: UInt64.self)
    return node + Self.size
  }

  /// Puts a whole node of integers into memory of `nodeSize` bytes.
  func write(_ elements: UnsafeBufferPointer<Int64>, to node: UnsafeMutableRawPointer) {
    ElementWidth(ofFlags: flags).pack(elements, into: write(to: node))
  }
}

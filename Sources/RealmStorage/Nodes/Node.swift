/// A view of one node of the file: header facts checked once, payload read in place.
///
/// This file is the only one that reads node bytes. A view is a pointer, a count and a width; its initializer proves
/// that header and payload lie inside the file, and its accessors prove each index. The view must not outlive the
/// `ByteStore` it was made from. The counts are copied out of the header, so that a file changing under a mapping can
/// yield odd values but never a read out of bounds.
///
/// Layout: Docs/Format/2-nodes-and-values.md §1.
@usableFromInline
package struct Node: @unchecked Sendable {
  @usableFromInline package let ref: Ref
  @usableFromInline let payload: UnsafeRawPointer
  /// 24 bits; kept small because leaves are made of views and are copied by value.
  @usableFromInline let storedCount: UInt32
  /// Byte 4 of the header.
  @usableFromInline package let flags: UInt8

  @inlinable package static var headerSize: Int { NodeHeader.size }

  /// Proves that header and payload lie inside the file.
  ///
  /// - Throws: `StorageError.corrupted` if they do not, or if a page cannot be read.
  package init(_ ref: Ref, in store: borrowing ByteStore) throws {
    let offset = ref.rawValue
    let room = UInt64(truncatingIfNeeded: store.count) &- offset
    // Nearly always it is all true at once; what is not is told below.
    if store.isThereAsAWhole, offset & 7 == 0, offset >= 24, offset <= UInt64(truncatingIfNeeded: store.count),
      room >= UInt64(Self.headerSize)
    {
      let start = store.base + Int(truncatingIfNeeded: offset)
      let word = UInt64(littleEndian: start.loadUnaligned(as: UInt64.self))
      let header = NodeHeader(word)
      if let payloadSize = header.payloadSize, UInt64(payloadSize) <= room &- UInt64(Self.headerSize), word != 0 {
        self.init(ref, header, payload: start + Self.headerSize)
        return
      }
    }
    try self.init(checking: ref, in: store)
  }

  @inline(__always)
  private init(_ ref: Ref, _ header: NodeHeader, payload: UnsafeRawPointer) {
    (self.ref, self.payload, flags) = (ref, payload, header.flags)
    storedCount = UInt32(truncatingIfNeeded: header.count)
  }

  /// As `init(_:in:)`, for nodes in pages, and for those that are not what they should be.
  @inline(never)
  private init(checking ref: Ref, in store: borrowing ByteStore) throws {
    let offset = ref.rawValue
    guard offset & 7 == 0, offset >= 24 else {
      throw StorageError.corrupted(ref, ref.isNull ? .missingNode : .misplacedRef)
    }
    let bytes = try store.bytes(at: offset, length: Self.headerSize)
    let word = UInt64(littleEndian: bytes.loadUnaligned(as: UInt64.self))
    let header = NodeHeader(word)
    if store.requiresSignatures, !NodeHeader.isSignature(bytes.loadUnaligned(as: UInt32.self)) {
      throw StorageError.corrupted(ref, .unexpectedNodeKind(expected: "a node"))
    }
    // Engines write a signature or a capacity there; zeros would read as a sound list of nothing.
    guard word != 0 else { throw StorageError.corrupted(ref, .missingNode) }
    guard let payloadSize = header.payloadSize else {
      throw StorageError.corrupted(ref, .unknownWidthScheme)
    }
    self.init(ref, header, payload: try store.bytes(at: offset &+ 8, length: payloadSize))
  }

  /// The node at a place as it would be with another header.
  ///
  /// - Throws: `StorageError.corrupted` if its elements do not lie inside the file, or a page cannot be read.
  package init(_ ref: Ref, readAs header: NodeHeader, in store: borrowing ByteStore) throws {
    guard let payloadSize = header.payloadSize else { throw StorageError.corrupted(ref, .unknownWidthScheme) }
    self.init(ref, header, payload: try store.bytes(at: ref.rawValue &+ UInt64(Self.headerSize), length: payloadSize))
  }

  // MARK: Header facts

  @inlinable @inline(__always) package var header: NodeHeader { NodeHeader(flags: flags, count: count) }

  /// Elements (schemes bits and multiply) or bytes (scheme ignore).
  @inlinable @inline(__always) package var count: Int { Int(storedCount) }

  @inlinable @inline(__always) package var isInner: Bool { flags & 0x80 != 0 }
  @inlinable @inline(__always) package var hasRefs: Bool { flags & 0x40 != 0 }
  @inlinable @inline(__always) package var context: Bool { flags & 0x20 != 0 }
  @inlinable @inline(__always) package var scheme: NodeHeader.Scheme {
    NodeHeader.Scheme(rawValue: flags >> 3 & 3) ?? .ignore
  }
  /// Whether the scheme is that of integers and references.
  @inlinable @inline(__always) package var isOfBits: Bool { flags & 0x18 == 0 }
  /// Element width: bits in scheme bits, bytes in scheme multiply.
  @inlinable @inline(__always) package var width: Int { (1 << Int(flags & 7)) >> 1 }
  /// Payload in bytes without padding.
  @inlinable @inline(__always) package var payloadSize: Int { header.knownPayloadSize }
  /// Bytes the node owns in the file: header and payload, padded to eight.
  @inlinable @inline(__always) package var byteSize: Int { NodeHeader.size &+ (payloadSize &+ 7) & ~7 }

  /// Makes the bytes of this view present again, after pages were released.
  func makePresent(in store: ByteStore) throws {
    _ = try store.bytes(at: ref.rawValue, length: Self.headerSize + payloadSize)
  }

  /// The four bytes before the flags, which mean nothing (Docs/Format/2-nodes-and-values.md §1.1).
  package var signature: UInt32 { (payload - Self.headerSize).loadUnaligned(as: UInt32.self) }

  /// Whether those are what engines write.
  @inline(__always) package var hasSignature: Bool { signature == UInt32(littleEndian: NodeHeader.signature) }

  // MARK: Checks

  /// - Throws: `unexpectedNodeKind` unless this is an integer node, with or without references.
  package func requireBits(_ expected: @autoclosure () -> String) throws {
    guard flags & 0x18 == 0 else { throw StorageError.corrupted(ref, .unexpectedNodeKind(expected: expected())) }
  }

  /// - Throws: `unexpectedNodeKind` unless this is a node with references (inner or not).
  package func requireRefs(_ expected: @autoclosure () -> String) throws {
    guard flags & 0x58 == 0x40 else { throw StorageError.corrupted(ref, .unexpectedNodeKind(expected: expected())) }
  }

  @inlinable package func requireIndex(_ index: Int) throws {
    guard index >= 0, index < count else { throw outOfRange(index) }
  }

  /// Out of the way, as `otherScheme`.
  @inline(never)
  @usableFromInline func outOfRange(_ index: Int) -> any Error {
    StorageError.corrupted(ref, .indexOutOfRange(index, count: count))
  }

  // MARK: Elements of scheme bits

  /// Element `index`, sign-extended at widths of 8 and more.
  ///
  /// - Throws: `unexpectedNodeKind` if the node has no such elements: those of another scheme have other sizes, and
  ///   reading them would leave the node.
  @inlinable @inline(__always)
  package func int(_ index: Int) throws -> Int64 {
    try requireIndex(index)
    guard flags & 0x18 == 0 else { throw otherScheme }
    return uncheckedInt(index)
  }

  /// Element `index` where the caller has proved the scheme and `0 <= index < count`.
  @inlinable @inline(__always)
  package func uncheckedInt(_ index: Int) -> Int64 {
    assert(index >= 0 && index < count && flags & 0x18 == 0)
    switch flags & 7 {
    case 0: return 0
    case 1: return Int64(load(UInt8.self, index >> 3) >> UInt8(index & 7) & 1)
    case 2: return Int64(load(UInt8.self, index >> 2) >> UInt8((index & 3) << 1) & 3)
    case 3: return Int64(load(UInt8.self, index >> 1) >> UInt8((index & 1) << 2) & 15)
    case 4: return Int64(load(Int8.self, index))
    case 5: return Int64(Int16(littleEndian: load(Int16.self, index << 1)))
    case 6: return Int64(Int32(littleEndian: load(Int32.self, index << 2)))
    default: return Int64(littleEndian: load(Int64.self, index << 3))
    }
  }

  /// Element `index` read as unsigned, as key and offset nodes are (Docs/Format/2-nodes-and-values.md §1.5).
  package func unsigned(_ index: Int) throws -> UInt64 {
    try requireIndex(index)
    guard flags & 0x18 == 0 else { throw otherScheme }
    return uncheckedUnsigned(index)
  }

  /// Out of the way of what reads every element.
  @usableFromInline var otherScheme: any Error {
    @inline(never) get { StorageError.corrupted(ref, .unexpectedNodeKind(expected: "a node of numbers or refs")) }
  }

  /// As `uncheckedInt`, unsigned.
  @inlinable @inline(__always)
  package func uncheckedUnsigned(_ index: Int) -> UInt64 {
    let value = UInt64(bitPattern: uncheckedInt(index))
    switch flags & 7 {
    case 4: return value & 0xff
    case 5: return value & 0xffff
    case 6: return value & 0xffff_ffff
    default: return value
    }
  }

  /// Element `index` of a node with references.
  @inlinable @inline(__always)
  package func refOrTagged(_ index: Int) throws -> RefOrTagged { RefOrTagged(try int(index)) }

  /// The child that element `index` leads to; the null ref where there is none.
  ///
  /// - Throws: `misplacedRef` if the element is a tagged integer.
  @inlinable @inline(__always)
  package func childRef(_ index: Int) throws -> Ref {
    let element = try refOrTagged(index)
    guard !element.isTagged else { throw notRef(index) }
    return element.ref
  }

  /// Prefetches a child that a walk will reach.
  ///
  /// - Parameter index: the element that the walk is at. The caller has proved the scheme (`requireBits`).
  @inline(__always)
  package func prefetchChild(ahead index: Int, in store: borrowing ByteStore) {
    let next = index &+ ByteStore.prefetchDistance
    if next < count { store.prefetch(uncheckedInt(next)) }
  }

  /// Out of the way, as `otherScheme`.
  @inline(never)
  @usableFromInline func notRef(_ index: Int) -> any Error {
    StorageError.corrupted(ref, .unexpectedNodeKind(expected: "a ref in slot \(index)"))
  }

  /// Calls `visit` with each ref among the elements. The caller has proved the scheme (`requireBits`).
  @inlinable @inline(__always)
  package func forEachRef(_ visit: (Ref) throws -> Void) rethrows {
    for index in 0..<count {
      let element = RefOrTagged(uncheckedInt(index))
      if !element.isTagged, !element.ref.isNull { try visit(element.ref) }
    }
  }

  /// The tagged integer in element `index`; 0 if the element is 0.
  package func tagged(_ index: Int) throws -> UInt64 {
    let element = try refOrTagged(index)
    guard element.isTagged || element.rawValue == 0 else {
      throw StorageError.corrupted(ref, .unexpectedNodeKind(expected: "a number in slot \(index)"))
    }
    return element.tagged
  }

  /// The node's largest value of its width, the null marker of nullable integer leaves narrower than 64 bits.
  package var largestOfWidth: Int64 { ElementWidth(ofFlags: flags).largest }

  // MARK: Bytes

  /// All payload bytes.
  @inlinable @inline(__always) package var bytes: UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(start: payload, count: payloadSize)
  }

  /// A value of fixed size at a byte position of the payload; nil if it does not lie inside.
  @inlinable @inline(__always)
  package func value<T: BitwiseCopyable>(_ type: T.Type, atByte position: Int) -> T? {
    guard position >= 0, position <= payloadSize - MemoryLayout<T>.size else { return nil }
    return payload.loadUnaligned(fromByteOffset: position, as: type)
  }

  /// Calls `visit` with each element of a node whose elements have the size of `Word`; nothing where the payload is
  /// shorter than that.
  @inlinable @inline(__always)
  package func forEachWord<Word: FixedWidthInteger & BitwiseCopyable>(_ type: Word.Type, _ visit: (Int, Word) -> Void) {
    let size = MemoryLayout<Word>.size
    guard payloadSize >= count * size else { return }
    for index in 0..<count { visit(index, Word(littleEndian: load(type, index * size))) }
  }

  @inlinable @inline(__always)
  func load<T: BitwiseCopyable>(_ type: T.Type, _ position: Int) -> T {
    payload.loadUnaligned(fromByteOffset: position, as: type)
  }
}

extension ByteStore {
  /// The ref of the node whose header is at `address`, an address inside this store.
  func ref(ofNodeAt address: UnsafeRawPointer) -> Ref { Ref(UInt64(bitPattern: Int64(address - base))) }
}

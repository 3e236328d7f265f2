import RealmStorage

/// A growing run of bytes that the writers of text forms append to.
///
/// An exporter fills it, passes it on and empties it again, so appends are made for speed: the bytes are raw memory, an
/// append checks the room once and then writes without further checks. Every append is total: any value and any bytes
/// give some text, as each append documents.
///
/// A buffer belongs to one thread at a time.
///
/// ```swift
/// let text = TextBuffer(capacity: 1 << 16)
/// text.append("{\"_key\":")
/// text.append(integer: 7)
/// text.append(byte: UInt8(ascii: "}"))
/// text.withBytes { write($0) }
/// text.removeAll()
/// ```
public final class TextBuffer {
  // The properties skip the run-time exclusivity check: each is a machine word that is read or set as a whole, never
  // lent as `inout` to code that could come back to it.
  @exclusivity(unchecked) @usableFromInline var start: UnsafeMutableRawPointer
  @exclusivity(unchecked) @usableFromInline var end: UnsafeMutableRawPointer
  @exclusivity(unchecked) @usableFromInline var limit: UnsafeMutableRawPointer

  var replacedByteCount = 0

  /// How many bytes of text that is not UTF-8 were replaced by U+FFFD since the last call.
  package func takeReplacedByteCount() -> Int {
    defer { replacedByteCount = 0 }
    return replacedByteCount
  }

  /// An empty buffer with room for `capacity` bytes; it grows by itself.
  public init(capacity: Int = 4096) {
    let size = max(capacity, 64)
    start = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: 16)
    end = start
    limit = start + size
  }

  deinit { start.deallocate() }

  /// Number of bytes appended so far.
  @inlinable public var count: Int { end - start }

  /// Number of bytes that fit without growing.
  public var capacity: Int { limit - start }

  /// Forgets what was appended after the first `count` bytes; does nothing when there are no more than that.
  public func truncate(to count: Int) {
    guard count >= 0, count < self.count else { return }
    end = start + count
  }

  /// Forgets all bytes. The memory is kept by default.
  public func removeAll(keepingCapacity: Bool = true) {
    end = start
    if !keepingCapacity { reallocate(to: 64) }
  }

  /// Lends the bytes for the duration of `body`, which must not append to the buffer.
  @inlinable public func withBytes<Result: ~Copyable, Failure: Error>(
    _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try body(UnsafeRawBufferPointer(start: start, count: end - start))
  }

  /// The bytes as a string, invalid UTF-8 replaced by U+FFFD.
  public var string: String { withBytes { String(decoding: $0, as: UTF8.self) } }

  /// What `write` appends to an empty buffer, for short text such as a value in a message.
  public static func string(_ write: (TextBuffer) -> Void) -> String {
    let buffer = TextBuffer(capacity: 64)
    write(buffer)
    return buffer.string
  }

  // MARK: - Room

  /// The place of the next byte, with room for at least `byteCount` more bytes.
  ///
  /// After writing there, call `advance(to:)` before asking for room again.
  @inlinable @inline(__always) func room(for byteCount: Int) -> UnsafeMutableRawPointer {
    if _slowPath(limit - end < byteCount) { grow(for: byteCount) }
    return end
  }

  /// Ends the text at `newEnd`, a place inside the room that was given before.
  @inlinable @inline(__always) func advance(to newEnd: UnsafeMutableRawPointer) { end = newEnd }

  @usableFromInline @inline(never) func grow(for byteCount: Int) {
    let needed = count + byteCount
    reallocate(to: max(needed, capacity * 2))
  }

  private func reallocate(to size: Int) {
    let used = count
    let replacement = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: 16)
    replacement.copyMemory(from: start, byteCount: used)
    start.deallocate()
    start = replacement
    end = replacement + used
    limit = replacement + size
  }

  // MARK: - Bytes

  /// Appends one byte.
  @inlinable @inline(__always) public func append(byte: UInt8) {
    let place = room(for: 1)
    place.storeBytes(of: byte, as: UInt8.self)
    advance(to: place + 1)
  }

  /// Appends the UTF-8 of a literal.
  @inlinable @inline(__always) public func append(_ literal: StaticString) {
    guard literal.hasPointerRepresentation else {
      return literal.withUTF8Buffer { append(bytes: UnsafeRawBufferPointer($0)) }
    }
    let length = literal.utf8CodeUnitCount
    let place = room(for: length)
    place.copyMemory(from: literal.utf8Start, byteCount: length)
    advance(to: place + length)
  }

  /// Appends bytes as they are.
  @inlinable @inline(__always) public func append(bytes: UnsafeRawBufferPointer) {
    guard let source = bytes.baseAddress else { return }
    let place = room(for: bytes.count)
    place.copyMemory(from: source, byteCount: bytes.count)
    advance(to: place + bytes.count)
  }

  /// How many bytes after the last one `append(padded:count:)` may read.
  public static let readAhead = 16

  /// Makes room for `byteCount` more bytes.
  public func reserve(_ byteCount: Int) { _ = room(for: byteCount) }

  /// Appends bytes after which `readAhead` more can be read, whatever they are: few bytes are copied in one move.
  @inlinable @inline(__always) public func append(padded bytes: UnsafeRawPointer, count: Int) {
    let place = room(for: count + Self.readAhead)
    var offset = 0
    repeat {
      place.storeBytes(
        of: bytes.loadUnaligned(fromByteOffset: offset, as: SIMD16<UInt8>.self), toByteOffset: offset,
        as: SIMD16<UInt8>.self)
      offset += Self.readAhead
    } while offset < count
    advance(to: place + count)
  }

  // Literals use the variant for `StaticString`, which knows its bytes at compile time; therefore the others are
  // disfavored.

  /// Appends the bytes as they are, valid UTF-8 or not.
  @_disfavoredOverload public func append(_ text: RealmString) {
    text.utf8.withUnsafeBytes { append(bytes: $0) }
  }

  /// Appends the text as UTF-8.
  @_disfavoredOverload public func append(_ text: String) {
    var text = text
    text.withUTF8 { append(bytes: UnsafeRawBufferPointer($0)) }
  }

  /// Appends the scalar's UTF-8; U+FFFD for what is not a scalar.
  func append(scalar value: UInt32) {
    let scalar = UnicodeScalar(value) ?? "\u{FFFD}"
    for byte in UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter { append(byte: byte) }
  }
}

/// A piece of a value around something in it, as text.
struct Snippet: Hashable, Sendable {
  /// UTF-8 if the value is.
  private(set) var bytes: [UInt8] = []
  private(set) var isCutBefore = false
  private(set) var isCutBehind = false

  /// The number of bytes shown before the match, and in total.
  private static let before = 20
  private static let most = 400

  init() {}

  /// A short value is shown as a whole.
  init(of bytes: [UInt8]) { self.bytes = bytes }

  /// - Parameter place: a byte offset.
  init(of value: UnsafeRawBufferPointer, around place: Int) {
    var start = max(0, min(place, value.count) - Self.before)
    // If the match is near the beginning, the beginning is shown.
    if start < 8 { start = 0 }
    while start > 0, start < value.count, value[start] & 0xc0 == 0x80 { start -= 1 }
    var end = min(value.count, start + Self.most)
    while end > start, end < value.count, value[end] & 0xc0 == 0x80 { end -= 1 }
    bytes = Array(value[start..<end])
    (isCutBefore, isCutBehind) = (start > 0, end < value.count)
  }
}

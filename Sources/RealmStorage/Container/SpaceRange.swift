/// Bytes of a realm from one offset up to another.
struct SpaceRange: Hashable, Sendable {
  var start: UInt64
  var end: UInt64

  var byteCount: UInt64 { end - start }

  init(_ start: UInt64, count: UInt64) {
    self.start = start
    end = start &+ count
  }

  init(_ start: UInt64, to end: UInt64) {
    self.start = start
    self.end = end
  }
}

/// Bytes of a realm from one offset up to another.
package struct SpaceRange: Hashable, Sendable {
  package var start: UInt64
  package var end: UInt64

  package var byteCount: UInt64 { end - start }

  package init(_ start: UInt64, count: UInt64) {
    self.start = start
    end = start &+ count
  }

  package init(_ start: UInt64, to end: UInt64) {
    self.start = start
    self.end = end
  }
}

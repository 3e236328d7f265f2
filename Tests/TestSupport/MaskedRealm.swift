/// A plain realm in streaming form with all bytes and bits zeroed that belong to no element.
///
/// Engines leave old memory content there (Docs/Format/1-container.md §6.1).
package struct MaskedRealm: Equatable {
  package let bytes: [UInt8]

  package init(_ realm: [UInt8]) {
    var bytes = realm
    var position = 24
    while position + 8 <= bytes.count - 16 {
      let flags = bytes[position + 4]
      let count = Int(bytes[position + 5]) << 16 | Int(bytes[position + 6]) << 8 | Int(bytes[position + 7])
      let width = (1 << Int(flags & 7)) >> 1
      let bits = [count * width, count * width * 8, count * 8, 0][Int(flags >> 3 & 3)]
      let end = position + 8 + (bits + 63) / 64 * 8
      let used = position + 8 + (bits + 7) / 8
      if bits % 8 != 0 { bytes[used - 1] &= UInt8((1 << (bits % 8)) - 1) }
      for index in used..<end { bytes[index] = 0 }
      position = end
    }
    // Both forms of a header mean the same: streaming, and converted by the engine that wrote it.
    bytes.replaceSubrange(8..<24, with: [UInt8](repeating: 0, count: 16))
    self.bytes = bytes
  }
}

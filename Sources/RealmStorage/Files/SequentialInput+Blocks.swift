extension SequentialInput {
  /// Reads to the end.
  ///
  /// - Returns: how many bytes there were.
  @discardableResult
  package func forEachBlock(_ body: (UnsafeRawBufferPointer) throws -> Void) throws -> UInt64 {
    let block = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 20, alignment: 16)
    defer { block.deallocate() }
    var total: UInt64 = 0
    while case let count = try read(into: block), count > 0 {
      total += UInt64(count)
      try body(UnsafeRawBufferPointer(rebasing: block[..<count]))
    }
    return total
  }

  package func allBytes() throws -> [UInt8] {
    var bytes: [UInt8] = []
    try forEachBlock { bytes.append(contentsOf: $0) }
    return bytes
  }
}

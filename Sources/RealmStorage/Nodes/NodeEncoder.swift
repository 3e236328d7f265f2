/// Puts nodes together in memory that is used again, and hands them to an output.
///
/// This is where values turn into node bytes; what a node means is known to its callers. Layout:
/// Docs/Format/2-nodes-and-values.md §1. One thread at a time.
package final class NodeEncoder {
  let output: any NodeOutput
  /// What the nodes are laid out for.
  let format: TargetFormat
  private var memory: UnsafeMutableRawPointer
  private var capacity: Int

  package init(_ output: any NodeOutput, format: TargetFormat = .newest) {
    (self.output, self.format) = (output, format)
    capacity = 1 << 14
    memory = .allocate(byteCount: capacity, alignment: 16)
  }

  deinit { memory.deallocate() }

  // MARK: Nodes of integers

  /// Writes integers, at the smallest width for all of them unless a sufficient one is given.
  package func integers(_ values: [Int64], width: ElementWidth? = nil, _ kind: NodeHeader.Kind = []) throws -> Ref {
    try values.withUnsafeBufferPointer { try integers($0, width ?? ElementWidth(holding: $0), kind) }
  }

  private func integers(
    _ values: UnsafeBufferPointer<Int64>, _ width: ElementWidth, _ kind: NodeHeader.Kind
  ) throws -> Ref {
    let header = NodeHeader(kind, .bits, widthCode: width.code, count: values.count)
    header.write(values, to: try room(for: header))
    return try finish(header)
  }

  /// Writes refs, null ones as 0.
  func refs(_ refs: [Ref], _ kind: NodeHeader.Kind = []) throws -> Ref {
    try integers(refs.map(\.element), kind.union(.refs))
  }

  /// Writes numbers that are read as unsigned: keys and offsets, at a width of 8 or more
  /// (Docs/Format/2-nodes-and-values.md §1.5).
  func unsigned(_ values: [UInt64]) throws -> Ref {
    try values.withUnsafeBufferPointer { values in
      try values.withMemoryRebound(to: Int64.self) {
        try integers($0, ElementWidth(holdingUnsigned: values.max() ?? 0), [])
      }
    }
  }

  /// Writes nullable integers: the first element is the null of this node.
  ///
  /// The engine compares new values with the largest of the width only, so the marker must be exactly that below 64
  /// bits (Docs/Format/2-nodes-and-values.md §2.2).
  func optionalIntegers(_ values: [Int64], isNull: [Bool]) throws -> Ref {
    var low = Int64.max
    var high = Int64.min
    for (value, isNull) in zip(values, isNull) where !isNull {
      low = min(low, value)
      high = max(high, value)
    }
    var width = ElementWidth.zero
    if low <= high {
      width = ElementWidth(holding: low, high)
      while let wider = width.next, high == width.largest { width = wider }
    }
    let marker = width == .bits64 ? Self.absentNumber(in: values, isNull) : width.largest
    var stored = [marker]
    stored.reserveCapacity(values.count + 1)
    for (value, isNull) in zip(values, isNull) { stored.append(isNull ? marker : value) }
    return try integers(stored, width: width)
  }

  /// The largest number that does not occur: the same in every run.
  private static func absentNumber(in values: [Int64], _ isNull: [Bool]) -> Int64 {
    var candidate = Int64.max
    while zip(values, isNull).contains(where: { $0 == candidate && !$1 }) { candidate -= 1 }
    return candidate
  }

  // MARK: Nodes of bytes

  /// Writes a blob (scheme ignore), followed by a zero byte if wanted.
  func blob(_ bytes: UnsafeRawBufferPointer, isTerminated: Bool) throws -> Ref {
    let header = NodeHeader([], .ignore, widthCode: 1, count: bytes.count + (isTerminated ? 1 : 0))
    let payload = header.write(to: try room(for: header))
    if let source = bytes.baseAddress { payload.copyMemory(from: source, byteCount: bytes.count) }
    if isTerminated { payload.storeBytes(of: 0, toByteOffset: bytes.count, as: UInt8.self) }
    return try finish(header)
  }

  /// Writes a node of scheme multiply: `count` elements of `1 << (widthCode - 1)` bytes, none at width code 0.
  ///
  /// - Parameter fill: gets the payload, all zero.
  func fixed(
    count: Int, widthCode: UInt8, _ kind: NodeHeader.Kind = [], fill: (UnsafeMutableRawBufferPointer) -> Void
  ) throws -> Ref {
    let header = NodeHeader(kind, .multiply, widthCode: widthCode, count: count)
    let node = try room(for: header)
    let payload = UnsafeMutableRawBufferPointer(start: header.write(to: node), count: header.payloadSize ?? 0)
    payload.initializeMemory(as: UInt8.self, repeating: 0)
    fill(payload)
    return try finish(header)
  }

  /// Writes names as fields of one width, a null field for nil (Docs/Format/3-tables-and-objects.md §1).
  func names(_ names: [RealmString?]) throws -> Ref {
    let longest = names.compactMap { $0?.utf8.count }.max() ?? 0
    let isPlain = longest == 0 && !names.contains { $0 == nil }
    guard longest < 64 else { throw BuildError.nameTooLong(names.compactMap { $0 }.first { $0.utf8.count > 63 } ?? "") }
    // A width of 0 says that all names are empty; a null needs a field.
    let code = isPlain ? 0 : ShortText.widthCode(longest: longest)
    return try fixed(count: names.count, widthCode: code) { payload in
      guard code > 0 else { return }
      let width = payload.count / names.count
      for (index, name) in names.enumerated() {
        let field = UnsafeMutableRawBufferPointer(rebasing: payload[index * width..<(index + 1) * width])
        (name?.utf8).map { $0.withUnsafeBytes { ShortText.fill(field, with: $0) } } ?? ShortText.fillNull(field)
      }
    }
  }

  // MARK: Memory

  /// Memory for a node.
  private func room(for header: NodeHeader) throws -> UnsafeMutableRawPointer {
    guard header.count <= NodeHeader.mostElements, header.nodeSize <= Self.mostBytes else {
      throw BuildError.nodeTooLarge(elementCount: header.count)
    }
    if header.nodeSize > capacity {
      memory.deallocate()
      capacity = max(header.nodeSize, capacity * 2)
      memory = .allocate(byteCount: capacity, alignment: 16)
    }
    return memory
  }

  /// More than any output takes.
  private static let mostBytes = NodeHeader.mostElements * 8 + NodeHeader.size

  private func finish(_ header: NodeHeader) throws -> Ref {
    try output.append(UnsafeRawBufferPointer(start: memory, count: header.nodeSize))
  }
}

extension Ref {
  /// The element for this ref in a node of refs.
  var element: Int64 { Int64(bitPattern: rawValue) }
}

extension Int64 {
  /// The element for a number in a node of refs (Docs/Format/2-nodes-and-values.md §1.6).
  package static func tagged(_ number: UInt64) -> Int64 { Int64(bitPattern: number << 1 | 1) }
}

/// Texts in fields of one width whose last byte counts the zeros before it (Docs/Format/2-nodes-and-values.md §2.8).
enum ShortText {
  /// The smallest width of 1, 2, 4 … 64 bytes, as a code of the header, that exceeds the longest text.
  static func widthCode(longest: Int) -> UInt8 {
    var code: UInt8 = 1
    while (1 << Int(code)) >> 1 <= longest { code += 1 }
    return code
  }

  /// Fills a field of zeros that is longer than the text.
  @inline(__always)
  static func fill(_ field: UnsafeMutableRawBufferPointer, with text: UnsafeRawBufferPointer) {
    field.copyMemory(from: text)
    field[field.count - 1] = UInt8(truncatingIfNeeded: field.count - 1 - text.count)
  }

  @inline(__always)
  static func fillNull(_ field: UnsafeMutableRawBufferPointer) {
    field[field.count - 1] = UInt8(truncatingIfNeeded: field.count)
  }
}

/// Where finished nodes go: the body of a file that is being written, front to back.
///
/// A writer of trees passes nodes on children first, because a node contains the refs of its children. Nothing can be
/// changed afterwards.
///
/// Layout: Docs/Format/1-container.md §6.1, Docs/Format/2-nodes-and-values.md §1.
package protocol NodeOutput: AnyObject {
  /// Appends a whole node and returns the ref it got.
  ///
  /// - Parameter node: header and payload, padded with zeros to a multiple of eight bytes. Bytes 0 to 3 are `AAAA`. The
  ///   bytes are copied or written before the call returns.
  /// - Throws: if the bytes cannot be written, and for a node that no file can contain (no whole multiple of eight
  ///   bytes, 64 MiB or more).
  func append(_ node: UnsafeRawBufferPointer) throws -> Ref
}

/// Where the nodes of a new state go, and those of the old state that it no longer needs.
protocol NodeReplacement: NodeOutput {
  /// A node is no longer needed. Its children are not looked at.
  func release(_ ref: Ref, byteSize: Int)

  /// A node and all below it are no longer needed.
  ///
  /// - Throws: `StorageError.corrupted` if the nodes are damaged.
  func releaseTree(_ root: Ref) throws
}

extension NodeReplacement {
  /// A node is no longer needed. Its children are not looked at.
  func release(_ node: Node) { release(node.ref, byteSize: node.byteSize) }
}

/// Texts or data in the kind that the longest value asks for (Docs/Format/2-nodes-and-values.md §2.8–2.11).
///
/// Short values are collected. As soon as one is too long for the small kinds, the leaf will be a big one, and each value
/// is written as a node of its own at once: memory stays small whatever the values are.
final class StringLeafEncoder: LeafEncoder {
  /// What the values are, and where the kinds of leaf begin.
  enum Content {
    /// Short up to 15 bytes, medium up to 63; every value ends with a zero byte.
    case text
    /// Small up to 64 bytes; no short kind.
    case data
    /// Texts, data, object ids and UUIDs of Mixed values, all stored as texts (§3.1).
    case mixed

    var isTerminated: Bool { self != .data }
    /// The longest value that lies in one blob with others.
    var longestSmall: Int { self == .data ? 64 : 63 }
  }

  private let nodes: NodeEncoder
  private let content: Content
  private(set) var count = 0

  // Values of a leaf that is not big (yet).
  private var bytes: [UInt8] = []
  private var ends: [Int64] = []
  private var nulls: [Int64] = []
  private var longest = 0
  /// The values of a big leaf; nil before it is one.
  private var blobs: [Ref]?

  /// Bytes of one blob node; longer values lie in pieces (§2.11).
  static let longestBlob = 0xff_fff0
  private static let longestShort = 15

  init(_ nodes: NodeEncoder, _ content: Content) {
    self.nodes = nodes
    self.content = content
  }

  func append(_ value: ValueView) throws {
    switch (value, content) {
    case (.string(let text), .text), (.string(let text), .mixed): try append(text)
    case (.data(let data), .data), (.data(let data), .mixed): try append(data)
    case (.null, .text), (.null, .data): try appendNull()
    default: throw BuildError(refusing: value)
    }
  }

  func append(_ value: BlobView) throws {
    guard let contiguous = value.contiguous else {
      try switchToBig()
      blobs?.append(try piecewise(value))
      count += 1
      return
    }
    try append(contiguous)
  }

  func append(_ value: UnsafeRawBufferPointer) throws {
    if value.count > content.longestSmall { try switchToBig() }
    count += 1
    if blobs != nil {
      let blob = try blob(value)
      blobs?.append(blob)
      return
    }
    bytes.append(contentsOf: value)
    if content.isTerminated { bytes.append(0) }
    ends.append(Int64(bytes.count))
    nulls.append(0)
    longest = max(longest, value.count)
  }

  private func appendNull() throws {
    count += 1
    if blobs != nil {
      blobs?.append(.null)
      return
    }
    // A null has the terminator of a text nevertheless (§2.9).
    if content.isTerminated { bytes.append(0) }
    ends.append(Int64(bytes.count))
    nulls.append(1)
  }

  func finish() throws -> Ref {
    defer { removeAll() }
    if let blobs { return try nodes.refs(blobs, .context) }
    return content.isTerminated && longest <= Self.longestShort ? try finishShort() : try finishSmall()
  }

  private func removeAll() {
    bytes.removeAll(keepingCapacity: true)
    ends.removeAll(keepingCapacity: true)
    nulls.removeAll(keepingCapacity: true)
    blobs = nil
    longest = 0
    count = 0
  }

  // MARK: Kinds of leaf

  /// Fields of one width; of width 0 where all are null or there are none.
  private func finishShort() throws -> Ref {
    let code = nulls.contains(0) ? ShortText.widthCode(longest: longest) : 0
    return try nodes.fixed(count: count, widthCode: code) { payload in
      guard code > 0 else { return }
      let width = payload.count / count
      bytes.withUnsafeBytes { bytes in
        for index in 0..<count {
          let field = UnsafeMutableRawBufferPointer(rebasing: payload[index * width..<(index + 1) * width])
          guard nulls[index] == 0 else {
            ShortText.fillNull(field)
            continue
          }
          ShortText.fill(field, with: UnsafeRawBufferPointer(rebasing: bytes[start(of: index)..<end(of: index)]))
        }
      }
    }
  }

  /// One blob with ends and null flags.
  private func finishSmall() throws -> Ref {
    let children = [
      try nodes.integers(ends), try bytes.withUnsafeBytes { try nodes.blob($0, isTerminated: false) },
      try nodes.integers(nulls),
    ]
    return try nodes.refs(children)
  }

  private func start(of index: Int) -> Int { index == 0 ? 0 : Int(ends[index - 1]) }

  /// The end of a value, its terminator left out.
  private func end(of index: Int) -> Int { Int(ends[index]) - (content.isTerminated ? 1 : 0) }

  /// Writes what was collected as blobs of their own.
  private func switchToBig() throws {
    guard blobs == nil else { return }
    var refs: [Ref] = []
    refs.reserveCapacity(count + 1)
    try bytes.withUnsafeBytes { bytes in
      for index in 0..<count {
        let value = UnsafeRawBufferPointer(rebasing: bytes[start(of: index)..<end(of: index)])
        refs.append(nulls[index] == 0 ? try blob(value) : .null)
      }
    }
    blobs = refs
  }

  // MARK: Blobs

  private func blob(_ value: UnsafeRawBufferPointer) throws -> Ref {
    let isInOnePiece = value.count + (content.isTerminated ? 1 : 0) <= Self.longestBlob
    return isInOnePiece
      ? try nodes.blob(value, isTerminated: content.isTerminated) : try piecewise(BlobView(value))
  }

  /// Writes a value in pieces of the largest size, under a node with the context flag (§2.11).
  ///
  /// The engine's ordinary accessors do not read such values. They are written only where a file has them already.
  private func piecewise(_ value: BlobView) throws -> Ref {
    var pieces: [Ref] = []
    var pending: [UInt8] = []
    func flush(_ limit: Int) throws {
      while pending.count >= limit, !pending.isEmpty {
        let length = min(pending.count, Self.longestBlob)
        pieces.append(
          try pending.withUnsafeBytes {
            try nodes.blob(UnsafeRawBufferPointer(rebasing: $0.prefix(length)), isTerminated: false)
          })
        pending.removeFirst(length)
      }
    }
    try value.forEachPiece {
      pending.append(contentsOf: $0)
      try flush(Self.longestBlob)
    }
    if content.isTerminated { pending.append(0) }
    try flush(1)
    return try nodes.refs(pieces, .context)
  }
}

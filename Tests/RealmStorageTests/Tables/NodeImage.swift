import RealmInspection
import Testing

@testable import RealmStorage

/// Expects that the checker finds nothing apart from notes in a realm.
func expectSound(_ bytes: [UInt8]) throws {
  var findings: [String] = []
  _ = try Checker(.memory(bytes)).run { if $0.severity > .note { findings.append("\($0)") } }
  #expect(findings.isEmpty)
}

/// Nodes in memory, at the offsets they would have in a file, to look at and to read back.
final class NodeImage: NodeOutput {
  private(set) var bytes: [UInt8]
  /// Offset and bytes of each node, in order.
  private(set) var nodes: [(ref: Ref, bytes: [UInt8])] = []

  /// - Parameter start: the offset of the first node.
  init(from start: Int = 24) { bytes = [UInt8](repeating: 0, count: start) }

  func append(_ node: UnsafeRawBufferPointer) throws -> Ref {
    let ref = Ref(UInt64(bytes.count))
    bytes.append(contentsOf: node)
    nodes.append((ref, Array(node)))
    return ref
  }

  /// A copy of what was written so far, for reading.
  func store() -> ByteStore { .memory(bytes) }

  /// The nodes in hex, without their offsets.
  var hexNodes: [String] { nodes.map { Hex.text($0.bytes) } }

  /// The nodes in hex, `offset: bytes`.
  var hex: [String] { nodes.map { Hex.text(Int($0.ref.rawValue), digits: 4) + ": " + Hex.text($0.bytes) } }
}

/// Bytes as text, the way the format documents show them.
enum Hex {
  static func text(_ bytes: [UInt8]) -> String {
    var text: [UInt8] = []
    for byte in bytes { text += [digits[Int(byte >> 4)], digits[Int(byte & 15)], UInt8(ascii: " ")] }
    return String(decoding: text.dropLast(), as: UTF8.self)
  }

  private static let digits = Array("0123456789abcdef".utf8)

  static func normalized(_ text: String) -> String {
    text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }

  static func text(_ number: Int, digits: Int) -> String {
    let text = String(number, radix: 16)
    return String(repeating: "0", count: max(0, digits - text.count)) + text
  }
}

/// Text and data for `ValueView`, in memory that lives as long as this object.
final class OwnedBytes {
  private var blocks: [UnsafeMutableRawBufferPointer] = []

  deinit { blocks.forEach { $0.deallocate() } }

  func blob(_ bytes: [UInt8]) -> BlobView {
    let block = UnsafeMutableRawBufferPointer.allocate(byteCount: max(bytes.count, 1), alignment: 1)
    block.copyBytes(from: bytes)
    blocks.append(block)
    return BlobView(UnsafeRawBufferPointer(rebasing: block[0..<bytes.count]))
  }

  func text(_ string: String) -> ValueView { .string(blob(Array(string.utf8))) }
  func data(_ bytes: [UInt8]) -> ValueView { .data(blob(bytes)) }
}

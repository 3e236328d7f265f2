/// The byte offset of a node's header in the (plaintext) file; 0 is no node (Docs/Format/1-container.md §2).
public struct Ref: Hashable, Sendable, Comparable, CustomStringConvertible {
  public let rawValue: UInt64
  public init(_ rawValue: UInt64) { self.rawValue = rawValue }

  public static func < (left: Ref, right: Ref) -> Bool { left.rawValue < right.rawValue }

  public static let null = Ref(0)
  public var isNull: Bool { rawValue == 0 }

  public var description: String { "0x" + String(rawValue, radix: 16) }
}

/// An element of a node with references: a ref, or an integer tagged by its lowest bit
/// (Docs/Format/2-nodes-and-values.md §1.6).
struct RefOrTagged {
  let rawValue: Int64

  init(_ rawValue: Int64) { self.rawValue = rawValue }

  var isTagged: Bool { rawValue & 1 != 0 }
  /// The tagged integer. The shift is unsigned: values from 2^62 up are stored as negative elements.
  var tagged: UInt64 { UInt64(bitPattern: rawValue) >> 1 }
  var ref: Ref { Ref(UInt64(bitPattern: rawValue)) }
}

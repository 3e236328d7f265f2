/// The byte offset of a node's header in the (plaintext) file; 0 is not a node (Docs/Format/1-container.md §2).
@usableFromInline
package struct Ref: Hashable, Sendable, Comparable, CustomStringConvertible {
  /// Bytes from the start of the file, decrypted.
  @usableFromInline package let rawValue: UInt64
  /// A place that many bytes from the start.
  @inlinable package init(_ rawValue: UInt64) { self.rawValue = rawValue }

  /// The order in the file.
  @inlinable package static func < (left: Ref, right: Ref) -> Bool { left.rawValue < right.rawValue }

  /// No node.
  package static let null = Ref(0)
  /// Whether it leads nowhere.
  @inlinable package var isNull: Bool { rawValue == 0 }

  /// Hexadecimal, with `0x`.
  @usableFromInline package var description: String { "0x" + String(rawValue, radix: 16) }
}

/// An element of a node with references: a ref, or an integer tagged by its lowest bit
/// (Docs/Format/2-nodes-and-values.md §1.6).
@usableFromInline
package struct RefOrTagged: Sendable {
  @usableFromInline package let rawValue: Int64

  @inlinable package init(_ rawValue: Int64) { self.rawValue = rawValue }

  @inlinable package var isTagged: Bool { rawValue & 1 != 0 }
  /// The tagged integer. The shift is unsigned: values from 2^62 up are stored as negative elements.
  @inlinable package var tagged: UInt64 { UInt64(bitPattern: rawValue) >> 1 }
  @inlinable package var ref: Ref { Ref(UInt64(bitPattern: rawValue)) }
}

/// Text as a realm stores it: bytes that should be UTF-8, which the engine never checks.
///
/// Equality, order and hashing go by bytes (unsigned, shorter first), as in the file format
/// (Docs/Format/2-nodes-and-values.md §7.1). Swift's `String` would take `é` and `e` + U+0301 for the same text.
public struct RealmString: Hashable, Sendable {
  /// The bytes, without the terminating zero that most leaves store.
  public var utf8: [UInt8]

  /// Text of these bytes.
  public init(utf8: [UInt8]) { self.utf8 = utf8 }
  /// The UTF-8 of a text.
  public init(_ string: some StringProtocol) { utf8 = Array(string.utf8) }
  /// A copy of bytes.
  public init(_ bytes: UnsafeRawBufferPointer) { utf8 = Array(bytes) }

  /// Whether there is no byte.
  public var isEmpty: Bool { utf8.isEmpty }

  /// Whether the bytes are UTF-8, and so the same text everywhere.
  package var isValidText: Bool { !utf8.contains { $0 >= 0x80 } || String(utf8: utf8) != nil }

  /// Whether the bytes begin with those of a text.
  public func hasPrefix(_ prefix: String) -> Bool {
    // Asked of the table of every link: an iterator over the text's bytes is many times slower.
    var prefix = prefix
    return prefix.withUTF8 { prefix in
      utf8.count >= prefix.count && utf8.withUnsafeBufferPointer { $0.prefix(prefix.count).elementsEqual(prefix) }
    }
  }
}

extension RealmString: Comparable {
  /// By bytes, unsigned.
  public static func < (left: RealmString, right: RealmString) -> Bool {
    left.utf8.lexicographicallyPrecedes(right.utf8)
  }
}

extension RealmString: ExpressibleByStringLiteral, CustomStringConvertible {
  /// The UTF-8 of a literal.
  public init(stringLiteral value: String) { self.init(value) }

  /// The text, invalid sequences replaced by U+FFFD.
  public var description: String { String(decoding: utf8, as: UTF8.self) }
}

extension String {
  /// Whether the bytes are the same, as for names in a realm. With `==` alone, `é` and `e` + U+0301 are.
  package func hasBytes(of other: String) -> Bool { self == other && utf8.elementsEqual(other.utf8) }
}

/// A part of a query's text, in bytes of its UTF-8 from 0.
public struct SourceRange: Hashable, Sendable {
  /// The first byte.
  public var start: Int
  /// The byte behind the last one; at least `start`.
  public var end: Int

  /// The bytes from `start` to the one before `end`.
  public init(_ start: Int, _ end: Int) {
    self.start = start
    self.end = end
  }

  /// From the beginning of this part to the end of another one that does not lie before it.
  package func joined(with other: SourceRange) -> SourceRange { SourceRange(start, other.end) }
}

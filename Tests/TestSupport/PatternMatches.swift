import Foundation

extension String {
  /// The matches of a pattern, each with its groups after the whole; a group without a match is empty.
  ///
  /// Takes a fraction of the time of `Regex`, which counts where all sources are looked through.
  package func matches(ofPattern pattern: String) throws -> [[Substring]] {
    try NSRegularExpression(pattern: pattern).matches(in: self, range: NSRange(startIndex..., in: self)).map { match in
      (0..<match.numberOfRanges).map { Range(match.range(at: $0), in: self).map { self[$0] } ?? "" }
    }
  }
}

/// The first place of a range for which a condition is true, if it is also true for all later places; the end of the
/// range if it is never true.
///
/// ```swift
/// let row = firstIndex(in: 0..<keys.count) { keys[$0] >= key }
/// ```
///
/// - Parameter isAtOrAfter: asked for some of the places, about as many as the length has bits.
@inlinable @inline(__always)
package func firstIndex(in range: Range<Int>, where isAtOrAfter: (Int) throws -> Bool) rethrows -> Int {
  var (low, high) = (range.lowerBound, range.upperBound)
  while low < high {
    let middle = low + (high - low) / 2
    if try isAtOrAfter(middle) { high = middle } else { low = middle + 1 }
  }
  return low
}

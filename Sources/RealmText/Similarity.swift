/// Finds the name that a mistyped one may mean.
package enum Similarity {
  /// The name that differs least, if it differs in no more than a third of its letters.
  package static func nearest(to name: String, among names: [String]) -> String? {
    let wanted = Array(name.lowercased().unicodeScalars)
    let ranked = names.map { ($0, distance(wanted, Array($0.lowercased().unicodeScalars))) }
    guard let best = ranked.min(by: { $0.1 < $1.1 }) else { return nil }
    // Of a single letter, another one has nothing in common with it.
    return best.1 < max(1, wanted.count) && best.1 <= max(1, wanted.count / 3) ? best.0 : nil
  }

  /// `did you mean 'name'?`; nil if no name is near.
  package static func question(about name: String, among names: [String]) -> String? {
    nearest(to: name, among: names).map { "did you mean '\($0)'?" }
  }

  /// How many letters have to be inserted, removed, exchanged, or swapped with their neighbor to turn one name into the
  /// other. Names of more than 100 letters are not compared.
  private static func distance(_ left: [Unicode.Scalar], _ right: [Unicode.Scalar]) -> Int {
    guard left.count <= 100, right.count <= 100 else { return left == right ? 0 : max(left.count, right.count) }
    var older: [Int] = []
    var old = Array(0...right.count)
    for (row, letter) in left.enumerated() {
      var new = [row + 1]
      for (column, other) in right.enumerated() {
        var best = min(old[column] + (letter == other ? 0 : 1), old[column + 1] + 1, new[column] + 1)
        if row > 0, column > 0, letter == right[column - 1], left[row - 1] == other {
          best = min(best, older[column - 1] + 1)
        }
        new.append(best)
      }
      (older, old) = (old, new)
    }
    return old[right.count]
  }
}

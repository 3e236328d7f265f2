import RealmStorage

/// A multiset as far as comparing needs it: a sum of hashes, which takes no memory.
struct HashSum: Equatable {
  private(set) var count = 0
  private var sum: UInt64 = 0

  @inline(__always)
  mutating func add(hash: UInt64) {
    count &+= 1
    sum &+= hash
  }

  mutating func add(_ other: HashSum) {
    count &+= other.count
    sum &+= other.sum
  }
}

/// A multiset with its elements, to compare them one by one. Equal neighbors take the space of one, because damage can
/// produce millions of them.
struct Runs<Element: Comparable> {
  private var runs: [(element: Element, count: Int)] = []
  private var mostRuns = 1 << 22

  mutating func append(_ element: Element) {
    if let last = runs.indices.last, runs[last].element == element {
      runs[last].count &+= 1
      return
    }
    runs.append((element, 1))
    guard runs.count >= mostRuns else { return }
    // Far more than expected, so some of them repeat many times.
    sort()
    mostRuns = max(mostRuns, 2 * runs.count)
  }

  /// In order, each element once.
  private mutating func sort() {
    let sorted = runs.sorted { $0.element < $1.element }
    runs.removeAll(keepingCapacity: true)
    for run in sorted {
      if let last = runs.indices.last, runs[last].element == run.element {
        runs[last].count &+= run.count
      } else {
        runs.append(run)
      }
    }
  }

  /// Calls `visit` in order with each element that one of two multisets has more often, and how much more often the
  /// left one has it.
  static func forEachDifference(_ left: Runs, _ right: Runs, _ visit: (Element, Int) -> Void) {
    var (a, b) = (left, right)
    a.sort()
    b.sort()
    var (i, j) = (0, 0)
    while i < a.runs.count || j < b.runs.count {
      let isLeft = i < a.runs.count && (j == b.runs.count || a.runs[i].element <= b.runs[j].element)
      let element = isLeft ? a.runs[i].element : b.runs[j].element
      var difference = 0
      if isLeft {
        difference = a.runs[i].count
        i += 1
      }
      if j < b.runs.count, b.runs[j].element == element {
        difference -= b.runs[j].count
        j += 1
      }
      if difference != 0 { visit(element, difference) }
    }
  }
}

import RealmPresentation
import RealmStorage

/// Identifies a row of a tree, whatever else is folded and unfolded around it.
struct TreeRowIdentity: Hashable {
  private let parent: ValueAddress?
  private let address: ValueAddress?
  private let label: String
  private let kind: Int
  /// Its number among the rows that are equal in everything else.
  private var ordinal = 0

  /// The identities of all rows of a tree.
  static func all(of rows: [TreeRow]) -> [TreeRowIdentity] {
    var counts: [TreeRowIdentity: Int] = [:]
    var parents: [(depth: Int, address: ValueAddress?)] = []
    return rows.map { row in
      while let last = parents.last, last.depth >= row.depth { parents.removeLast() }
      var identity = TreeRowIdentity(
        parent: parents.last?.address, address: row.address, label: row.label, kind: row.content.kind)
      parents.append((row.depth, row.address))
      let count = counts[identity, default: 0]
      counts[identity] = count + 1
      identity.ordinal = count
      return identity
    }
  }

  private init(parent: ValueAddress?, address: ValueAddress?, label: String, kind: Int) {
    (self.parent, self.address, self.label, self.kind) = (parent, address, label, kind)
  }
}

extension TreeRow.Content {
  fileprivate var kind: Int {
    switch self {
    case .value, .damaged, .unresolved: 0
    case .continuation: 1
    case .more: 2
    case .heading: 3
    case .backlinks: 4
    case .note: 5
    }
  }
}

/// A search through an object's tree as if everything in it were unfolded.
///
/// Visible lines are searched at once. Parts of a line that are not shown (the elements after the first hundred, the
/// end of a long string) are searched in the background.
struct TreeSearch {
  /// One thing to search, in the order of the search.
  enum Step: Sendable {
    /// The text is in this row.
    case found(row: Int)
    /// The text may be in the value, of whose elements only the first were searched.
    case look(row: Int, ValueAddress, skipped: Int)
  }

  let rows: [TreeRow]
  let identities: [TreeRowIdentity]
  let steps: [Step]

  /// - Parameters:
  ///   - rows: all rows, unfolded.
  ///   - start: the row to begin with.
  ///   - valueWidth: the number of columns for values; longer strings are cut, or broken into lines.
  ///   - isMatch: whether the line of a row contains the text.
  init(
    _ rows: [TreeRow], from start: TreeRowIdentity?, _ direction: SearchDirection, valueWidth: Int,
    isMatch: (TreeRow) -> Bool
  ) {
    self.rows = rows
    identities = TreeRowIdentity.all(of: rows)
    let first = start.flatMap(identities.firstIndex(of:)) ?? 0
    var steps: [Step] = []
    // Text that is broken between two lines is in neither of them; it is searched last.
    var broken: [Step] = []
    for step in 0..<rows.count {
      let index = direction == .forwards ? (first + step) % rows.count : (first - step + rows.count) % rows.count
      if isMatch(rows[index]) {
        steps.append(.found(row: index))
        broken = []
        break
      }
      guard let address = rows[index].address else { continue }
      switch rows[index].content {
      case .more: steps.append(.look(row: index, address, skipped: TreeBuilder.mostElements))
      case .value(.string(let text)) where text.count > valueWidth:
        let step = Step.look(row: index, address, skipped: 0)
        if rows[index].isUnfolded == nil { steps.append(step) } else { broken.append(step) }
      default: break
      }
    }
    self.steps = steps + broken
  }

  /// The first row that contains the text; nil for none.
  ///
  /// - Throws: `TaskProgress.Stopped`.
  static func run(_ steps: [Step], _ pattern: TextPattern, in realm: BrowsedRealm, _ progress: TaskProgress) throws
    -> Int?
  {
    let matcher = ValueMatcher(pattern, realm.snapshot, progress)
    for step in steps {
      try progress.advance(by: 1)
      switch step {
      case .found(let row): return row
      case .look(let row, let address, let skipped):
        do {
          guard let value = try realm.value(at: address) else { continue }
          if try matcher.matches(value, skipping: value.isCollection ? skipped : 0) { return row }
        } catch is StorageError {
          continue
        }
      }
    }
    return nil
  }
}

import RealmStorage

/// Finds new objects that no row can make, because all of their rows link to objects that are left out themselves.
struct LeftOutSearch {
  private struct Candidate {
    let classNumber: Int
    let key: ObjectKey
    var isNew = false
    /// The number of rows that can make it.
    var rowCount = 0
    /// The rows that link to it.
    var linkingRows: [Int] = []
  }

  private var numbers: [[ObjectKey: Int]]
  private var candidates: [Candidate] = []
  /// By row, its object; nil once the row is left out.
  private var owners: [Int?] = []

  init(classCount: Int) { numbers = Array(repeating: [:], count: classCount) }

  /// The number of an object.
  ///
  /// - Parameter isNew: whether a row of it is known to have made it.
  mutating func object(_ key: ObjectKey, of classNumber: Int, isNew: Bool) -> Int {
    let number = numbers[classNumber][key] ?? candidates.count
    if number == candidates.count {
      numbers[classNumber][key] = number
      candidates.append(Candidate(classNumber: classNumber, key: key))
    }
    if isNew { candidates[number].isNew = true }
    return number
  }

  /// Adds a row that can make an object, as long as the objects that it links to stay.
  mutating func addRow(of object: Int, linkingTo targets: [Int]) {
    candidates[object].rowCount += 1
    for target in targets { candidates[target].linkingRows.append(owners.count) }
    owners.append(object)
  }

  /// The objects that are left out. Called once, when all rows are known.
  mutating func leftOut() -> [(classNumber: Int, key: ObjectKey)] {
    var found: [(classNumber: Int, key: ObjectKey)] = []
    var pending = candidates.indices.filter { candidates[$0].isNew && candidates[$0].rowCount == 0 }
    while let object = pending.popLast() {
      found.append((candidates[object].classNumber, candidates[object].key))
      for row in candidates[object].linkingRows {
        guard let owner = owners[row] else { continue }
        owners[row] = nil
        candidates[owner].rowCount -= 1
        if candidates[owner].isNew, candidates[owner].rowCount == 0 { pending.append(owner) }
      }
    }
    return found
  }
}

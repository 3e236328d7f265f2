/// The values of one column in one cluster while a transaction changes them.
enum EditedLeaf {
  /// No column has this place.
  case none
  /// As the file has it.
  case stored(Ref)
  /// Values of a public column, one for each object.
  case values(EditedCells<EditedCell>)
  /// Incoming links, one cell for each object.
  case backlinks(EditedCells<BacklinkCell>)
  /// No part of it was ever written: every object has the default value of the property, or no incoming links.
  case defaults
}

/// The cells of a leaf: an object, so that a cell can be changed in place.
final class EditedCells<Cell> {
  var cells: [Cell]
  init(_ cells: [Cell]) { self.cells = cells }
}

/// The value of one property of one object.
enum EditedCell {
  case value(Value)
  /// A collection that the file has, not looked at.
  case storedCollection(Ref)
}

/// The incoming links of one object through one property of one table (Docs/Format/3-tables-and-objects.md §5.2).
enum BacklinkCell {
  case keys([Int64])
  /// Many links, one of which was removed: how often each occurs. Searching all of them for each removal would take
  /// quadratic time. The order has no meaning.
  case counted([Int64: Int])
  /// A list that the file has, not looked at.
  case storedList(Ref)
}

extension EditedLeaf {
  static func noBacklinks(_ count: Int) -> EditedLeaf {
    .backlinks(EditedCells(Array(repeating: .empty, count: count)))
  }

  /// Frees the space of the parts that are still in the file.
  func releaseAll(_ output: any NodeReplacement) throws {
    switch self {
    case .stored(let ref): try output.releaseTree(ref)
    case .values(let leaf): for case .storedCollection(let root) in leaf.cells { try output.releaseTree(root) }
    case .backlinks(let leaf): for case .storedList(let root) in leaf.cells { try output.releaseTree(root) }
    case .none, .defaults: break
    }
  }
}

extension BacklinkCell {
  static let empty = BacklinkCell.keys([])
  /// How many are looked through.
  private static let mostSearched = 32

  /// The cell with one more; it is not of a list in the file.
  mutating func add(_ key: Int64) {
    switch self {
    case .keys(var keys):
      // Held here only, so that it is changed in place.
      self = .empty
      keys.append(key)
      self = .keys(keys)
    case .counted(var counts):
      self = .empty
      counts[key, default: 0] += 1
      self = .counted(counts)
    case .storedList: return
    }
  }

  /// The cell without one of its links, if it has that link; not for a list in the file.
  ///
  /// - Returns: how many were looked through.
  mutating func remove(_ key: Int64) -> Int {
    switch self {
    case .keys(var keys) where keys.count <= Self.mostSearched:
      self = .empty
      defer { self = .keys(keys) }
      // The last one takes the place of the removed one.
      guard let index = keys.firstIndex(of: key) else { return keys.count }
      keys.swapAt(index, keys.count - 1)
      keys.removeLast()
      return index + 1
    case .keys(let keys):
      self = .counted(Dictionary(keys.lazy.map { ($0, 1) }, uniquingKeysWith: +))
      return keys.count + remove(key)
    case .counted(var counts):
      self = .empty
      let count = counts[key] ?? 0
      counts[key] = count > 1 ? count - 1 : nil
      self = .counted(counts)
      return 1
    case .storedList: return 0
    }
  }

  /// - Parameter element: of a leaf of incoming links.
  init(_ element: RefOrTagged) {
    self =
      element.isTagged
      ? .keys([Int64(bitPattern: element.tagged)]) : element.ref.isNull ? .empty : .storedList(element.ref)
  }
}

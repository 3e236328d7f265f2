import RealmStorage

/// Finds the rows of owners, given in ascending order, in one pass over all rows. A search for each owner would take
/// several times as long.
final class OwnerPass {
  typealias Cell = RelationalRecords.Cell

  private let rows: SQLiteStatement
  private let ownerColumn: Int
  private var owner: Key?
  /// Whether `rows` is at a row that nobody has taken yet.
  private var isPending = false
  private var isAtEnd = false

  /// The key that identifies an owner, kept after the statement has left its row.
  private enum Key {
    case integer(Int64)
    case text([UInt8])

    init?(_ cell: Cell) {
      switch cell {
      case .integer(let number): self = .integer(number)
      case .text(let bytes): self = .text(Array(bytes))
      case .null, .real, .blob: return nil
      }
    }
  }

  /// - Parameter rows: in the order of their owners, as SQLite has it: null, numbers, texts byte by byte, data.
  init(_ rows: SQLiteStatement, ownerColumn: Int) { (self.rows, self.ownerColumn) = (rows, ownerColumn) }

  /// Advances to the rows of an owner, past those of owners that were not asked for.
  ///
  /// - Returns: false for an owner that does not come after the previous one; its rows must be searched for.
  func begin(_ cell: Cell) throws(DatabaseError) -> Bool {
    if let owner, Self.order(of: cell, to: owner) <= 0 { return false }
    guard let next = Key(cell) else { return false }
    owner = next
    while try isOnRow(), Self.order(of: rows.cell(ownerColumn), to: next) < 0 { isPending = false }
    return true
  }

  /// - Returns: whether there is one more row of the owner.
  func step() throws(DatabaseError) -> Bool {
    guard let owner, try isOnRow(), Self.order(of: rows.cell(ownerColumn), to: owner) == 0 else { return false }
    isPending = false
    return true
  }

  func cell(_ column: Int) -> Cell { rows.cell(column) }

  private func isOnRow() throws(DatabaseError) -> Bool {
    if !isPending, !isAtEnd {
      isPending = try rows.step()
      isAtEnd = !isPending
    }
    return isPending
  }

  /// Negative for a value less than a key, zero for an equal one.
  private static func order(of cell: Cell, to key: Key) -> Int {
    switch (cell, key) {
    case (.integer(let number), .integer(let other)): number < other ? -1 : number == other ? 0 : 1
    case (.real(let number), .integer(let other)):
      Int64(exactly: number).map { $0 < other ? -1 : $0 == other ? 0 : 1 } ?? (number < Double(other) ? -1 : 1)
    case (.text(let bytes), .text(let other)):
      bytes.elementsEqual(other) ? 0 : bytes.lexicographicallyPrecedes(other) ? -1 : 1
    case (.null, _), (.integer, .text), (.real, .text): -1
    case (.text, .integer), (.blob, _): 1
    }
  }
}

/// The rows of one owner, searched for or passed by.
enum OwnedRows {
  case search(SQLiteStatement)
  case pass(OwnerPass)

  /// - Returns: whether there is a row.
  func step() throws(DatabaseError) -> Bool {
    switch self {
    case .search(let statement): try statement.step()
    case .pass(let pass): try pass.step()
    }
  }

  /// Its bytes stay until the next step.
  func cell(_ column: Int) -> RelationalRecords.Cell {
    switch self {
    case .search(let statement): statement.cell(column)
    case .pass(let pass): pass.cell(column)
    }
  }
}

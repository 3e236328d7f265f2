import RealmStorage

/// Objects to copy or write, in the order in which they are shown.
package struct ShownObjects: Sendable {
  /// The full name of their table.
  package let table: RealmString
  /// Nil for all objects of the table in their own order.
  package let keys: [ObjectKey]?
  /// Key paths of the columns; nil for all properties.
  package let columns: [String]?
}

/// Where objects go.
package enum WriteTarget: Sendable {
  /// A file, whose ending names the format.
  case file(String, replacing: Bool)
  /// A receiver of one line of JSON for each object.
  case lines(LineTaker)
}

/// Receives lines of JSON; called by one thread at a time.
package final class LineTaker: @unchecked Sendable {
  package let take: (UnsafeRawBufferPointer) throws -> Void

  package init(_ take: @escaping (UnsafeRawBufferPointer) throws -> Void) { self.take = take }
}

/// What was written.
package struct Written: Sendable {
  package var byteCount: UInt64
  /// What could not be read and is missing.
  package var missingParts: Int
  /// What else to say about it: that it was read back and compared, or nothing.
  package var remark: String

  package init(byteCount: UInt64, missingParts: Int, remark: String = "") {
    (self.byteCount, self.missingParts, self.remark) = (byteCount, missingParts, remark)
  }
}

/// Objects as a view knows them: where they come from, and which are marked.
struct ObjectSelection: Sendable {
  /// Full name of the table.
  let table: RealmString
  let source: RowsSource
  /// Only these of the source; nil for all.
  let marks: RowMarks?
  let columns: [String]?

  /// What to say about them after a reload: the filter does not run again, and marks stay.
  var remarkAfterReload: String? {
    if marks != nil { return "of the objects marked" }
    if case .keys = source { return "of the objects found before the reload" }
    return nil
  }

  /// Looks them up.
  ///
  /// - Throws: `TaskProgress.Stopped`, what opening the source throws.
  func objects(in realm: BrowsedRealm, _ progress: TaskProgress) throws -> ShownObjects {
    ShownObjects(table: table, keys: try keys(in: realm, progress), columns: columns)
  }

  private func keys(in realm: BrowsedRealm, _ progress: TaskProgress) throws -> [ObjectKey]? {
    switch source {
    case .table:
      // Sorted by their keys, as in the class.
      return try marks.map { marks in
        guard let table = realm.table(named: table) else { return [] }
        return try marks.keys.filter { try table.object($0) != nil }
      }
    case .keys(_, let keys): return marks.map { marks in keys.filter(marks.contains) } ?? keys
    case .links, .backlinks:
      var keys: [ObjectKey] = []
      // Objects visited here are written afterwards, which is what counts.
      var walk = try ShownRowWalk(source, in: realm, TaskProgress(total: 0))
      try walk.forEach { group in
        try progress.check()
        for row in group.rows where marks?.contains(group.key(at: row)) ?? true { keys.append(group.key(at: row)) }
      }
      return keys
    }
  }

  /// Their number, if it is known without looking at them.
  func count(in realm: BrowsedRealm) -> Int {
    if let marks { return marks.count }
    return source.opened(in: realm)?.count ?? 0
  }
}

/// A program to which the terminal is lent, and its input.
package final class ProgramRun: Sendable, Equatable {
  /// The command line for the shell.
  package let line: String
  let produce: @Sendable ((UnsafeRawBufferPointer) throws -> Void) throws -> Void

  init(_ line: String, _ produce: @escaping @Sendable ((UnsafeRawBufferPointer) throws -> Void) throws -> Void) {
    (self.line, self.produce) = (line, produce)
  }

  package static func == (left: ProgramRun, right: ProgramRun) -> Bool { left === right }
}

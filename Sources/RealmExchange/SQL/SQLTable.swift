import CSQLite
import RealmModels
import RealmStorage

/// A virtual table: the objects of a class, the elements of a property, or what SQL cannot say.
final class SQLTable {
  enum Content {
    /// The position of a class in the plan.
    case objects(Int)
    case elements(Int, property: Int, number: Int)
    case meta(RelationalMeta)

    /// All tables of a plan, in the order of the form.
    static func all(of plan: RelationalPlan) -> [Content] {
      plan.relational.classes.enumerated().flatMap { position, table in
        [.objects(position)]
          + table.collectionNumbers.enumerated().compactMap { property, number in
            number.map { .elements(position, property: property, number: $0) }
          }
      } + RelationalMeta.allCases.map { .meta($0) }
    }

    func name(in plan: RelationalPlan) -> String {
      switch self {
      case .objects(let position): plan.relational.classes[position].table.sqlName
      case .elements(let position, let property, _):
        plan.relational.classes[position].collections[property]?.sqlName ?? ""
      case .meta(let meta): meta.name
      }
    }
  }

  /// The content of a column of a class's table.
  enum Column {
    case objectKey
    /// A cell of a property: the value, or after it the type of a Mixed value.
    case property(Int, cell: Int)
  }

  let content: Content
  let reader: SQLReader
  /// The columns of the table of a class.
  let columns: [Column]

  var plan: RelationalPlan { reader.plan }
  var snapshot: Snapshot { reader.snapshot }

  init(_ content: Content, _ reader: SQLReader) {
    (self.content, self.reader) = (content, reader)
    guard case .objects(let position) = content else {
      columns = []
      return
    }
    let table = reader.plan.relational.classes[position]
    var columns: [Column] = table.key == .objectKey ? [.objectKey] : []
    for (index, value) in table.values.enumerated() where value.property.hasColumn {
      columns.append(.property(index, cell: 0))
      if value.property.type == .mixed { columns.append(.property(index, cell: 1)) }
    }
    self.columns = columns
  }

  var columnCount: Int {
    switch content {
    case .objects: columns.count
    case .elements(let position, let property, _):
      plan.relational.classes[position].collections[property]?.columns.count ?? 0
    case .meta(let meta): meta.columns.count
    }
  }

  /// What SQLite needs to know about the columns.
  var declaration: String {
    let columns: [String]
    switch content {
    case .objects(let position): columns = plan.relational.classes[position].table.columns.map(\.plainDefinition)
    case .elements(let position, let property, _):
      columns = plan.relational.classes[position].collections[property]?.columns.map(\.plainDefinition) ?? []
    case .meta(let meta): columns = meta.columns.map(SQLText.quoted)
    }
    return "CREATE TABLE x (\(columns.joined(separator: ", ")))"
  }

  // MARK: Plans

  /// How a walk finds its rows; SQLite keeps it as a number.
  enum Search: Equatable {
    case all
    /// The object whose key is the argument.
    case key
    /// The objects whose property the index finds.
    case index(property: Int)
    /// The objects that link to the one whose key is the argument, or whose collections do.
    case links(property: Int)
    /// The elements of the object whose key is the argument.
    case owner

    var number: Int32 {
      switch self {
      case .all: 0
      case .key: 1
      case .owner: 2
      case .index(let property): Int32(property) << 3 | 3
      case .links(let property): Int32(property) << 3 | 4
      }
    }

    init(number: Int32) {
      switch number & 7 {
      case 1: self = .key
      case 2: self = .owner
      case 3: self = .index(property: Int(number >> 3))
      case 4: self = .links(property: Int(number >> 3))
      default: self = .all
      }
    }

    /// The fewer rows it gives, the lower.
    var rank: Int {
      switch self {
      case .key: 0
      case .owner: 1
      case .index: 2
      case .links: 3
      case .all: 4
      }
    }
  }

  /// The best way to find rows in which a column has one value.
  private func search(equal column: Int) -> Search? {
    switch content {
    case .objects(let position):
      // The number of a row is the object key, which must be looked up if it is the key of the table.
      if column == -1 { return plan.relational.classes[position].key == .objectKey ? .key : nil }
      guard columns.indices.contains(column) else { return nil }
      let table = plan.relational.classes[position]
      switch columns[column] {
      case .objectKey: return .key
      case .property(let property, cell: 0):
        if case .property(property) = table.key { return .key }
        return search(property, of: position)
      case .property: return nil
      }
    case .elements(let position, let property, _):
      if column == 0 { return .owner }
      let last = (plan.relational.classes[position].collections[property]?.columns.count ?? 0) - 1
      guard column == last, plan.relational.classes[position].schema.properties[property].type == .object else {
        return nil
      }
      return links(property, of: position)
    case .meta: return nil
    }
  }

  private func search(_ property: Int, of position: Int) -> Search? {
    let schema = plan.relational.classes[position].schema.properties[property]
    if schema.type == .object { return links(property, of: position) }
    let isIndexed = plan.tables[position].indexKind(ofProperty: property) == .general
    switch schema.type {
    case .int, .bool, .string, .objectID, .uuid: return isIndexed ? .index(property: property) : nil
    default: return nil
    }
  }

  /// The link is also known from its other end if the target has a row of its own.
  private func links(_ property: Int, of position: Int) -> Search? {
    let target = plan.relational.classes[position].values[property].target
    return target?.position == nil ? nil : .links(property: property)
  }

  func choosePlan(_ info: UnsafeMutablePointer<sqlite3_index_info>) {
    var best: (search: Search, constraint: Int)?
    for index in 0..<Int(info.pointee.nConstraint) {
      let constraint = info.pointee.aConstraint[index]
      guard constraint.usable != 0, constraint.op == UInt8(SQLITE_INDEX_CONSTRAINT_EQ),
        let search = search(equal: Int(constraint.iColumn)), search.rank < best?.search.rank ?? .max,
        // A looser comparison finds what an index does not.
        sqlite3_vtab_collation(info, Int32(index)).map({ String(cString: $0) }) == "BINARY"
      else { continue }
      best = (search, index)
    }
    let count = rowEstimate
    info.pointee.idxNum = (best?.search ?? .all).number
    if let best {
      info.pointee.aConstraintUsage[best.constraint].argvIndex = 1
    } else if passComparisons(info) {
      (info.pointee.estimatedRows, info.pointee.estimatedCost) = (Int64(count / 4 + 1), Double(count))
      return takeOrder(info, .all)
    }
    switch best?.search {
    case .key:
      (info.pointee.estimatedRows, info.pointee.estimatedCost) = (1, 5)
      info.pointee.idxFlags = SQLITE_INDEX_SCAN_UNIQUE
    case .owner, .index, .links: (info.pointee.estimatedRows, info.pointee.estimatedCost) = (10, 30)
    case .all, nil: (info.pointee.estimatedRows, info.pointee.estimatedCost) = (Int64(count), Double(count) * 2)
    }
    takeOrder(info, best?.search ?? .all)
  }

  /// Lets a walk over all objects leave out those whose numbers do not match, because numbers are compared leaf by
  /// leaf.
  ///
  /// - Returns: whether there is any such comparison.
  private func passComparisons(_ info: UnsafeMutablePointer<sqlite3_index_info>) -> Bool {
    guard case .objects(let position) = content else { return false }
    var words: [String] = []
    for index in 0..<Int(info.pointee.nConstraint) {
      let constraint = info.pointee.aConstraint[index]
      guard constraint.usable != 0, columns.indices.contains(Int(constraint.iColumn)),
        case .property(let property, cell: 0) = columns[Int(constraint.iColumn)],
        let comparison = SQLComparison(
          property, plan.relational.classes[position].schema.properties[property], operation: constraint.op)
      else { continue }
      words.append(comparison.text)
      info.pointee.aConstraintUsage[index].argvIndex = Int32(words.count)
    }
    guard !words.isEmpty, let text = Self.copy(words.joined(separator: " ")) else { return false }
    (info.pointee.idxStr, info.pointee.needToFreeIdxStr) = (text, 1)
    return true
  }

  /// A text that SQLite frees.
  private static func copy(_ text: String) -> UnsafeMutablePointer<CChar>? {
    let bytes = text.utf8CString
    guard let memory = sqlite3_malloc64(UInt64(bytes.count)) else { return nil }
    return bytes.withUnsafeBufferPointer { source in
      let target = memory.assumingMemoryBound(to: CChar.self)
      if let start = source.baseAddress { target.update(from: start, count: source.count) }
      return target
    }
  }

  /// Objects are returned in the order of their keys, however they were found.
  private func takeOrder(_ info: UnsafeMutablePointer<sqlite3_index_info>, _ search: Search) {
    guard case .objects = content, info.pointee.nOrderBy == 1 else { return }
    let order = info.pointee.aOrderBy[0]
    let isObjectKey =
      order.iColumn < 0
      || columns.indices.contains(Int(order.iColumn))
        && {
          if case .objectKey = columns[Int(order.iColumn)] { true } else { false }
        }()
    if isObjectKey, order.desc == 0 { info.pointee.orderByConsumed = 1 }
  }

  private var rowEstimate: Int {
    switch content {
    case .objects(let position): max((try? plan.tables[position].objectCount()) ?? 1, 1)
    case .elements(let position, _, _): max(((try? plan.tables[position].objectCount()) ?? 1) * 4, 1)
    case .meta(.schema): 1
    case .meta: max(plan.tables.reduce(0) { $0 + ((try? $1.objectCount()) ?? 0) }, 1)
    }
  }

  func makeCursor() -> any SQLCursor {
    switch content {
    case .objects(let position): SQLObjectCursor(self, position)
    case .elements(let position, let property, let number):
      SQLRowCursor(self, number: number, tables: [position], property: property)
    case .meta(.schema): SQLSchemaCursor(self)
    case .meta(let meta):
      SQLRowCursor(
        self, number: plan.relational.number(of: meta), tables: Array(plan.tables.indices), property: nil)
    }
  }
}

/// A walk over the rows of a virtual table.
protocol SQLCursor: AnyObject {
  var reader: SQLReader { get }
  /// Begins a scan, and moves to the first row.
  ///
  /// - Parameters:
  ///   - comparisons: what else is known about the wanted rows; the scan may return more.
  ///   - arguments: the value to search for, or those of the comparisons.
  func begin(_ search: SQLTable.Search, _ comparisons: [SQLComparison], _ arguments: [OpaquePointer]) throws
  func next() throws
  var isAtEnd: Bool { get }
  func give(_ column: Int, to context: OpaquePointer) throws
  var rowID: Int64 { get }
}

extension RelationalColumn {
  /// Name, type and order alone.
  fileprivate var plainDefinition: String {
    SQLText.quoted(name) + affinity.rawValue + (order.map { " COLLATE \($0.rawValue)" } ?? "")
  }
}

/// Realms of formats 2–9, written by hand: the nodes of tables and columns as in Docs/Format/4-file-versions.md §2.
///
/// ```swift
/// let names = LegacyColumn("name", .string, LegacyNodes.short(["a", "b"]))
/// let bytes = LegacyRealm([LegacyTable("class_A", [names])], format: 5).bytes()
/// ```
package struct LegacyRealm {
  package var tables: [LegacyTable]
  package var format: UInt8

  package init(_ tables: [LegacyTable], format: UInt8 = 9) { (self.tables, self.format) = (tables, format) }

  /// All nodes, to be changed before they are written.
  package func tree() -> NodeTree {
    let names = LegacyNodes.names(tables.map(\.name))
    let list = EditableNode.refs(tables.map { .child($0.root()) })
    let slots: [EditableNode.Element] =
      [.child(names), .child(list), .tagged(0), .raw(0), .raw(0), .raw(0), .tagged(1)]
      + (format > 6 ? [.tagged(0), .raw(0), .tagged(0)] : [])
    return NodeTree(root: .refs(slots), format: format)
  }

  package func bytes(_ form: NodeTree.Form = .normal) -> [UInt8] { tree().written(form) }
}

package struct LegacyTable {
  package let name: String
  package var columns: [LegacyColumn]

  package init(_ name: String, _ columns: [LegacyColumn]) { (self.name, self.columns) = (name, columns) }

  /// The table in which SDKs store the schema version.
  package static func metadata(version: Int64) -> LegacyTable {
    LegacyTable("metadata", [LegacyColumn("version", .int, LegacyNodes.ints([version]))])
  }

  /// The table in which SDKs store primary keys.
  package static func primaryKeys(_ keys: [(table: String, property: String)]) -> LegacyTable {
    LegacyTable(
      "pk",
      [
        LegacyColumn("pk_table", .string, LegacyNodes.short(keys.map(\.table))),
        LegacyColumn("pk_property", .string, LegacyNodes.short(keys.map(\.property))),
      ])
  }

  func root() -> EditableNode {
    .refs([.child(LegacyColumn.spec(columns)), .child(LegacyColumn.data(columns))])
  }
}

package struct LegacyColumn {
  /// Codes of types (§2.4).
  package enum Kind: Int64, Sendable {
    case int, bool, string, enumerated, binary, table, mixed, seconds, timestamp, float, double
    case link = 12
    case linkList, backlink
  }

  /// Nil for a column of incoming links.
  package var name: String?
  package var kind: Kind
  package var data: EditableNode
  package var isNullable: Bool
  package var index: EditableNode?
  /// Number of the target or origin table, and of the origin column.
  package var links: [Int64] = []
  package var enumeration: EditableNode?
  /// The columns of subtables.
  package var nested: [LegacyColumn] = []

  package init(
    _ name: String?, _ kind: Kind, _ data: EditableNode, isNullable: Bool = false, index: EditableNode? = nil
  ) {
    (self.name, self.kind, self.data, self.isNullable, self.index) = (name, kind, data, isNullable, index)
  }

  package static func link(_ name: String, to table: Int64, _ data: EditableNode) -> LegacyColumn {
    var column = LegacyColumn(name, .link, data)
    column.links = [table]
    return column
  }

  package static func linkList(_ name: String, to table: Int64, _ lists: [[Int64]]) -> LegacyColumn {
    var column = LegacyColumn(name, .linkList, LegacyNodes.lists(lists))
    column.links = [table]
    return column
  }

  /// - Parameter rows: the linking rows of each row.
  package static func backlinks(from table: Int64, column: Int64, _ rows: [[Int64]]) -> LegacyColumn {
    let elements = rows.map { rows -> EditableNode.Element in
      rows.isEmpty ? .raw(0) : rows.count == 1 ? .tagged(rows[0]) : .child(LegacyNodes.ints(rows))
    }
    var backlinks = LegacyColumn(nil, .backlink, .refs(elements))
    backlinks.links = [table, column]
    return backlinks
  }

  package static func enumerated(
    _ name: String, _ keys: EditableNode, _ positions: [Int64], isNullable: Bool = false
  ) -> LegacyColumn {
    var column = LegacyColumn(name, .enumerated, LegacyNodes.ints(positions), isNullable: isNullable)
    column.enumeration = keys
    return column
  }

  /// - Parameter subtables: the columns' data in each row; nil for an empty one.
  package static func table(_ name: String, _ nested: [LegacyColumn], _ subtables: [[EditableNode]?]) -> LegacyColumn {
    let rows = subtables.map { columns -> EditableNode.Element in
      columns.map { .child(.refs($0.map { .child($0) })) } ?? .raw(0)
    }
    var column = LegacyColumn(name, .table, .refs(rows))
    column.nested = nested
    return column
  }

  static func spec(_ columns: [LegacyColumn]) -> EditableNode {
    let details = columns.flatMap { column -> [EditableNode.Element] in
      column.kind == .table ? [.child(spec(column.nested))] : column.links.map { .tagged($0) }
    }
    let enumerations = columns.compactMap(\.enumeration)
    var slots: [EditableNode.Element] = [
      .child(LegacyNodes.ints(columns.map(\.kind.rawValue))), .child(LegacyNodes.names(columns.compactMap(\.name))),
      .child(LegacyNodes.ints(columns.map { ($0.isNullable ? 16 : 0) + ($0.index == nil ? 0 : 1) })),
    ]
    if !details.isEmpty || !enumerations.isEmpty { slots.append(details.isEmpty ? .raw(0) : .child(.refs(details))) }
    if !enumerations.isEmpty { slots.append(.child(.refs(enumerations.map { .child($0) }))) }
    return .refs(slots)
  }

  static func data(_ columns: [LegacyColumn]) -> EditableNode {
    .refs(columns.flatMap { [.child($0.data)] + ($0.index.map { [.child($0)] } ?? []) })
  }
}

/// The nodes of columns (§2.6–2.13).
package enum LegacyNodes {
  /// Integers, booleans as 0 and 1, seconds, rows; links as rows + 1.
  package static func ints(_ values: [Int64], width: Int = 0) -> EditableNode { .numbers(values, width: width) }

  /// The same with nulls: the first element is the number that means null.
  package static func nullableInts(_ values: [Int64?], marker: Int64) -> EditableNode {
    .numbers([marker] + values.map { $0 ?? marker })
  }

  package static func floats(_ bits: [UInt32]) -> EditableNode {
    EditableNode(
      flags: 0x08, width: 4,
      content: .bytes(bits.flatMap { NodeWriter.littleEndian(UInt64($0), 4) }, count: bits.count))
  }

  package static func doubles(_ bits: [UInt64]) -> EditableNode {
    EditableNode(
      flags: 0x08, width: 8, content: .bytes(bits.flatMap { NodeWriter.littleEndian($0, 8) }, count: bits.count))
  }

  /// Strings up to 15 bytes; width 0 if none has a byte, or all are null.
  package static func short(_ texts: [String?]) -> EditableNode {
    let longest = texts.compactMap { $0?.utf8.count }.max() ?? 0
    let hasNull = texts.contains { $0 == nil }
    let isEmpty = longest == 0 && (!hasNull || texts.allSatisfy { $0 == nil })
    let width = isEmpty ? 0 : [1, 2, 4, 8, 16, 32, 64].first { $0 > longest } ?? 64
    return fields(texts, width: width)
  }

  /// Names of tables and columns.
  package static func names(_ names: [String]) -> EditableNode { short(names) }

  private static func fields(_ texts: [String?], width: Int) -> EditableNode {
    let bytes = texts.flatMap { text in
      width == 0
        ? []
        : text.map { ShortNames.field($0, width: width) }
          ?? [UInt8](repeating: 0, count: width - 1) + [UInt8(width)]
    }
    return EditableNode(flags: 0x08, width: width, content: .bytes(bytes, count: texts.count))
  }

  /// Strings up to 63 bytes. In a nullable column, a flag of 0 means null.
  package static func medium(_ texts: [String?], isNullable: Bool) -> EditableNode {
    let values = texts.map { Array(($0 ?? "").utf8) + [0] }
    return small(values, flags: isNullable ? texts.map { $0 == nil ? 0 : 1 } : nil)
  }

  /// Strings of any length.
  package static func big(_ texts: [String?]) -> EditableNode {
    .refs(texts.map { text in text.map { .child(.blob(Array($0.utf8) + [0])) } ?? .raw(0) }, flags: 0x60)
  }

  /// Data up to 64 bytes. A flag of 1 means null; format 2 has no flags.
  package static func data(_ values: [[UInt8]?], hasFlags: Bool = true) -> EditableNode {
    small(values.map { $0 ?? [] }, flags: hasFlags ? values.map { $0 == nil ? 1 : 0 } : nil)
  }

  /// Data of any length.
  package static func bigData(_ values: [[UInt8]?]) -> EditableNode {
    .refs(values.map { value in value.map { .child(.blob($0)) } ?? .raw(0) }, flags: 0x60)
  }

  private static func small(_ values: [[UInt8]], flags: [Int64]?) -> EditableNode {
    var end: Int64 = 0
    let ends = values.map { value -> Int64 in
      end += Int64(value.count)
      return end
    }
    return .refs(
      [.child(.numbers(ends)), .child(.blob(values.flatMap { $0 }))] + (flags.map { [.child(.numbers($0))] } ?? []))
  }

  /// Seconds and nanoseconds.
  package static func dates(_ dates: [(seconds: Int64, nanoseconds: Int64)?], marker: Int64) -> EditableNode {
    .refs([
      .child(nullableInts(dates.map { $0?.seconds }, marker: marker)),
      .child(ints(dates.map { $0?.nanoseconds ?? 0 })),
    ])
  }

  /// - Parameter elements: types with their elements.
  package static func mixed(
    _ elements: [(type: Int64, data: EditableNode.Element)], blobs: EditableNode? = nil, dates: EditableNode? = nil
  ) -> EditableNode {
    .refs(
      [.child(ints(elements.map(\.type))), .child(.refs(elements.map(\.data)))]
        + [blobs, dates].map { node in node.map { .child($0) } ?? .raw(0) })
  }

  /// Lists of rows; an empty one is absent.
  package static func lists(_ lists: [[Int64]]) -> EditableNode {
    .refs(lists.map { $0.isEmpty ? .raw(0) : .child(ints($0)) })
  }

  /// An inner node over leaves of the same size, the last of which may be smaller.
  package static func tree(_ leaves: [EditableNode], elementsPerChild: Int64, total: Int64) -> EditableNode {
    .refs([.tagged(elementsPerChild)] + leaves.map { .child($0) } + [.tagged(total)], flags: 0xc0)
  }

  /// An inner node over leaves of any size.
  package static func tree(_ leaves: [EditableNode], counts: [Int64]) -> EditableNode {
    var end: Int64 = 0
    let ends = counts.dropLast().map { count -> Int64 in
      end += count
      return end
    }
    return .refs(
      [.child(.numbers(ends))] + leaves.map { .child($0) } + [.tagged(counts.reduce(0, +))], flags: 0xc0)
  }
}

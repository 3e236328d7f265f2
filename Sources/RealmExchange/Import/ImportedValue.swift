import RealmStorage

/// A value of a source, with everything in it.
indirect enum ImportedValue {
  /// A value without pending links and without embedded objects.
  case plain(Value)
  case embedded(ImportedObject)
  /// A link to what an entry of a directory names.
  case pending(directory: Int, entry: Int, isInMixed: Bool)
  case list([ImportedValue])
  case set([ImportedValue])
  case dictionary([(name: RealmString, value: ImportedValue)])
}

/// An object of a source.
struct ImportedObject {
  let dataClass: DataClass
  /// The values that it has, by the number of the property.
  var members: [(property: Int, value: ImportedValue)]
}

/// Makes values of what the reader has read.
struct ImportedValues {
  let values: StagedValues
  /// The tables of the classes.
  let tables: [TableKey]
  let classes: [DataClass]
  /// Embedded objects that were read before those around them.
  let held: [ImportedObject]

  func object(_ cells: [StagedCell], of dataClass: DataClass) -> ImportedObject {
    ImportedObject(
      dataClass: dataClass,
      members: cells.indices.compactMap { cells[$0].kind == .missing ? nil : ($0, value(cells[$0])) })
  }

  func value(_ cell: StagedCell) -> ImportedValue {
    switch cell.kind {
    case .string: return .plain(.string(text(cell)))
    case .data: return .plain(.data(Array(text(cell).utf8)))
    case .link:
      if classes[cell.classNumber].isEmbedded { return .embedded(held[Int(cell.objectKey.rawValue)]) }
      let table = tables[cell.classNumber]
      return .plain(cell.isInMixed ? .typedLink(table, cell.objectKey) : .link(table, cell.objectKey))
    case .pendingLink:
      return .pending(directory: cell.classNumber, entry: cell.entry, isInMixed: cell.isInMixed)
    case .list: return elements(cell).map { .plain(.list($0)) } ?? .list(parts(cell))
    case .set: return elements(cell).map { .plain(.set($0)) } ?? .set(parts(cell))
    case .dictionary: return dictionary(cell)
    default: return .plain(Self.scalar(cell))
    }
  }

  /// A value that is stored completely in its cell.
  static func scalar(_ cell: StagedCell) -> Value {
    switch cell.kind {
    case .int: .int(Int64(bitPattern: cell.first))
    case .bool: .bool(cell.first != 0)
    case .float: .float(Float(bitPattern: UInt32(truncatingIfNeeded: cell.first)))
    case .double: .double(Double(bitPattern: cell.first))
    case .date: .date(cell.date)
    case .decimal: .decimal(Decimal128(low: cell.first, high: cell.second))
    case .objectID: .objectID(ObjectID(head: cell.first, tail: cell.small))
    case .uuid: .uuid(RealmUUID(head: cell.first, tail: cell.second))
    case .missing, .null, .string, .data, .link, .pendingLink, .list, .set, .dictionary: .null
    }
  }

  private func text(_ cell: StagedCell) -> RealmString {
    guard let bytes = values.blob(cell).contiguous else { return "" }
    return RealmString(bytes)
  }

  private func parts(_ cell: StagedCell) -> [ImportedValue] {
    (cell.start..<cell.start + cell.count).map { value(values.elements[$0]) }
  }

  /// The elements, where all of them are plain.
  private func elements(_ cell: StagedCell) -> [Value]? {
    var elements: [Value] = []
    elements.reserveCapacity(cell.count)
    for index in cell.start..<cell.start + cell.count {
      guard case .plain(let value) = value(values.elements[index]) else { return nil }
      elements.append(value)
    }
    return elements
  }

  private func dictionary(_ cell: StagedCell) -> ImportedValue {
    let entries = stride(from: cell.start, to: cell.start + cell.elementCount, by: 2).map {
      (text(values.elements[$0]), value(values.elements[$0 + 1]))
    }
    var plain: [RealmString: Value] = [:]
    for (name, value) in entries {
      guard case .plain(let value) = value else { return .dictionary(entries.map { (name: $0, value: $1) }) }
      plain[name] = value
    }
    return .plain(.dictionary(plain))
  }
}

extension ImportedValue {
  /// Calls `body` with each pending link, at any depth.
  func forEachPending(_ body: (_ directory: Int, _ entry: Int) throws -> Void) rethrows {
    switch self {
    case .plain: return
    case .embedded(let object): for member in object.members { try member.value.forEachPending(body) }
    case .pending(let directory, let entry, _): try body(directory, entry)
    case .list(let elements), .set(let elements): for element in elements { try element.forEachPending(body) }
    case .dictionary(let entries): for entry in entries { try entry.value.forEachPending(body) }
    }
  }
}

extension [ImportedValue] {
  /// The values, where all are plain.
  var plain: [Value]? {
    var values: [Value] = []
    for element in self {
      guard case .plain(let value) = element else { return nil }
      values.append(value)
    }
    return values
  }
}

extension Value {
  private var isNaN: Bool {
    switch self {
    case .float(let number): number.isNaN
    case .double(let number): number.isNaN
    default: false
    }
  }

  /// The value as a set stores it: each element only once.
  var inSet: Value {
    guard case .set(let elements) = self else { return self }
    // Sets with NaN have no order, and keep the order in which the engine left them (Docs/Format/2-nodes-and-values.md
    // §7.1).
    guard !elements.contains(where: \.isNaN) else { return self }
    var seen: Set<Value> = []
    let distinct = elements.filter { seen.insert($0).inserted }
    return distinct.count == elements.count ? self : .set(distinct)
  }
}

extension DataProperty {
  /// The value of an object that is given none.
  var defaultValue: Value {
    switch collection {
    case .list: return .list([])
    case .set: return .set([])
    case .dictionary: return .dictionary([:])
    case nil: break
    }
    guard !isNullable else { return .null }
    switch type {
    case .string: return .string("")
    case .data: return .data([])
    default:
      let cell = defaultCell
      return ImportedValues.scalar(cell)
    }
  }
}

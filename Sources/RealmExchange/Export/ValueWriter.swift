import RealmStorage
import RealmText

/// Walks over values and lets a form say how each looks: what an export and the content hash share.
///
/// A writer belongs to one thread. The functions of the extension are inlined into the writers: the compiler does not
/// specialize them by itself, and without that an export takes half as long again.
protocol ValueWriter: AnyObject {
  associatedtype Form: ValueForm
  var form: Form { get }
  var text: TextBuffer { get }
  var snapshot: Snapshot { get }
  var resolver: LinkResolver { get }
  var targets: LinkTargets { get }
  var embeddedBudget: EmbeddedBudget { get }
  /// Collections and embedded objects that are being written inside each other.
  var depth: Int { get set }
  /// Passes on `text` when it has become large. Called only when nothing written may have to be taken back.
  var spill: (TextBuffer) throws -> Void { get }

  func writeCollection(_ value: ValueView) throws
  func writeLink(to target: LinkTarget, _ object: ObjectKey, at position: ValuePosition) throws
  /// Writes an embedded object.
  func writeInner(_ batch: ObjectBatch, row: Int) throws
}

/// Collections and embedded objects inside each other. Mixed values nest up to 100 levels
/// (Docs/Format/2-nodes-and-values.md §3.2); embedded objects have no limit of their own.
private let mostLevels = 400

extension ValueWriter {
  /// - Throws: only while everything written can be taken back by truncating the text to where the value began.
  @inline(__always)
  func write(_ value: ValueView, at position: ValuePosition) throws {
    switch value {
    case .null: form.appendNull(to: text)
    case .int(let value): form.append(int: value, to: text)
    case .bool(let value): form.append(bool: value, to: text)
    case .float(let value): form.append(float: value, at: position, to: text)
    case .double(let value): form.append(double: value, to: text)
    case .string(let value): try form.append(string: value, to: text)
    case .data(let value): try form.append(data: value, to: text)
    case .date(let value): form.append(date: value, to: text)
    case .decimal(let value): form.append(decimal: value, to: text)
    case .objectID(let value): form.append(objectID: value, to: text)
    case .uuid(let value): form.append(uuid: value, to: text)
    case .link(let table, let key): try writeLink(table, key, at: position)
    case .typedLink(let table, let key): try writeLink(table, key, at: .mixed)
    case .list, .set, .dictionary: try nested { try writeCollection(value) }
    }
  }

  @inline(__always)
  func nested(_ body: () throws -> Void) throws {
    guard depth < mostLevels else { throw StorageError.corrupted(.null, .tooDeep) }
    depth += 1
    defer { depth -= 1 }
    try body()
  }

  @inline(__always)
  func spillIfLarge() throws {
    if text.count > ExportLimits.spill { try spill(text) }
  }

  @inline(__always)
  private func writeLink(_ key: TableKey, _ object: ObjectKey, at position: ValuePosition) throws {
    guard let target = targets.target(key, in: snapshot, form) else { throw snapshot.danglingLink(to: object) }
    try target._withUnsafeGuaranteedRef { try writeLink(to: $0, object, at: position) }
  }

  /// A link by the key of its target.
  @inline(__always)
  func writeKey(of object: ObjectKey, in target: LinkTarget, at position: ValuePosition) throws {
    if target.hasPrimaryKey {
      let primaryKey = try resolver.primaryKey(of: object, in: target.table)
      var position = position
      // Null alone would mean that there is no link.
      if case .null = primaryKey, form.wrapsNullKeys { position = .mixed }
      target.appendOpening(at: position, to: text)
      try write(primaryKey, at: .property)
      target.appendClosing(at: position, to: text)
    } else {
      target.appendOpening(at: position, to: text)
      text.append(integer: object.rawValue)
      target.appendClosing(at: position, to: text)
    }
  }

  @inline(__always)
  func writeEmbedded(_ table: Table, _ object: ObjectKey, at position: ValuePosition) throws {
    let (batch, row) = try resolver.find(object, in: table)
    try embeddedBudget.spend(on: table)
    try nested {
      form.openEmbedded(table, at: position, in: text)
      try writeInner(batch, row: row)
      form.closeEmbedded(table, at: position, in: text)
    }
  }
}

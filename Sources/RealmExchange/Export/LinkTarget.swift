import RealmStorage
import RealmText

/// A table that links point to, with what a writer computes once for all of them: the text around their keys.
final class LinkTarget {
  let table: Table
  let isEmbedded: Bool
  /// Whether links name its objects by their primary key; otherwise by their object key.
  let hasPrimaryKey: Bool
  /// The texts, one after another.
  private let texts: TextBuffer
  private let inProperty: LinkTexts
  private let inMixed: LinkTexts

  /// Where the text before a key is, and where the text after it is.
  private struct LinkTexts {
    let opening: Range<Int>
    let closing: Range<Int>

    init<Form: ValueForm>(
      _ table: Table, withPrimaryKey: Bool, at position: ValuePosition, _ form: Form, in text: TextBuffer
    ) {
      let start = text.count
      form.openLink(to: table, withPrimaryKey: withPrimaryKey, at: position, in: text)
      opening = start..<text.count
      form.closeLink(to: table, withPrimaryKey: withPrimaryKey, at: position, in: text)
      closing = opening.upperBound..<text.count
    }
  }

  fileprivate init<Form: ValueForm>(_ table: Table, _ form: Form) {
    self.table = table
    isEmbedded = table.schema.kind == .embedded
    hasPrimaryKey = table.schema.primaryKeyIndex != nil
    texts = TextBuffer(capacity: 256)
    inProperty = LinkTexts(table, withPrimaryKey: hasPrimaryKey, at: .property, form, in: texts)
    inMixed = LinkTexts(table, withPrimaryKey: hasPrimaryKey, at: .mixed, form, in: texts)
    texts.reserve(TextBuffer.readAhead)
  }

  /// Appends the text before the key of a link.
  @inline(__always)
  func appendOpening(at position: ValuePosition, to text: TextBuffer) {
    append(position == .mixed ? inMixed.opening : inProperty.opening, to: text)
  }

  /// Appends the text after it.
  @inline(__always)
  func appendClosing(at position: ValuePosition, to text: TextBuffer) {
    append(position == .mixed ? inMixed.closing : inProperty.closing, to: text)
  }

  @inline(__always)
  private func append(_ range: Range<Int>, to text: TextBuffer) {
    guard !range.isEmpty else { return }
    texts.withBytes {
      guard let bytes = $0.baseAddress else { return }
      text.append(padded: bytes + range.lowerBound, count: range.count)
    }
  }
}

/// The tables that a writer met as targets of links. They belong to one thread.
final class LinkTargets {
  /// By the slot of their keys. Owned here: looking one up for each link counts no references.
  private var targets: [Unmanaged<LinkTarget>?] = []

  deinit { for target in targets { target?.release() } }

  /// The table with `key`; nil if there is none.
  @inline(__always)
  func target<Form: ValueForm>(_ key: TableKey, in snapshot: Snapshot, _ form: Form) -> Unmanaged<LinkTarget>? {
    if key.slot < targets.count, let target = targets[key.slot],
      target._withUnsafeGuaranteedRef({ $0.table.key == key })
    {
      return target
    }
    return make(key, in: snapshot, form)
  }

  @inline(never)
  private func make<Form: ValueForm>(_ key: TableKey, in snapshot: Snapshot, _ form: Form) -> Unmanaged<LinkTarget>? {
    // Only one table can have the slot, whatever keys the links contain.
    guard let table = snapshot.table(key) else { return nil }
    let target = Unmanaged.passRetained(LinkTarget(table, form))
    if targets.count <= key.slot { targets += Array(repeating: nil, count: key.slot + 1 - targets.count) }
    targets[key.slot] = target
    return target
  }
}

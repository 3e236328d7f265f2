/// How the index of a column is to be read, where its attributes do not say so
/// (Docs/Format/3-tables-and-objects.md §6.8).
///
/// When the nullability of an indexed column changes, engines leave an index without a mark, read as one of values
/// whatever it is; when a full-text index is replaced by one of values or the other way round, both marks, read as words.
/// They go on writing it that way, so that it can hold both kinds of entries.
struct IndexKindCheck {
  let context: CheckContext
  let table: CheckedTable
  let column: CheckedColumn

  func run() {
    let isMarked = column.attributes.contains(.indexed)
    let isFullText = column.attributes.contains(.fullText)
    let kind: IndexKind = isFullText ? .fullText : .general
    var isContentInDoubt = false
    if isMarked == isFullText, !column.isPrimaryKey {
      context.log.add(.indexLeftover, at: table.indexPlace(column))
      let canHoldWords = column.type == .string && column.collection == nil
      isContentInDoubt = canHoldWords && (isFullText || holdsObjectsTwice(kind))
    }
    let contentContext = isContentInDoubt ? context.muted().context : context
    var check = IndexCheck(context, table, column, kind, contentContext: contentContext)
    check.run()
  }

  /// Whether objects come more than once when the index is read so, as an index of words has them.
  private func holdsObjectsTwice(_ kind: IndexKind) -> Bool {
    let (trial, log) = context.muted()
    var check = IndexCheck(trial, table, column, kind, contentContext: trial)
    check.run()
    return log.count(of: .indexRepeated) > 0
  }
}

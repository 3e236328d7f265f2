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
    if !isContentInDoubt, hasEqualSums(kind) { return }
    compare(kind, contentContext: isContentInDoubt ? context.muted().context : context)
  }

  /// Whether nothing is wrong with the index, at a glance. Otherwise nothing was reported.
  private func hasEqualSums(_ kind: IndexKind) -> Bool {
    guard let trial = context.trial(), let sums = IndexSums(trial, table, column, kind) else { return false }
    var check = IndexCheck(trial, table, column, sums)
    check.run()
    return check.entries.isEqualToValues() && context.adopt([trial])
  }

  /// - Parameter contentContext: takes what is wrong with objects and values; `context` what is wrong with nodes.
  private func compare(_ kind: IndexKind, contentContext: CheckContext) {
    let content = IndexContent(contentContext, table, column, kind, isCollecting: false)
    var check = IndexCheck(context, table, column, content)
    check.run()
    var walked = check.entries
    if !walked.finish() { reportWords(kind, contentContext) }
  }

  /// Compares entry by entry what the sums said is different.
  private func reportWords(_ kind: IndexKind, _ contentContext: CheckContext) {
    let muted = context.muted().context
    var walk = IndexCheck(muted, table, column, IndexContent(muted, table, column, kind, isCollecting: true))
    walk.run()
    walk.entries.words?.forEachDifference(ColumnValues(context, table, column)) { isInIndex, key in
      var place = table.indexPlace(column)
      place.object = key
      contentContext.log.add(
        isInIndex ? .indexEntry : .indexMissing,
        after: contentContext.log.damages.index(table.name, column.name), inNode: column.index, at: place)
    }
  }

  /// Whether objects come more than once when the index is read so, as an index of words has them.
  private func holdsObjectsTwice(_ kind: IndexKind) -> Bool {
    let (trial, log) = context.muted()
    IndexKindCheck(context: trial, table: table, column: column).compare(kind, contentContext: trial)
    return log.count(of: .indexRepeated) > 0
  }
}

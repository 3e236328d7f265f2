import RealmStorage

/// How to read the index of a column if its attributes do not say so (Docs/Format/3-tables-and-objects.md §6.8).
///
/// If the nullability of an indexed column changes, engines leave the index without a mark and read it as an index of
/// values, whatever it is. If a full-text index is replaced by one of values, or the reverse, they leave both marks and
/// read it as words. They keep writing it that way, so it can contain both kinds of entries.
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

  /// Tests quickly whether the index is right. It reports nothing otherwise.
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

  /// Compares entry by entry if the sums differ.
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

  /// Whether objects occur more than once if the index is read in this way, as in an index of words.
  private func holdsObjectsTwice(_ kind: IndexKind) -> Bool {
    let (trial, log) = context.muted()
    IndexKindCheck(context: trial, table: table, column: column).compare(kind, contentContext: trial)
    return log.count(of: .indexRepeated) > 0
  }
}

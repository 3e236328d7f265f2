/// What a key, or a command, asks a view or the browser to do.
///
/// Settings use their names with hyphens: `open-object`.
enum Request: String, Hashable, Sendable, CaseIterable {
  // Moving
  case up, down, left, right
  case pageUp, pageDown, halfPageUp, halfPageDown
  case first, last, firstColumn, lastColumn
  // Going to places
  case open, openObject, back, forward, close, backlinks, schema, classes, nextObject, previousObject
  // Finding
  case search, findNext, findPrevious, filter, jump
  // Several files
  case nextTab, previousTab, nextChange, previousChange
  // Marking
  case mark, markAll, unmarkAll
  // Columns and cells
  case goToColumn, onlyValue, withoutValue, pinColumn, moveUp, moveDown
  // Looks
  case sort, frequency, hideColumn, showColumns, narrower, wider, fitColumn, fold, unfoldAll, toggleInternal
  case toggleHex, toggleWrap, togglePretty, preview, classSummary, columnSummary
  // Editing
  case edit, editInEditor, addObject, duplicateObject, deleteObjects, undo, redo
  case appendElement, insertElement, removeElement, moveElementUp, moveElementDown
  // Everywhere
  case copy, copyObject, pipe, command, help, reload, redraw, suspend, leave, quit, interrupt
}

/// The views, to say which keys apply to which of them.
struct ViewKinds: OptionSet, Hashable, Sendable {
  let rawValue: UInt32

  static let classes = ViewKinds(rawValue: 1)
  static let objects = ViewKinds(rawValue: 2)
  static let object = ViewKinds(rawValue: 4)
  static let collection = ViewKinds(rawValue: 8)
  static let backlinks = ViewKinds(rawValue: 16)
  static let schema = ViewKinds(rawValue: 32)
  static let linkMap = ViewKinds(rawValue: 64)
  static let frequency = ViewKinds(rawValue: 128)
  static let value = ViewKinds(rawValue: 256)
  static let help = ViewKinds(rawValue: 512)
  static let found = ViewKinds(rawValue: 1024)

  static let changes = ViewKinds(rawValue: 2048)
  static let columns = ViewKinds(rawValue: 4096)

  static let summary = ViewKinds(rawValue: 8192)
  static let histogram = ViewKinds(rawValue: 16384)

  static let diff = ViewKinds(rawValue: 32768)
  static let classDiff = ViewKinds(rawValue: 65536)

  static let snapshots = ViewKinds(rawValue: 131_072)

  static let all = ViewKinds(rawValue: 262_143)
  /// Views whose rows each stand for something.
  static let lists: ViewKinds = [
    .classes, .objects, .object, .collection, .backlinks, .schema, .linkMap, .frequency, .found, .changes, .columns,
    .summary, .histogram, .diff, .classDiff, .snapshots,
  ]
  static let trees: ViewKinds = [.object, .schema]
  /// Views that are read from top to bottom.
  static let pagers: ViewKinds = [.value, .help]
  /// Views that list what differs.
  static let changeLists: ViewKinds = [.diff, .classDiff]
}

/// One line of the table of keys.
struct Binding: Sendable {
  /// The keys; hints name the first one.
  let keys: [Key]
  let request: Request
  let views: ViewKinds
  /// A word or two for the hint line; nil if the key does not deserve a place there.
  let hint: String?
  /// A line for the help.
  let help: String
  let group: Group

  /// The sections of the help, in the order in which it shows them.
  enum Group: String, CaseIterable, Sendable {
    case editing = "Editing"
    case going = "Going to places"
    case finding = "Finding"
    case marking = "Marking"
    case looks = "Changing what is shown"
    case general = "Everywhere"
    case own = "Your keys"
    case moving = "Moving"
  }

  /// The same without some of its keys; nil if none is left.
  func without(_ others: Set<Key>) -> Binding? {
    let rest = keys.filter { !others.contains($0) }
    return rest.isEmpty ? nil : Binding(rest, request, in: views, hint: hint, group, help)
  }

  init(
    _ keys: [Key], _ request: Request, in views: ViewKinds = .all, hint: String? = nil, _ group: Group, _ help: String
  ) {
    self.keys = keys
    self.request = request
    self.views = views
    self.hint = hint
    self.help = help
    self.group = group
  }
}

/// All keys. The hint line, the help and the behavior come from this one table.
///
/// A key may mean different requests in different views, and has at most one meaning in each. The hint line shows hints
/// in the order of the table, as many as fit.
enum Bindings {
  static let table: [Binding] = going + finding + marking + looks + general + moving

  /// The request of a key in a view; nil if it has no meaning there.
  static func request(for key: Key, in view: ViewKinds) -> Request? {
    byKey[key]?.first { !$0.views.isDisjoint(with: view) }?.request
  }

  /// The lines that apply to a view.
  static func bindings(in view: ViewKinds) -> [Binding] { table.filter { !$0.views.isDisjoint(with: view) } }

  private static let byKey: [Key: [Binding]] = {
    var result: [Key: [Binding]] = [:]
    for binding in table {
      for key in binding.keys { result[key, default: []].append(binding) }
    }
    return result
  }()

  // MARK: The table

  private static let going: [Binding] = [
    Binding([.enter], .open, in: .classes, hint: "objects", .going, "show the objects of the class"),
    Binding([.enter], .open, in: .objects, hint: "open", .going, "open the link, the collection or the object"),
    Binding([.character("o")], .openObject, in: .objects, hint: "object", .going, "open the object of this row"),
    Binding(
      [.enter], .open, in: .object, hint: "open", .going,
      "open the link, the collection or the whole value"),
    Binding([.enter], .open, in: .collection, hint: "open", .going, "open the link or the whole value"),
    Binding([.enter], .open, in: .backlinks, hint: "show", .going, "show the objects that link here"),
    Binding([.enter], .open, in: .schema, hint: "go to", .going, "go to the class, or to the target of the property"),
    Binding([.enter], .open, in: .linkMap, hint: "objects", .going, "show the objects with these links"),
    Binding([.enter], .open, in: .frequency, hint: "show", .going, "show the objects with this value"),
    Binding([.enter], .open, in: .summary, hint: "histogram", .going, "show the distribution of the values"),
    Binding([.enter], .open, in: .histogram, hint: "show", .going, "show the objects with these values"),
    Binding([.enter], .open, in: .diff, hint: "objects", .going, "show the objects that differ"),
    Binding([.enter], .open, in: .classDiff, hint: "object", .going, "open the object"),
    Binding([.enter], .open, in: .snapshots, hint: "show", .going, "show this snapshot"),
    Binding([.character("]")], .nextChange, in: .changeLists, hint: "next", .going, "the next change (also ]c)"),
    Binding([.character("[")], .previousChange, in: .changeLists, .going, "the previous change (also [c)"),
    Binding([.enter], .open, in: .columns, hint: "done", .going, "go back to the objects"),
    Binding([.enter], .open, in: [.found, .changes], hint: "object", .going, "go to the object"),
    Binding(
      [.character("b")], .backlinks, in: [.objects, .object, .collection], hint: "backlinks", .going,
      "show what links to the object"),
    Binding([.character("]"), .control("n")], .nextObject, in: .object, hint: "next", .going, "the next object"),
    Binding([.character("["), .control("p")], .previousObject, in: .object, .going, "the previous object"),
    Binding([.character("m")], .schema, in: .schema, hint: "map", .going, "show which class links to which"),
    Binding([.afterG("t")], .nextTab, .going, "the next file, if several are open"),
    Binding([.afterG("T")], .previousTab, .going, "the previous file"),
    Binding([.character("C")], .classes, .going, "go back to the list of classes"),
    Binding([.character("q")], .close, hint: "back", .going, "close this view; quit from the first one"),
    Binding([.backspace, .altLeft], .back, .going, "go back one view"),
    Binding([.character(")"), .altRight], .forward, .going, "go forward again to the view you left"),
  ]

  private static let finding: [Binding] = [
    Binding(
      [.character("/")], .search, hint: "search", .finding, "search forward for text, or ~ and a regular expression"),
    Binding(
      [.character("+"), .character("=")], .onlyValue, in: .objects, .finding, "show only objects with this value"),
    Binding([.character("-")], .withoutValue, in: .objects, .finding, "show only objects without this value"),
    Binding([.character("c")], .goToColumn, in: .objects, .finding, "go to a column by its name"),
    Binding([.character("n")], .findNext, .finding, "the next match"),
    Binding([.character("N")], .findPrevious, .finding, "the previous match"),
    Binding([.character("f")], .filter, in: .classes, hint: "filter", .finding, "show only what matches"),
    Binding(
      [.character("f")], .filter, in: .objects, hint: "filter", .finding,
      "show only what matches a query or text; again to narrow further"),
    Binding(
      [.character("f")], .filter, in: .collection, hint: "filter", .finding,
      "show only elements that match a condition such as > 5, or text; again to narrow further"),
    Binding(
      [.character("+"), .character("=")], .onlyValue, in: .collection, .finding,
      "show only elements with this value"),
    Binding([.character("-")], .withoutValue, in: .collection, .finding, "show only elements without this value"),
    Binding(
      [.character("J")], .jump, in: .objects, hint: "jump", .finding,
      "jump to a primary key, #object key or row number"),
    Binding(
      [.character("J")], .jump, in: .collection, hint: "jump", .finding,
      "jump to a position, or in a dictionary to a key"),
    Binding(
      [.character("J")], .jump, in: .value, hint: "jump", .finding,
      "jump to a line of the value by giving its number"),
  ]

  private static let marking: [Binding] = [
    Binding([.character(" ")], .mark, in: .objects, .marking, "mark this object, or remove its mark"),
    Binding([.character("t")], .markAll, in: .objects, .marking, "mark all objects that are shown"),
    Binding([.character("T")], .unmarkAll, in: .objects, .marking, "remove all marks"),
  ]

  private static let looks: [Binding] = [
    Binding(
      [.character("s")], .sort, in: .objects, hint: "sort", .looks, "sort by this column: ascending, descending, off"),
    Binding(
      [.character("F")], .frequency, in: .objects, hint: "frequency", .looks, "count the values of this column"),
    Binding(
      [.character("s")], .sort, in: .collection, hint: "sort", .looks, "sort by value: ascending, descending, off"),
    Binding([.character("F")], .frequency, in: .collection, hint: "frequency", .looks, "count the values"),
    Binding([.character("s")], .sort, in: .frequency, hint: "sort", .looks, "sort by value, or by count"),
    Binding([.character("H")], .hideColumn, in: .objects, .looks, "hide this column"),
    Binding([.character("U")], .showColumns, in: [.objects, .columns], .looks, "show all columns again"),
    Binding([.character(" ")], .fold, in: .columns, hint: "show", .looks, "show or hide this column"),
    Binding([.character("K")], .moveUp, in: .columns, hint: "up", .looks, "move this column to the left"),
    Binding([.character("J")], .moveDown, in: .columns, hint: "down", .looks, "move this column to the right"),
    Binding([.character("p")], .pinColumn, in: .columns, hint: "pin", .looks, "keep this column at the left"),
    Binding([.character("<")], .narrower, in: .objects, .looks, "make this column narrower"),
    Binding([.character(">")], .wider, in: .objects, .looks, "make this column wider"),
    Binding(
      [.character("_")], .fitColumn, in: .objects, .looks, "fit this column to its values"),
    Binding([.character(" ")], .fold, in: .trees, hint: "unfold", .looks, "unfold or fold this row"),
    Binding([.character("*")], .unfoldAll, in: .trees, .looks, "unfold or fold everything"),
    Binding(
      [.character("I")], .classSummary, in: [.classes, .objects], .looks,
      "summarize every property: nulls, distinct, smallest, largest, average, most frequent"),
    Binding(
      [.character("i")], .columnSummary, in: [.objects, .summary], .looks,
      "summarize this property, with a histogram of numbers and dates"),
    Binding(
      [.character("v")], .preview, in: .objects, .looks, "show the object next to the table, if the screen is wide"),
    Binding([.character("p")], .togglePretty, in: .value, hint: "indent", .looks, "indent JSON, or show it as it is"),
    Binding([.character(".")], .toggleInternal, in: [.classes, .schema], .looks, "show or hide internal tables"),
    Binding([.character("x")], .toggleHex, in: .value, hint: "hex", .looks, "switch between hex digits and text"),
    Binding([.character("w")], .toggleWrap, in: .value, hint: "wrap", .looks, "wrap or truncate long lines"),
    Binding(
      [.character("S")], .schema, in: .all.subtracting([.schema, .help, .columns]), hint: "schema", .going,
      "show the schema of this class"),
  ]

  private static let general: [Binding] = [
    Binding(
      [.character("y")], .copy, in: .lists.subtracting(.columns).union(.value), hint: "copy", .general,
      "copy the value: a link as the key of its object, a collection as JSON"),
    Binding(
      [.character("Y")], .copyObject, in: [.objects, .object], .general,
      "copy the object as JSON, or all that are marked"),
    Binding(
      [.character("|")], .pipe, in: [.objects, .object, .value], .general,
      "pipe what is shown to a program, such as jq or less; objects as one line of JSON each"),
    Binding([.character(":")], .command, .general, "type a command; Tab completes it"),
    Binding([.character("?"), .function(1)], .help, hint: "help", .general, "show the keys of this view"),
    Binding([.character("R"), .function(5)], .reload, .general, "reload the file and stay here"),
    Binding([.escape], .leave, .general, "cancel the work, the search or the last filter; otherwise go back one view"),
    Binding([.character("Q")], .quit, .general, "quit"),
    Binding([.control("l")], .redraw, .general, "redraw the screen"),
    Binding([.control("z")], .suspend, .general, "suspend; fg resumes"),
    Binding([.control("c")], .interrupt, .general, "cancel, like Esc; twice in a row, quit"),
  ]

  private static let moving: [Binding] = [
    Binding([.up, .character("k")], .up, .moving, "one row up"),
    Binding([.down, .character("j")], .down, .moving, "one row down"),
    Binding([.left, .character("h"), .backTab], .left, in: .classDiff, .moving, "one column to the left"),
    Binding([.right, .character("l"), .tab], .right, in: .classDiff, .moving, "one column to the right"),
    Binding([.character("^"), .character("0")], .firstColumn, in: .classDiff, .moving, "to the first column"),
    Binding([.character("$")], .lastColumn, in: .classDiff, .moving, "to the last column"),
    Binding([.left, .character("h"), .backTab], .left, in: .objects, .moving, "one column to the left"),
    Binding([.right, .character("l"), .tab], .right, in: .objects, .moving, "one column to the right"),
    Binding([.left, .character("h")], .left, in: .trees, .moving, "fold, or go to the parent row"),
    Binding([.right, .character("l")], .right, in: .trees, .moving, "unfold"),
    Binding([.left, .character("h")], .left, in: .value, .moving, "scroll left, if lines are not wrapped"),
    Binding([.right, .character("l")], .right, in: .value, .moving, "scroll right, if lines are not wrapped"),
    Binding([.character(" ")], .pageDown, in: .pagers, .moving, "one page down"),
    Binding([.enter], .down, in: .pagers, .moving, "one line down"),
    Binding([.pageUp, .control("b")], .pageUp, .moving, "one page up"),
    Binding([.pageDown, .control("f")], .pageDown, .moving, "one page down"),
    Binding([.control("u")], .halfPageUp, .moving, "half a page up"),
    Binding([.control("d")], .halfPageDown, .moving, "half a page down"),
    Binding([.character("g"), .home], .first, .moving, "to the first row"),
    Binding([.character("G"), .end], .last, .moving, "to the last row"),
    Binding([.character("^"), .character("0")], .firstColumn, in: .objects, .moving, "to the first column"),
    Binding([.character("$")], .lastColumn, in: .objects, .moving, "to the last column"),
  ]
}

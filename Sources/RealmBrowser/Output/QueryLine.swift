import RealmPresentation
import RealmQuery
import RealmStorage
import RealmText

/// The arguments of `realmctl query FILE` that print what a view shows.
struct QueryLine {
  /// The class, the query and the options, as separate words without quotes.
  private(set) var arguments: [String] = []
  /// What the query prints differently from the view; nil if there is no difference.
  private(set) var remark: String?

  /// The maximum number of objects that are named one by one.
  private static let mostNamed = 200

  /// - Throws: `BrowserProblem` if no query prints the same; `StorageError`.
  init(_ view: ObjectsView, _ table: Table) throws {
    var conditions: [String] = []
    var steps = ""
    if let condition = try Self.condition(of: view.source, table, view.context) { conditions.append(condition) }
    let arrangement = view.arrangement
    if arrangement.subject != nil {
      throw BrowserProblem("the objects were chosen in a list of values; + on the value filters by it instead")
    }
    for filter in arrangement.filters {
      guard steps.isEmpty else { throw BrowserProblem("a filter comes after SORT, DISTINCT or LIMIT") }
      let (condition, rest) = try Self.parts(of: filter, table, view.context)
      if let condition { conditions.append(condition) }
      steps = rest
    }
    if let property = arrangement.sortProperty {
      guard !steps.contains("LIMIT"), !steps.contains("DISTINCT") else {
        throw BrowserProblem("what LIMIT or DISTINCT chose is sorted in another order")
      }
      let name = RQL.written(table.schema.properties[property].name)
      steps = "SORT(\(name) \(arrangement.isDescending ? "DESC" : "ASC"))" + (steps.isEmpty ? "" : " " + steps)
    }
    if !view.marks.isEmpty { conditions.append(try Self.condition(of: view.marks.keys, table, view.context)) }
    if case .links = view.source, steps.isEmpty {
      remark = "the command prints each object once, in the order of the object keys"
    }
    arguments = [table.schema.displayName.description]
    let query = conditions.count == 1 ? conditions[0] : conditions.map { "(" + $0 + ")" }.joined(separator: " AND ")
    if !query.isEmpty || !steps.isEmpty {
      arguments.append(
        [query.isEmpty && !steps.isEmpty ? "TRUEPREDICATE" : query, steps].filter { !$0.isEmpty }.joined(separator: " ")
      )
    }
    if let names = view.columns.chosenNames { arguments += ["--columns", names.joined(separator: ",")] }
  }

  /// A filter as a condition, and what follows it.
  private static func parts(
    of filter: ObjectFilter, _ table: Table, _ context: ViewContext
  ) throws -> (condition: String?, steps: String) {
    if let marked = filter.predicate as? MarkedPredicate {
      return (try condition(of: marked.marks.keys, table, context), "")
    }
    guard let query = filter.predicate as? QueryPredicate else {
      throw BrowserProblem("'\(filter.text)' is searched for as text in all properties, which no query does")
    }
    let text = filter.text
    guard query.hasSteps else { return (text, "") }
    guard let place = RQL.startOfSteps(in: text) else { throw BrowserProblem("'\(text)' cannot be parsed") }
    let condition = text[..<place].reversed().drop { $0 == " " }.reversed()
    let steps = String(text[place...])
    return (condition.isEmpty ? nil : String(condition), steps)
  }

  /// Objects that are named one by one.
  private static func condition(of keys: [ObjectKey], _ table: Table, _ context: ViewContext) throws -> String {
    guard keys.count <= mostNamed else { throw BrowserProblem("too many objects are marked to name them") }
    guard let index = table.schema.primaryKeyIndex, let primaryKey = table.schema.primaryKey else {
      throw BrowserProblem("objects are marked, and the class has no primary key to name them by")
    }
    let values = try keys.compactMap { key -> String? in
      guard let (batch, row) = try table.object(key) else { return nil }
      guard let text = try RQL.written(batch.values(ofProperty: index).value(at: row), in: context.snapshot) else {
        throw BrowserProblem("the primary key of object \(key.rawValue) cannot be written in a query")
      }
      return text
    }
    return RQL.written(primaryKey.name) + " IN {" + values.joined(separator: ", ") + "}"
  }

  /// The fixed filter of the view; nil for all objects of the class.
  private static func condition(of source: RowsSource, _ table: Table, _ context: ViewContext) throws -> String? {
    switch source {
    case .table: return nil
    case .keys: throw BrowserProblem("these objects were chosen one by one")
    case .backlinks(let object, _, let property):
      return RQL.written(property) + " == " + (try written(object, context))
    case .links(let address):
      guard address.steps.isEmpty else { throw BrowserProblem("the list is inside another value") }
      let name = TableSchema.displayName(ofTable: address.object.table)
      return "@links.\(RQL.written(name)).\(RQL.written(address.property)) == " + (try written(address.object, context))
    }
  }

  private static func written(_ object: ObjectAddress, _ context: ViewContext) throws -> String {
    guard let table = context.realm.table(named: object.table),
      let text = try RQL.written(.link(table.key, object.key), in: context.snapshot)
    else { throw BrowserProblem("the object cannot be named in a query") }
    return text
  }
}

extension Browser {
  /// Shows the command line that prints what is shown.
  func showCommandLine() -> [Effect] {
    guard let make = options.queryCommand, let view = page.view as? ObjectsView, let table = view.table else {
      return [.say(.info("open a class first; its objects can be printed by a command"))]
    }
    do {
      let snapshot = context.snapshot.choice.name.map { ["--snapshot", $0] } ?? []
      let query = try QueryLine(view, table)
      let line = make(query.arguments + snapshot)
      return [.push(ValuePager(context, text: Array(line.utf8), title: "command line", crumb: "command"))]
        + (query.remark.map { [.say(.info($0))] } ?? [])
    } catch let problem as BrowserProblem {
      return [.say(.info("no command prints the same: " + problem.text))]
    } catch {
      return [.say(context.message(error))]
    }
  }
}

import RealmPresentation
import RealmStorage

/// Which class links to which: one row for each property with links, with the number of objects on both sides.
final class LinkMapView: TableView {
  let kind = ViewKinds.linkMap
  let crumb = "link map"

  let context: ViewContext
  private var links: [Link] = []
  var table = TextTable()

  private struct Link {
    let origin: Table
    let property: Int
    let target: Table
  }

  init(_ context: ViewContext) {
    self.context = context
    read()
  }

  var rowCount: Int { links.count }
  var emptyText: String { "no class links to another" }

  /// Backlink columns show every link, even those of mixed properties, which the schema does not show.
  private func read() {
    let snapshot = context.snapshot
    links = []
    for target in snapshot.tables {
      for link in snapshot.incomingLinks(to: target) {
        guard let origin = snapshot.table(link.origin), let property = link.propertyIndex else { continue }
        links.append(Link(origin: origin, property: property, target: target))
      }
    }
    links.sort {
      ($0.origin.schema.name, $0.property, $0.target.schema.name)
        < ($1.origin.schema.name, $1.property, $1.target.schema.name)
    }
    var previous: TableKey?
    let rows = links.map { link in
      let property = link.origin.schema.properties[link.property]
      // The name of a class appears once for all its links.
      let isNew = previous != link.origin.key
      previous = link.origin.key
      return [
        context.text(isNew ? link.origin.schema.displayName.description : "", Style(.heading)),
        context.text(property.name.description), context.text(shape(of: property), Style(.type)),
        context.text(context.typography.link, Style(.link)),
        context.text(link.target.schema.displayName.description, Style(.heading)),
        context.text(link.target.schema.kind.text, Style(.type)),
      ]
    }
    fill(
      [
        .left("from", rank: 9), .flexible("property", rank: 8), .left("shape", rank: 5), .left("", rank: 7),
        .left("to", rank: 9), .left("kind", rank: 4),
      ], rows)
  }

  private func shape(of property: Property) -> String {
    let mixed = property.type == .mixed ? "mixed " : ""
    switch property.collection {
    case .list: return mixed + "list"
    case .set: return mixed + "set"
    case .dictionary: return mixed + "dictionary"
    case nil: return property.type == .mixed ? "mixed" : "one"
    }
  }

  func status(_ row: Int) -> CellText {
    guard links.indices.contains(row) else { return context.text() }
    let link = links[row]
    var text = context.text(context.linkName(link.origin.key, link.property), Style(.heading))
    let tables = link.origin.key == link.target.key ? [link.origin] : [link.origin, link.target]
    for table in tables {
      let count = (try? table.objectCount()).map { CountText.counted($0, "object") } ?? "damaged"
      text.append("  \(table.schema.displayName): \(count)", .faint)
    }
    return text
  }

  func tableInQuestion(at row: Int) -> RealmString? {
    links.indices.contains(row) ? links[row].origin.schema.name : nil
  }

  func hint(for request: Request, at row: Int) -> Hint {
    links.isEmpty && (request == .open || request == .copy) ? .none : .standard
  }

  func perform(_ request: Request, at row: Int) -> [Effect]? {
    guard links.indices.contains(row) else { return nil }
    let link = links[row]
    switch request {
    case .open:
      let schema = link.origin.schema
      let view = ObjectsView(context, .table(schema.name), crumb: schema.displayName.description)
      if let column = view.columns.columns.firstIndex(where: { $0.property == link.property }) {
        view.columns.reveal(column)
      }
      return [.push(view)]
    case .copy:
      let name = context.linkName(link.origin.key, link.property)
      return [.copy(Array(name.utf8), what: name)]
    default: return nil
    }
  }

  func reload(keeping row: Int) -> Int? {
    read()
    return clamped(row)
  }
}

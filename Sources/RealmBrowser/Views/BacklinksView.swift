import RealmPresentation
import RealmStorage

/// The links to an object: one row for each property that can link to its class, with the number of links.
final class BacklinksView: TableView {
  let kind = ViewKinds.backlinks
  let crumb: String

  let context: ViewContext
  private let address: ObjectAddress
  private var groups: [Result<BacklinkGroup, StorageError>] = []
  var table = TextTable()
  private var title = CellText(.unicode)

  init(_ context: ViewContext, _ address: ObjectAddress, crumb: String) {
    self.context = context
    self.address = address
    self.crumb = crumb
    _ = read()
  }

  var rowCount: Int { groups.count }
  var emptyText: String { "no property links to this class" }

  /// - Returns: false if the object no longer exists.
  private func read() -> Bool {
    groups = []
    defer {
      fill([.flexible("links from", rank: 9), .right("links", rank: 8), .left("type", rank: 7)], groups.map(cells))
    }
    guard let (batch, row) = try? context.realm.object(at: address) else { return false }
    title = context.text(" What links to ", .faint)
    title.append(TableSchema.displayName(ofTable: address.table).description + " ", Style(.heading))
    context.printer.appendLabel(batch, row, to: &title)
    groups = context.snapshot.backlinks(to: batch, row: row).sorted { rank($0) > rank($1) }
    return true
  }

  /// Groups with links come first, and those that cannot be read: they must not be overlooked.
  private func rank(_ group: Result<BacklinkGroup, StorageError>) -> Int {
    switch group {
    case .success(let group): group.count > 0 ? 1 : 0
    case .failure: 2
    }
  }

  private func cells(of group: Result<BacklinkGroup, StorageError>) -> [CellText] {
    switch group {
    case .failure(let error): return [context.printer.print(error, limit: 200), context.text(), context.text()]
    case .success(let group):
      let style = group.count == 0 ? Style.faint : .plain
      return [
        context.text(context.typography.backlink + " " + context.propertyName(of: group), style),
        context.text(CountText.grouped(group.count), group.count == 0 ? .faint : Style(.count)),
        context.text(context.property(group.origin, group.propertyIndex)?.property.shorthand ?? "", Style(.type)),
      ]
    }
  }

  // MARK: Drawing

  func header() -> [[Cell]] { [title.fitted(to: table.width), table.header()] }

  func status(_ row: Int) -> CellText {
    var links = 0
    for case .success(let group) in groups { links += group.count }
    return context.text(CountText.counted(links, "link") + " in all", .faint)
  }

  // MARK: Requests

  func tableInQuestion(at row: Int) -> RealmString? { address.table }

  func hint(for request: Request, at row: Int) -> Hint {
    guard request == .open || request == .copy else { return .standard }
    guard groups.indices.contains(row), case .success(let group) = groups[row], group.count > 0 else { return .none }
    return .standard
  }

  func perform(_ request: Request, at row: Int) -> [Effect]? {
    guard groups.indices.contains(row) else { return nil }
    switch (request, groups[row]) {
    case (.open, .failure(let error)): return [.say(context.message(error))]
    case (.open, .success(let group)):
      guard group.count > 0 else { return [.say(.info("nothing links here through this property"))] }
      return context.open(group, to: address, crumb: context.propertyName(of: group))
    case (.copy, .success(let group)):
      let name = context.propertyName(of: group)
      return [.copy(Array(name.utf8), what: name)]
    default: return nil
    }
  }

  func reload(keeping row: Int) -> Int? { read() ? clamped(row) : nil }
}

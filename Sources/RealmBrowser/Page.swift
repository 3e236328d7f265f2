import RealmPresentation

/// One view in the stack, with its place.
final class Page {
  let view: any BrowserView
  var viewport = Viewport()
  /// Lines of the view's header, drawn at the last layout.
  private(set) var header: [[Cell]] = []
  private var columns: Int?

  init(_ view: any BrowserView) { self.view = view }

  var row: Int { viewport.cursor }

  /// Fits the view and its place to the room there is. If lines are broken again, the place moves along.
  func layOut(in area: ScreenSize) {
    let place = view.showsCursor ? viewport.cursor : viewport.top
    let kept = area.columns == columns ? place : view.reflow(to: area, keeping: place)
    columns = area.columns
    view.layOut(in: area, visible: viewport.visible)
    header = Array(view.header().prefix(max(area.rows - 1, 0)))
    viewport.fit(count: view.rowCount, height: area.rows - header.count)
    guard kept != place else { return }
    if view.showsCursor { viewport.show(kept) } else { viewport.scroll(to: kept) }
  }

  /// Moves as a key asks.
  ///
  /// - Returns: false for a request that is not a movement through rows.
  func move(_ request: Request) -> Bool {
    guard view.showsCursor else { return scroll(request) }
    switch request {
    case .up: viewport.move(by: -1)
    case .down: viewport.move(by: 1)
    case .pageUp: viewport.page(by: -viewport.height)
    case .pageDown: viewport.page(by: viewport.height)
    case .halfPageUp: viewport.page(by: -max(viewport.height / 2, 1))
    case .halfPageDown: viewport.page(by: max(viewport.height / 2, 1))
    case .first: viewport.move(to: 0)
    case .last: viewport.move(to: view.rowCount - 1)
    default: return false
    }
    return true
  }

  private func scroll(_ request: Request) -> Bool {
    let top = viewport.top
    switch request {
    case .up: viewport.scroll(to: top - 1)
    case .down: viewport.scroll(to: top + 1)
    case .pageUp: viewport.scroll(to: top - viewport.height)
    case .pageDown: viewport.scroll(to: top + viewport.height)
    case .halfPageUp: viewport.scroll(to: top - max(viewport.height / 2, 1))
    case .halfPageDown: viewport.scroll(to: top + max(viewport.height / 2, 1))
    case .first: viewport.scroll(to: 0)
    case .last: viewport.scroll(to: view.rowCount)
    default: return false
    }
    return true
  }
}

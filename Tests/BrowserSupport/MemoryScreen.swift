import RealmBrowser

/// A screen in memory that tests read.
public final class MemoryScreen: Screen {
  package var size: ScreenSize
  public let isASCII: Bool
  /// What was shown last.
  package private(set) var grid: CellGrid
  package private(set) var caret: ScreenPosition?
  /// What was put on the clipboard, in order.
  public private(set) var clipboard: [[UInt8]] = []
  public private(set) var isMouseOn = false

  package init(_ size: ScreenSize, isASCII: Bool = false) {
    self.size = size
    self.isASCII = isASCII
    grid = CellGrid(size)
  }

  package func show(_ grid: CellGrid, caret: ScreenPosition?) {
    self.grid = grid
    self.caret = caret
  }

  public func copyToClipboard(_ bytes: [UInt8]) { clipboard.append(bytes) }
  public func invalidate() {}
  public func setMouse(_ isOn: Bool) { isMouseOn = isOn }

  /// The rows as text, blanks at their ends left out.
  public var lines: [String] { (0..<grid.size.rows).map(grid.text(ofRow:)) }
}

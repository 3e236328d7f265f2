/// Where grids are shown: a terminal, or memory in tests.
///
/// Nothing above this seam knows how a terminal is driven, and nothing below it knows what is shown.
public protocol Screen: AnyObject {
  var size: ScreenSize { get }

  /// Whether only ASCII can be shown.
  var isASCII: Bool { get }

  /// Shows a grid. Where the grid's size is not the screen's, what does not fit is left out.
  ///
  /// - Parameter caret: where text is being typed; nil hides the caret.
  func show(_ grid: CellGrid, caret: ScreenPosition?)

  /// Asks the terminal to put bytes on the clipboard.
  func copyToClipboard(_ bytes: [UInt8])

  /// Paints everything anew at the next `show`, because something else has written to the terminal.
  func invalidate()

  /// Whether the mouse reports clicks and its wheel.
  func setMouse(_ isOn: Bool)
}

/// A screen in memory that tests look at.
public final class MemoryScreen: Screen {
  public var size: ScreenSize
  public let isASCII: Bool
  /// What was shown last.
  public private(set) var grid: CellGrid
  public private(set) var caret: ScreenPosition?
  /// What was put on the clipboard, in order.
  public private(set) var clipboard: [[UInt8]] = []
  public private(set) var isMouseOn = false

  public init(_ size: ScreenSize, isASCII: Bool = false) {
    self.size = size
    self.isASCII = isASCII
    grid = CellGrid(size)
  }

  public func show(_ grid: CellGrid, caret: ScreenPosition?) {
    self.grid = grid
    self.caret = caret
  }

  public func copyToClipboard(_ bytes: [UInt8]) { clipboard.append(bytes) }
  public func invalidate() {}
  public func setMouse(_ isOn: Bool) { isMouseOn = isOn }

  /// The rows as text, blanks at their ends left out.
  public var lines: [String] { (0..<grid.size.rows).map(grid.text(ofRow:)) }
}

/// Where grids are shown: a terminal, or memory in tests.
///
/// The code that uses this does not know how a terminal works, and the code that implements it does not know what is
/// shown.
package protocol Screen: AnyObject {
  var size: ScreenSize { get }

  /// Whether only ASCII can be shown.
  var isASCII: Bool { get }

  /// Shows a grid. If the grid is larger than the screen, the rest is left out.
  ///
  /// - Parameter caret: where text is being typed; nil hides the caret.
  func show(_ grid: CellGrid, caret: ScreenPosition?)

  /// Asks the terminal to put bytes on the clipboard.
  func copyToClipboard(_ bytes: [UInt8])

  /// Repaints everything at the next `show`, because something else has written to the terminal.
  func invalidate()

  /// Whether the mouse reports clicks and its wheel.
  func setMouse(_ isOn: Bool)
}

import RealmPresentation

/// A key as a terminal reports it.
package enum Key: Hashable, Sendable {
  /// A character as typed, upper or lower case.
  case character(Unicode.Scalar)
  /// Control and a letter, given in lower case.
  case control(Unicode.Scalar)
  case enter, escape, backspace, tab, backTab
  case up, down, left, right
  case pageUp, pageDown, home, end
  case delete, insert
  /// Alt, or Escape before it, and a letter.
  case alt(Unicode.Scalar)
  case altLeft, altRight, controlLeft, controlRight
  /// F1 is 1.
  case function(Int)
  /// A letter after `g`; only the browser creates it.
  case afterG(Unicode.Scalar)

  /// The name of the key in help and hints.
  func name(_ typography: Typography) -> String {
    switch self {
    case .character(" "): "Space"
    case .character(let scalar): String(scalar)
    case .control(let letter): "^" + String(letter).uppercased()
    case .enter: "Enter"
    case .escape: "Esc"
    case .backspace: "Backspace"
    case .tab: "Tab"
    case .backTab: "Shift-Tab"
    case .up: typography.isASCII ? "Up" : "↑"
    case .down: typography.isASCII ? "Down" : "↓"
    case .left: typography.isASCII ? "Left" : "←"
    case .right: typography.isASCII ? "Right" : "→"
    case .pageUp: "PgUp"
    case .pageDown: "PgDn"
    case .home: "Home"
    case .end: "End"
    case .delete: "Del"
    case .insert: "Ins"
    case .alt(let letter): "Alt-" + String(letter)
    case .altLeft: "Alt-" + Key.left.name(typography)
    case .altRight: "Alt-" + Key.right.name(typography)
    case .controlLeft: "Ctrl-" + Key.left.name(typography)
    case .controlRight: "Ctrl-" + Key.right.name(typography)
    case .function(let number): "F\(number)"
    case .afterG(let letter): "g" + String(letter)
    }
  }
}

/// What the mouse did.
package enum MouseAction: Hashable, Sendable {
  case click, doubleClick, wheelUp, wheelDown
}

/// Something that happened to the browser from outside.
package enum Event: Hashable, Sendable {
  case key(Key)
  case mouse(MouseAction, ScreenPosition)
  /// Text that was pasted, not typed.
  case paste(String)
  case resize
  /// Work in the background has something to show, or it is time to check the file.
  case wake
  /// A signal asks the program to stop.
  case terminate
}

import CNcurses
import RealmPresentation

/// How styles look: with the terminal's own sixteen colors, with eight, or with none.
struct Palette {
  struct Look {
    var attributes: UInt16 = 0
    var pair: UInt16 = 0
  }

  private let looks: [Look]

  /// Colors by their number in every terminal.
  private enum Color: Int32 {
    case terminal = -1
    case black = 0
    case red = 1
    case green = 2
    case yellow = 3
    case blue = 4
    case magenta = 5
    case cyan = 6
  }

  /// - Parameters:
  ///   - colorCount: 0 for a terminal without colors, or if none should be used.
  ///   - wishes: how the user wants roles to look.
  init(colorCount: Int, _ wishes: [Role: RoleLook] = [:]) {
    let usesColor = colorCount >= 8
    var looks: [Look] = []
    for role in Role.allCases {
      if let wish = wishes[role] {
        looks.append(Self.look(wish, of: role, colorCount))
        continue
      }
      var look = usesColor ? Self.colored(role) : Self.plain(role)
      if usesColor, let (foreground, background) = Self.colors(of: role) {
        look.pair = UInt16(role.rawValue) + 1
        cncurses_define_pair(Int32(look.pair), foreground.rawValue, background.rawValue)
      }
      looks.append(look)
    }
    self.looks = looks
  }

  private static func look(_ wish: RoleLook, of role: Role, _ colorCount: Int) -> Look {
    var look = Look()
    for attribute in wish.attributes {
      switch attribute {
      case .bold: look.attributes |= bold
      case .dim: look.attributes |= dim
      case .underline: look.attributes |= underline
      case .reverse: look.attributes |= reverse
      }
    }
    guard colorCount >= 8 else { return look }
    look.pair = UInt16(role.rawValue) + 1
    let colors = [wish.foreground, wish.background].map { color -> Int32 in
      guard case .number(let number) = color, number < colorCount else { return Color.terminal.rawValue }
      return Int32(number)
    }
    cncurses_define_pair(Int32(look.pair), colors[0], colors[1])
    return look
  }

  func look(of style: Style) -> Look {
    var look = looks[Int(style.role.rawValue)]
    switch style.emphasis {
    case .none: break
    case .row: look.attributes = (look.attributes | Self.bold) & ~Self.dim
    case .focus:
      // Many kinds of reversed colors next to each other would be noise.
      look = style.role == .match || style.role == .damaged ? look : Look()
      look.attributes = (look.attributes | Self.reverse) & ~Self.dim
    }
    return look
  }

  private static let bold = UInt16(CNCURSES_BOLD)
  private static let dim = UInt16(CNCURSES_DIM)
  private static let underline = UInt16(CNCURSES_UNDERLINE)
  private static let reverse = UInt16(CNCURSES_REVERSE)

  private static func colors(of role: Role) -> (Color, Color)? {
    switch role {
    case .plain, .faint, .title, .message, .hint: nil
    case .heading, .link: (.cyan, .terminal)
    case .type, .count: (.green, .terminal)
    case .key, .hintKey: (.yellow, .terminal)
    case .literal, .control: (.magenta, .terminal)
    case .damaged, .warning: (.red, .terminal)
    case .match: (.black, .yellow)
    case .changed: (.yellow, .terminal)
    }
  }

  private static func colored(_ role: Role) -> Look {
    switch role {
    case .title: Look(attributes: bold | reverse)
    case .heading, .message, .damaged, .warning: Look(attributes: bold)
    case .changed: Look(attributes: bold | underline)
    case .faint, .hint: Look(attributes: dim)
    default: Look()
    }
  }

  /// Without colors: important text is bold, and matches are underlined.
  private static func plain(_ role: Role) -> Look {
    switch role {
    case .title: Look(attributes: bold | reverse)
    case .heading, .hintKey, .warning, .message: Look(attributes: bold)
    case .damaged, .changed: Look(attributes: bold | underline)
    case .match, .control: Look(attributes: underline)
    default: Look()
    }
  }
}

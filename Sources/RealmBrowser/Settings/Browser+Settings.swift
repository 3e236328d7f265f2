import RealmPresentation
import RealmText

/// Settings: keys, colors, the mouse, dates. Commands change them, `:save` keeps them.
extension Browser {
  /// The commands that a file of settings may contain.
  private static let settingNames = ["mouse", "dates", "key", "color"]

  /// Applies saved settings; a line without a meaning is reported.
  func applySettings() {
    guard let settings else { return }
    var problem: Message?
    for (index, line) in settings.text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
      let line = line.drop { $0 == " " }
      guard !line.isEmpty, line.first != "#" else { continue }
      let name = String(line.prefix { $0 != " " })
      let effects =
        Self.settingNames.contains(name)
        ? Commands.run(String(line), in: self)
        : [.say(.warning("'\(name)' is not a setting; the settings are " + Self.settingNames.joined(separator: ", ")))]
      for case .say(let message) in effects where message.isWarning && problem == nil {
        problem = .warning("\(settings.path) line \(index + 1): \(message.text)")
      }
    }
    // Without one, what was said before stays.
    if let problem { say(problem) }
  }

  /// Writes the current settings.
  func saveSettings() -> [Effect] {
    guard let settings else { return [.say(.info("settings cannot be saved here"))] }
    return context.effects {
      try settings.save(settingsText)
      return [.say(.info("settings saved to \(settings.path)"))]
    }
  }

  private var settingsText: String {
    var lines = ["# realmctl browse: commands as they are typed after ':'; :save writes this file"]
    lines.append("mouse \(isMouseOn ? "on" : "off")")
    lines.append("dates \(context.dates.rawValue)")
    for (key, action) in context.keymap.own.sorted(by: { $0.key.name(.ascii) < $1.key.name(.ascii) }) {
      lines.append("key \(key.name(.ascii)) \(action.text)")
    }
    for role in Role.allCases {
      if let look = looks[role] { lines.append("color \(role.name) \(look.text)") }
    }
    return lines.joined(separator: "\n") + "\n"
  }

  // MARK: Keys

  /// `:key X open-object`, `:key X :find foo`, `:key X none`, `:key X`.
  func setKey(_ argument: String) -> [Effect] {
    let words = argument.split(separator: " ", maxSplits: 1).map(String.init)
    guard let name = words.first else {
      return [.say(.warning("name a key, as in :key X find-next or :key X :marked"))]
    }
    guard let key = Key(named: name) else {
      return [.say(.warning("'\(name)' is not a key; write keys as the help does: x, Space, ^A, F5"))]
    }
    let shown = key.name(context.typography)
    return context.effects {
      guard words.count > 1 else {
        try setKey(key, nil)
        return [.say(.info("\(shown) has its default action again"))]
      }
      let action = words[1]
      if action.hasPrefix(":") {
        try setKey(key, .line(String(action.dropFirst())))
      } else if action == Keymap.Action.nothing.text {
        try setKey(key, .nothing)
      } else if let request = Request.byName[action] {
        try setKey(key, .request(request))
      } else {
        let advice =
          Similarity.question(about: action, among: Request.byName.keys.sorted()) ?? "Tab lists what keys can do"
        return [.say(.warning("a key cannot do '\(action)'; \(advice)"))]
      }
      return [.say(.info("\(shown): \(action); :save keeps it"))]
    }
  }

  /// In all tabs.
  private func setKey(_ key: Key, _ action: Keymap.Action?) throws(BrowserProblem) {
    for tab in tabs { try tab.context.keymap.set(key, action) }
  }

  // MARK: Colors

  /// `:color match black on yellow bold`; `:color match` for the standard.
  func setColor(_ argument: String) -> [Effect] {
    let words = argument.split(separator: " ", maxSplits: 1).map(String.init)
    guard let name = words.first else {
      return [.say(.warning("name what to color, as in :color match black on yellow"))]
    }
    guard let role = Role.named(name) else {
      let advice = Similarity.question(about: name, among: Role.allCases.map(\.name)) ?? "Tab lists the names"
      return [.say(.warning("'\(name)' cannot be colored; \(advice)"))]
    }
    return context.effects {
      looks[role] = words.count > 1 ? try RoleLook(words[1]) : nil
      screenRequests.append(.colors(looks))
      return [
        .say(.info(words.count > 1 ? "\(name): \(words[1]); :save keeps it" : "\(name) has its default color again"))
      ]
    }
  }
}

extension Keymap.Action {
  /// As a line of settings.
  fileprivate var text: String {
    switch self {
    case .request(let request): request.name
    case .line(let line): ":" + line
    case .nothing: "none"
    }
  }
}

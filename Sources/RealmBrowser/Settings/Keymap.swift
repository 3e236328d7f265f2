import RealmPresentation
import RealmText

/// The meanings of keys: those of the table, and those that the user has chosen.
///
/// The user's keys take precedence over all others in every view that can do what they mean.
struct Keymap: Hashable {
  /// What a key of the user does.
  enum Action: Hashable {
    case request(Request)
    /// A line as typed after `:`.
    case line(String)
    /// The key does nothing.
    case nothing
  }

  private(set) var own: [Key: Action] = [:]

  /// Keys that the user always needs.
  private static let fixed: Set<Key> = [.character(":"), .character("Q"), .control("c")]

  /// - Parameter action: nil gives the key its own meaning back.
  mutating func set(_ key: Key, _ action: Action?) throws(BrowserProblem) {
    guard !Self.fixed.contains(key) else {
      throw BrowserProblem("\(key.name(.ascii)) cannot be given another action")
    }
    own[key] = action
  }

  /// The request of a key in a view; nil if it has no meaning there.
  func action(of key: Key, in view: ViewKinds, isEditing: Bool) -> Action? {
    switch own[key] {
    case .request(let request)? where !Self.views(of: request).isDisjoint(with: view): return .request(request)
    case .line(let line)?: return .line(line)
    case .nothing?: return nil
    case .request?, nil: return Bindings.request(for: key, in: view, isEditing: isEditing).map { .request($0) }
    }
  }

  /// The views in which a request can be carried out at all.
  private static func views(of request: Request) -> ViewKinds {
    (Bindings.table + Bindings.editing).reduce(into: []) { views, binding in
      if binding.request == request { views.formUnion(binding.views) }
    }
  }

  /// The lines of the help and the hints for a view.
  func bindings(in view: ViewKinds, isEditing: Bool) -> [Binding] {
    let standard = Bindings.bindings(in: view, isEditing: isEditing)
    guard !own.isEmpty else { return standard }
    var requests: [Request: [Key]] = [:]
    var lines: [Binding] = []
    for (key, action) in own.sorted(by: { $0.key.name(.ascii) < $1.key.name(.ascii) }) {
      switch action {
      case .request(let request): requests[request, default: []].append(key)
      case .line(let line): lines.append(Binding([key], .command, .own, ":" + line))
      case .nothing: continue
      }
    }
    let taken = Set(own.keys.filter { action(of: $0, in: view, isEditing: isEditing) != nil || own[$0] == .nothing })
    return standard.compactMap { binding in
      let keys = binding.keys.filter { !taken.contains($0) || own[$0] == .request(binding.request) }
      let more = (requests[binding.request] ?? []).filter { !keys.contains($0) }
      guard !(keys + more).isEmpty else { return nil }
      return Binding(more + keys, binding.request, in: binding.views, hint: binding.hint, binding.group, binding.help)
    } + lines
  }
}

extension Request {
  /// Its name in settings: `open-object`.
  var name: String {
    rawValue.reduce(into: "") { name, letter in
      if letter.isUppercase { name.append("-") }
      name.append(contentsOf: letter.lowercased())
    }
  }

  static let byName = Dictionary(allCases.map { ($0.name, $0) }) { first, _ in first }
}

extension Key {
  /// The key with a name from help and settings: `x`, `Space`, `^A`, `F5`, `Alt-b`.
  init?(named name: String) {
    let scalars = Array(name.unicodeScalars)
    if scalars.count == 2, scalars[0] == "g", scalars[1] == "t" || scalars[1] == "T" {
      self = .afterG(scalars[1])
      return
    }
    if scalars.count == 1, scalars[0].value > 0x20 {
      self = .character(scalars[0])
      return
    }
    let lowered = name.lowercased()
    if let key = Self.special.first(where: { $0.name(.ascii).lowercased() == lowered }) {
      self = key
      return
    }
    let rest = name.lowercased()
    for prefix in ["^", "ctrl-"] where rest.hasPrefix(prefix) {
      let letters = rest.dropFirst(prefix.count).unicodeScalars
      guard letters.count == 1, let letter = letters.first, ("a"..."z").contains(letter) else { return nil }
      self = .control(letter)
      return
    }
    if lowered.hasPrefix("f"), let number = Int(lowered.dropFirst()), (1...63).contains(number) {
      self = .function(number)
      return
    }
    return nil
  }

  private static let special: [Key] = [
    .character(" "), .enter, .escape, .backspace, .tab, .backTab, .up, .down, .left, .right, .pageUp, .pageDown, .home,
    .end, .delete, .insert, .altLeft, .altRight, .controlLeft, .controlRight,
  ]
}

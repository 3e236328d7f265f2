extension Chapters {
  /// The chapter that `help TOPIC` asks for; nil if it asks for something else.
  static func text(for arguments: [String]) -> String? {
    guard arguments.count == 2, arguments[0] == "help" else { return nil }
    return all.first { $0.name == arguments[1] }?.text
  }
}

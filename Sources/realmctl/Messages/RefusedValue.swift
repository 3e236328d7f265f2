import RealmText

/// What the argument parser says about one option or argument, in the words of this program's own checks: the option, what
/// it takes, and what was typed.
struct RefusedValue {
  /// What is wrong, in lower case.
  let problem: String
  /// What to type instead, if that is known.
  let advice: String?
  /// Whether `problem` says all that the help of the option would: what it takes, and what was typed.
  var needsNoHelp = true

  /// Reads a message of the parser.
  ///
  /// - Parameters:
  ///   - help: of the option, a line below the message.
  ///   - command: its name.
  /// - Returns: nil for messages about something else.
  init?(_ message: String, help: String, command: String) {
    if message.hasPrefix(Self.missing) {
      let name = message.dropFirst(Self.missing.count).replacing("'--output ", with: "'-o ")
      (problem, advice, needsNoHelp) = ("missing \(name.hasPrefix("'-") ? "option" : "argument") \(name)", nil, false)
      return
    }
    if let flag = message.wholeMatch(of: /The option '(.*)' does not take any value, but '(.*)' was specified\./) {
      (problem, advice) = ("\(flag.1) takes no value; omit '=\(flag.2)'", nil)
      return
    }
    guard message.hasPrefix(Self.start), let middle = message.ranges(of: Self.middle).last else { return nil }
    let typed = String(message[..<middle.lowerBound].dropFirst(Self.start.count))
    let rest = message[middle.upperBound...]
    // `--limit <number>`, then perhaps the values there are.
    let words = rest.prefix { $0 != "'" }.split(separator: " ", maxSplits: 1)
    guard let option = words.first.map(String.init) else { return nil }
    let kind = words.count > 1 ? String(words[1]) : ""
    let choices = Self.choices(in: rest) ?? Self.formats(kind, help)
    if let choices {
      problem = "\(option) takes \(choices.alternatives), not '\(typed)'"
      // One number is not a misspelling of another.
      let isNumber = typed.allSatisfy(\.isNumber)
      advice = isNumber ? nil : Similarity.question(about: typed, among: choices)
    } else if !typed.isEmpty, typed.allSatisfy(\.isNumber), kind == "<number>" {
      let range = NumberRange.bounded(option, in: command)
      problem =
        range.map { "\(option) takes \($0), not '\(typed)'" } ?? "\(option) takes a smaller number than '\(typed)'"
      advice = nil
    } else if let expected = Self.expected(kind, of: option, in: command) {
      (problem, advice) = ("\(option) takes \(expected), not '\(typed)'", nil)
    } else {
      (problem, advice) = ("\(option) does not take '\(typed)'", nil)
    }
  }

  private static let missing = "Missing expected argument "
  private static let start = "The value '"
  private static let middle = "' is invalid for '"

  /// What options take that are not any text and have no list of values, by their placeholders in help.
  private static let expected = [
    "<seconds>": "a number of seconds from 0 to \(Int(WaitingTime.longest))",
    "<size>": "a size, such as 500000, 64MiB or 2GB",
    "<snapshot>": "'previous' or a byte offset",
    "<count>": "a class, a comparison and a number, such as 'City > 0' or 'City:size > 9 = 5'",
    "<links>": "keys, inline, inline:DEPTH or none",
  ]

  /// What an option takes, by its placeholder in help; nil if that is any text.
  static func expected(_ kind: String, of option: String, in command: String) -> String? {
    expected[kind] ?? (kind == "<number>" ? NumberRange.text(of: option, in: command) : nil)
  }

  /// The values after `Please provide one of`, as `'a', 'b' or 'c'` or in a line each.
  private static func choices(in text: Substring) -> [String]? {
    guard let range = text.firstRange(of: ". Please provide one of ") else { return nil }
    let list = text[range.upperBound...]
    let lines = list.split(separator: "\n  - ").dropFirst().map(String.init)
    guard lines.isEmpty else { return lines }
    return list.split(separator: "'", omittingEmptySubsequences: false).enumerated()
      .filter { $0.offset % 2 == 1 }.map { String($0.element) }
  }

  /// The file formats that a command writes, which its help names in a sentence.
  private static func formats(_ kind: String, _ help: String) -> [String]? {
    guard kind == "<number>", help.contains("File format to write: ") else { return nil }
    return help.split { !$0.isNumber }.map(String.init)
  }
}

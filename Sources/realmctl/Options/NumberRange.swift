import ArgumentParser
import RealmStorage

/// The numbers that an option takes.
enum NumberRange {
  /// - Throws: `UsageError`, which names the option, its range and what was typed.
  static func require(_ number: Int?, _ option: String, of command: String = "") throws {
    guard let number, let range = range(of: option, in: command), !range.contains(number) else { return }
    throw UsageError("\(option) takes \(text(of: range)), not '\(number)'")
  }

  private static func range(of option: String, in command: String) -> ClosedRange<Int>? {
    ofOptions["\(command) \(option)"] ?? ofOptions[option]
  }

  private static func text(of range: ClosedRange<Int>) -> String {
    "a whole number "
      + (range.upperBound == .max
        ? "of \(range.lowerBound) or greater" : "from \(range.lowerBound) to \(range.upperBound)")
  }

  /// What an option takes, for a number that is too large for any; nil if its largest would say nothing.
  static func bounded(_ option: String, in command: String) -> String? {
    range(of: option, in: command).flatMap { $0.upperBound == .max ? nil : text(of: $0) }
  }

  /// What an option takes, for what is not a number at all.
  static func text(of option: String, in command: String) -> String {
    text(of: range(of: option, in: command) ?? 0...Int.max)
  }

  /// Whether a text is a number that fits into what the option keeps: versions have no sign.
  static func isNumber(_ text: String, for option: String) -> Bool {
    option.hasSuffix("-version") ? UInt64(text) != nil : Int(text) != nil
  }

  private static let ofOptions = [
    "--limit": 0...Int.max, "check --limit": 1...Int.max, "--top": 0...1000, "stats --top": 1...Int.max,
    "--bins": 1...1000, "--expect": 0...Int.max, "--show": 0...1000, "--max-errors": 0...Int.max,
  ]
}

extension UInt64? {
  /// - Throws: `UsageError` for the number that means that a realm has no schema version.
  func requireSchemaVersion() throws {
    guard self != RealmConfiguration.notVersioned else {
      throw UsageError(ConfigurationError.reservedSchemaVersion.description)
    }
  }
}

extension KeyValuePairs<String, Bool> {
  /// The first option that was given, of those whose values say whether they were.
  var given: String? { first(where: \.value)?.key }
}

extension [String] {
  /// `--wait, --backup and --yes`
  var listed: String { list("and") }
  /// `json, ndjson or csv`
  var alternatives: String { list("or") }

  private func list(_ word: String) -> String {
    count < 2 ? joined() : dropLast().joined(separator: ", ") + " \(word) " + self[count - 1]
  }
}

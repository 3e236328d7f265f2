import ArgumentParser

/// The numbers that an option takes.
enum NumberRange {
  /// - Throws: `ValidationError`, which names the option, the range and what was typed.
  static func require(_ number: Int?, in range: ClosedRange<Int>, _ option: String) throws {
    guard let number, !range.contains(number) else { return }
    throw ValidationError("\(option) takes \(text(of: range)), not '\(number)'.")
  }

  private static func text(of range: ClosedRange<Int>) -> String {
    "a whole number "
      + (range.upperBound == .max
        ? "of \(range.lowerBound) or greater" : "from \(range.lowerBound) to \(range.upperBound)")
  }

  /// What an option takes, for what is not a number at all; nil for an option with another range.
  static func text(of option: String, in command: String) -> String? {
    (ofOptions["\(command) \(option)"] ?? ofOptions[option]).map(text)
  }

  private static let ofOptions = [
    "--limit": counts, "check --limit": positive, "--top": 0...1000, "stats --top": positive, "--bins": 1...1000,
    "--expect": counts, "--show": samples, "--max-errors": counts,
  ]

  /// No bound above.
  static let counts = 0...Int.max
  static let positive = 1...Int.max
  /// Objects that a report shows before and after.
  static let samples = 0...1000
}

extension KeyValuePairs<String, Bool> {
  /// The first option that was given, of those whose values say whether they were.
  var given: String? { first(where: \.value)?.key }
}

extension [String] {
  /// `--wait, --backup and --yes`
  var listed: String { count < 2 ? joined() : dropLast().joined(separator: ", ") + " and " + self[count - 1] }
}

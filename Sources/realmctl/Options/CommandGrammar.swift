import ArgumentParser
import RealmExchange
import RealmHelp
import RealmModels
import RealmStorage
import RealmSystem
import RealmText

/// What the words of a command line mean to a command, from the description that help and manual are made from.
///
/// The argument parser gives no information about a line that it refuses or that is incomplete, or about how often an
/// option was given.
struct CommandGrammar {
  /// What a word names that the system knows as bytes, which need not be text.
  private enum Named { case variable, input, output }

  private let arguments: [ArgumentDescription]
  /// The arguments without a name, one after another; the last counts for all that follow.
  private let operands: [ArgumentDescription]
  /// The numbers of options and flags, by name with its dashes.
  private let numbers: [String: Int]
  /// All long names with their dashes, in the order of the help.
  let longNames: [String]

  init(of command: any ParsableCommand.Type) {
    let arguments = (try? CommandDescription(help: command._dumpHelp()))?.arguments ?? []
    self.arguments = arguments
    operands = arguments.filter { $0.kind == .positional }
    numbers = Dictionary(
      arguments.enumerated().flatMap { number, argument in argument.names.map { ($0, number) } },
      uniquingKeysWith: { first, _ in first })
    longNames = arguments.flatMap(\.names).filter { $0.hasPrefix("--") }
  }

  /// Whether the command's first argument may be given several times.
  var takesSeveralFiles: Bool { operands.first?.isRepeating ?? false }

  private func argument(_ name: String) -> ArgumentDescription? { numbers[name].map { arguments[$0] } }

  /// An option that takes a value; nil for flags.
  private func option(_ name: String) -> ArgumentDescription? {
    argument(name).flatMap { $0.kind == .option ? $0 : nil }
  }

  /// Whether it has an option with this name that takes a value.
  func takes(_ name: String) -> Bool { option(name) != nil }

  /// Whether it is an option or a flag.
  func has(_ name: String) -> Bool { numbers[name] != nil }

  /// Options for what is written, where `-` is standard output.
  private static let outputs: Set = ["--output", "--seed", "--rejects", "--backup", "--report", "--strings"]

  /// Nil for text.
  private func named(_ argument: ArgumentDescription) -> Named? {
    if argument.names.contains(where: { $0.hasSuffix("-env") }) { return .variable }
    guard argument.isFile else { return nil }
    return argument.valueName == "dest" || !Self.outputs.isDisjoint(with: argument.names) ? .output : .input
  }

  // MARK: Words

  /// The meaning of a word, or of two.
  enum Part: Equatable {
    /// An option that takes a value, by the name that was typed; nil if none follows.
    case option(String, value: String?)
    /// With the value that it does not take.
    case flag(String, value: String?)
    /// What begins as an option does and is not one of the command.
    case unknown(String)
    case operand(String)
  }

  /// The parts of a command line.
  func parts(of words: [String]) -> [Part] { placedParts(of: words).map(\.part) }

  /// Each with the number of its first word.
  private func placedParts(of words: [String]) -> [(index: Int, part: Part)] {
    var parts: [(index: Int, part: Part)] = []
    var pending: String?
    var isOver = false
    for (index, word) in words.enumerated() {
      let isDashed = !isOver && word.hasPrefix("-") && word != "-"
      if let name = pending {
        pending = nil
        let isValue = !isDashed || option(name)?.takesAnyWord == true
        parts.append((index - 1, .option(name, value: isValue ? word : nil)))
        if isValue { continue }
      }
      if !isDashed {
        parts.append((index, .operand(word)))
      } else if word == "--" {
        isOver = true
      } else {
        let names = names(in: word)
        let value = word.firstIndex(of: "=").map { String(word[word.index(after: $0)...]) }
        guard names.allSatisfy(has) else {
          parts.append((index, .unknown(String(word.prefix { $0 != "=" }))))
          continue
        }
        for (position, name) in names.enumerated() {
          if !takes(name) {
            parts.append((index, .flag(name, value: value.flatMap { $0.isEmpty ? nil : $0 })))
          } else if value == nil, position == names.count - 1 {
            pending = name
          } else {
            parts.append((index, .option(name, value: value)))
          }
        }
      }
    }
    return parts + (pending.map { [(words.count - 1, .option($0, value: nil))] } ?? [])
  }

  /// The arguments without a name.
  func operands(of words: [String]) -> [String] {
    parts(of: words).compactMap { part in if case .operand(let text) = part { text } else { nil } }
  }

  /// The repeated option that may be given only once; its first name as typed.
  func firstRepeated(in words: [String]) -> String? {
    var seen: [Int: String] = [:]
    for case .option(let name, _) in parts(of: words) {
      guard let number = numbers[name], !arguments[number].isRepeating else { continue }
      if let first = seen[number] { return first }
      seen[number] = name
    }
    return nil
  }

  /// A value of an option, or an argument without a name.
  private struct Word {
    /// Of the option, or what the help calls the argument.
    let name: String
    let isOperand: Bool
    let text: String
    let named: Named?
  }

  private func words(in words: [String]) -> [Word] {
    var count = 0
    return parts(of: words).compactMap { part in
      switch part {
      case .option(let name, let text?):
        return option(name).map { Word(name: name, isOperand: false, text: text, named: named($0)) }
      case .operand(let text):
        defer { count += 1 }
        guard !operands.isEmpty else { return nil }
        let operand = operands[min(count, operands.count - 1)]
        return Word(name: operand.valueName, isOperand: true, text: text, named: named(operand))
      case .option, .flag, .unknown: return nil
      }
    }
  }

  /// The first argument that has to be text, without the names of the commands, and is not.
  func firstWithoutText(in words: [String]) -> (option: String?, text: String)? {
    self.words(in: words).first { $0.named == nil && SystemText.hasBytes($0.text) }
      .map { ($0.isOperand ? nil : $0.name, $0.text) }
  }

  /// The first option that begins with the dash that word processors and phones make of two.
  func firstLongDash(in words: some Sequence<String>) -> String? {
    operands(of: Array(words.prefix { $0 != "--" })).first { word in
      guard word.hasPrefix("—") || word.hasPrefix("–") else { return false }
      return longNames.contains("--" + word.drop { "—–-".contains($0) }.prefix { $0 != "=" })
    }
  }

  /// What is wrong with the first name of a file or variable that is empty.
  ///
  /// - Returns: nil also for the path of a realm, for which the SDKs have a text of their own.
  func firstEmptyName(in words: [String]) -> String? {
    self.words(in: words).first { word in
      word.text.isEmpty && word.named != nil && !(word.isOperand && ["file", "realm", "a", "b"].contains(word.name))
    }.map { word in
      "\(word.isOperand ? "<\(word.name)>" : word.name) takes a \(word.named == .variable ? "name" : "path"), not ''"
    }
  }

  /// Whether standard input, which can be read only once, is to be several files.
  func usesStandardInputTwice(in words: [String]) -> Bool {
    self.words(in: words).count { $0.named == .input && StreamName.isInput($0.text) } > 1
  }

  /// The names in one argument: one of `--name` and `--name=value`, several of `-qo`.
  func names(in argument: String) -> [String] {
    let name = String(argument.prefix { $0 != "=" })
    return name.hasPrefix("--") ? [name] : name.dropFirst().map { "-" + String($0) }
  }

  // MARK: Mistakes

  /// What the argument parser refuses, in the order in which it looks: values, then what is missing.
  ///
  /// - Parameter command: its name.
  func firstMistake(in words: [String], of command: String) -> UsageError? {
    let parts = placedParts(of: words)
    var given: Set<Int> = []
    for (index, part) in parts {
      switch part {
      case .flag(let name, let value?): return UsageError("\(name) takes no value; omit '=\(value)'")
      case .option(let name, let value):
        given.insert(numbers[name] ?? -1)
        // The value of `--name=` is the next word.
        let typed = value == "" && words[index].hasSuffix("=") ? nil : value
        if let mistake = typed.map({ mistake(in: $0, for: name, of: command) })
          ?? missingValue(of: name, before: words.dropFirst(index + 1).first, in: command)
        {
          return mistake
        }
      case .flag, .unknown, .operand: continue
      }
    }
    let operandCount = operands(of: words).count
    var number = 0
    for (index, argument) in arguments.enumerated() where argument.kind != .flag {
      let name = argument.names.first
      if name == nil { number += 1 }
      guard !argument.isOptional, name == nil ? operandCount < number : !given.contains(index) else { continue }
      let written = (name.map { $0 + " " } ?? "") + "<\(argument.valueName)>"
      return UsageError(
        "missing \(name == nil ? "argument" : "option") '\(written)\(argument.isRepeating ? " ..." : "")'",
        .missing(name ?? written), help: "\(written)  \(argument.abstract)")
    }
    return nil
  }

  /// Words that no argument takes, and a line without them; nil if there are none.
  func surplus(in words: [String]) -> (mistake: UsageError, others: [String])? {
    let parts = placedParts(of: words)
    let room = operands.last?.isRepeating == true ? Int.max : operands.count
    let unknown = parts.compactMap { part in if case .unknown(let word) = part.part { (part.index, word) } else { nil }
    }
    let more = parts.compactMap { part in if case .operand(let word) = part.part { (part.index, word) } else { nil } }
      .dropFirst(room)
    let indices = Set(unknown.map(\.0) + more.map(\.0))
    guard !indices.isEmpty else { return nil }
    let listed = more.map { "'\($0.1)'" }.joined(separator: ", ")
    let mistake =
      unknown.first.map { UsageError("unknown option '\($0.1)'", .minus($0.1)) }
      ?? UsageError(
        more.count == 1 ? "unexpected argument \(listed)" : "\(more.count) unexpected arguments: \(listed)", .surplus)
    return (mistake, words.enumerated().filter { !indices.contains($0.offset) }.map(\.element))
  }

  /// - Parameter following: the next word.
  private func missingValue(of name: String, before following: String?, in command: String) -> UsageError? {
    guard let option = option(name) else { return nil }
    // The parser takes the number of `--limit -1` for an option.
    if let following, following.hasPrefix("-"), following.count > 1,
      following.dropFirst().allSatisfy({ $0.isNumber || $0 == "." })
    {
      return expected(by: option, name, in: command).map { UsageError("\(name) takes \($0), not '\(following)'") }
        ?? UsageError("missing value for \(name)", advice: "if it begins with -, write \(name)=\(following)")
    }
    return UsageError(
      "missing value for '\(name) <\(option.valueName)>'", help: "\(name) <\(option.valueName)>  \(option.abstract)")
  }

  private func mistake(in value: String, for name: String, of command: String) -> UsageError? {
    guard let option = option(name) else { return nil }
    let choices = option.values.isEmpty && option.valueName == "number" ? option.completions : option.values.map(\.name)
    if !choices.isEmpty {
      guard !choices.contains(value) else { return nil }
      // One number is not a misspelling of another.
      return UsageError(
        "\(name) takes \(choices.alternatives), not '\(value)'",
        advice: value.allSatisfy(\.isNumber) ? nil : Similarity.question(about: value, among: choices))
    }
    if option.valueName == "number" {
      guard !NumberRange.isNumber(value, for: name) else { return nil }
      guard value.isEmpty || !value.allSatisfy(\.isNumber) else {
        return UsageError(
          NumberRange.bounded(name, in: command).map { "\(name) takes \($0), not '\(value)'" }
            ?? "\(name) takes a smaller number than '\(value)'")
      }
    } else if Self.forms[option.valueName]?.isValid(value) != false {
      return nil
    }
    return expected(by: option, name, in: command).map { UsageError("\(name) takes \($0), not '\(value)'") }
  }

  /// What an option takes; nil if that is any text.
  private func expected(by option: ArgumentDescription, _ name: String, in command: String) -> String? {
    option.valueName == "number" ? NumberRange.text(of: name, in: command) : Self.forms[option.valueName]?.text
  }

  /// What options take that are not any text and have no list of values, by their placeholders in help.
  private static let forms: [String: (text: String, isValid: @Sendable (String) -> Bool)] = [
    "seconds": (
      "a number of seconds from 0 to \(WaitingTime.longest)", { WaitingTime(argument: $0) != nil }
    ),
    "size": ("a size, such as 500000, 64MiB or 2GB", { ByteLimit(argument: $0) != nil }),
    "snapshot": ("'previous' or a byte offset", { SnapshotArgument(argument: $0) != nil }),
    "count": (
      "a class, a comparison and a number, such as 'City > 0' or 'City:size > 9 = 5'",
      { ExpectedCount(argument: $0) != nil }
    ),
    "links": ("keys, inline, inline:DEPTH or none", { LinkStyle(argument: $0) != nil }),
  ]
}

import ArgumentParser
import RealmStorage
import RealmText

/// What the words of a command line mean to a command, from the description that help and manual are made from.
///
/// The argument parser tells nothing of a line that it refuses, or that is not complete yet, nor how often an option came.
struct CommandGrammar {
  private struct Option {
    let number: Int
    let mayRepeat: Bool
    /// Whether its values are names that the system knows as bytes: of files, of environment variables.
    let namesBytes: Bool
  }

  /// Options that take a value, by name with its dashes; all others are flags.
  private var options: [String: Option] = [:]
  /// All long names with their dashes, in the order of the help.
  private(set) var longNames: [String] = []
  /// Whether the command's first argument may be given several times.
  private(set) var takesSeveralFiles = false
  /// Whether arguments without a name are files, one after another; the last counts for all that follow.
  private var operandsAreFiles: [Bool] = []

  init(of command: any ParsableCommand.Type) {
    let description = try? JSONValue.parse(command._dumpHelp())
    let arguments = description?["command"]?["arguments"]?.array ?? []
    for (number, argument) in arguments.enumerated() {
      longNames += (argument["names"]?.array ?? []).filter { $0["kind"]?.string == "long" }
        .compactMap { $0["name"]?.string.map { "--" + $0 } }
      let isFile = argument["completionKind"]?["file"] != nil
      if argument["kind"]?.string == "positional" { operandsAreFiles.append(isFile) }
      guard argument["kind"]?.string == "option" else { continue }
      let isVariable = (argument["names"]?.array ?? []).contains { $0["name"]?.string?.hasSuffix("-env") == true }
      let option = Option(
        number: number, mayRepeat: argument["isRepeating"]?.bool ?? false, namesBytes: isFile || isVariable)
      for name in argument["names"]?.array ?? [] {
        guard let text = name["name"]?.string else { continue }
        options[(name["kind"]?.string == "long" ? "--" : "-") + text] = option
      }
    }
    let first = arguments.first { $0["kind"]?.string == "positional" }
    takesSeveralFiles = first?["isRepeating"]?.bool ?? false
  }

  /// What a word, or two, stand for.
  enum Part: Equatable {
    /// An option that takes a value, by the name that was typed; nil where the line ends behind it.
    case option(String, value: String?)
    case operand(String)
  }

  /// The parts of a command line, flags left out.
  func parts(of arguments: [String]) -> [Part] {
    var parts: [Part] = []
    var pending: String?
    for (index, argument) in arguments.enumerated() {
      if let name = pending {
        pending = nil
        parts.append(.option(name, value: argument))
        continue
      }
      if argument == "--" { return parts + arguments[(index + 1)...].map { .operand($0) } }
      guard argument.hasPrefix("-"), argument != "-" else {
        parts.append(.operand(argument))
        continue
      }
      let equals = argument.firstIndex(of: "=")
      let names = names(in: argument)
      for (position, name) in names.enumerated() where options[name] != nil {
        if equals == nil, position == names.count - 1 {
          pending = name
        } else {
          parts.append(.option(name, value: equals.map { String(argument[argument.index(after: $0)...]) }))
        }
      }
    }
    return parts + (pending.map { [.option($0, value: nil)] } ?? [])
  }

  /// The option given a second time that may be given once; its first name as typed.
  func firstRepeated(in arguments: [String]) -> String? {
    var seen: [Int: String] = [:]
    for case .option(let name, _) in parts(of: arguments) {
      guard let option = options[name], !option.mayRepeat else { continue }
      if let first = seen[option.number] { return first }
      seen[option.number] = name
    }
    return nil
  }

  /// The first argument that has to be text, without the names of the commands, and is not.
  func firstWithoutText(in arguments: [String]) -> (option: String?, text: String)? {
    var operand = 0
    for part in parts(of: arguments) {
      switch part {
      case .option(let name, let value?):
        if options[name]?.namesBytes == false, SystemText.hasBytes(value) { return (name, value) }
      case .option: break
      case .operand(let text):
        let isFile = operandsAreFiles.isEmpty || operandsAreFiles[min(operand, operandsAreFiles.count - 1)]
        if !isFile, SystemText.hasBytes(text) { return (nil, text) }
        operand += 1
      }
    }
    return nil
  }

  /// The names in one argument: one of `--name` and `--name=value`, several of `-qo`.
  private func names(in argument: String) -> [String] {
    let name = String(argument.prefix { $0 != "=" })
    return name.hasPrefix("--") ? [name] : name.dropFirst().map { "-" + String($0) }
  }
}

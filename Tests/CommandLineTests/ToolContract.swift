import ArgumentParser
import RealmText
import TestSupport
import Testing

@testable import realmctl

extension Tool {
  /// The real binary, whose runs must do what its pages say.
  init() {
    self.init(Self.binary)
    observer = ToolContract.check
  }
}

/// What must be true of every run of the tool, in every test: the status is one that the command's page lists, messages
/// are words, and JSON is what its schema says.
enum ToolContract {
  static func check(_ arguments: [String], _ outcome: Tool.Outcome) {
    guard case .status(let status) = outcome.end, let (words, command) = command(in: arguments) else { return }
    let line = arguments.joined(separator: " ")
    if !command.statuses.contains(where: { $0.rawValue == status }) {
      Issue.record("status \(status) is not on the page of \(words.joined(separator: " ")): \(line)")
    }
    // A value of Swift, as the parser of arguments describes errors that it does not know.
    if outcome.errors.contains("RunStatus.") { Issue.record("\(line): \(outcome.errors)") }
    let options = arguments.prefix { $0 != "--" }
    guard options.contains("--json"), options.allSatisfy({ !["--help", "-h", "--version"].contains($0) }) else {
      return
    }
    for problem in problems(outcome, words, Array(options)) {
      Issue.record("\(line): \(problem)")
    }
  }

  /// Whether `-o` names a file.
  static func writesFile(_ options: [String]) -> Bool {
    zip(options, options.dropFirst()).contains { ["-o", "--output"].contains($0) && $1 != "-" }
  }

  /// The command that arguments call, with the words of its name; nil if they call none.
  static func command(in arguments: [String]) -> ([String], any RealmctlCommand.Type)? {
    var command: any ParsableCommand.Type = Realmctl.self
    var words: [String] = []
    for argument in arguments {
      guard let next = command.configuration.subcommands.first(where: { $0.configuration.commandName == argument })
      else { break }
      command = next
      words.append(argument)
    }
    return (command as? any RealmctlCommand.Type).map { (words, $0) }
  }

  /// What a run's answers and messages have that their schemas do not say.
  static func problems(_ outcome: Tool.Outcome, _ words: [String], _ options: [String]) -> [String] {
    let writesFile = writesFile(options)
    let messages = documents(Array(outcome.errors.utf8))
    guard let messages else { return ["standard error is not JSON: \(outcome.errors)"] }
    guard let diagnostic = JSONSchema.all["diagnostic"] else { return ["no schema 'diagnostic'"] }
    var answers: [JSONValue] = []
    var problems: [String] = []
    for message in messages {
      // Where standard output has the data, the answer is here.
      if message["error"] == nil, message["warning"] == nil, message["note"] == nil {
        answers.append(message)
      } else {
        problems += diagnostic.problems(with: message)
      }
    }
    let name = schemaName(words, writesFile: writesFile, options)
    guard let name else { return problems }
    if answers.isEmpty {
      guard let documents = documents(outcome.output) else { return problems + ["standard output is not JSON"] }
      answers = documents
    }
    guard let schema = JSONSchema.all[name] else { return problems + ["no schema '\(name)'"] }
    return problems + answers.flatMap(schema.problems)
  }

  /// The schema of a command's answer; nil for a command whose standard output is data of another form.
  static func schemaName(_ words: [String], writesFile: Bool, _ options: [String] = []) -> String? {
    switch words {
    case ["query"]:
      options.contains { ["--count", "--exists", "--explain"].contains($0) } ? "query" : writesFile ? "output" : nil
    case ["export"], ["sql"]: writesFile ? "output" : nil
    case ["schema", "dump"] where writesFile, ["schema", "infer"] where writesFile: "output"
    case ["schema", "infer"]: "schema-dump"
    case ["browse"]: nil
    default: words.joined(separator: "-")
    }
  }

  /// The values of a text, one after another; nil if it is not JSON.
  static func documents(_ bytes: [UInt8]) -> [JSONValue]? {
    var options = JSONReader.Options()
    options.isSequence = true
    return bytes.withUnsafeBytes { bytes in
      let reader = JSONReader(bytes, options: options)
      var documents: [JSONValue] = []
      do { while let document = try reader.readValue() { documents.append(document) } } catch { return nil }
      return documents
    }
  }
}

import ArgumentParser
import RealmStorage
import RealmTerminal

/// A command line that is not complete yet, as far as a completion has to read it.
struct TypedCommandLine {
  private let command: any ParsableCommand.Type
  private let takesSeveralFiles: Bool
  private let parts: [CommandGrammar.Part]

  /// - Parameters:
  ///   - words: all words as typed, that of the program included.
  ///   - index: of the word that is being completed and does not count yet.
  init(_ words: [String], completing index: Int) {
    var others = words.enumerated().filter { $0.offset != index }.dropFirst().map { Self.meaning(of: $0.element) }
    // bash splits --key-file=path into three words.
    others.removeAll { $0 == "=" }
    let (command, rest) = Realmctl.command(named: others)
    let grammar = CommandGrammar(of: command)
    (self.command, takesSeveralFiles, parts) = (command, grammar.takesSeveralFiles, grammar.parts(of: Array(rest)))
  }

  /// The meaning of a word.
  static func meaning(of word: String) -> String {
    // Before version 4, fish itself removed the quotes.
    let isTyped = CompletionShell.requesting != .fish || !(CompletionShell.requestingVersion ?? "").hasPrefix("3.")
    return isTyped ? TypedWord.meaning(of: word, home: Environment.value("HOME")) : word
  }

  /// Words that are neither an option nor the value of one.
  var operands: [String] {
    parts.compactMap { part in
      if case .operand(let word) = part { word } else { nil }
    }
  }

  /// The files whose classes the command deals with.
  var files: [String] {
    if takesSeveralFiles { return operands }
    if let file = operands.first { return [file] }
    return command == BundleCommand.self ? [value(of: "--schema") ?? BundleCommand.defaultFile] : []
  }

  /// The key that the line names, if it can be read without asking or waiting.
  var key: EncryptionKey? {
    if let path = value(of: "--key-file"), RealmSource.path(path).isRegularFile {
      return try? EncryptionKey.read(file: path)
    }
    return value(of: "--key-env").flatMap { try? EncryptionKey.read(environmentVariable: $0) }
  }

  /// The realms and schema files that say what classes an import finds.
  var schemas: [String] {
    let realm = command == SchemaInferCommand.self ? [] : Array(operands.prefix(1))
    return realm + [value(of: "--schema")].compactMap { $0 }
  }

  /// The files that an import reads.
  var sources: [String] {
    if command == SchemaInferCommand.self { return operands }
    return command == BundleCommand.self ? values(of: "--data") : Array(operands.dropFirst())
  }

  /// The class of rows, if it is not the name of the file.
  var className: String? { value(of: "--class") }

  /// What separates the columns of CSV, if not a comma.
  var delimiter: UInt8? { value(of: "--delimiter").flatMap { $0.utf8.count == 1 ? $0.utf8.first : nil } }

  private func values(of name: String) -> [String] {
    parts.compactMap { part in
      if case .option(name, let value?) = part { value } else { nil }
    }
  }

  private func value(of name: String) -> String? {
    for case .option(name, let value?) in parts { return value }
    return nil
  }
}

/// A word of a command line as a shell passes it to a completion: with the quotes and backslashes that were typed.
enum TypedWord {
  /// What the word means: quotes and backslashes removed, a `~` at its beginning replaced.
  ///
  /// Variables and commands are left as they are: only the shell knows their values. A quote that is not closed yet
  /// extends to the end.
  static func meaning(of word: String, home: String?) -> String {
    var meaning = ""
    var rest = word[...]
    if let home, rest == "~" || rest.hasPrefix("~/") {
      meaning = home
      rest.removeFirst()
    }
    var quote: Character?
    while let character = rest.popFirst() {
      switch (character, quote) {
      case ("\\", nil): meaning += rest.popFirst().map(String.init) ?? ""
      case ("\\", "\""):
        // Between double quotes, a backslash is literal unless the next character is special there.
        if let next = rest.first, !"\\\"$`".contains(next) { meaning.append("\\") }
        meaning += rest.popFirst().map(String.init) ?? ""
      case ("'", nil), ("\"", nil): quote = character
      case (_, .some(let open)) where character == open: quote = nil
      default: meaning.append(character)
      }
    }
    return meaning
  }
}

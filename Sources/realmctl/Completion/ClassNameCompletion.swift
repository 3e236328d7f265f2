import ArgumentParser
import RealmExchange
import RealmStorage

/// Completes names of classes: those of the realms that the command line names.
///
/// It asks nobody and waits for nobody: standard input, pipes and what is damaged or encrypted without a key on the line
/// have no names to offer.
enum ClassNameCompletion {
  /// For an argument that is one name.
  static let one = CompletionKind.custom { words, index, _ in
    names(in: TypedCommandLine(words, completing: index)).compactMap(candidate)
  }

  /// For an option that takes names separated by commas: each as it is to stand behind those that are there already.
  static let list = CompletionKind.custom { words, index, prefix in
    let line = TypedCommandLine(words, completing: index)
    let typed = TypedCommandLine.meaning(of: prefix)
    let begin = typed.lastIndex(of: ",").map { String(typed[...$0]) } ?? ""
    let used = begin.split(separator: ",").map(String.init)
    return names(in: line).filter { !$0.contains(",") && !used.contains($0) }.compactMap { candidate(begin + $0) }
  }

  /// Names of classes, sorted, each once.
  private static func names(in line: TypedCommandLine) -> [String] {
    let key = line.key
    return Set(line.files.flatMap { names(ofFile: $0, key) }).sorted()
  }

  private static func names(ofFile path: String, _ key: EncryptionKey?) -> [String] {
    guard RealmSource.path(path).isRegularFile, let schema = try? schema(ofFile: path, key) else { return [] }
    // A name that is not text cannot be typed.
    return schema.classes.map(\.displayName).filter { RealmString($0.description) == $0 }.map(\.description)
  }

  /// The schema of a file, read without asking or waiting.
  static func schema(ofFile path: String, _ key: EncryptionKey?) throws -> Schema {
    if try SchemaFile.isOne(path) { return try SchemaFile(reading: path).schema }
    // In pages: a mapping would end the process if the file were cut short meanwhile.
    let bytes = try ByteStore.open(.path(path), key: key, prefersPages: true)
    return try OpenedRealm(bytes).snapshot.schema
  }

  /// A name in the form in which the shell's script takes it; nil for one that no script takes.
  static func candidate(_ name: String) -> String? {
    // A line end or tab would be the end of the name, and a terminal obeys the rest.
    guard !name.isEmpty, PrintableText.escaping(name) == name else { return nil }
    return switch CompletionShell.requesting {
    // The script lets the shell expand each: unquoted, a name such as $(reboot) would be carried out.
    case .bash: "'" + name.replacing("'", with: #"'\''"#) + "'"
    // What follows a colon would be a description.
    case .zsh: name.replacing("\\", with: #"\\"#).replacing(":", with: #"\:"#)
    default: name
    }
  }
}

import ArgumentParser
import RealmExchange
import RealmModels
import RealmStorage

/// Completes names of classes: those of the realms that the command line names.
///
/// It never asks or waits: standard input, pipes, and files that are damaged or encrypted without a key on the line
/// offer no names.
enum ClassNameCompletion {
  /// For an argument that is one name.
  static let one = CompletionKind.custom { words, index, _ in
    names(in: TypedCommandLine(words, completing: index)).compactMap(candidate)
  }

  /// For an option that takes names separated by commas: each name is appended to the text already there.
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
    // A name that is not UTF-8 text cannot be typed.
    return schema.classes.map(\.displayName).filter { RealmString($0.description) == $0 }.map(\.description)
  }

  /// The schema of a file, read without asking or waiting.
  static func schema(ofFile path: String, _ key: EncryptionKey?) throws -> Schema {
    if try SchemaFile.isOne(path) { return try SchemaFile(reading: path).schema }
    // In pages: a mapping would end the process if the file were cut short meanwhile.
    let bytes = try ByteStore.open(.path(path), key: key, prefersPages: true)
    return try OpenedRealm(bytes).snapshot.schema
  }

  /// A name in the form that the shell's script takes; nil for a name that no script takes.
  static func candidate(_ name: String) -> String? {
    // A line end or tab would end the name, and a terminal obeys other control characters.
    guard !name.isEmpty, PrintableText.escaping(name) == name else { return nil }
    return switch CompletionShell.requesting {
    // The shells expand each name: unquoted, a name such as $(reboot) would be executed.
    case .bash: "'" + name.replacing("'", with: #"'\''"#) + "'"
    // What follows a colon would be a description.
    case .zsh: name.replacing("\\", with: #"\\"#).replacing(":", with: #"\:"#)
    default: name
    }
  }
}

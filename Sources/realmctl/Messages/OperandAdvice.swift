import ArgumentParser
import RealmText

/// What to type for a file that was named without an option, as other programs take it.
enum OperandAdvice {
  /// For the class of `query FILE`, and for the second file of `recover A B` and `bundle A B`, which need an option for
  /// it.
  ///
  /// - Parameter message: of the argument parser, about what is missing.
  static func forMissing(_ message: String, _ arguments: [String]) -> String? {
    let (command, rest) = Realmctl.command(named: arguments)
    let operands = CommandGrammar(of: command).operands(of: Array(rest))
    if operands.count == 1, message.contains("<class>") {
      return "'\(ShellText.command(["open", ShellText.path(operands[0])]))' lists the classes"
    }
    guard operands.count == 2 else { return nil }
    let option: String
    switch command.configuration.commandName {
    case "recover" where message.contains("--output"): option = "-o"
    case "bundle" where message.contains("--seed"): option = "--seed"
    case "new" where message.contains("--schema"): option = "--schema"
    case "downgrade" where message.contains("--file-format"): option = "--file-format"
    default: return nil
    }
    return "write " + ShellText.command([option, ShellText.path(operands[1])])
  }

  /// For a name with the extension of an export.
  static func forOutput(_ name: String) -> String? {
    guard FormatEnding(of: .path(name, replacing: false)) != nil else { return nil }
    return "name the output with " + ShellText.command(["-o", ShellText.path(name)])
  }

  /// For a plan or a schema among the realms of `migrate`.
  static func forChange(in files: [String]) -> String? {
    for file in files.dropFirst() {
      switch file.lowercased().split(separator: ".").last {
      case "yml", "yaml": return "write " + ShellText.command(["--plan", ShellText.path(file)])
      case "json", "swift", "kt", "java", "ts", "js", "cs", "dart":
        return "write " + ShellText.command(["--schema", ShellText.path(file)])
      default: break
      }
    }
    return nil
  }
}

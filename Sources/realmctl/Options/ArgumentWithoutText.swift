import ArgumentParser
import RealmStorage

/// An argument that is not UTF-8, where a name, a query or a value has to be. Only names of files and of environment
/// variables may be any bytes; in a name of a class, such bytes would become other characters.
struct ArgumentWithoutText: Error {
  /// As it was typed, `--rename`; nil for an argument without a name.
  let option: String?
  /// With its bytes as `SystemText` has them.
  let argument: String
  let command: any ParsableCommand.Type

  /// Looks for one among arguments that the parser has accepted.
  ///
  /// - Parameters:
  ///   - arguments: all of them, the names of the commands included.
  ///   - command: the one they are for.
  static func first(in arguments: [String], of command: any ParsableCommand.Type) -> ArgumentWithoutText? {
    // Hardly any line has such bytes, and making the description takes a millisecond.
    guard arguments.contains(where: SystemText.hasBytes) else { return nil }
    let rest = Array(Realmctl.command(named: arguments).rest)
    return CommandGrammar(of: command).firstWithoutText(in: rest).map {
      ArgumentWithoutText(option: $0.option, argument: $0.text, command: command)
    }
  }

  /// `--rename takes text in UTF-8, not 'Person.age=\xFF'`
  var problem: String {
    option.map { "\($0) takes text in UTF-8, not '\(argument)'" } ?? "'\(argument)' is not text in UTF-8"
  }
}

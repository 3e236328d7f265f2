import ArgumentParser

/// A command that does something: options that were typed, and the request they mean.
///
/// The request is a plain value. Making it is the one place that checks combinations; it looks at nothing but the
/// options, so that it can be made twice: when arguments are validated, for the usage text, and when the command runs.
protocol RealmctlCommand: ParsableCommand {
  associatedtype Request
  associatedtype Messages: MessageStyleOptions

  var messages: Messages { get }

  /// Every status the command can end with, as its help and its page list them. One that a test makes it end with and that
  /// is missing here fails that test; one that no test makes it end with, too.
  static var statuses: [RunStatus] { get }

  /// When the command ends with a status, where it can be said more exactly than of all commands.
  static var meanings: [RunStatus: String] { get }

  /// What the options mean.
  ///
  /// - Throws: `ValidationError` for combinations that mean nothing.
  func request() throws -> Request

  /// Does it, and says how it ended.
  func perform(_ request: Request, on console: Console) throws -> RunStatus
}

extension RealmctlCommand {
  static var meanings: [RunStatus: String] { [:] }

  /// The statuses as help and manual show them.
  static var statusTable: String { RunStatus.table(of: statuses, meanings) }

  func validate() throws {
    try messages.validateCombination()
    _ = try request()
  }

  func perform(on console: Console) throws -> RunStatus {
    try perform(request(), on: console)
  }
}

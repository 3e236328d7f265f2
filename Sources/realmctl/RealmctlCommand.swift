import ArgumentParser

/// A command that does something: the options as typed, and the request they mean.
///
/// The request is a plain value. Creating it is the one place that checks combinations of options. It depends on
/// nothing else, so it can be created twice: when the arguments have been parsed, for the usage text, and when the
/// command runs.
protocol RealmctlCommand: ParsableCommand {
  associatedtype Request
  associatedtype Messages: MessageStyleOptions

  var messages: Messages { get }

  /// Every status that the command can end with, as its help and its page list them. A test fails for a status that is
  /// missing here, and for one that no test produces.
  static var statuses: [RunStatus] { get }

  /// The meanings of statuses that are more exact for this command than for all.
  static var meanings: [RunStatus: String] { get }

  /// What the options mean.
  ///
  /// - Throws: `UsageError` for combinations that make no sense.
  func request() throws -> Request

  /// Runs the command, and returns its status.
  func perform(_ request: Request, on console: Console) throws -> RunStatus
}

extension RealmctlCommand {
  static var meanings: [RunStatus: String] { [:] }

  /// The statuses as help and manual show them.
  static var statusTable: String { RunStatus.table(of: statuses, meanings) }

  /// Finds combinations of options that make no sense.
  ///
  /// - Throws: `UsageError`.
  func checkOptions() throws {
    try messages.validateCombination()
    _ = try request()
  }

  func perform(on console: Console) throws -> RunStatus {
    try perform(request(), on: console)
  }
}

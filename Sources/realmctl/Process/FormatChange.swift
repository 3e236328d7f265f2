import RealmExchange
import RealmMigration
import RealmOpening
import RealmStorage
import RealmTools

/// Realms to convert to another file format, up or down, and where each result goes.
struct FormatChange: Equatable {
  enum Direction: String {
    case upgrade, downgrade

    fileprivate var purpose: RealmRewrite.Purpose { self == .upgrade ? .upgrade : .downgrade }
  }

  let direction: Direction
  /// Each on its own; all else is the same.
  var inputs: [RealmInput]
  var format = TargetFormat.newest
  var mappings: [TypeChange] = []
  var allowsDataLoss = false
  /// Of the first realm.
  var writing: OutputTarget
  var access: InPlaceAccess
  /// The key of what is written; in place, that of the realm.
  var outputKey = OutputKey.same

  /// - Throws: `UsageError` for options that cannot be used together.
  init(
    _ direction: Direction, of inputs: [RealmInput], access: InPlaceAccess, _ target: ChangeTargetOptions,
    key: OutputKeyOptions
  ) throws {
    (self.direction, self.inputs, self.access) = (direction, inputs, access)
    let input = inputs[0]
    guard let output = try target.output(of: input, access, key: key) else {
      writing = target.writing.writing(inPlace: input.path)
      return
    }
    (writing, outputKey) = (output.writing, output.key)
  }

  func perform(on console: Console) throws -> RunStatus {
    let isOnlyOne = inputs.count == 1
    let realms = RealmBatch(inputs: inputs, changing: true, console: console)
    try realms.requireBoth()
    return try realms.forEach { input, key in
      try report(of: input, key, console)
    } show: { report in
      try console.info(
        report.text(), json: report.json(isIndented: isOnlyOne, namesLosses: direction == .downgrade),
        alongsideData: writing.isStandardOutput && !writing.dryRun)
      return .done
    }
  }

  private func report(of input: RealmInput, _ key: EncryptionKey?, _ console: Console) throws -> FormatReport {
    var writing = writing
    if writing.isInPlace { writing.path = input.path }
    // The only way to find what would be lost is to do it.
    writing.isReadBack = true
    let outputKey = try outputKey.read(source: key, for: writing.name, console)
    let run = CopyPresenter(writing, of: input, key: outputKey, from: self.outputKey, on: console)
    if writing.isInPlace { try input.requireChangeable() }
    var rewrite = RealmRewrite(direction.purpose, run.writing, key: key)
    rewrite.access = access
    rewrite.options.format = format
    rewrite.options.mapping = TypeChangeRun.mapping(mappings)
    rewrite.options.filter.allowsDataLoss = allowsDataLoss
    run.apply(to: &rewrite.options)
    try run.requireNoTerminal()
    let outcome = try run.diagnosing {
      try rewrite.run(CommandReader(input: input, key: key, console: console)) { realm in
        if !writing.isInPlace { realm.warnIfHeld(on: console) }
      } willPublish: {
        run.warn(of: $0)
      }
    }
    outcome.published.map(run.warn)
    return FormatReport(verb: direction.rawValue, outcome: outcome, writing: writing)
  }
}

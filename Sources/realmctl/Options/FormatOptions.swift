import ArgumentParser
import RealmStorage

/// The file format that a downgrade writes, and whether what it cannot hold may go.
struct DowngradeOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp("File format to write: 10, 11, 20, 22 or 23.", valueName: "number"),
    completion: .list(TargetFormat.older.map { "\($0.number)" }))
  var format: TargetFormat

  @Flag(help: "Leave out what the format cannot hold, and list it.")
  var allowDataLoss = false

  func validate() throws {
    guard format != .newest else {
      throw ValidationError("File format \(format.number) is the newest; 'realmctl upgrade' writes it.")
    }
  }
}

extension TargetFormat: ExpressibleByArgument {
  public init?(argument: String) {
    guard let number = UInt8(argument), let format = TargetFormat(rawValue: number) else { return nil }
    self = format
  }

  public var defaultValueDescription: String { "\(number)" }
  /// Help names them in a sentence.
  public static var allValueStrings: [String] { [] }
}

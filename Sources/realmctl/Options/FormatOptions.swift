import ArgumentParser
import RealmStorage
import RealmTools

/// The file format that a downgrade writes, and whether values that it cannot store may be lost.
struct DowngradeOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp("File format to write: 10, 11, 20, 22 or 23.", valueName: "number"),
    completion: .list(TargetFormat.older.map { "\($0.number)" }))
  var fileFormat: TargetFormat

  @OptionGroup var mapping: TypeChangeOptions

  @Flag(help: "Leave out what the format cannot store, and list it.")
  var allowDataLoss = false

  /// - Throws: `UsageError` for the newest.
  func target() throws -> TargetFormat {
    guard fileFormat != .newest else {
      throw UsageError("file format \(fileFormat.number) is the newest", advice: "'upgrade' writes it")
    }
    return fileFormat
  }
}

/// What happens to types that the file format does not have.
struct TypeChangeOptions: ParsableArguments {
  @Option(
    name: .customLong("as"),
    help: ArgumentHelp("Change a type, such as 'Person.id=string'; repeatable.", valueName: "mapping"),
    completion: ClassNameCompletion.one)
  var texts: [String] = []

  func mappings() throws -> [TypeChange] {
    try texts.map { text in
      guard let mapping = TypeChange(text) else {
        throw UsageError(
          "--as takes Class.property=string, double, list or pairs, or Class=plain, such as Person.id=string, "
            + "not '\(text)'")
      }
      return mapping
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

import RealmStorage

/// What is wrong with the seed of a configuration, and not with the realm that was to be made of it.
public struct SeedFailure: Error {
  /// The seed, as it was named.
  public let path: String
  /// `StorageError`, `OpeningError` or `UnsoundSource`.
  public let cause: any Error

  static func naming<Result>(_ path: String, _ body: () throws -> Result) throws -> Result {
    do { return try body() } catch { throw SeedFailure(path: path, cause: error) }
  }
}

extension SeedFailure: RealmErrorCause {
  package var kind: RealmError.Kind { (cause as? any RealmErrorCause)?.kind ?? .system }

  /// The seed and what is wrong with it.
  public var description: String { "\(path): \(cause)" }
}

extension OpeningError {
  /// Whether it is the file itself that cannot be opened, whatever the schema.
  var isAboutFile: Bool {
    switch self {
    case .emptyFile, .readOnlyNeedsUpgrade, .unsupportedFormat, .upgradeProhibited, .synchronized, .unknownHistory: true
    case .missingFile, .missingSeed, .invalidSchema, .versionDecreased, .versionDiffers, .refusedChanges: false
    }
  }
}

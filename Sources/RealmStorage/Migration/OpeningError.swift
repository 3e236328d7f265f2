/// Why a realm cannot be opened as its configuration says.
package enum OpeningError: Error, Hashable, Sendable {
  /// There is no file, and none is to be created.
  case missingFile
  case missingSeed
  /// An empty file, read-only.
  case emptyFile
  /// An older format, read-only.
  case readOnlyNeedsUpgrade(format: UInt8)
  /// No upgrade from this format exists.
  case unsupportedFormat(UInt8)
  /// An older format, and an upgrade is not allowed.
  case upgradeProhibited(format: UInt8)
  /// The file belongs to Device Sync, and would have to be changed.
  case synchronized(HistoryKind)
  /// The history has an unknown kind or layout, and would have to be kept.
  case unknownHistory(HistoryProblem)
  case invalidSchema([SchemaViolation])
  case versionDecreased(to: UInt64, from: UInt64)
  /// Read-only, and the versions differ.
  case versionDiffers(requested: UInt64, stored: UInt64)
  /// Changes of the schema that are not made when opening this way.
  case refusedChanges(SchemaDifference.OpenMode, SchemaDifference)

  /// The text of the reference engine.
  ///
  /// - Parameter path: of the realm, as given.
  package func text(path: String) -> String {
    switch self {
    case .missingFile, .missingSeed: "Failed to open Realm file at path '\(path)': No such file or directory"
    case .emptyFile: "Failed to open Realm file at path '\(path)': Read-only access to empty Realm file"
    case .readOnlyNeedsUpgrade(let format):
      "Realm file at path '\(path)' cannot be opened in read-only mode because it has a file format version (\(format)) "
        + "which requires an upgrade"
    case .unsupportedFormat(let format):
      "Database has an unsupported version (\(format)) and cannot be upgraded"
    case .upgradeProhibited: "Database upgrade required but prohibited."
    case .unknownHistory(.futureSchema(let version, let newest)):
      "Unexpected future history schema version \(version), current schema \(newest)"
    case .synchronized(let kind), .unknownHistory(.unknownKind(let kind)):
      "Realm file at path '\(path)' has history type '\(kind.engineName)', but is being opened in local history mode. "
        + "Synchronized Realms cannot be opened in non-sync mode, and vice versa."
    case .invalidSchema(let violations):
      "Schema validation failed due to the following errors:" + violations.map { "\n- \($0)" }.joined()
    case .versionDecreased(let new, let old):
      "Provided schema version \(new) is less than last set version \(old)."
    case .versionDiffers(let new, let old):
      "Provided schema version \(new) does not equal last set version \(old)."
    case .refusedChanges(let mode, let difference): difference.refusalMessage(in: mode) ?? ""
    }
  }
}

extension HistoryKind {
  /// The reference engine's name of the kind.
  fileprivate var engineName: String {
    switch self {
    case .none: "None"
    case .outOfRealm: "Local out of Realm"
    case .inRealm: "Local in-Realm"
    case .syncClient: "SyncClient"
    case .syncServer: "SyncServer"
    case .unknown: "Unknown"
    }
  }
}

/// Which change history a file carries (Docs/Format/1-container.md §3.5).
public enum HistoryKind: Hashable, Sendable {
  case none
  /// A side file of old engines.
  case outOfRealm
  /// For notifications inside an app.
  case inRealm
  case syncClient
  case syncServer
  case unknown(UInt64)

  init(code: UInt64) {
    switch code {
    case 0: self = .none
    case 1: self = .outOfRealm
    case 2: self = .inRealm
    case 3: self = .syncClient
    case 4: self = .syncServer
    default: self = .unknown(code)
    }
  }

  /// As the top array has it.
  public var code: UInt64 {
    switch self {
    case .none: 0
    case .outOfRealm: 1
    case .inRealm: 2
    case .syncClient: 3
    case .syncServer: 4
    case .unknown(let code): code
    }
  }

  /// The newest layout that is known of a history of this kind (Docs/Format/1-container.md §3.5); nil for a kind that no
  /// engine writes any more, or none has ever written.
  var newestSchemaVersion: UInt64? {
    switch self {
    case .none, .inRealm: 1
    case .syncClient: 12
    case .syncServer: 20
    case .outOfRealm, .unknown: nil
    }
  }

  /// Whether changes must be recorded for a sync server.
  public var isSynchronized: Bool { self == .syncClient || self == .syncServer }

  /// What keeps every writer away from a file with such a history, unless it leaves the history out; nil where nothing
  /// does.
  ///
  /// - Parameter schemaVersion: of the history, as the top array has it.
  func problem(schemaVersion: UInt64) -> HistoryProblem? {
    guard let newest = newestSchemaVersion else { return .unknownKind(self) }
    return schemaVersion > newest ? .futureSchema(schemaVersion, newest: newest) : nil
  }
}

/// Why a file's history cannot be kept right by what is known here.
public enum HistoryProblem: Error, Hashable, Sendable {
  /// A kind of history that is not in use.
  case unknownKind(HistoryKind)
  /// A newer layout than is known.
  case futureSchema(UInt64, newest: UInt64)
}

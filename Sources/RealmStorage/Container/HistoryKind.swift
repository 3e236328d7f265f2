/// The kind of change history of a file (Docs/Format/1-container.md §3.5).
package enum HistoryKind: Hashable, Sendable {
  case none
  /// A side file of old engines.
  case outOfRealm
  /// For notifications inside an app.
  case inRealm
  case syncClient
  case syncServer
  case unknown(UInt64)

  /// In the order of their codes in the top array.
  private static let known: [HistoryKind] = [.none, .outOfRealm, .inRealm, .syncClient, .syncServer]

  init(code: UInt64) { self = code < UInt64(Self.known.count) ? Self.known[Int(code)] : .unknown(code) }

  /// As the top array has it.
  package var code: UInt64 {
    if case .unknown(let code) = self { return code }
    return UInt64(Self.known.firstIndex(of: self) ?? 0)
  }

  /// The newest layout that is known of a history of this kind (Docs/Format/1-container.md §3.5); nil for a kind that
  /// no current engine writes.
  var newestSchemaVersion: UInt64? {
    switch self {
    case .none, .inRealm: 1
    case .syncClient: 12
    case .syncServer: 20
    case .outOfRealm, .unknown: nil
    }
  }

  /// Whether changes must be recorded for a sync server.
  package var isSynchronized: Bool { self == .syncClient || self == .syncServer }

  /// Why a file with such a history cannot be changed without dropping the history; nil if it can.
  ///
  /// - Parameter schemaVersion: of the history, as the top array has it.
  package func problem(schemaVersion: UInt64) -> HistoryProblem? {
    guard let newest = newestSchemaVersion else { return .unknownKind(self) }
    return schemaVersion > newest ? .futureSchema(schemaVersion, newest: newest) : nil
  }
}

/// Why a file's history cannot be kept up to date.
package enum HistoryProblem: Hashable, Sendable {
  /// A kind of history that is not in use.
  case unknownKind(HistoryKind)
  /// A newer layout than is known.
  case futureSchema(UInt64, newest: UInt64)
}

import RealmStorage

/// The first release of an SDK that opens a file format without converting it (Docs/Compatibility.md).
package struct OldestSDK: Hashable, Sendable {
  /// The name its makers use.
  package let name: String
  package let version: String
}

extension TargetFormat {
  /// For each SDK that ever wrote this format, the first release that did.
  package var oldestSDKs: [OldestSDK] {
    let versions: [(String, String)] =
      switch self {
      case .format10: [("Swift", "5.0.0"), ("Java", "7.0.0"), ("JS", "6.0.0")]
      case .format11: [("Swift", "5.4.0"), ("Java", "7.0.4"), ("JS", "6.1.1"), (".NET", "5.0.1")]
      case .format20:
        [("Swift", "10.0.0"), ("Java", "10.0.0"), ("JS", "10.0.0"), (".NET", "10.0.1"), ("Kotlin", "0.1.0")]
      case .format22:
        [
          ("Swift", "10.8.0"), ("Java", "10.6.0"), ("JS", "10.5.0"), (".NET", "10.2.0"), ("Kotlin", "0.6.0"),
          ("Dart", "0.2.0"),
        ]
      case .format23:
        [
          ("Swift", "10.35.0"), ("Java", "10.14.0"), ("JS", "11.3.0"), (".NET", "10.20.0"), ("Kotlin", "1.6.0"),
          ("Dart", "0.9.0"),
        ]
      case .format24:
        [("Swift", "10.49.0"), ("JS", "12.7.0"), (".NET", "12.0.0"), ("Kotlin", "1.15.0"), ("Dart", "2.0.0")]
      }
    return versions.map { OldestSDK(name: $0.0, version: $0.1) }
  }
}

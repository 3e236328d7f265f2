import RealmStorage

/// The first release of an SDK that opens a file format without converting it (Docs/Compatibility.md).
package struct OldestSDK: Hashable, Sendable {
  /// The name its makers use.
  package let name: String
  package let version: String
}

extension OldestSDK {
  /// For each SDK that ever wrote a file format, the first release that did; none for a format that only pre-releases
  /// wrote.
  package static func writing(_ format: UInt8) -> [OldestSDK] {
    let versions: [(String, String)] =
      switch format {
      case 2: [("Swift", "0.80.0"), ("Java", "0.70.0")]
      case 3: [("Swift", "0.96.0"), ("Java", "0.83.0"), ("JS", "0.10.0"), (".NET", "0.70.0")]
      case 5: [("Swift", "0.101.0"), ("Java", "0.90.0"), ("JS", "0.13.0"), (".NET", "0.75.0")]
      case 6: [("Swift", "2.0.0"), ("Java", "2.0.0"), ("JS", "0.15.0"), (".NET", "0.80.0")]
      case 7: [("Swift", "2.5.0"), ("Java", "3.1.0"), ("JS", "1.3.0"), (".NET", "1.2.0")]
      case 9: [("Swift", "3.0.0"), ("Java", "4.0.0"), ("JS", "2.0.0"), (".NET", "2.0.0")]
      case 10: [("Swift", "5.0.0"), ("Java", "7.0.0"), ("JS", "6.0.0")]
      case 11: [("Swift", "5.4.0"), ("Java", "7.0.4"), ("JS", "6.1.1"), (".NET", "5.0.1")]
      case 20:
        [("Swift", "10.0.0"), ("Java", "10.0.0"), ("JS", "10.0.0"), (".NET", "10.0.1"), ("Kotlin", "0.1.0")]
      case 22:
        [
          ("Swift", "10.8.0"), ("Java", "10.6.0"), ("JS", "10.5.0"), (".NET", "10.2.0"), ("Kotlin", "0.6.0"),
          ("Dart", "0.2.0"),
        ]
      case 23:
        [
          ("Swift", "10.35.0"), ("Java", "10.14.0"), ("JS", "11.3.0"), (".NET", "10.20.0"), ("Kotlin", "1.6.0"),
          ("Dart", "0.9.0"),
        ]
      case 24:
        [("Swift", "10.49.0"), ("JS", "12.7.0"), (".NET", "12.0.0"), ("Kotlin", "1.15.0"), ("Dart", "2.0.0")]
      default: []
      }
    return versions.map { OldestSDK(name: $0.0, version: $0.1) }
  }
}

/// What the external corpus must contain, so that missing files and tests that skip them are noticed.
package enum Corpus {
  /// A trait for tests that need the corpus: without it they say that they were skipped.
  package static var isThere: Bool { Fixture.corpus != nil }
  package static let comment: String = "REALMCTL_CORPUS names no corpus"

  /// The minimum number of realms in `real/`, by the beginning of their names.
  package static let realFiles: [String: Int] = [
    "encrypted": 5, "v00": 1, "v02": 15, "v03": 3, "v05": 4, "v06": 3, "v07": 6, "v08": 1, "v09": 22, "v10": 5,
    "v11": 2, "v20": 5, "v22": 9, "v23": 7, "v24": 2,
  ]
  /// Realms in `engine/`, which are part of the project.
  package static let engineFileCount = 20
  package static let benchFileCount = 1

  /// The start of a name: the format, or `encrypted`.
  package static func kind(of name: String) -> String { String(name.prefix { $0 != "-" }) }
}

/// The Realm Query Language: its text and what it says, without a file.
public enum RQL {
  /// How deep parentheses, `NOT`, `SUBQUERY` and chains of arithmetic may be nested.
  package static let depthLimit = 200
}

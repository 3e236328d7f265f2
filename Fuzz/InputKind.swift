/// The ways to make an input out of a realm.
enum InputKind: String, CaseIterable {
  /// Bytes and elements changed in place, without a greater width.
  case bytes
  /// Numbers of any size written into nodes, which become as wide as necessary; wrong counts.
  case numbers
  /// Nodes that no engine writes: shared, in pieces, nested, free lists that overlap.
  case planted
  /// Any of these, encrypted afterwards; or an encrypted file with its pages changed.
  case encrypted
  /// Nothing is damaged: texts that are queries, or nearly so, are asked of a sound realm.
  case rql
  /// One of the others, often with pages zeroed, the end cut off or the header wiped, to test the rescue of the rest.
  case recover
  /// Nothing is damaged: texts that are migration plans, or nearly so, are run on a sound realm.
  case plan
  /// Nothing is damaged: sources that are what `export` writes, or nearly so, are imported into a sound realm.
  case `import`

  /// Whether the realm itself is unchanged.
  var isSound: Bool { self == .rql || self == .plan || self == .import }

  /// The kinds that damage a realm, used in turn, so that seeds keep their meaning.
  static let damaging: [InputKind] = [.bytes, .numbers, .planted, .encrypted]
}

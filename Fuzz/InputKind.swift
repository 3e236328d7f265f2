/// The ways to make an input out of a realm.
enum InputKind: String, CaseIterable {
  /// Bytes and elements changed where they are, no wider than they were.
  case bytes
  /// Numbers of any size written into nodes, which become as wide as that takes; counts that are not true.
  case numbers
  /// Nodes that no engine writes: shared, in pieces, nested, free lists that overlap.
  case planted
  /// Any of these, encrypted afterwards; or an encrypted file with its pages changed.
  case encrypted
  /// Nothing is damaged: texts that are queries, or nearly so, are asked of a sound realm.
  case rql
  /// One of the others, often with pages zeroed, an end cut off or its header wiped, for what saves the rest.
  case recover
  /// Nothing is damaged: texts that are migration plans, or nearly so, are run on a sound realm.
  case plan
  /// Nothing is damaged: sources that are what `export` writes, or nearly so, are imported into a sound realm.
  case `import`

  /// Whether the realm itself is as it was.
  var isSound: Bool { self == .rql || self == .plan || self == .import }

  /// Those that damage a realm, taken in turn: seeds go on standing for the bytes they stood for.
  static let damaging: [InputKind] = [.bytes, .numbers, .planted, .encrypted]
}

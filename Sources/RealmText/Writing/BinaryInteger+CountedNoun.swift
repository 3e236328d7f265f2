extension BinaryInteger {
  /// The number with what it counts: `1 object`, `2 objects`.
  ///
  /// - Parameter plural: nil for the noun with an s.
  package func counted(_ noun: String, _ plural: String? = nil) -> String {
    "\(self) \(self.noun(noun, plural))"
  }

  /// What it counts without the number: `object`, `objects`.
  package func noun(_ noun: String, _ plural: String? = nil) -> String { self == 1 ? noun : plural ?? noun + "s" }

  /// The same; nil for 0.
  package func countedIfAny(_ noun: String) -> String? { self == 0 ? nil : counted(noun) }
}

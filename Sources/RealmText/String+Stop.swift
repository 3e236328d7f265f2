extension String {
  /// A sentence that goes on: without its full stop. The SDKs' sentences end with one.
  package var withoutStop: String { hasSuffix(".") && !hasSuffix("..") ? String(dropLast()) : self }
}

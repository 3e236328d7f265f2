import RealmStorage

extension TextBuffer {
  /// Appends the number in the usual scientific notation of decimal numbers, as `Decimal128.description` has it.
  public func appendCanonical(_ decimal: Decimal128) {
    advance(to: decimal.storeText(at: room(for: Decimal128.mostTextLength)))
  }

  /// Appends the number as the reference engine does; see `Decimal128.storeCoreText(at:)`.
  public func appendCore(_ decimal: Decimal128) {
    advance(to: decimal.storeCoreText(at: room(for: Decimal128.mostTextLength)))
  }
}

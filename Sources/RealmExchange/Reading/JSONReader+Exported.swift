import RealmText

extension JSONReader.Options {
  /// Reads what `export` writes in any of its forms: values one after another, texts as the bytes that they were, and what
  /// the reference engine writes apart from JSON. A file in another encoding is an error.
  static var exported: JSONReader.Options {
    var options = JSONReader.Options()
    (options.isSequence, options.restoresBytes) = (true, true)
    (options.requiresUTF8, options.acceptsCoreForms) = (true, true)
    return options
  }
}

import RealmStorage
import RealmText

/// A schema in some form, and what that form could not say.
package struct SchemaText: Hashable, Sendable {
  /// The text, UTF-8.
  package private(set) var utf8: [UInt8] = []
  /// What the form cannot express, in the order of the classes.
  package private(set) var notes: [SchemaNote] = []

  init() {}

  /// The text.
  package var string: String { String(decoding: utf8, as: UTF8.self) }

  mutating func write(_ string: String) { utf8 += string.utf8 }

  mutating func write(_ bytes: ArraySlice<UInt8>) { utf8 += bytes }

  mutating func line(_ string: String = "") {
    utf8 += string.utf8
    utf8.append(UInt8(ascii: "\n"))
  }

  /// Writes the name as a JSON string. Bytes that are not UTF-8 become lone surrogates, which a schema file is read with.
  mutating func writeJSON(_ name: RealmString) { utf8 += Self.json(name) }

  /// The name as a JSON string with its quotes.
  static func json(_ name: RealmString) -> [UInt8] {
    let buffer = TextBuffer(capacity: 64)
    buffer.appendJSON(name, style: .lossless)
    return buffer.withBytes { [UInt8]($0) }
  }

  mutating func note(_ note: SchemaNote) { notes.append(note) }
}

/// Something about a class or property that a form of schema text cannot express.
package struct SchemaNote: Hashable, Sendable {
  /// The class, without `class_`; an internal table under its own name.
  package var className: RealmString
  /// Nil if it concerns the whole class.
  package var propertyName: RealmString?
  /// The problem, without the names.
  package var reason: String
  /// Whether the text is useless without what is missing, because it cannot just be left out.
  package var isError: Bool

  package init(className: RealmString, propertyName: RealmString? = nil, reason: String, isError: Bool = false) {
    (self.className, self.propertyName, self.reason, self.isError) = (className, propertyName, reason, isError)
  }
}

extension SchemaNote: CustomStringConvertible {
  /// `Person.height: no type for float in Realm Dart`, on one line whatever the names are.
  package var description: String {
    let path = propertyName.map { "\(className.shown).\($0.shown)" } ?? className.shown
    return "\(path): \(reason)"
  }
}

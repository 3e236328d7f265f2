/// The role of a piece of text. The screen decides how it looks, in color or without.
package enum Role: UInt8, Hashable, Sendable, CaseIterable {
  case plain
  /// Less important than the text next to it.
  case faint
  /// The path at the top.
  case title
  /// Names of columns, titles of sections.
  case heading
  /// Types of properties.
  case type
  /// Object keys and primary keys.
  case key
  /// Values that are not text: null, an empty string, true and false.
  case literal
  case link
  /// The number of elements of a collection.
  case count
  /// Characters that are shown by their number because a terminal would obey them.
  case control
  /// Something that cannot be read.
  case damaged
  /// A match of a search.
  case match
  case message
  case warning
  case hintKey
  case hint
  /// Something that is changed, but not written yet.
  case changed
}

/// How much the cursor highlights a piece of text.
package enum Emphasis: UInt8, Hashable, Sendable {
  case none
  /// Next to the focus, in the same row.
  case row
  /// The text that Enter acts on.
  case focus
}

/// The look of one cell.
package struct Style: Hashable, Sendable {
  package var role: Role
  package var emphasis: Emphasis

  package init(_ role: Role = .plain, _ emphasis: Emphasis = .none) {
    self.role = role
    self.emphasis = emphasis
  }

  package static let plain = Style()
  package static let faint = Style(.faint)
}

/// The signs that the browser's own text is made of, in two sets: for terminals that show Unicode, and for ASCII.
package struct Typography: Sendable {
  package let isASCII: Bool

  package init(isASCII: Bool) { self.isASCII = isASCII }

  package static let unicode = Typography(isASCII: false)
  package static let ascii = Typography(isASCII: true)

  /// Replaces text that was cut off.
  package var ellipsis: Unicode.Scalar { isASCII ? "~" : "…" }
  /// Leads to an object.
  package var link: String { isASCII ? "->" : "→" }
  /// Comes from an object.
  package var backlink: String { isASCII ? "<-" : "←" }
  package var folded: String { isASCII ? "+" : "▸" }
  package var unfolded: String { isASCII ? "-" : "▾" }
  /// Marks the row of the cursor.
  package var cursor: Unicode.Scalar { isASCII ? ">" : "▌" }
  /// Shown before an object that is marked, and before one that also has the cursor.
  package var mark: Unicode.Scalar { isASCII ? "*" : "•" }
  package var cursorOnMark: Unicode.Scalar { isASCII ? "@" : "◆" }
  package var pathSeparator: String { isASCII ? " > " : " › " }
  package var bar: Unicode.Scalar { isASCII ? "#" : "█" }
  package var ascending: String { isASCII ? "^" : "↑" }
  package var descending: String { isASCII ? "v" : "↓" }
  package var divider: Unicode.Scalar { isASCII ? "|" : "│" }
  package var times: String { isASCII ? "x" : "×" }
  package var more: String { isASCII ? "..." : "…" }
  /// More columns to either side.
  package var moreLeft: Unicode.Scalar { isASCII ? "<" : "‹" }
  package var moreRight: Unicode.Scalar { isASCII ? ">" : "›" }
}

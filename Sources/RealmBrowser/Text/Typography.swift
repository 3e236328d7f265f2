/// The signs that the browser's own text is made of, in two sets: for terminals that show Unicode, and for ASCII.
struct Typography: Sendable {
  let isASCII: Bool

  static let unicode = Typography(isASCII: false)
  static let ascii = Typography(isASCII: true)

  /// Replaces text that was cut off.
  var ellipsis: Unicode.Scalar { isASCII ? "~" : "…" }
  /// Leads to an object.
  var link: String { isASCII ? "->" : "→" }
  /// Comes from an object.
  var backlink: String { isASCII ? "<-" : "←" }
  var folded: String { isASCII ? "+" : "▸" }
  var unfolded: String { isASCII ? "-" : "▾" }
  /// Marks the row of the cursor.
  var cursor: Unicode.Scalar { isASCII ? ">" : "▌" }
  /// Shown before an object that is marked, and before one that also has the cursor.
  var mark: Unicode.Scalar { isASCII ? "*" : "•" }
  var cursorOnMark: Unicode.Scalar { isASCII ? "@" : "◆" }
  var pathSeparator: String { isASCII ? " > " : " › " }
  var bar: Unicode.Scalar { isASCII ? "#" : "█" }
  var ascending: String { isASCII ? "^" : "↑" }
  var descending: String { isASCII ? "v" : "↓" }
  var divider: Unicode.Scalar { isASCII ? "|" : "│" }
  var times: String { isASCII ? "x" : "×" }
  var more: String { isASCII ? "..." : "…" }
  /// More columns to either side.
  var moreLeft: Unicode.Scalar { isASCII ? "<" : "‹" }
  var moreRight: Unicode.Scalar { isASCII ? ">" : "›" }
}

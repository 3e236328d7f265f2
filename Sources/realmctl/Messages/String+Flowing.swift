extension String {
  /// Help with each paragraph on one line, however the source breaks it: the parser wraps lines at the width of the
  /// terminal, and would break lines again that are already broken. Indented lines, such as examples, stay as they are.
  ///
  /// Works on bytes, because every start of the program does this with the help of the commands that it passes on its way
  /// to the one that runs.
  static func flowing(_ text: String) -> String {
    let (newline, space) = (UInt8(ascii: "\n"), UInt8(ascii: " "))
    var bytes = Array(text.utf8)
    var startsLine = true
    var isParagraph = false
    for index in bytes.indices {
      if startsLine {
        let isText = bytes[index] != newline && bytes[index] != space
        if isText, isParagraph { bytes[index - 1] = space }
        isParagraph = isText
      }
      startsLine = bytes[index] == newline
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}

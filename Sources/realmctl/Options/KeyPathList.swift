import ArgumentParser

/// Key paths between commas; those in brackets or back quotes are part of a path.
enum KeyPathList {
  /// - Parameter option: that takes them, for the message.
  /// - Throws: `UsageError`.
  static func paths(_ text: String, of option: String) throws -> [String] {
    var paths = [""]
    var isQuoted = false
    var depth = 0
    for character in text {
      switch character {
      case "`", "\"": isQuoted.toggle()
      case "[": depth += 1
      case "]": depth -= 1
      case "," where !isQuoted && depth <= 0:
        paths.append("")
        continue
      default: break
      }
      paths[paths.count - 1].append(character)
    }
    let trimmed = paths.map { $0.trimmingPrefix(while: \.isWhitespace) }.map(String.init)
    guard !trimmed.contains("") else {
      throw UsageError(
        "\(option) takes key paths separated by commas, not '\(text)'", advice: "omit spaces, and commas at the ends")
    }
    return trimmed
  }
}

import ArgumentParser
import RealmExchange
import RealmOpening
import RealmQuery
import RealmStorage
import RealmTools

/// Completes queries and key paths with the properties of the class that the command line names, as `ClassNameCompletion`
/// completes the names of classes.
enum QueryCompletion {
  /// For a query.
  static let query = CompletionKind.custom { words, index, prefix in
    candidates(words, index, prefix, inPath: false) { text in text.startIndex }
  }

  /// For a key path.
  static let path = CompletionKind.custom { words, index, prefix in
    candidates(words, index, prefix, inPath: true) { text in text.startIndex }
  }

  /// For key paths separated by commas.
  static let paths = CompletionKind.custom { words, index, prefix in
    candidates(words, index, prefix, inPath: true) { text in
      text.lastIndex(of: ",").map { text.index(after: $0) } ?? text.startIndex
    }
  }

  /// The whole word with each of the words that can follow at its end.
  ///
  /// - Parameters:
  ///   - inPath: whether only parts of a key path can follow.
  ///   - begin: where the completed text begins.
  private static func candidates(
    _ words: [String], _ index: Int, _ prefix: String, inPath: Bool, from begin: (String) -> String.Index
  ) -> [String] {
    let line = TypedCommandLine(words, completing: index)
    guard line.operands.count >= 2, let path = line.files.first, RealmSource.path(path).isRegularFile,
      let schema = try? ClassNameCompletion.schema(ofFile: path, line.key)
    else { return [] }
    let typed = TypedCommandLine.meaning(of: prefix)
    let start = begin(typed)
    let text = String(typed[start...])
    let found = RQL.completions(
      in: text, at: text.utf8.count, schema: schema, className: RealmString(line.operands[1]))
    let kept = text.utf8.prefix(found.range.start)
    return found.candidates.filter { !inPath || $0.isPartOfPath }.compactMap { candidate in
      ClassNameCompletion.candidate(String(typed[..<start]) + String(decoding: kept, as: UTF8.self) + candidate.text)
    }
  }
}

extension Completion {
  /// Whether a key path can contain it.
  fileprivate var isPartOfPath: Bool {
    switch kind {
    case .property, .className, .function: true
    case .keyword, .comparison, .constant, .variable: false
    }
  }
}

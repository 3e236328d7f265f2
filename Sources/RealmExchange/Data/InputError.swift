/// What is wrong with what is imported or compared.
package enum InputError: Error {
  /// An error in one of several inputs, with its number, from 0: of the sources of an import, or of the two sides of a
  /// comparison.
  case input(Int, any Error)
  /// A source cannot be read at all.
  case source(SourceFault)
  case data(DataMistake)
  /// Links lead to objects that no source has.
  case unresolvedLinks(UnresolvedLinks)
  /// There are more problems than allowed.
  case problems(ImportReport)

  static func source(
    _ kind: SourceFault.Kind, _ description: String, advice: String? = nil, line: Int? = nil, column: Int? = nil
  ) -> InputError {
    .source(SourceFault(kind, description, advice: advice, line: line, column: column))
  }
}

extension InputError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .input(_, let error): "\(error)"
    case .source(let fault): fault.description
    case .data(let mistake): mistake.description
    case .unresolvedLinks(let links): links.description
    case .problems(let report): "\(report.problemCount) mistakes"
    }
  }
}

/// Gathers the elements of a path; the two names after `@links` become one element with it.
struct PathBuilder {
  private var elements: [PathElementSyntax] = []
  /// The place of an `@links` that waits for a class, and the class when it is known.
  private var links: (range: SourceRange, className: String?)?

  /// False for an index after `@links`, which needs names.
  mutating func append(_ element: PathElementSyntax) -> Bool {
    guard let (range, className) = links else {
      if element.kind == .allBacklinks { links = (element.range, nil) } else { elements.append(element) }
      return true
    }
    guard let name = element.name else { return false }
    let joined = range.joined(with: element.range)
    if let className {
      elements.append(PathElementSyntax(kind: .backlinks(className: className, property: name), range: joined))
      links = nil
    } else {
      links = (joined, name)
    }
    return true
  }

  /// - Throws: `QueryError` for a path that is longer than `RQL.hopLimit`: paths are followed by recursion.
  func finish() throws(QueryError) -> PathSyntax {
    var path = PathSyntax(elements: elements)
    if let (range, className) = links {
      let kind = className.map { PathElementSyntax.Kind.backlinks(className: $0, property: $0) } ?? .allBacklinks
      path.elements.append(PathElementSyntax(kind: kind, range: range))
    }
    let hopCount = path.elements.count - 1
    guard hopCount <= RQL.hopLimit else {
      throw QueryError(
        .invalidQuery, "A key path may have at most \(RQL.hopLimit) hops; this one has \(hopCount)", at: path.range)
    }
    return path
  }
}

extension PathElementSyntax {
  /// The meaning of a name in a path that is not in backquotes.
  static func element(named name: String, range: SourceRange) -> PathElementSyntax {
    switch name {
    case "@links": PathElementSyntax(kind: .allBacklinks, range: range)
    case "@keys": PathElementSyntax(kind: .keys, range: range)
    case "@values": PathElementSyntax(kind: .values, range: range)
    default: PathElementSyntax(kind: .name(name), range: range)
    }
  }
}

extension PathSyntax {
  /// The path in an argument for `$K…`: names with points between them, nothing else.
  ///
  /// - Parameter range: of the argument in the query; all elements have it.
  /// - Throws: `QueryError` for a path that is too long.
  package init(keyPathArgument text: String, range: SourceRange) throws(QueryError) {
    var builder = PathBuilder()
    for name in text.split(separator: ".", omittingEmptySubsequences: false) {
      // All are names, so nothing can be refused.
      _ = builder.append(.element(named: String(name), range: range))
    }
    self = try builder.finish()
  }
}

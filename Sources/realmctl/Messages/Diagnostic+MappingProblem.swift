import RealmStorage
import RealmText
import RealmTools

extension Diagnostic {
  /// A mapping of `--as` that does not fit.
  init(_ problem: TypeChangeProblem, path: String) {
    switch problem {
    case .noSuchProperty(let name, let table):
      self.init(
        .notFound, .invalidProperty, path: path, "'\(table.displayName)' has no property '\(name)'",
        advice: NameAdvice.properties.text(
          for: name.description, among: table.properties.map(\.name.description)))
    case .notNeeded(let mapping, let format):
      self.init(
        mapping, path, "file format \(format.number) can store '\(mapping.path)' as it is",
        advice: "omit --as \(mapping)")
    case .notPossible(let mapping, let type):
      self.init(
        mapping, path, "'\(mapping.path)' has type \(type), which cannot become \(mapping.target.words)",
        advice: "realmctl-downgrade(1) lists what --as can do")
    case .needsClass(let mapping):
      self.init(
        mapping, path, "'\(mapping.path)' is a property, and only a class can become plain",
        advice: "name the embedded class, as in --as Address=plain")
    case .needsProperty(let mapping):
      self.init(
        mapping, path, "'\(mapping.path)' is a class, which can only become plain",
        advice: "name a property, as in --as \(mapping.path).id=\(mapping.target.rawValue)")
    case .classNotEmbedded(let mapping):
      self.init(mapping, path, "class '\(mapping.path)' is not embedded", advice: "omit --as \(mapping)")
    case .contradiction(let first, let second):
      self.init(second, path, "--as \(first) and --as \(second) contradict each other", advice: "remove one of them")
    case .notEnough(let mapping, let type, let format, let needed):
      self.init(
        mapping, path, "'\(mapping.path)' would become \(type), which file format \(format.number) cannot store",
        advice: needed.map { "add --as \(mapping.path)=\($0.rawValue)" })
    case .values(let part, let message):
      self.init(
        .schema, .schemaValidationFailed, path: path,
        "\(part.name) cannot become \(part.types.to), so nothing was written", detail: message)
    }
  }

  private init(_ mapping: TypeChange, _ path: String, _ problem: String, advice: String?) {
    self.init(.schema, .invalidInput, path: path, problem, advice: advice)
  }
}

extension TypeChange.Target {
  /// `a list`, for messages.
  fileprivate var words: String {
    switch self {
    case .string: "string"
    case .double: "double"
    case .list: "a list"
    case .pairs: "a list of pairs"
    case .plain: "plain"
    }
  }
}

extension MappedPart {
  /// `property 'Person.id'`
  fileprivate var name: String {
    property.map { "property '\(className).\($0)'" } ?? "class '\(className)'"
  }
}

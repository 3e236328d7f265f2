import RealmStorage
import RealmText

extension QueryArgument {
  /// Arguments as a JSON array in typed form (Docs/JSONOutput.md): numbers without point and exponent are ints, others
  /// doubles, arrays are lists, and objects wrap what JSON cannot express (`{"$date":"2001-02-03T00:00:00Z"}`,
  /// `{"$link":{"table":"Dog","key":"Rex"}}`).
  ///
  /// - Throws: `InvalidQueryArg`, which says what is wrong with which element.
  package static func arguments(json text: String) throws(QueryError) -> [QueryArgument] {
    let value: JSONValue
    do { value = try JSONValue.parse(text) } catch {
      throw QueryError(.invalidQueryArg, "--args is not valid JSON: \(error)", at: nil, because: .argumentText)
    }
    guard let elements = value.array else {
      throw QueryError(
        .invalidQueryArg, "--args takes a JSON array, not \(value.kindName)", at: nil, because: .argumentText)
    }
    var arguments: [QueryArgument] = []
    for (index, element) in elements.enumerated() {
      guard let argument = argument(element) else {
        throw QueryError(
          .invalidQueryArg, "Argument \(index) is \(element.kindName) that is not a value in typed form", at: nil)
      }
      arguments.append(argument)
    }
    return arguments
  }

  private static func argument(_ value: JSONValue) -> QueryArgument? {
    guard let elements = value.array else { return scalar(value) }
    let arguments = elements.compactMap(scalar)
    return arguments.count == elements.count ? .list(arguments) : nil
  }

  private static func scalar(_ value: JSONValue) -> QueryArgument? {
    if value == .null { return .value(.null) }
    if let object = value.object, object.count == 1 {
      if let link = object["$link"] { return self.link(link) }
      if let elements = object["$set"]?.array { return argument(.array(elements)) }
    }
    // A number beyond the range of double is not a value either.
    return (try? value.scalar(as: .mixed)).map { .value($0) }
  }

  /// `{"table":"Dog","key":"Rex"}`, `{"table":"Dog","objKey":0}`.
  private static func link(_ value: JSONValue) -> QueryArgument? {
    guard let name = value["table"]?.string, value.object?.count == 2 else { return nil }
    if let key = value["objKey"]?.integer { return .objectOfClass(className: name, ObjectKey(rawValue: key)) }
    guard let key = value["key"].flatMap(scalar), case .value(let primaryKey) = key else { return nil }
    return .object(className: name, primaryKey: primaryKey)
  }
}

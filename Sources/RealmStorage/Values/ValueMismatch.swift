/// Why a value is not what was asked for.
///
/// A property that the class lacks, null where a value is needed and a value of another type are three things, because an
/// app does three things about them.
public struct ValueMismatch: Error, Hashable, Sendable {
  /// What is wrong.
  public enum Problem: Hashable, Sendable {
    /// The class has no such property, or the dictionary no such entry.
    ///
    /// - Parameter names: those that there are.
    case absent(names: [String])
    /// Null, where the type has no place for it.
    case null
    /// A value of another type: its name, such as `int`, `string`, `list` or `link`.
    case type(found: String)
    /// The type is right, and the value is not one of its values: a number beyond the range, an unknown case.
    case outOfRange(Value)
    /// Bytes that are not UTF-8, although they should be text; `RealmString` takes them.
    case notText
    /// Two elements or keys that the realm distinguishes, and the type does not, such as two forms of `é`.
    case notDistinct
  }

  /// Where the value is, such as `age`, `ages[3]` or `names["de"]`; empty for a value alone.
  public var place: String
  /// The type that was asked for.
  public let expected: String
  /// What is wrong with the value.
  public let problem: Problem

  /// A value that is not an `expected`.
  ///
  /// - Parameters:
  ///   - problem: what is wrong with it.
  ///   - expected: the type that was asked for.
  ///   - place: where the value is; whoever reads a property adds its name.
  public init(_ problem: Problem, expected: Any.Type, at place: String = "") {
    (self.problem, self.expected, self.place) = (problem, "\(expected)", place)
  }

  /// What a value is wrong with if it is not of the type that was asked for: null, or another type.
  public init(_ found: Value, expected: Any.Type) {
    self.init(found == .null ? .null : .type(found: found.typeName), expected: expected)
  }

  /// The same about a value that lies in another: `ages` before `[3]`.
  package func inside(_ outer: String) -> ValueMismatch {
    var error = self
    error.place = outer + place
    return error
  }
}

extension Value {
  /// The name of its type, as schemas have it.
  package var typeName: String {
    switch self {
    case .null: "null"
    case .int: "int"
    case .bool: "bool"
    case .float: "float"
    case .double: "double"
    case .string: "string"
    case .data: "data"
    case .date: "date"
    case .decimal: "decimal128"
    case .objectID: "objectId"
    case .uuid: "uuid"
    case .link, .typedLink: "link"
    case .list: "list"
    case .set: "set"
    case .dictionary: "dictionary"
    }
  }
}

extension ValueMismatch: CustomStringConvertible {
  /// One line: where, what was expected and what was found.
  public var description: String {
    let subject = place.isEmpty ? "the value" : "'\(place)'"
    switch problem {
    case .absent(let names):
      let others = names.isEmpty ? "" : "; there are \(names.sorted().joined(separator: ", "))"
      return "\(subject) does not exist\(others)"
    case .null: return "\(subject) is null, expected \(expected)"
    case .type(let found): return "\(subject) is of type \(found), expected \(expected)"
    case .outOfRange(.int(let number)): return "\(subject) is \(number), which is not a possible \(expected)"
    case .outOfRange(let value): return "\(subject) is a \(value.typeName) that is not a possible \(expected)"
    case .notText: return "\(subject) contains bytes that are not UTF-8, expected \(expected)"
    case .notDistinct: return "\(subject) contains two values that are the same in \(expected)"
    }
  }
}

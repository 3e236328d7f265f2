import RealmStorage
import RealmText

extension Property {
  /// The type in the shorthand of the SDKs for scripting languages: `int`, `string?`, `Dog`, `Dog[]`, `int?<>` for a
  /// set, `mixed{}` for a dictionary.
  var typeText: String {
    var text = elementTypeText
    // Links and mixed values can always be null, so this is not shown.
    if isOptional, type != .object, type != .mixed { text += "?" }
    return text + (collection?.suffix ?? "")
  }

  /// `typeText` for others.
  package var shorthand: String { typeText }

  private var elementTypeText: String {
    type == .object || type == .linkingObjects ? targetClass?.description ?? "object" : type.schemaName
  }

  /// Whether values are right-aligned in their column.
  var isNumeric: Bool {
    guard collection == nil else { return false }
    switch type {
    case .int, .float, .double, .decimal128: return true
    default: return false
    }
  }
}

extension ValueView {
  /// The type of a value inside a mixed one.
  var typeText: String {
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

  /// Whether this is a list, set or dictionary.
  var isCollection: Bool {
    switch self {
    case .list, .set, .dictionary: true
    default: false
    }
  }

  /// The bytes of a text or of data.
  var blob: BlobView? {
    switch self {
    case .string(let blob), .data(let blob): blob
    default: nil
    }
  }

  /// The target of a link.
  var link: (table: TableKey, key: ObjectKey)? {
    switch self {
    case .link(let table, let key), .typedLink(let table, let key): (table, key)
    default: nil
    }
  }
}

extension TableKind {
  /// The word for a class of this kind; empty for the ordinary one.
  var text: String {
    switch self {
    case .topLevel: ""
    case .embedded: "embedded"
    case .asymmetric: "asymmetric"
    }
  }
}

/// Numbers for people.
enum CountText {
  /// `1,234,567`
  static func grouped(_ number: Int) -> String {
    let digits = Array(String(number.magnitude))
    var text = number < 0 ? "-" : ""
    for (index, digit) in digits.enumerated() {
      if index > 0, (digits.count - index) % 3 == 0 { text.append(",") }
      text.append(digit)
    }
    return text
  }

  /// `1 object`, `1,234 objects`
  static func counted(_ number: Int, _ noun: String, _ plural: String? = nil) -> String {
    grouped(number) + " " + (number == 1 ? noun : plural ?? noun + "s")
  }

  /// `45%`; never 100 while something is left.
  static func percent(_ part: Int, of whole: Int) -> String {
    guard whole > 0 else { return "0%" }
    if part >= whole { return "100%" }
    return "\(min(99, Int(clamping: Double(max(part, 0)) / Double(whole) * 100)))%"
  }

  /// `9.9%`: neither 0 nor 100 unless it is exactly that.
  static func share(_ part: Int, of whole: Int) -> String {
    guard whole > 0, part > 0 else { return "0.0%" }
    let tenths = Int(clamping: (Double(part) * 1000 / Double(whole)).rounded())
    guard tenths > 0 else { return "<0.1%" }
    let shown = part >= whole ? 1000 : min(tenths, 999)
    return "\(shown / 10).\(shown % 10)%"
  }
}

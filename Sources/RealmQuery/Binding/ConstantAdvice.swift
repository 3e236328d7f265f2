import RealmStorage

/// How to write a constant of another type, where one cannot be compared with a property.
enum ConstantAdvice {
  /// - Returns: nil where the other side is not a constant, or no other way to write it would help.
  static func text(for operand: Operand, _ constant: Operand) -> String? {
    guard operand.constant == nil, let list = constant.constant, let value = list.values.first else { return nil }
    guard case .string(let text) = value else {
      if case .int = value, let link = operand as? LinkOperand {
        let numbers: Set<PropertyType> = [.int, .double, .float, .decimal128]
        return advice(comparing: link) { numbers.contains($0.type) && $0.collection == nil }
      }
      if let link = operand as? LinkOperand, let type = keyType(value) {
        return advice(comparing: link) { $0.type == type && $0.collection == nil }
      }
      if operand.type == .date { return "write dates as year-month-day, such as 2024-01-31" }
      if operand.type == .bool { return "write true or false" }
      if operand.type == .objectID { return "write object ids as in oid(507f1f77bcf86cd799439011)" }
      if operand.type == .uuid { return "write UUIDs as in uuid(01234567-89ab-cdef-0123-456789abcdef)" }
      let isNumber = [.int, .float, .double, .decimal, .bool].contains(list.type)
      return operand.type == .string && isNumber ? "put text in quotes" : nil
    }
    if let link = operand as? LinkOperand {
      return advice(comparing: link) { $0.type == .string && $0.collection == nil }
    }
    switch operand.type {
    case .date: return "write dates without quotes, as in 2024-01-31@12:00:00"
    case .objectID:
      return text.utf8.count == 24
        ? "write oid(\(text))" : "write object ids as in oid(507f1f77bcf86cd799439011)"
    case .uuid:
      return text.utf8.count == 36
        ? "write uuid(\(text))" : "write UUIDs as in uuid(01234567-89ab-cdef-0123-456789abcdef)"
    case .int, .float, .double, .decimal:
      if text.utf8.isEmpty { return "to find objects without a value, write \(operand.text) == null" }
      guard Double(text.description) == nil else { return "write numbers without quotes" }
      return operand.hasManyValues
        ? "the values of '\(operand.text)' are numbers" : "'\(operand.text)' is a number"
    case .bool: return "write true or false without quotes"
    default: return nil
    }
  }

  /// The type of properties that have such values and may be primary keys; nil for other values.
  private static func keyType(_ value: Value) -> PropertyType? {
    switch value {
    case .objectID: .objectID
    case .uuid: .uuid
    default: nil
    }
  }

  /// A link is equal to an object, never to one of its strings.
  ///
  /// - Parameter isMeant: whether a property can be compared with the constant.
  private static func advice(comparing link: LinkOperand, isMeant: (Property) -> Bool) -> String? {
    let properties = link.path.target.schema.properties.filter(isMeant)
    let key = link.path.target.schema.primaryKey.flatMap { key in properties.first { $0 == key } }
    let named = properties.first { $0.name == RealmString("name") } ?? key
    guard let property = named ?? properties.first else {
      let target = link.path.target.schema
      return target.primaryKeyIndex.map { _ in "compare it with an object: obj(\"\(target.displayName)\", KEY)" }
    }
    return "compare a property of the object, such as \(link.path.text).\(property.name)"
  }
}

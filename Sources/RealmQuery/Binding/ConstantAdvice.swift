import RealmStorage

/// How to write a constant of another type, where one cannot be compared with a property.
enum ConstantAdvice {
  /// - Returns: nil where the other side is not a constant, or no other way to write it would help.
  static func text(for operand: Operand, _ constant: Operand) -> String? {
    guard operand.constant == nil, let list = constant.constant, let value = list.values.first else { return nil }
    guard case .string(let text) = value else {
      let isNumber = [.int, .float, .double, .decimal, .bool].contains(list.type)
      return operand.type == .string && isNumber ? "put text in quotes" : nil
    }
    switch operand.type {
    case .date: return "write dates without quotes, as in 2024-01-31@12:00:00"
    case .objectID: return "write oid(\(text.utf8.count == 24 ? "\(text)" : "507f1f77bcf86cd799439011"))"
    case .uuid: return "write uuid(\(text.utf8.count == 36 ? "\(text)" : "01234567-89ab-cdef-0123-456789abcdef"))"
    case .int, .float, .double, .decimal: return "write numbers without quotes"
    case .bool: return "write true or false without quotes"
    default: return nil
    }
  }
}

import RealmStorage
import RealmText

/// Reads single values in all forms in which `export` writes them and which the rules of input allow.
struct ScalarReader {
  let reader: JSONReader
  let coerces: Bool
  /// How many numbers were read whose digits their type does not keep.
  private(set) var roundedCount = 0

  init(reader: JSONReader, coerces: Bool) { (self.reader, self.coerces) = (reader, coerces) }

  /// Reads the value that begins with `token`, as a value of `type`.
  ///
  /// - Parameter values: receives the bytes.
  /// - Returns: nil if it is not a value of that type. The reader may then be anywhere.
  /// - Throws: `NumberOutOfRange`, `BuildError`, `JSONError`.
  @inline(__always)
  mutating func read(
    _ token: JSONReader.Token, as type: PropertyType, into values: StagedValues, limit: Int
  ) throws -> StagedCell? {
    // Text goes from the input straight to its place, without a copy in between.
    if case .string = token, type == .string || type == .mixed { return try text(into: values, limit: limit) }
    let value = try reader.scalar(token, as: type, coerces: coerces)
    if isRounded(value, token) { roundedCount += 1 }
    return try cell(value, values, limit)
  }

  /// Whether a number is not the one whose digits were read last.
  private func isRounded(_ value: Value?, _ token: JSONReader.Token) -> Bool {
    switch token {
    case .number, .string: break
    default: return false
    }
    return switch value {
    case .double(let number): !reader.withText { Double.keeps($0, acceptsLongForm: true, as: number) }
    case .float(let number): !reader.withText { Float.keeps($0, acceptsLongForm: true, as: number) }
    default: false
    }
  }

  /// Reads the rest of an object whose first key, which was just read, says what it wraps.
  ///
  /// - Parameter type: the expected type; `mixed` for any.
  func wrapped(as type: PropertyType, into values: StagedValues, limit: Int) throws -> StagedCell? {
    try cell(reader.scalar(inFormAs: type), values, limit)
  }

  func text(into values: StagedValues, limit: Int) throws -> StagedCell {
    try reader.withText { try blob($0, .string, values, limit) }
  }

  private func blob(
    _ bytes: UnsafeRawBufferPointer, _ kind: StagedCell.Kind, _ values: StagedValues, _ limit: Int
  ) throws -> StagedCell {
    guard bytes.count <= limit else { throw BuildError.valueTooLong(byteCount: bytes.count, limit: limit) }
    return values.text(bytes, kind: kind)
  }

  private func cell(_ value: Value?, _ values: StagedValues, _ limit: Int) throws -> StagedCell? {
    switch value {
    case .int(let number): .int(number)
    case .bool(let flag): .bool(flag)
    case .float(let number): .float(number)
    case .double(let number): .double(number)
    case .string(let text): try text.utf8.withUnsafeBytes { try blob($0, .string, values, limit) }
    case .data(let bytes): try bytes.withUnsafeBytes { try blob($0, .data, values, limit) }
    case .date(let date): .date(date)
    case .decimal(let number): .decimal(number)
    case .objectID(let id): .objectID(id)
    case .uuid(let id): .uuid(id)
    case nil, .null, .link, .typedLink, .list, .set, .dictionary: nil
    }
  }
}

import RealmStorage
import RealmText

extension RQL {
  /// Longer strings and data do not belong in a query.
  private static let longestConstant = 1 << 14

  /// A value as a query can have it; nil for what cannot be written so: NaN, which equals nothing, collections, embedded
  /// objects, texts that are not UTF-8 or too long.
  ///
  /// - Throws: `StorageError.corrupted` if the value cannot be read.
  package static func written(_ value: ValueView, in snapshot: Snapshot) throws -> String? {
    let buffer = TextBuffer(capacity: 64)
    switch value {
    case .null: return "null"
    case .int(let value): return String(value)
    case .bool(let value): return value ? "true" : "false"
    // With all digits of a double, a float is also found in mixed values.
    case .float(let value): return written(Double(value), buffer)
    case .double(let value): return written(value, buffer)
    case .decimal(let value):
      guard case .finite = value.classified else { return nil }
      buffer.appendCanonical(value)
      return text(buffer)
    case .date(let value): return "T\(value.seconds):\(value.nanoseconds)"
    case .objectID(let value):
      buffer.append(value)
      return "oid(" + text(buffer) + ")"
    case .uuid(let value):
      buffer.append(value)
      return "uuid(" + text(buffer) + ")"
    case .string(let blob): return try written(string: blob)
    case .data(let blob):
      guard blob.count <= longestConstant else { return nil }
      let bytes = try blob.copied()
      bytes.withUnsafeBytes { buffer.appendBase64($0) }
      return "binary(B64\"" + text(buffer) + "\")"
    case .link(let table, let key), .typedLink(let table, let key): return try written(value, table, key, in: snapshot)
    case .list, .set, .dictionary: return nil
    }
  }

  private static func text(_ buffer: TextBuffer) -> String { buffer.withBytes { String(decoding: $0, as: UTF8.self) } }

  private static func written(_ value: Double, _ buffer: TextBuffer) -> String? {
    guard !value.isNaN else { return nil }
    guard value.isFinite else { return value < 0 ? "-inf" : "inf" }
    buffer.appendShortest(value)
    return text(buffer)
  }

  private static func written(string blob: BlobView) throws -> String? {
    guard blob.count <= longestConstant, let string = String(utf8: try blob.copied()) else {
      return nil
    }
    var text = "\""
    for scalar in string.unicodeScalars {
      switch scalar {
      case "\"", "\\": text += "\\" + String(scalar)
      case "\n": text += "\\n"
      case "\r": text += "\\r"
      case "\t": text += "\\t"
      case _ where CharacterWidth.isHidden(scalar) && scalar.value <= 0xffff:
        let digits = String(scalar.value, radix: 16)
        text += "\\u" + String(repeating: "0", count: 4 - digits.utf8.count) + digits
      default: text.unicodeScalars.append(scalar)
      }
    }
    return text + "\""
  }

  /// A link by the primary key of its object, else by its object key.
  private static func written(
    _ link: ValueView, _ tableKey: TableKey, _ key: ObjectKey, in snapshot: Snapshot
  ) throws -> String? {
    guard let table = snapshot.table(tableKey), table.schema.kind != .embedded else { return nil }
    if table.schema.isClass, let index = table.schema.primaryKeyIndex, let (batch, row) = try table.object(key) {
      let value = try batch.values(ofProperty: index).value(at: row)
      // In damaged files a primary key can be a link.
      switch value {
      case .link, .typedLink, .list, .set, .dictionary: break
      default:
        if let constant = try written(value, in: snapshot), let name = try written(name: table.schema.displayName) {
          return "obj(\(name), \(constant))"
        }
      }
    }
    if case .link = link { return "O\(key.rawValue)" }
    return "L\(tableKey.rawValue):\(key.rawValue)"
  }

  private static func written(name: RealmString) throws -> String? {
    let keeper = ValueKeeper()
    guard case .string(let blob) = keeper.view(of: .string(name)) else { return nil }
    return try withExtendedLifetime(keeper) { try written(string: blob) }
  }
}

extension RQL {
  /// Where the first of `SORT`, `DISTINCT` and `LIMIT` begins that follow the predicate of a query; nil for none.
  package static func startOfSteps(in text: String) -> String.Index? {
    var lexer = Lexer(text, .standard)
    var depth = 0
    while let token = try? lexer.next(), token.kind != .end {
      switch token.kind {
      case .leftParenthesis, .leftBrace, .leftBracket: depth += 1
      case .rightParenthesis, .rightBrace, .rightBracket: depth -= 1
      case .sort, .distinct, .limit:
        // A property may have the same name: only what opens a parenthesis is meant.
        var next = lexer
        guard depth == 0, (try? next.next())?.kind == .leftParenthesis else { continue }
        return text.utf8.index(text.startIndex, offsetBy: token.range.start)
      default: break
      }
    }
    return nil
  }
}

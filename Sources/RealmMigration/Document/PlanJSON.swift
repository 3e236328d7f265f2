import RealmExchange
import RealmOpening
import RealmStorage
import RealmText
import RealmTools

/// Reads a plan that is written in JSON.
struct PlanJSON {
  private let bytes: [UInt8]
  private let lines: LineMap

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    lines = LineMap(bytes)
  }

  /// - Throws: `PlanError`.
  func parse() throws(PlanError) -> PlanNode {
    let result = bytes.withUnsafeBytes { buffer -> Result<PlanNode, PlanError> in
      var options = JSONReader.Options()
      options.depthLimit = PlanNode.depthLimit
      options.restoresBytes = true
      // As for 'import'.
      options.acceptsControlCharacters = true
      let reader = JSONReader(buffer, options: options)
      do throws(PlanError) {
        let (token, location) = try next(reader)
        let node = try value(token, location, reader)
        _ = try next(reader)
        return .success(node)
      } catch {
        return .failure(error)
      }
    }
    return try result.get()
  }

  /// The next token and where it begins.
  private func next(_ reader: JSONReader) throws(PlanError) -> (JSONReader.Token, PlanLocation) {
    var start = reader.byteOffset
    do throws(JSONError) {
      let token = try reader.next()
      // White space between tokens.
      let between = Array(" \t\r\n,:".utf8)
      while start < bytes.count, between.contains(bytes[start]) { start += 1 }
      return (token, lines.location(ofByte: start))
    } catch {
      guard case .malformed(let fault, let place) = error else {
        throw PlanError("\(error)", at: lines.location(ofByte: start))
      }
      throw PlanError("\(fault)", at: PlanLocation(line: place.line, column: place.column))
    }
  }

  private func value(
    _ token: JSONReader.Token, _ location: PlanLocation, _ reader: JSONReader
  ) throws(PlanError) -> PlanNode {
    switch token {
    case .null: return PlanNode(.null, at: location)
    case .bool(let flag): return PlanNode(.bool(flag), at: location)
    case .string:
      let text = reader.text
      return PlanNode(text.isValidText ? .string(text.description) : .bytes(text), at: location)
    case .number:
      let digits = reader.withText { String(decoding: $0, as: UTF8.self) }
      return PlanNode(.number(digits), at: location)
    case .beginArray:
      var elements: [PlanNode] = []
      while true {
        let (token, place) = try next(reader)
        if token == .endArray { return PlanNode(.list(elements), at: location) }
        elements.append(try value(token, place, reader))
      }
    case .beginObject: return PlanNode(.map(try members(reader)), at: location)
    case .key, .endObject, .endArray, .end: throw PlanError("expected a value", at: location)
    }
  }

  private func members(_ reader: JSONReader) throws(PlanError) -> [PlanNode.Entry] {
    var entries: [PlanNode.Entry] = []
    var keys: Set<RealmString> = []
    while true {
      let (token, place) = try next(reader)
      guard token == .key else { return entries }
      let key = reader.text
      guard keys.insert(key).inserted else { throw PlanError("the key '\(key)' is given twice", at: place) }
      let (first, location) = try next(reader)
      entries.append(PlanNode.Entry(key: key, location: place, value: try value(first, location, reader)))
    }
  }
}

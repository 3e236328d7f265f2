import CYaml

/// Reads a plan written in YAML: only the part of the language that needs no explanation. Anchors, tags, merge keys and
/// several documents are errors. `true`, `false`, `null`, `~` and numbers have their types; every other scalar is text.
///
/// The parser is libyaml, used event by event: once it has built a whole document, tags and anchors can no longer be
/// seen. The Swift wrappers use Foundation, which would triple the size of the binary and its start-up time.
enum PlanYAML {
  /// - Throws: `PlanError`.
  static func parse(_ bytes: [UInt8], kind: String) throws(PlanError) -> PlanNode {
    var parser = yaml_parser_t()
    guard yaml_parser_initialize(&parser) == 1 else {
      throw PlanError("not enough memory for the \(kind)", at: PlanLocation(line: 1, column: 1))
    }
    defer { yaml_parser_delete(&parser) }
    let result = bytes.withUnsafeBufferPointer { buffer -> Result<PlanNode, PlanError> in
      yaml_parser_set_encoding(&parser, YAML_UTF8_ENCODING)
      yaml_parser_set_input_string(&parser, buffer.baseAddress, buffer.count)
      do throws(PlanError) {
        var reading = YAMLReading(kind: kind)
        while try reading.take(nextEvent(of: &parser, in: buffer)) {}
        return .success(try reading.result())
      } catch {
        return .failure(error)
      }
    }
    return try result.get()
  }

  private static func nextEvent(
    of parser: inout yaml_parser_t, in bytes: UnsafeBufferPointer<UInt8>
  ) throws(PlanError) -> YAMLEvent {
    var event = yaml_event_t()
    guard yaml_parser_parse(&parser, &event) == 1 else {
      throw YAMLMistake(parser, in: bytes).error
    }
    defer { yaml_event_delete(&event) }
    return YAMLEvent(event)
  }
}

/// What libyaml says is wrong: it has nothing but text for that.
private enum YAMLProblem: String {
  case mapping = "mapping values are not allowed in this context"
  case sequence = "block sequence entries are not allowed in this context"
  case colon = "could not find expected ':'"
  case end = "found unexpected end of stream"
  case document = "found unexpected document indicator"
  case escape = "found unknown escape character"
  case listEnd = "did not find expected ',' or ']'"
  case mapEnd = "did not find expected ',' or '}'"
  case key = "did not find expected key"
  case dash = "did not find expected '-' indicator"
  case content = "did not find expected node content"
  case character = "found character that cannot start any token"
  case tab = "found a tab character that violates indentation"
  case tabBetween = "found a tab character where an indentation space is expected"
  case comment = "did not find expected whitespace or line break"
}

/// What libyaml does not understand, in words for people who do not know how it reads.
private struct YAMLMistake {
  let error: PlanError

  init(_ parser: yaml_parser_t, in bytes: UnsafeBufferPointer<UInt8>) {
    let words = parser.problem.map { String(cString: $0) } ?? "not YAML"
    let problem = YAMLProblem(rawValue: words)
    let place = PlanLocation(parser.problem_mark)
    // Where the quote or the bracket was opened; the problem itself is at the end of the file.
    let start = PlanLocation(parser.context_mark)
    if parser.error == YAML_READER_ERROR {
      // The reader is ahead of the parser, whose mark says nothing.
      error = PlanError(
        "control characters are not allowed", at: LineMap(Array(bytes)).location(ofByte: Int(parser.problem_offset)))
      return
    }
    if let slip = Self.slip(in: problem, at: parser.problem_mark, bytes) {
      error = slip
      return
    }
    error =
      switch problem {
      case .mapping:
        PlanError(
          "unexpected ':'", advice: "check the indentation, or put text with ': ' in quotes", at: place)
      case .sequence:
        PlanError("unexpected '-'", advice: "check the indentation", at: place)
      case .colon:
        PlanError("a key has no ':'", advice: "add ':' and a value, or check the indentation", at: start)
      case .end, .document:
        PlanError("a quote is not closed", advice: "close it", at: start)
      case .escape:
        PlanError(
          "an unknown escape in double quotes", advice: "write \\\\ for a backslash, or use single quotes", at: place)
      case .listEnd:
        Self.unquotedBracket(at: parser.problem_mark, bytes)
          ?? PlanError("the list that begins with '[' is not closed", advice: "add ',' or ']'", at: start)
      case .mapEnd:
        Self.unquotedBracket(at: parser.problem_mark, bytes)
          ?? PlanError("the mapping that begins with '{' is not closed", advice: "add ',' or '}'", at: start)
      case .key:
        PlanError("the line does not fit the mapping above it", advice: "check the indentation", at: place)
      case .dash:
        PlanError("the line does not fit the list above it", advice: "check the indentation", at: place)
      case .content:
        PlanError("a value or a closing bracket is missing", advice: "add it", at: min(place, Self.end(of: bytes)))
      case .character where Self.isTab(at: parser.problem_mark, bytes):
        PlanError("the indentation has a tab", advice: "indent with spaces", at: place)
      case .character:
        PlanError(
          "no value begins with this character", advice: "put the text in quotes", at: place)
      case .tab, .tabBetween:
        PlanError("the indentation has a tab", advice: "indent with spaces", at: place)
      case .comment, nil:
        PlanError(
          "not valid YAML: \(words)",
          advice: problem == .comment ? "put the value in quotes" : nil, at: place)
      }
  }

  /// A slip of the hand that libyaml calls something else: a missing space or colon, a comment of another language, an
  /// apostrophe within single quotes.
  private static func slip(
    in problem: YAMLProblem?, at mark: yaml_mark_t, _ bytes: UnsafeBufferPointer<UInt8>
  ) -> PlanError? {
    let lines = bytes.split(separator: UInt8(ascii: "\n"), maxSplits: mark.line + 1, omittingEmptySubsequences: false)
      .map { String(decoding: $0.last == UInt8(ascii: "\r") ? $0.dropLast() : $0, as: UTF8.self) }
    guard lines.indices.contains(mark.line) else { return nil }
    func place(_ line: Int, _ column: Int) -> PlanLocation { PlanLocation(line: line + 1, column: column + 1) }
    let first = lines.firstIndex { !$0.allSatisfy(\.isWhitespace) } ?? 0
    for index in [first, mark.line] where lines[index].drop(while: { $0 == " " }).hasPrefix("//") {
      let column = lines[index].prefix { $0 == " " }.count
      return PlanError("'//' begins no comment", advice: "begin comments with #", at: place(index, column))
    }
    switch problem {
    case .key, .dash, .mapEnd, .listEnd:
      let before = lines[mark.line].unicodeScalars.prefix(mark.column)
      guard before.last == "'", before.dropLast().contains("'") else { return nil }
      return PlanError(
        "text follows a closing quote", advice: "within single quotes, write '' for an apostrophe",
        at: place(mark.line, mark.column))
    case .mapping:
      // A key without the space after its colon is text, and goes on in the next line.
      guard let other = lines[..<mark.line].lastIndex(where: { !$0.allSatisfy(\.isWhitespace) }) else { return nil }
      let line = lines[other]
      if let key = line.firstMatch(of: /^[ -]*[A-Za-z_]+:[^ ]/) {
        return PlanError(
          "':' must be followed by a space", advice: "add a space", at: place(other, key.0.unicodeScalars.count - 2))
      }
      let isWhole = line.count { $0 == "'" } % 2 == 0 && line.count { $0 == "\"" } % 2 == 0
      if line.hasSuffix(","), isWhole, line.contains(#/^[ -]*[A-Za-z_]+: /#) {
        return PlanError("a comma ends the line", advice: "omit it", at: place(other, line.unicodeScalars.count - 1))
      }
      return nil
    default: return nil
    }
  }

  /// What to say of a bracket that follows a word directly, as in `int[]`: inside brackets, such text needs quotes.
  private static func unquotedBracket(at mark: yaml_mark_t, _ bytes: UnsafeBufferPointer<UInt8>) -> PlanError? {
    let lines = bytes.split(separator: UInt8(ascii: "\n"), maxSplits: mark.line + 1, omittingEmptySubsequences: false)
    guard lines.indices.contains(mark.line) else { return nil }
    let line = Array(String(decoding: lines[mark.line], as: UTF8.self).unicodeScalars)
    let before = String(String.UnicodeScalarView(line.prefix(mark.column)))
    if let key = before.matches(of: /\b(expr|template|using|where): *[^"' {]/).last,
      !before[key.range.upperBound...].contains(#/}|, *[A-Za-z_]+:/#)
    {
      return PlanError(
        "'\(key.1)' ends at a comma or a quote", advice: "put its text in quotes",
        at: PlanLocation(line: mark.line + 1, column: before[..<key.range.upperBound].unicodeScalars.count))
    }
    guard line.indices.contains(mark.column), "[{".unicodeScalars.contains(line[mark.column]) else { return nil }
    let start = (line[..<mark.column].lastIndex { " \t,:[{".unicodeScalars.contains($0) } ?? -1) + 1
    guard start < mark.column else { return nil }
    let end = line[mark.column...].firstIndex { " \t,\r".unicodeScalars.contains($0) } ?? line.count
    var word = Array(line[start..<end])
    // Brackets that close what was opened before the word.
    for (open, close) in [("[", "]"), ("{", "}")] as [(Unicode.Scalar, Unicode.Scalar)] {
      while word.last == close, word.count(where: { $0 == close }) > word.count(where: { $0 == open }) {
        word.removeLast()
      }
    }
    word.removeAll { "'\"".unicodeScalars.contains($0) }
    let text = String(String.UnicodeScalarView(word))
    return PlanError(
      "text with '\(line[mark.column])' must be in quotes here", advice: "write '\(text)' with the quotes",
      at: PlanLocation(mark))
  }

  /// The last character that is not in a comment, as the end of the text is on a line that an editor may not show.
  private static func end(of bytes: UnsafeBufferPointer<UInt8>) -> PlanLocation {
    var (end, isComment, quote, previous) = (0, false, UInt8?.none, UInt8(ascii: "\n"))
    for (offset, byte) in bytes.enumerated() {
      let followsSpace = " \t\r\n".utf8.contains(previous)
      switch byte {
      case UInt8(ascii: "\n"): isComment = false
      case _ where isComment: break
      case quote: quote = nil
      case _ where quote != nil: break
      case UInt8(ascii: "#"): isComment = followsSpace
      case UInt8(ascii: "'"), UInt8(ascii: "\""): if followsSpace || "[{,:".utf8.contains(previous) { quote = byte }
      default: break
      }
      if !isComment, !" \r\n".utf8.contains(byte), byte & 0xC0 != 0x80 { end = offset }
      previous = byte
    }
    return LineMap(Array(bytes)).location(ofByte: end)
  }

  /// Whether a line has a tab there. In front of it are spaces, so that its column counts bytes.
  private static func isTab(at mark: yaml_mark_t, _ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    let lines = bytes.split(separator: UInt8(ascii: "\n"), maxSplits: mark.line + 1, omittingEmptySubsequences: false)
    guard lines.indices.contains(mark.line) else { return false }
    return lines[mark.line].dropFirst(mark.column).first == UInt8(ascii: "\t")
  }
}

/// One event, copied.
private struct YAMLEvent {
  enum Kind {
    case scalar(String, isPlain: Bool)
    case alias
    case beginList, endList, beginMap, endMap
    case beginDocument, end
    /// Of no meaning here.
    case other
  }

  var kind: Kind
  var location: PlanLocation
  /// Whether an anchor or a tag comes before it.
  var hasAnchor = false
  var hasTag = false

  init(_ event: yaml_event_t) {
    location = PlanLocation(event.start_mark)
    switch event.type {
    case YAML_SCALAR_EVENT:
      let scalar = event.data.scalar
      let text = String(decoding: UnsafeBufferPointer(start: scalar.value, count: scalar.length), as: UTF8.self)
      kind = .scalar(text, isPlain: scalar.style == YAML_PLAIN_SCALAR_STYLE)
      (hasAnchor, hasTag) = (scalar.anchor != nil, scalar.tag != nil)
    case YAML_ALIAS_EVENT: kind = .alias
    case YAML_SEQUENCE_START_EVENT:
      kind = .beginList
      (hasAnchor, hasTag) = (event.data.sequence_start.anchor != nil, event.data.sequence_start.tag != nil)
    case YAML_MAPPING_START_EVENT:
      kind = .beginMap
      (hasAnchor, hasTag) = (event.data.mapping_start.anchor != nil, event.data.mapping_start.tag != nil)
    case YAML_SEQUENCE_END_EVENT: kind = .endList
    case YAML_MAPPING_END_EVENT: kind = .endMap
    case YAML_DOCUMENT_START_EVENT: kind = .beginDocument
    case YAML_STREAM_END_EVENT: kind = .end
    default: kind = .other
    }
  }
}

/// The tree that events make.
private struct YAMLReading {
  private struct Container {
    let location: PlanLocation
    let isMap: Bool
    var elements: [PlanNode] = []
    var entries: [PlanNode.Entry] = []
    var key: (String, PlanLocation)?
    var keys: Set<[UInt8]> = []
  }

  /// The name of the document in messages.
  private let kind: String
  private var open: [Container] = []
  private var root: PlanNode?
  private var documentCount = 0

  init(kind: String) { self.kind = kind }

  /// - Returns: false at the end.
  mutating func take(_ event: YAMLEvent) throws(PlanError) -> Bool {
    if event.hasAnchor { throw PlanError("anchors are not supported in \(kind)s", at: event.location) }
    if event.hasTag { throw PlanError("tags are not supported in \(kind)s", at: event.location) }
    switch event.kind {
    case .end: return false
    case .other: break
    case .alias: throw PlanError("aliases are not supported in \(kind)s", at: event.location)
    case .beginDocument:
      documentCount += 1
      if documentCount > 1 { throw PlanError("a \(kind) is one document; a second begins here", at: event.location) }
    case .beginList, .beginMap:
      guard open.count < PlanNode.depthLimit else {
        throw PlanError("nested more than \(PlanNode.depthLimit) levels deep", at: event.location)
      }
      var isMap = false
      if case .beginMap = event.kind { isMap = true }
      if let last = open.last, last.isMap, last.key == nil {
        throw PlanError("a key must be text", at: event.location)
      }
      open.append(Container(location: event.location, isMap: isMap))
    case .endList, .endMap:
      guard let done = open.popLast() else { break }
      try add(PlanNode(done.isMap ? .map(done.entries) : .list(done.elements), at: done.location))
    case .scalar(let text, let isPlain): try add(text, isPlain, event.location)
    }
    return true
  }

  private mutating func add(_ text: String, _ isPlain: Bool, _ location: PlanLocation) throws(PlanError) {
    guard let last = open.indices.last, open[last].isMap, open[last].key == nil else {
      return try add(PlanNode(isPlain ? Self.content(ofPlain: text) : .string(text), at: location))
    }
    if isPlain, text == "<<" { throw PlanError("merge keys are not supported in \(kind)s", at: location) }
    guard open[last].keys.insert(Array(text.utf8)).inserted else {
      throw PlanError("the key '\(text)' is given twice", at: location)
    }
    open[last].key = (text, location)
  }

  private mutating func add(_ node: PlanNode) throws(PlanError) {
    guard let last = open.indices.last else {
      root = node
      return
    }
    guard open[last].isMap else { return open[last].elements.append(node) }
    guard let (key, location) = open[last].key else { throw PlanError("a key must be text", at: node.location) }
    open[last].entries.append(PlanNode.Entry(key: key, location: location, value: node))
    open[last].key = nil
  }

  /// A text without quotes.
  private static func content(ofPlain text: String) -> PlanNode.Content {
    switch text {
    case "true": .bool(true)
    case "false": .bool(false)
    case "null", "~", "": .null
    default: isNumber(text) ? .number(text) : .string(text)
    }
  }

  /// As JSON has numbers, with `+` and zeros in front allowed, and `.5` and `5.` (YAML 1.2, the core schema).
  private static func isNumber(_ text: String) -> Bool {
    var rest = text.utf8[...]
    func takeDigits() -> Int {
      let digits = rest.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }.count
      rest = rest.dropFirst(digits)
      return digits
    }
    if rest.first == UInt8(ascii: "-") || rest.first == UInt8(ascii: "+") { rest = rest.dropFirst() }
    var digitCount = takeDigits()
    if rest.first == UInt8(ascii: ".") {
      rest = rest.dropFirst()
      digitCount += takeDigits()
    }
    guard digitCount > 0 else { return false }
    if let letter = rest.first, letter | 0x20 == UInt8(ascii: "e") {
      rest = rest.dropFirst()
      if rest.first == UInt8(ascii: "-") || rest.first == UInt8(ascii: "+") { rest = rest.dropFirst() }
      guard takeDigits() > 0 else { return false }
    }
    return rest.isEmpty
  }

  func result() throws(PlanError) -> PlanNode {
    guard let root else { throw PlanError("the \(kind) is empty", at: PlanLocation(line: 1, column: 1)) }
    return root
  }
}

extension PlanLocation {
  fileprivate init(_ mark: yaml_mark_t) {
    self.init(line: Int(clamping: mark.line) + 1, column: Int(clamping: mark.column) + 1)
  }
}

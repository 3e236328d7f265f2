import RealmStorage

/// Reads JSON token by token, from memory or from a source that gives a file piece by piece.
///
/// Nothing is allocated for a token: strings and numbers are lent from the input, or, where escapes had to be resolved,
/// from a buffer that is used again. Keys are not compared; an object may have one twice. Any bytes give tokens or an
/// error; an error ends the reading. A byte-order mark at the start is skipped.
///
/// ```swift
/// let reader = JSONReader(bytes)
/// while true {
///   switch try reader.next() {
///   case .key where reader.textEquals("name"): …
///   case .number: total += reader.integer ?? 0
///   case .end: return total
///   default: break
///   }
/// }
/// ```
public final class JSONReader {
  /// A token. Colons and commas are checked and skipped.
  public enum Token: Hashable, Sendable {
    case beginObject, endObject, beginArray, endArray
    /// The key of the value that follows; its bytes are `withText`.
    case key
    /// Its bytes are `withText`.
    case string
    /// Its characters are `withText`; see `isInteger`, `integer`, `double`.
    case number
    case bool(Bool)
    case null
    /// The text has ended after a complete value (or, in a sequence, after any number of them).
    case end
  }

  /// What a reader accepts as JSON, and its limits.
  public struct Options: Sendable {
    /// How deep containers may be nested, at most 1000: trees are built by recursion.
    public var depthLimit = 500
    /// How many bytes a string or a number may have; only for texts from a source, as it bounds the memory.
    public var tokenLimit = 1 << 27
    /// Whether several values may follow each other, with white space between them or nothing (NDJSON).
    public var isSequence = false
    /// Whether strings come back as the bytes they were made of: escapes of lone low surrogates `\udc80` to `\udcff`
    /// become the bytes 0x80 to 0xFF (`JSONStringStyle.lossless`), and invalid UTF-8 stays as it is. Otherwise invalid
    /// UTF-8 becomes U+FFFD, so that all strings are valid. All other escapes of lone surrogates are errors.
    public var restoresBytes = false
    /// Whether invalid UTF-8 is an error. Escapes of lone surrogates are not affected.
    public var requiresUTF8 = false
    /// Whether what the reference engine writes apart from JSON is read as well: control characters in strings, `nan`,
    /// `-nan`, `inf` and `-inf` as numbers, and `B64"…"` as a key.
    public var acceptsCoreForms = false
    /// Whether strings may have control characters as they are, such as tabs.
    public var acceptsControlCharacters = false

    /// One value of plain JSON.
    public init() {}
  }

  /// The options the reader was made with.
  public let options: Options

  @exclusivity(unchecked) var window: JSONWindow
  @exclusivity(unchecked) private var expected = JSONExpectation.value
  /// What may follow a value in the innermost container.
  @exclusivity(unchecked) private var expectedAfterValue = JSONExpectation.end
  @exclusivity(unchecked) private var isAtStart = true

  /// The kinds of the containers that are open, the outermost first.
  private let containers: UnsafeMutablePointer<JSONExpectation>
  private let depthLimit: Int
  /// Number of containers that are open.
  @exclusivity(unchecked) public private(set) var depth = 0
  /// Where the last token begins.
  @exclusivity(unchecked) public private(set) var tokenOffset = 0

  /// The text of the last token, in the window or in `unescaped`.
  @exclusivity(unchecked) @usableFromInline var textStart: UnsafeRawPointer
  @exclusivity(unchecked) @usableFromInline var textCount = 0
  let unescaped = TextBuffer(capacity: 256)
  /// The digits of the last number, if it is an integer, and whether they fit.
  @exclusivity(unchecked) var numberScan = JSONNumberScan()

  /// Reads `bytes`, which must stay where they are as long as the reader is used.
  public convenience init(_ bytes: UnsafeRawBufferPointer, options: Options = Options()) {
    self.init(JSONWindow(bytes), options)
  }

  /// Reads from `source`, which fills the start of a buffer and returns the number of bytes, 0 at the end of the text.
  public convenience init(
    chunkSize: Int = 1 << 18, options: Options = Options(),
    source: @escaping (UnsafeMutableRawBufferPointer) throws -> Int
  ) {
    self.init(JSONWindow(chunkSize: chunkSize, tokenLimit: options.tokenLimit, source: source), options)
  }

  /// Begins the next of several texts, wherever the previous one was left. Places count from its start.
  public func begin(chunkSize: Int = 1 << 18, source: @escaping (UnsafeMutableRawBufferPointer) throws -> Int) {
    window.deallocate()
    window = JSONWindow(chunkSize: chunkSize, tokenLimit: options.tokenLimit, source: source)
    (expected, expectedAfterValue, isAtStart, depth, tokenOffset) = (.value, .end, true, 0, 0)
    (textStart, textCount) = (window.cursor, 0)
  }

  private init(_ window: JSONWindow, _ options: Options) {
    self.options = options
    self.window = window
    textStart = window.cursor
    depthLimit = min(max(options.depthLimit, 0), 1000)
    containers = UnsafeMutablePointer.allocate(capacity: depthLimit + 1)
  }

  deinit {
    window.deallocate()
    containers.deallocate()
  }

  // MARK: - Tokens

  /// The next token. After `.end` it is `.end` again.
  public func next() throws(JSONError) -> Token {
    if isAtStart { try skipByteOrderMark() }
    while true {
      guard let byte = try nextSignificantByte() else { return try endOfText() }
      tokenOffset = window.byteOffset
      switch expected {
      case .value, .nextElement: return try readValue(byte)
      case .valueOrEndOfArray: return byte == UInt8(ascii: "]") ? close(.endArray) : try readValue(byte)
      case .keyOrEndOfObject where byte == UInt8(ascii: "}"): return close(.endObject)
      case .commaOrEndOfArray where byte == UInt8(ascii: "]"): return close(.endArray)
      case .commaOrEndOfObject where byte == UInt8(ascii: "}"): return close(.endObject)
      case .key, .keyOrEndOfObject: return try readKey(byte)
      case .colon where byte == UInt8(ascii: ":"): pass(expecting: .value)
      case .commaOrEndOfArray where byte == UInt8(ascii: ","): pass(expecting: .nextElement)
      case .commaOrEndOfObject where byte == UInt8(ascii: ","): pass(expecting: .key)
      case .end where options.isSequence: expected = .value
      default: throw unexpected(at: window.cursor, expected)
      }
    }
  }

  /// Skips the value that follows, or, after `.beginObject` or `.beginArray`, the rest of that container.
  ///
  /// After `.key` it skips the key's value; at the end of a container it does nothing.
  public func skipValue(after token: Token) throws(JSONError) {
    let outer: Int
    switch token {
    case .beginObject, .beginArray: outer = depth - 1
    case .key: outer = depth
    default: return
    }
    repeat { _ = try next() } while depth > outer
  }

  /// Reads ahead: what `body` reads is read again afterwards; the end of the innermost container may be the last of it.
  /// The text of the last key or string stays what it was.
  ///
  /// What is read stays in memory meanwhile, so `body` should be short. An error ends the reading.
  package func peek<Result>(_ body: () throws -> Result) throws -> Result {
    let lastText = withText { Array($0) }
    let state = (expected, expectedAfterValue, depth, tokenOffset)
    window.setMark()
    let result = try body()
    window.returnToMark()
    (expected, expectedAfterValue, depth, tokenOffset) = state
    unescaped.removeAll()
    lastText.withUnsafeBytes { unescaped.append(bytes: $0) }
    lendUnescaped()
    return result
  }

  @inline(__always) private func pass(expecting next: JSONExpectation) {
    window.cursor += 1
    expected = next
  }

  @inline(__always) private func readValue(_ byte: UInt8) throws(JSONError) -> Token {
    switch byte {
    case UInt8(ascii: "\""):
      try readString()
      expected = expectedAfterValue
      return .string
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
      try readNumber()
      expected = expectedAfterValue
      return .number
    case UInt8(ascii: "{"): return try open(.beginObject, .keyOrEndOfObject, .commaOrEndOfObject)
    case UInt8(ascii: "["): return try open(.beginArray, .valueOrEndOfArray, .commaOrEndOfArray)
    default: return try readWord()
    }
  }

  private func readKey(_ byte: UInt8) throws(JSONError) -> Token {
    if byte == UInt8(ascii: "\"") {
      try readString()
    } else if byte == UInt8(ascii: "B"), options.acceptsCoreForms {
      try readCoreKey()
    } else {
      throw unexpected(at: window.cursor, expected)
    }
    expected = .colon
    return .key
  }

  /// A word without quotes: `true`, `false`, `null`, and the engine's names for NaN and infinity.
  private func readWord() throws(JSONError) -> Token {
    let token: Token
    if try passWord("true") {
      token = .bool(true)
    } else if try passWord("false") {
      token = .bool(false)
    } else if try passWord("null") {
      token = .null
    } else if options.acceptsCoreForms, try readCoreNumber() {
      token = .number
    } else {
      throw unexpected(at: window.cursor, expected)
    }
    expected = expectedAfterValue
    return token
  }

  // MARK: - Containers

  private func open(
    _ token: Token, _ first: JSONExpectation, _ afterValue: JSONExpectation
  ) throws(JSONError) -> Token {
    guard depth < depthLimit else { throw malformed(.tooDeep(limit: depthLimit), at: window.cursor) }
    containers[depth] = expectedAfterValue
    depth += 1
    expectedAfterValue = afterValue
    pass(expecting: first)
    return token
  }

  private func close(_ token: Token) -> Token {
    depth -= 1
    expectedAfterValue = containers[depth]
    pass(expecting: expectedAfterValue)
    return token
  }

  private func endOfText() throws(JSONError) -> Token {
    if expected == .end || (options.isSequence && depth == 0 && expected == .value) { return .end }
    throw malformed(.unexpectedEnd(expected: expected), at: window.end)
  }

  // MARK: - Bytes

  /// The first byte that is not white space, at `cursor`; nil at the end of the text.
  @inline(__always) private func nextSignificantByte() throws(JSONError) -> UInt8? {
    while true {
      while window.cursor < window.end {
        let byte = window.cursor.load(as: UInt8.self)
        if byte > 0x20 { return byte }
        switch byte {
        case 0x20, 0x0a, 0x0d, 0x09: window.cursor += 1
        default: return byte
        }
      }
      guard try window.extend() else { return nil }
    }
  }

  private func skipByteOrderMark() throws(JSONError) {
    isAtStart = false
    while window.end - window.cursor < 3, try window.extend() {}
    let bytes = UnsafeRawBufferPointer(start: window.cursor, count: window.end - window.cursor)
    if bytes.starts(with: [0xef, 0xbb, 0xbf]) { window.skipByteOrderMark() }
    if bytes.starts(with: [0xff, 0xfe]) || bytes.starts(with: [0xfe, 0xff]) {
      throw malformed(.notUTF8(bytes[0]), at: window.cursor)
    }
  }

  /// Skips `word` if it is at the cursor.
  func passWord(_ word: StaticString) throws(JSONError) -> Bool {
    let length = word.utf8CodeUnitCount
    while window.end - window.cursor < length { guard try window.extend() else { return false } }
    let bytes = UnsafeRawBufferPointer(start: window.cursor, count: length)
    guard bytes.elementsEqual(UnsafeBufferPointer(start: word.utf8Start, count: length)) else { return false }
    window.cursor += length
    return true
  }

  // MARK: - Errors

  func malformed(_ fault: JSONFault, at place: UnsafeRawPointer) -> JSONError {
    .malformed(fault, at: window.location(of: place))
  }

  /// The error for the byte at `place`, or for the end of the text.
  func unexpected(at place: UnsafeRawPointer, _ expected: JSONExpectation) -> JSONError {
    guard place < window.end else { return malformed(.unexpectedEnd(expected: expected), at: place) }
    return malformed(.unexpectedByte(place.load(as: UInt8.self), expected: expected), at: place)
  }

  /// Bytes from the start of what is in memory to the end of the last token.
  package var byteOffset: Int { window.byteOffset }

  /// The place of the last token. Each call counts the characters since the last one.
  public var location: JSONLocation { location(ofByte: tokenOffset) }

  /// Where a token was, by the `tokenOffset` that it had; the end of what was read if that is no longer in memory.
  public func location(ofByte offset: Int) -> JSONLocation { window.location(ofByte: offset) }
}

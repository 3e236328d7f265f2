/// Reads a regular expression.
struct PatternParser {
  indirect enum Tree {
    case empty
    /// A character of a set, by the number of the set.
    case characters(Int)
    case assertion(Assertion)
    case sequence([Tree])
    case choice([Tree])
    case repeated(Tree, least: Int, most: Int?, isGreedy: Bool, range: Range<Int>)
  }

  enum Assertion: Hashable {
    case textStart, textEnd, lineStart, lineEnd, wordEdge, noWordEdge
  }

  private let pattern: [UInt8]
  private var place = 0
  private(set) var ignoresCase: Bool
  private var isByLine = false
  private var includesLineEnds = false
  private(set) var sets: [PatternCharacters] = []
  private var numbers: [PatternCharacters: Int] = [:]
  private var depth = 0

  static let mostDepth = 100
  static let mostRepeats = 1000

  init(_ pattern: String, ignoresCase: Bool) {
    self.pattern = Array(pattern.utf8)
    self.ignoresCase = ignoresCase
  }

  mutating func parse() throws(PatternError) -> Tree {
    try parseFlags()
    let tree = try parseChoice()
    if place < pattern.count { throw error("this ')' has no matching '('", place..<place + 1) }
    return tree
  }

  // MARK: Signs

  private func error(_ text: String, _ range: Range<Int>) -> PatternError {
    PatternError(text, at: range)
  }

  private var next: UInt8? { place < pattern.count ? pattern[place] : nil }

  private func isNext(_ text: StaticString) -> Bool {
    guard place + text.utf8CodeUnitCount <= pattern.count else { return false }
    return (0..<text.utf8CodeUnitCount).allSatisfy { pattern[place + $0] == text.utf8Start[$0] }
  }

  private mutating func take(_ sign: UInt8) -> Bool {
    guard next == sign else { return false }
    place += 1
    return true
  }

  /// The next character; the pattern is a text, and not at its end.
  private mutating func takeCharacter() -> UInt32 {
    let (character, length) = pattern[place...].withUnsafeBytes { PatternText.character(at: 0, in: $0) }
    place += length
    return character
  }

  // MARK: Structure

  /// `(?i)` and the like, at the beginning.
  private mutating func parseFlags() throws(PatternError) {
    while isNext("(?"), let end = pattern[place...].firstIndex(of: UInt8(ascii: ")")) {
      let letters = pattern[place + 2..<end]
      guard !letters.isEmpty, letters.allSatisfy({ (0x61...0x7a).contains($0) }) else { return }
      for (index, letter) in letters.enumerated() {
        switch letter {
        case UInt8(ascii: "i"): ignoresCase = true
        case UInt8(ascii: "m"): isByLine = true
        case UInt8(ascii: "s"): includesLineEnds = true
        default:
          let at = place + 2 + index
          throw error("unknown flag; (?i), (?m) and (?s) are known", at..<at + 1)
        }
      }
      place = end + 1
    }
  }

  private mutating func parseChoice() throws(PatternError) -> Tree {
    var branches = [try parseSequence()]
    while take(UInt8(ascii: "|")) { branches.append(try parseSequence()) }
    return branches.count == 1 ? branches[0] : .choice(branches)
  }

  private mutating func parseSequence() throws(PatternError) -> Tree {
    var parts: [Tree] = []
    while let sign = next, sign != UInt8(ascii: "|"), sign != UInt8(ascii: ")") { parts.append(try parseRepeated()) }
    return parts.isEmpty ? .empty : parts.count == 1 ? parts[0] : .sequence(parts)
  }

  private mutating func parseRepeated() throws(PatternError) -> Tree {
    let start = place
    let part = try parsePart()
    guard let (least, most) = try parseCount() else { return part }
    let isGreedy = !take(UInt8(ascii: "?"))
    if next == UInt8(ascii: "+") { throw error("possessive repeats are not supported", place..<place + 1) }
    let mark = place
    if try parseCount() != nil { throw error("a repeat cannot be repeated; put the first in ( )", mark..<place) }
    return .repeated(part, least: least, most: most, isGreedy: isGreedy, range: start..<place)
  }

  /// `*`, `+`, `?`, `{2}`, `{2,}`, `{,5}`, `{2,5}`; anything else in braces is literal.
  private mutating func parseCount() throws(PatternError) -> (least: Int, most: Int?)? {
    switch next {
    case UInt8(ascii: "*"):
      place += 1
      return (0, nil)
    case UInt8(ascii: "+"):
      place += 1
      return (1, nil)
    case UInt8(ascii: "?"):
      place += 1
      return (0, 1)
    case UInt8(ascii: "{"):
      let start = place
      place += 1
      let least = takeNumber()
      let hasComma = take(UInt8(ascii: ","))
      let most = hasComma ? takeNumber() : least
      guard take(UInt8(ascii: "}")), least != nil || most != nil else {
        place = start
        return nil
      }
      if let least, let most, least > most { throw error("the first number is greater than the second", start..<place) }
      guard (least ?? 0) <= Self.mostRepeats, (most ?? 0) <= Self.mostRepeats else {
        throw error("more than \(Self.mostRepeats) repeats", start..<place)
      }
      return (least ?? 0, most)
    default: return nil
    }
  }

  private mutating func takeNumber() -> Int? {
    var number: Int?
    while let digit = next, (0x30...0x39).contains(digit) {
      number = min((number ?? 0) * 10 + Int(digit - 0x30), Self.mostRepeats + 1)
      place += 1
    }
    return number
  }

  private mutating func parsePart() throws(PatternError) -> Tree {
    let start = place
    switch pattern[place] {
    case UInt8(ascii: "("): return try parseGroup()
    case UInt8(ascii: "["): return characters(try parseSet())
    case UInt8(ascii: "."):
      place += 1
      return characters(includesLineEnds ? .anything : .anythingInLine)
    case UInt8(ascii: "^"):
      place += 1
      return .assertion(isByLine ? .lineStart : .textStart)
    case UInt8(ascii: "$"):
      place += 1
      return .assertion(isByLine ? .lineEnd : .textEnd)
    case UInt8(ascii: "*"), UInt8(ascii: "+"), UInt8(ascii: "?"):
      throw error("nothing to repeat", start..<start + 1)
    case UInt8(ascii: "{"):
      if try parseCount() != nil { throw error("nothing to repeat", start..<place) }
      place += 1
      return characters(PatternCharacters([0x7b...0x7b]))
    case UInt8(ascii: "\\"): return try parseEscape()
    default:
      let character = takeCharacter()
      return characters(PatternCharacters([character...character]))
    }
  }

  private mutating func parseGroup() throws(PatternError) -> Tree {
    let start = place
    place += 1
    if isNext("?:") {
      place += 2
    } else if next == UInt8(ascii: "?") {
      let kind = place + 1 < pattern.count ? pattern[place + 1] : 0
      let range = start..<min(start + 3, pattern.count)
      switch kind {
      case UInt8(ascii: "="), UInt8(ascii: "!"), UInt8(ascii: "<"):
        throw error("lookaround and named groups are not supported", range)
      default: throw error("unknown group; (?:...) groups, (?i) at the beginning ignores case", range)
      }
    }
    depth += 1
    guard depth <= Self.mostDepth else { throw error("nested more than \(Self.mostDepth) deep", start..<start + 1) }
    let tree = try parseChoice()
    depth -= 1
    guard take(UInt8(ascii: ")")) else { throw error("this '(' has no matching ')'", start..<start + 1) }
    return tree
  }

  // MARK: Characters

  private mutating func characters(_ set: PatternCharacters) -> Tree {
    var set = set
    if ignoresCase { set.addOtherCases() }
    if let known = numbers[set] { return .characters(known) }
    numbers[set] = sets.count
    sets.append(set)
    return .characters(sets.count - 1)
  }

  /// A backslash outside brackets.
  private mutating func parseEscape() throws(PatternError) -> Tree {
    let start = place
    guard place + 1 < pattern.count else { throw error("nothing follows the backslash", start..<start + 1) }
    switch pattern[place + 1] {
    case UInt8(ascii: "b"):
      place += 2
      return .assertion(.wordEdge)
    case UInt8(ascii: "B"):
      place += 2
      return .assertion(.noWordEdge)
    case UInt8(ascii: "A"):
      place += 2
      return .assertion(.textStart)
    case UInt8(ascii: "z"), UInt8(ascii: "Z"):
      place += 2
      return .assertion(.textEnd)
    case 0x31...0x39: throw error("back references are not supported", start..<start + 2)
    default:
      var set = PatternCharacters()
      try parseEscape(into: &set)
      return characters(set)
    }
  }

  /// A backslash and what follows it, for characters.
  ///
  /// - Returns: the character, if it is a single one.
  @discardableResult
  private mutating func parseEscape(into set: inout PatternCharacters) throws(PatternError) -> UInt32? {
    let start = place
    place += 1
    guard place < pattern.count else { throw error("nothing follows the backslash", start..<start + 1) }
    let letter = takeCharacter()
    let character: UInt32
    switch letter {
    case 0x64: set.kinds.insert(.digit); return nil
    case 0x77: set.kinds.insert(.word); return nil
    case 0x73: set.kinds.insert(.space); return nil
    case 0x44: set.missingKinds.insert(.digit); return nil
    case 0x57: set.missingKinds.insert(.word); return nil
    case 0x53: set.missingKinds.insert(.space); return nil
    case 0x74: character = 0x09
    case 0x6e: character = 0x0a
    case 0x72: character = 0x0d
    case 0x66: character = 0x0c
    case 0x76: character = 0x0b
    case 0x30: character = 0
    case 0x78: character = try parseHex(digits: 2, start)
    case 0x75: character = try parseHex(digits: 4, start)
    case 0x41...0x5a, 0x61...0x7a, 0x31...0x39:
      throw error("unknown escape; write the letter without the backslash", start..<place)
    default: character = letter
    }
    set.ranges.append(character...character)
    return character
  }

  /// So many hex digits, or any number of them in braces.
  private mutating func parseHex(digits count: Int, _ start: Int) throws(PatternError) -> UInt32 {
    let isBraced = take(UInt8(ascii: "{"))
    var value: UInt32 = 0
    var digits = 0
    while digits < (isBraced ? 6 : count), let sign = next, let digit = Character(Unicode.Scalar(sign)).hexDigitValue {
      value = value << 4 | UInt32(digit)
      digits += 1
      place += 1
    }
    guard digits > 0, isBraced ? take(UInt8(ascii: "}")) : digits == count, Unicode.Scalar(value) != nil else {
      throw error("not a character; write \\x41, \\u00e9 or \\u{1F600}", start..<place)
    }
    return value
  }

  /// `[...]`
  private mutating func parseSet() throws(PatternError) -> PatternCharacters {
    let start = place
    place += 1
    var set = PatternCharacters()
    let isNegated = take(UInt8(ascii: "^"))
    var isFirst = true
    while true {
      guard let sign = next else { throw error("this '[' has no matching ']'", start..<start + 1) }
      // At the beginning it is literal.
      if sign == UInt8(ascii: "]"), !isFirst { break }
      isFirst = false
      let low = place
      guard let first = try parseMember(into: &set), next == UInt8(ascii: "-"), place + 1 < pattern.count,
        pattern[place + 1] != UInt8(ascii: "]")
      else { continue }
      place += 1
      guard let last = try parseMember(into: &set) else {
        throw error("a range needs a character at each end", low..<place)
      }
      guard first <= last else { throw error("the first character of the range comes after the last", low..<place) }
      set.ranges.append(first...last)
    }
    place += 1
    if ignoresCase { set.addOtherCases() }
    set.isNegated = isNegated
    return set
  }

  private mutating func parseMember(into set: inout PatternCharacters) throws(PatternError) -> UInt32? {
    if next == UInt8(ascii: "\\") {
      if place + 1 < pattern.count, pattern[place + 1] == UInt8(ascii: "b") {
        place += 2
        set.ranges.append(8...8)
        return 8
      }
      return try parseEscape(into: &set)
    }
    let character = takeCharacter()
    set.ranges.append(character...character)
    return character
  }
}

/// Text as pattern characters.
enum PatternText {
  /// The character at a place before the end, and its number of bytes.
  @inline(__always)
  static func character(at place: Int, in bytes: UnsafeRawBufferPointer) -> (UInt32, length: Int) {
    let lead = bytes[place]
    if lead < 0x80 { return (UInt32(lead), 1) }
    let rest = UnsafeRawBufferPointer(rebasing: bytes[place...])
    let sequence = UTF8Sequence(at: rest)
    // Each byte that is not part of a character is one of its own.
    guard sequence.isValid else { return (PatternCharacters.invalidByte, 1) }
    var value = UInt32(lead) & (0x7f >> UInt32(sequence.length))
    for index in 1..<sequence.length { value = value << 6 | UInt32(rest[index] & 0x3f) }
    return (value, sequence.length)
  }
}

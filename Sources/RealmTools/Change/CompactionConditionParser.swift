/// Why a condition means nothing, and at which byte of its text.
package struct CompactionConditionError: Error, Hashable, Sendable {
  package enum Reason: Hashable, Sendable {
    /// A number, `total`, `used`, `free`, `!`, `-` or `(` must stand here.
    case missingOperand
    /// An operator must stand here.
    case missingOperator
    case missingClosingParenthesis
    case unmatchedClosingParenthesis
    /// No operator begins like this.
    case unknownCharacter
    /// Not `total`, `used` or `free`.
    case unknownName(String)
    /// Not `KB`, `MB`, `GB`, `KiB`, `MiB` or `GiB`.
    case unknownUnit(String)
    /// Beyond all sizes.
    case numberTooLarge
    /// A size stands where something true or false must, such as the whole of `total`.
    case notACondition
    /// Something true or false stands where a size must, such as on the left of `(total > 1) + 1`.
    case notASize
    /// What a size is divided by is zero whatever the file.
    case divisionByZero
    /// More parentheses, `!` and `-` inside each other than anybody needs.
    case tooDeep
  }

  package var reason: Reason
  /// Counted from 0, in bytes of UTF-8.
  package var position: Int
}

/// Reads a condition: `||`, `&&`, comparisons, sums, products, `!` and `-`, from loose to tight.
struct CompactionConditionParser {
  private typealias Step = CompactionCondition.Step

  private enum Kind {
    case size, truth
  }

  private struct Operator {
    let text: [UInt8]
    let step: Step
    /// What it takes on both sides, and what it gives.
    let takes: Kind
    let gives: Kind

    init(_ text: String, _ step: Step, _ takes: Kind, _ gives: Kind) {
      (self.text, self.step, self.takes, self.gives) = (Array(text.utf8), step, takes, gives)
    }
  }

  /// From loose to tight; the longer of two that begin alike first.
  private static let levels: [[Operator]] = [
    [Operator("||", .or, .truth, .truth)],
    [Operator("&&", .and, .truth, .truth)],
    [
      Operator("<=", .lessOrEqual, .size, .truth), Operator(">=", .greaterOrEqual, .size, .truth),
      Operator("==", .equal, .size, .truth), Operator("!=", .notEqual, .size, .truth),
      Operator("<", .less, .size, .truth), Operator(">", .greater, .size, .truth),
    ],
    [Operator("+", .add, .size, .size), Operator("-", .subtract, .size, .size)],
    [Operator("*", .multiply, .size, .size), Operator("/", .divide, .size, .size)],
  ]

  private static let depthLimit = 64

  private let text: [UInt8]
  private var position = 0
  private var depth = 0
  private var steps: [Step] = []

  init(_ text: String) { self.text = Array(text.utf8) }

  mutating func parse() throws(CompactionConditionError) -> [CompactionCondition.Step] {
    skipSpaces()
    let kind = try expression(level: 0)
    guard position == text.count else { throw error(unexpected) }
    guard kind == .truth else { throw error(.notACondition, at: 0) }
    return steps
  }

  // MARK: Expressions

  private mutating func expression(level: Int) throws(CompactionConditionError) -> Kind {
    guard level < Self.levels.count else { return try operand() }
    let start = position
    var left = try expression(level: level + 1)
    while let found = nextOperator(of: level) {
      try require(left, found.takes, at: start)
      position += found.text.count
      skipSpaces()
      let rightStart = position
      // A statement of its own: without the optimiser, `require` would hold a copy of the steps while they grow.
      let firstStep = steps.count
      let right = try expression(level: level + 1)
      try require(right, found.takes, at: rightStart)
      if found.step == .divide, isAlwaysZero(from: firstStep) { throw error(.divisionByZero, at: rightStart) }
      steps.append(found.step)
      left = found.gives
    }
    return left
  }

  /// Whether the steps from one on have no size of the file in them, and come to nothing.
  private func isAlwaysZero(from first: Int) -> Bool {
    let divisor = steps[first...]
    let isConstant = divisor.allSatisfy { if case .quantity = $0 { false } else { true } }
    return isConstant && CompactionCondition.value(of: divisor, for: SpaceUse(total: 0, free: 0)) == 0
  }

  private func nextOperator(of level: Int) -> Operator? {
    Self.levels[level].first { text[position...].starts(with: $0.text) }
  }

  private func require(_ kind: Kind, _ expected: Kind, at start: Int) throws(CompactionConditionError) {
    guard kind == expected else { throw error(expected == .truth ? .notACondition : .notASize, at: start) }
  }

  private mutating func operand() throws(CompactionConditionError) -> Kind {
    guard position < text.count else { throw error(.missingOperand) }
    switch text[position] {
    case UInt8(ascii: "("): return try inner { parser throws(CompactionConditionError) in try parser.parenthesis() }
    case UInt8(ascii: "!"):
      return try inner { parser throws(CompactionConditionError) in try parser.prefixed(.not, .truth) }
    case UInt8(ascii: "-"):
      return try inner { parser throws(CompactionConditionError) in try parser.prefixed(.negate, .size) }
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."): return try number()
    case let byte where byte.isLetter: return try name()
    default: throw error(isOperatorCharacter ? .missingOperand : .unknownCharacter)
    }
  }

  private mutating func inner(
    _ body: (inout CompactionConditionParser) throws(CompactionConditionError) -> Kind
  ) throws(CompactionConditionError) -> Kind {
    depth += 1
    defer { depth -= 1 }
    guard depth <= Self.depthLimit else { throw error(.tooDeep) }
    return try body(&self)
  }

  private mutating func parenthesis() throws(CompactionConditionError) -> Kind {
    let start = position
    position += 1
    skipSpaces()
    let kind = try expression(level: 0)
    guard position < text.count else { throw error(.missingClosingParenthesis, at: start) }
    guard text[position] == UInt8(ascii: ")") else { throw error(unexpected) }
    position += 1
    skipSpaces()
    return kind
  }

  private mutating func prefixed(_ step: Step, _ kind: Kind) throws(CompactionConditionError) -> Kind {
    position += 1
    skipSpaces()
    let start = position
    let found = try operand()
    try require(found, kind, at: start)
    steps.append(step)
    return kind
  }

  // MARK: Words

  private mutating func name() throws(CompactionConditionError) -> Kind {
    let start = position
    let word = takeWord()
    guard let quantity = CompactionCondition.Quantity(rawValue: word) else {
      throw error(.unknownName(word), at: start)
    }
    steps.append(.quantity(quantity))
    skipSpaces()
    return .size
  }

  private mutating func number() throws(CompactionConditionError) -> Kind {
    let start = position
    while position < text.count, text[position].isDigit || text[position] == UInt8(ascii: ".") { position += 1 }
    let digits = String(decoding: text[start..<position], as: UTF8.self)
    // One point at most, and a digit on each side of it, is what Double reads besides signs and exponents.
    guard digits.first != ".", digits.last != ".", let value = Double(digits) else {
      throw error(.missingOperand, at: start)
    }
    skipSpaces()
    let size = value * (try unit())
    guard size <= 0x1p63 else { throw error(.numberTooLarge, at: start) }
    steps.append(.number(size))
    return .size
  }

  /// What stands behind a number; 1 where nothing does.
  private mutating func unit() throws(CompactionConditionError) -> Double {
    guard position < text.count, text[position].isLetter else { return 1 }
    let start = position
    let word = takeWord()
    skipSpaces()
    guard let factor = Self.units[word.lowercased()] else { throw error(.unknownUnit(word), at: start) }
    return factor
  }

  private static let units: [String: Double] = [
    "kb": 1e3, "mb": 1e6, "gb": 1e9, "kib": 0x1p10, "mib": 0x1p20, "gib": 0x1p30,
  ]

  private mutating func takeWord() -> String {
    let start = position
    while position < text.count, text[position].isLetter || text[position].isDigit { position += 1 }
    return String(decoding: text[start..<position], as: UTF8.self)
  }

  private mutating func skipSpaces() {
    while position < text.count, [0x20, 0x09, 0x0a, 0x0d].contains(text[position]) { position += 1 }
  }

  // MARK: Errors

  private var isOperatorCharacter: Bool { Array("|&<>=!+-*/)".utf8).contains(text[position]) }

  /// Why the parser stops at this place, where an operator could stand.
  private var unexpected: CompactionConditionError.Reason {
    switch text[position] {
    case UInt8(ascii: ")"): .unmatchedClosingParenthesis
    case UInt8(ascii: "("), UInt8(ascii: "."): .missingOperator
    case let byte where byte.isLetter || byte.isDigit: .missingOperator
    default: .unknownCharacter
    }
  }

  private func error(_ reason: CompactionConditionError.Reason, at position: Int? = nil) -> CompactionConditionError {
    CompactionConditionError(reason: reason, position: position ?? self.position)
  }
}

extension UInt8 {
  fileprivate var isDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }
  /// Bytes beyond ASCII count as letters, so that an error names the whole word.
  fileprivate var isLetter: Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self | 0x20) || self == UInt8(ascii: "_") || self >= 0x80
  }
}

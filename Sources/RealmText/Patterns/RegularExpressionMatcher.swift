/// Searches text for a regular expression; an instance belongs to one thread.
///
/// A table of states, built while it is used, decides whether a text matches, in a few nanoseconds for each character.
/// The table takes a few MiB at most; if a pattern needs more, it is cleared and built again.
package final class RegularExpressionMatcher {
  private let program: PatternProgram
  private var alphabet: PatternAlphabet
  private var states = StateTable()

  init(_ program: PatternProgram) {
    self.program = program
    alphabet = PatternAlphabet(program)
    states.reset(stride: alphabet.capacity)
  }

  // MARK: Whether

  /// Whether the text has a match.
  package func matches(_ text: UnsafeRawBufferPointer) -> Bool {
    var place = 0
    var state = states.number(of: State(places: [], context: .start))
    while true {
      let stop = run(text, &place, &state)
      switch stop {
      case .match: return true
      case .end: return false
      case .unknown(let letter):
        let next = step(from: state, letter)
        if next == StateTable.match { return true }
        if letter == PatternAlphabet.end { return false }
        state = next
      }
    }
  }

  private enum Stop { case match, end, unknown(Int) }

  /// Continues as long as the table knows the next state. After an unknown letter, `place` is already at the next one.
  @inline(__always)
  private func run(_ text: UnsafeRawBufferPointer, _ place: inout Int, _ state: inout Int) -> Stop {
    var (at, current) = (place, state)
    defer { (place, state) = (at, current) }
    let stride = states.stride
    return states.transitions.withUnsafeBufferPointer { transitions in
      alphabet.ofASCII.withUnsafeBufferPointer { ascii in
        while at < text.count {
          let byte = text[at]
          let letter: Int
          if byte < 0x80 {
            letter = Int(ascii[Int(byte)])
            at &+= 1
          } else {
            let (character, length) = PatternText.character(at: at, in: text)
            at += length
            guard let known = alphabet.known(character) else {
              let letter = alphabet.letter(of: character)
              return .unknown(letter)
            }
            letter = known
          }
          let next = transitions[current &* stride &+ letter]
          if next < 0 { return next == StateTable.unknown ? .unknown(letter) : .match }
          current = Int(next)
        }
        let next = transitions[current &* stride &+ PatternAlphabet.end]
        return next == StateTable.unknown ? .unknown(PatternAlphabet.end) : next == StateTable.match ? .match : .end
      }
    }
  }

  /// The state after a letter, which is added to the table.
  private func step(from number: Int, _ letter: Int) -> Int {
    if alphabet.count > states.stride || states.isFull {
      let state = states.states[number]
      states.reset(stride: max(alphabet.capacity, states.stride))
      return step(from: states.number(of: state), letter)
    }
    let state = states.states[number]
    var reached = [Bool](repeating: false, count: program.steps.count)
    var pending = state.places + [program.start]
    var places: Set<Int> = []
    while let place = pending.popLast() {
      guard !reached[place] else { continue }
      reached[place] = true
      switch program.steps[place] {
      case .match:
        states.set(number, letter, StateTable.match)
        return StateTable.match
      case .split(let first, let second): pending += [second, first]
      case .assertion(let assertion, let next):
        if alphabet.holds(assertion, behind: state.context, before: letter) { pending.append(next) }
      case .characters(let set, let next):
        if letter != PatternAlphabet.end, alphabet.contains(letter, set) { places.insert(next) }
      }
    }
    let next = states.number(
      of: State(places: places.sorted(), context: letter == PatternAlphabet.end ? .other : alphabet.context(of: letter))
    )
    states.set(number, letter, next)
    return next
  }

  // MARK: Where

  /// The first match as a range of bytes; of several that begin there, the one that the pattern prefers.
  ///
  /// - Parameter start: where the search begins; what comes before it counts for `^` and `\b`.
  package func firstMatch(in text: UnsafeRawBufferPointer, from start: Int = 0) -> Range<Int>? {
    guard start > 0 || matches(text) else { return nil }
    var current: [Thread] = []
    var following: [Thread] = []
    var reached = [Int](repeating: -1, count: program.steps.count)
    var found: Range<Int>?
    var context = context(before: start, in: text)
    var place = start
    while place <= text.count {
      var (letter, length) = (PatternAlphabet.end, 1)
      if place < text.count {
        let (character, bytes) = PatternText.character(at: place, in: text)
        (letter, length) = (alphabet.letter(of: character), bytes)
      }
      if found == nil { current.append(Thread(place: program.start, start: place)) }
      following.removeAll(keepingCapacity: true)
      search: for thread in current {
        var pending = [thread.place]
        while let at = pending.popLast() {
          guard reached[at] != place else { continue }
          reached[at] = place
          switch program.steps[at] {
          case .match:
            found = thread.start..<place
            // Later threads have a lower priority.
            break search
          case .split(let first, let second): pending += [second, first]
          case .assertion(let assertion, let next):
            if alphabet.holds(assertion, behind: context, before: letter) { pending.append(next) }
          case .characters(let set, let next):
            if letter != PatternAlphabet.end, alphabet.contains(letter, set) {
              following.append(Thread(place: next, start: thread.start))
            }
          }
        }
      }
      swap(&current, &following)
      if current.isEmpty, found != nil { break }
      context = letter == PatternAlphabet.end ? .other : alphabet.context(of: letter)
      place += length
    }
    return found
  }

  private struct Thread {
    let place: Int
    let start: Int
  }

  private func context(before place: Int, in text: UnsafeRawBufferPointer) -> PatternAlphabet.Context {
    guard place > 0 else { return .start }
    var first = place - 1
    while first > 0, place - first < 4, text[first] & 0xc0 == 0x80 { first -= 1 }
    let (character, length) = PatternText.character(at: first, in: text)
    return first + length == place ? alphabet.context(of: alphabet.letter(of: character)) : .other
  }
}

/// The places where the machine may be, and what came before.
private struct State: Hashable {
  /// The steps to continue with; the first one of the program is always among them.
  let places: [Int]
  let context: PatternAlphabet.Context
}

/// The states seen so far, and the transitions between them.
private struct StateTable {
  static let unknown = -1
  static let match = -2

  private(set) var states: [State] = []
  private var numbers: [State: Int] = [:]
  /// By state and letter.
  private(set) var transitions: ContiguousArray<Int32> = []
  private(set) var stride = 1
  private var placeCount = 0

  private static let (mostStates, mostTransitions, mostPlaces) = (10_000, 1 << 19, 1 << 18)

  var isFull: Bool {
    states.count >= Self.mostStates || transitions.count >= Self.mostTransitions || placeCount >= Self.mostPlaces
  }

  mutating func reset(stride: Int) {
    states.removeAll()
    numbers.removeAll()
    transitions.removeAll()
    placeCount = 0
    self.stride = stride
  }

  mutating func number(of state: State) -> Int {
    if let known = numbers[state] { return known }
    numbers[state] = states.count
    states.append(state)
    placeCount += state.places.count
    transitions.append(contentsOf: repeatElement(Int32(Self.unknown), count: stride))
    return states.count - 1
  }

  mutating func set(_ state: Int, _ letter: Int, _ next: Int) {
    transitions[state * stride + letter] = Int32(truncatingIfNeeded: next)
  }
}

/// Characters grouped into letters: all that a pattern treats the same are one letter.
struct PatternAlphabet {
  /// What comes before a place, as far as the pattern needs it.
  enum Context: UInt8 { case start, word, lineEnd, other }

  /// The letter after the last character.
  static let end = 0

  private let program: PatternProgram
  /// Letters so far.
  private(set) var count = 1
  /// Letters of the ASCII characters.
  private(set) var ofASCII: [UInt16] = []
  private var members: [[Bool]]
  private var contexts: [Context] = [.other]
  /// By the range of a character and its kinds.
  private var letters: [Int: Int] = [:]
  /// Characters looked up last.
  private var recent: [(character: UInt32, letter: Int)]

  init(_ program: PatternProgram) {
    self.program = program
    members = [Array(repeating: false, count: program.sets.count)]
    recent = Array(repeating: (.max, 0), count: 256)
    for character in UInt32(0)..<0x80 { ofASCII.append(UInt16(truncatingIfNeeded: makeLetter(of: character))) }
  }

  /// Room for the letters so far and some more.
  var capacity: Int { count + 16 }

  @inline(__always)
  func known(_ character: UInt32) -> Int? {
    let entry = recent[Int(character & 0xff)]
    return entry.character == character ? entry.letter : nil
  }

  mutating func letter(of character: UInt32) -> Int {
    if character < 0x80 { return Int(ofASCII[Int(character)]) }
    if let known = known(character) { return known }
    let letter = makeLetter(of: character)
    recent[Int(character & 0xff)] = (character, letter)
    return letter
  }

  private mutating func makeLetter(of character: UInt32) -> Int {
    let kinds = PatternCharacters.Kinds.of(character)
    let isLineEnd = character == 0x0a
    let key = (rangeIndex(of: character) << 3 | Int(kinds.rawValue)) << 1 | (isLineEnd ? 1 : 0)
    if let known = letters[key] { return known }
    let letter = count
    letters[key] = letter
    count += 1
    members.append(program.sets.map { $0.contains(character, kinds) })
    let isWord = program.usesWordEdges && kinds.contains(.word)
    contexts.append(isWord ? .word : program.usesLines && isLineEnd ? .lineEnd : .other)
    return letter
  }

  /// Number of limits that are not above a character.
  private func rangeIndex(of character: UInt32) -> Int {
    var (low, high) = (0, program.limits.count)
    while low < high {
      let middle = (low + high) / 2
      if program.limits[middle] <= character { low = middle + 1 } else { high = middle }
    }
    return low
  }

  func contains(_ letter: Int, _ set: Int) -> Bool { members[letter][set] }
  func context(of letter: Int) -> Context { contexts[letter] }

  /// Whether an assertion is true between what came before and the next letter.
  func holds(_ assertion: PatternParser.Assertion, behind context: Context, before letter: Int) -> Bool {
    switch assertion {
    case .textStart: context == .start
    case .textEnd: letter == Self.end
    case .lineStart: context == .start || context == .lineEnd
    case .lineEnd: letter == Self.end || contexts[letter] == .lineEnd
    case .wordEdge: (context == .word) != (contexts[letter] == .word)
    case .noWordEdge: (context == .word) == (contexts[letter] == .word)
    }
  }
}

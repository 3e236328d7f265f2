import RealmPresentation
import RealmStorage

/// Turns the bytes that a terminal sends into events.
///
/// What begins with Escape is read to its end before it has a meaning, so that the rest of a sequence that stands for
/// no key, such as a late answer of the terminal, never acts as keys that nobody pressed. Sequences may arrive in parts.
struct KeyParser {
  /// The sequences of the terminal's description.
  private let described: [[UInt8]: Key]
  /// What `described` has continuations of.
  private let beginnings: Set<[UInt8]>

  private var state = State.ground
  /// The sequence that has begun, from its Escape; of strings, only their beginning.
  private var begun: [UInt8] = []
  /// Whether there was another Escape before it, which is how some terminals report Alt.
  private var hasAlt = false
  /// The text pasted so far; nil outside a paste.
  private var pasted: String?
  private var lastClick: (place: ScreenPosition, time: ContinuousClock.Instant)?

  private enum State {
    case ground
    case escape
    /// After `ESC [`.
    case control
    /// After `ESC O`.
    case keypad
    /// What runs to BEL or `ESC \`: answers to questions, such as those about colors and the clipboard.
    case string
    /// The three bytes of a report of the mouse in its oldest form.
    case mouse
    /// The bytes of a character.
    case character
  }

  /// Longer sequences are read to their end, and mean nothing.
  private static let longest = 64
  /// A paste that does not end is cut off.
  private static let mostPasted = 1 << 20
  private static let doubleClick = Duration.milliseconds(400)
  private static let escape: UInt8 = 0x1b

  /// - Parameter described: the sequences of the terminal's description.
  init(_ described: [[UInt8]: Key] = [:]) {
    self.described = described
    beginnings = Set(described.keys.flatMap { keys in keys.indices.dropFirst().map { Array(keys[..<$0]) } })
  }

  /// How many milliseconds to wait for the rest of what has begun, before `giveUp`; nil if nothing has.
  var patience: Int32? {
    switch state {
    // A beginning without its end; the rest of a real paste would act as keys.
    case .ground: pasted == nil ? nil : 5000
    // The key itself, or Alt and the character after it.
    case .escape: 50
    // Over a slow line, the rest may be late, and its last byte must not act as a key: better that a key is lost.
    case .control, .keypad: 60_000
    case .string, .mouse, .character: 1000
    }
  }

  /// The rest of what has begun does not come.
  mutating func giveUp() -> [Event] {
    var events: [Event] = []
    switch state {
    case .escape: for _ in 0..<(hasAlt ? 2 : 1) { add(.key(.escape), &events) }
    case .character: finishCharacter(&events)
    case .ground:
      if let text = pasted { events.append(.paste(text)) }
      pasted = nil
    case .control, .keypad, .string, .mouse: break
    }
    reset()
    return events
  }

  private mutating func reset() { (state, begun, hasAlt) = (.ground, [], false) }

  /// - Parameter time: when the bytes arrived, to notice double clicks.
  mutating func events(of bytes: some Sequence<UInt8>, at time: ContinuousClock.Instant) -> [Event] {
    var events: [Event] = []
    for byte in bytes { take(byte, time, &events) }
    return events
  }

  private mutating func take(_ byte: UInt8, _ time: ContinuousClock.Instant, _ events: inout [Event]) {
    if byte == Self.escape, !isInMouseReport { return takeEscape(&events) }
    switch state {
    case .ground: begin(with: byte, &events)
    case .character:
      // What is not the rest of the character stands for itself.
      guard byte & 0xc0 == 0x80 else {
        finishCharacter(&events)
        return take(byte, time, &events)
      }
      begun.append(byte)
      if begun.count >= Self.length(ofCharacter: begun[0]) { finishCharacter(&events) }
    case .escape: takeIntroducer(byte, &events)
    case .string:
      // CAN and SUB cancel it.
      if byte == 0x07 || byte == 0x18 || byte == 0x1a { reset() } else { keep(byte) }
    case .control, .keypad:
      if byte == 0x18 || byte == 0x1a { return reset() }
      keep(byte)
      guard isComplete(endingIn: byte) else { return }
      if let key = described[begun] { return finish(self.key(key), time, &events) }
      if begun.elementsEqual("\u{1b}[M".utf8) { return state = .mouse }
      finish(meaning, time, &events)
    case .mouse:
      keep(byte)
      guard begun.count == 6 else { return }
      let code = begun[3...5].map { Int($0) - 32 }
      finish(.mouse(button: code[0], column: code[1], row: code[2]), time, &events)
    }
  }

  /// Keeps what has a meaning by its length.
  private mutating func keep(_ byte: UInt8) {
    if begun.count <= Self.longest { begun.append(byte) }
  }

  // The bytes of such a report may have any value.
  private var isInMouseReport: Bool { if case .mouse = state { true } else { false } }

  private mutating func takeEscape(_ events: inout [Event]) {
    if case .character = state { finishCharacter(&events) }
    if case .escape = state {
      if hasAlt { add(.key(.escape), &events) }
      hasAlt = true
    } else {
      // It ends whatever had begun; after a string, this is `ESC \`, which stands for nothing either.
      reset()
    }
    (state, begun) = (.escape, [Self.escape])
  }

  private mutating func takeIntroducer(_ byte: UInt8, _ events: inout [Event]) {
    keep(byte)
    switch byte {
    case UInt8(ascii: "["): state = .control
    case UInt8(ascii: "O"): state = .keypad
    case _ where "]PX^_".utf8.contains(byte): state = .string
    default:
      if let key = described[begun] {
        add(.key(key), &events)
      } else if byte > 0x20, byte < 0x7f, byte != UInt8(ascii: "\\") {
        if hasAlt { add(.key(.escape), &events) }
        add(.key(.alt(Unicode.Scalar(byte))), &events)
      } else if Self.length(ofCharacter: byte) > 1 {
        // Alt and a character of several bytes, which no key is.
        (state, begun, hasAlt) = (.character, [byte], true)
        return
      }
      reset()
    }
  }

  // MARK: - Characters

  private mutating func begin(with byte: UInt8, _ events: inout [Event]) {
    if let key = described[[byte]] { return add(.key(key), &events) }
    guard byte >= 0x80 else { return add(character: Unicode.Scalar(byte), &events) }
    begun = [byte]
    if Self.length(ofCharacter: byte) > 1 { state = .character } else { finishCharacter(&events) }
  }

  /// The number of bytes of a character that begins like this; 1 if none does.
  private static func length(ofCharacter lead: UInt8) -> Int {
    lead >= 0xf5 || lead < 0xc2 ? 1 : lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2
  }

  private mutating func finishCharacter(_ events: inout [Event]) {
    let bytes = begun
    let isAlt = hasAlt
    reset()
    guard !isAlt else { return }
    let character = bytes.withUnsafeBytes { UTF8Character(at: 0, in: $0) }
    guard character.length == bytes.count, let scalar = character.scalar else {
      for byte in bytes where byte < 0xa0 { add(character: Unicode.Scalar(byte), &events) }
      return
    }
    add(character: scalar, &events)
  }

  private mutating func add(character scalar: Unicode.Scalar, _ events: inout [Event]) {
    if let count = pasted?.utf8.count {
      if count < Self.mostPasted { pasted?.unicodeScalars.append(scalar) }
      return
    }
    if (0x80..<0xa0).contains(scalar.value) {
      // One character for Escape and the next one.
      takeEscape(&events)
      return takeIntroducer(UInt8(scalar.value - 0x40), &events)
    }
    let key: Key? =
      switch scalar.value {
      case 0x0a, 0x0d: .enter
      case 0x09: .tab
      case 0x7f, 0x08: .backspace
      case 1...26: Unicode.Scalar(scalar.value + 0x60).map { .control($0) }
      case 0..<0x20: nil
      default: .character(scalar)
      }
    if let key { events.append(.key(key)) }
  }

  private func add(_ event: Event, _ events: inout [Event]) {
    if pasted == nil { events.append(event) }
  }

  // MARK: - Sequences

  private enum Outcome {
    case nothing
    case key(Key)
    /// With the numbers of the report, columns and rows from 1.
    case mouse(button: Int, column: Int, row: Int)
    case pasteBegin, pasteEnd
  }

  /// Whether the sequence ends here.
  private func isComplete(endingIn byte: UInt8) -> Bool {
    if beginnings.contains(begun) { return false }
    if described[begun] != nil { return true }
    // The Linux console's function keys have one byte more.
    if case .control = state, begun.count == 3, byte == UInt8(ascii: "[") { return false }
    // The end of rxvt's keys with Shift; elsewhere, such a byte comes before the last one.
    if byte == UInt8(ascii: "$"), begun.count > 3, begun[2...].dropLast().allSatisfy({ $0.isDigit }) { return true }
    return (0x40...0x7e).contains(byte)
  }

  /// What the sequence means by the conventions of xterm.
  private var meaning: Outcome {
    guard begun.count <= Self.longest, let last = begun.last else { return .nothing }
    if begun.starts(with: "\u{1b}[[".utf8) {
      return (0x41...0x45).contains(last) ? key(.function(Int(last) - 0x40)) : .nothing
    }
    var body = begun[2...].dropLast()
    let isMouse = body.first == UInt8(ascii: "<")
    if isMouse { body.removeFirst() }
    let parameters = body.split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false).map { digits in
      digits.allSatisfy(\.isDigit) && digits.count < 6 ? Int(String(decoding: digits, as: UTF8.self)) : nil
    }
    let numbers = parameters.compactMap(\.self)
    guard numbers.count == parameters.count || body.isEmpty else { return .nothing }
    if isMouse {
      // The release of a button ends in a small letter.
      guard case .control = state, last == UInt8(ascii: "M"), numbers.count == 3 else { return .nothing }
      return .mouse(button: numbers[0], column: numbers[1], row: numbers[2])
    }
    if case .keypad = state { return keypadMeaning(last, modifier: numbers.last ?? 1) }
    if last == UInt8(ascii: "~") { return numberedMeaning(numbers) }
    guard numbers.isEmpty || numbers.count <= 2 && numbers[0] == 1 else { return .nothing }
    return cursorMeaning(last, modifier: numbers.count == 2 ? numbers[1] : 1)
  }

  /// A key without other keys, and after Escape for Alt.
  private func key(_ key: Key) -> Outcome { self.key(key, modifier: 1) }

  /// - Parameter modifier: 1 for none, 2 for Shift, 3 for Alt, 5 for Control.
  private func key(_ key: Key, modifier: Int) -> Outcome {
    switch (key, hasAlt && modifier == 1 ? 3 : modifier) {
    case (_, 1): .key(key)
    case (.left, 3): .key(.altLeft)
    case (.right, 3): .key(.altRight)
    case (.left, 5): .key(.controlLeft)
    case (.right, 5): .key(.controlRight)
    case (.up, 2), (.down, 2), (.left, 2), (.right, 2), (.home, 2), (.end, 2), (.pageUp, 2), (.pageDown, 2): .key(key)
    default: .nothing
    }
  }

  private func cursorMeaning(_ last: UInt8, modifier: Int) -> Outcome {
    switch Unicode.Scalar(last) {
    case "A": key(.up, modifier: modifier)
    case "B": key(.down, modifier: modifier)
    case "C": key(.right, modifier: modifier)
    case "D": key(.left, modifier: modifier)
    case "H": key(.home, modifier: modifier)
    case "F": key(.end, modifier: modifier)
    case "Z": key(.backTab)
    case "P", "Q", "S": key(.function(Int(last) - 0x4f), modifier: modifier)
    default: .nothing
    }
  }

  private func keypadMeaning(_ last: UInt8, modifier: Int) -> Outcome {
    switch Unicode.Scalar(last) {
    case "A", "B", "C", "D", "F", "H": cursorMeaning(last, modifier: modifier)
    case "P", "Q", "R", "S": key(.function(Int(last) - 0x4f), modifier: modifier)
    case "M": key(.enter, modifier: modifier)
    case "X": key(.character("="), modifier: modifier)
    case "j"..."y": key(.character(Unicode.Scalar(last - 0x40)), modifier: modifier)
    default: .nothing
    }
  }

  private func numberedMeaning(_ numbers: [Int]) -> Outcome {
    guard let number = numbers.first, numbers.count <= 2 else { return .nothing }
    let modifier = numbers.count == 2 ? numbers[1] : 1
    switch number {
    case 1, 7: return key(.home, modifier: modifier)
    case 2: return key(.insert, modifier: modifier)
    case 3: return key(.delete, modifier: modifier)
    case 4, 8: return key(.end, modifier: modifier)
    case 5: return key(.pageUp, modifier: modifier)
    case 6: return key(.pageDown, modifier: modifier)
    case 11...15: return key(.function(number - 10), modifier: modifier)
    case 17...21: return key(.function(number - 11), modifier: modifier)
    case 23, 24: return key(.function(number - 12), modifier: modifier)
    case 200: return numbers.count == 1 ? .pasteBegin : .nothing
    case 201: return numbers.count == 1 ? .pasteEnd : .nothing
    default: return .nothing
    }
  }

  private mutating func finish(_ outcome: Outcome, _ time: ContinuousClock.Instant, _ events: inout [Event]) {
    reset()
    switch outcome {
    case .nothing: break
    case .key(let key): add(.key(key), &events)
    case .pasteBegin: pasted = ""
    case .pasteEnd:
      if let text = pasted { events.append(.paste(text)) }
      pasted = nil
    case .mouse(let button, let column, let row):
      guard column > 0, row > 0 else { return }
      let place = ScreenPosition(column: column - 1, row: row - 1)
      // Shift, Alt and Control do not matter.
      switch button & ~0x1c {
      case 0: add(.mouse(click(at: place, time), place), &events)
      case 64: add(.mouse(.wheelUp, place), &events)
      case 65: add(.mouse(.wheelDown, place), &events)
      default: break
      }
    }
  }

  private mutating func click(at place: ScreenPosition, _ time: ContinuousClock.Instant) -> MouseAction {
    let isDouble = lastClick.map { $0.place == place && $0.time.duration(to: time) <= Self.doubleClick } ?? false
    lastClick = isDouble ? nil : (place, time)
    return isDouble ? .doubleClick : .click
  }
}

extension UInt8 {
  fileprivate var isDigit: Bool { (0x30...0x39).contains(self) }
}

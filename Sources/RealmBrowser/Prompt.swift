import RealmPresentation

/// A line in which something is typed.
final class Prompt {
  /// What comes before the text, as in `/` or `filter: `.
  let label: String
  /// Prompts of one kind share what was typed before.
  let kind: Kind
  private(set) var text: [Character]
  /// Characters before the caret.
  private(set) var caret: Int

  enum Kind: Hashable { case command, search, filter, elementFilter, jump, classFilter, column, pipe, value, answer }

  /// Called at each change of the text.
  let changed: ((String) -> [Effect])?
  let submitted: (String) -> [Effect]
  let cancelled: () -> [Effect]
  /// What can be typed at the caret.
  private let completions: (String, _ caret: Int) -> PromptCompletions
  /// Says what the text means, or what is wrong with it; nil for prompts that take any text.
  private let check: ((String) -> PromptNote)?
  /// What was said about the text; nil if it has changed since, so that a pasted text is only checked as a whole.
  private var lastNote: PromptNote?
  /// What Tab goes through, and which one is in the text.
  private(set) var completing: (list: PromptCompletions, index: Int)?

  init(
    _ kind: Kind, label: String, text: String = "",
    completions: @escaping (String, _ caret: Int) -> PromptCompletions = { _, _ in .none },
    check: ((String) -> PromptNote)? = nil, changed: ((String) -> [Effect])? = nil,
    cancelled: @escaping () -> [Effect] = { [] }, submitted: @escaping (String) -> [Effect]
  ) {
    self.kind = kind
    self.label = label
    self.text = Array(text)
    caret = self.text.count
    self.completions = completions
    self.check = check
    self.changed = changed
    self.submitted = submitted
    self.cancelled = cancelled
  }

  /// Whether the prompt says something about the text.
  var hasNote: Bool { check != nil }

  /// What the prompt says about the text; nil for prompts that take any text.
  var note: PromptNote? {
    if lastNote == nil { lastNote = check?(string) }
    return lastNote
  }

  var string: String { String(text) }

  /// The keys of the prompt, for the status line.
  func advice(_ typography: Typography) -> String {
    let earlier = Key.up.name(typography) + " earlier ones"
    switch kind {
    case .command: return "Enter runs it, Tab completes, Esc cancels, \(earlier)"
    case .search: return "text, or ~ and a regular expression; Enter searches, Esc cancels, \(earlier)"
    case .filter: return "a query, text, ~regex, or property: text; Tab completes, Esc cancels, \(earlier)"
    case .elementFilter: return "> 5, == 'a', value LIKE 'a*', text, or ~regex; Esc cancels, \(earlier)"
    case .jump: return "Enter jumps, Esc cancels, \(earlier)"
    case .value: return "Enter keeps the value as a change, Tab completes, Esc cancels"
    case .answer: return "type an answer, then Enter; Esc cancels"
    case .pipe: return "a shell command, Enter runs it, Esc cancels, \(earlier)"
    case .column: return "Enter goes to the column, Tab completes, Esc cancels"
    case .classFilter: return "Enter keeps the filter, Esc drops it"
    }
  }

  /// What a key did.
  enum Outcome {
    case edited
    case submitted
    case cancelled
    /// An earlier line is asked for, or (negative) a later one.
    case history(Int)
    case nothing
  }

  func press(_ key: Key) -> Outcome {
    if key != .tab, key != .backTab { completing = nil }
    switch key {
    case .enter: return .submitted
    case .escape, .control("c"): return .cancelled
    case .backspace, .control("h"):
      if text.isEmpty { return .cancelled }
      return remove(at: caret - 1)
    case .delete, .control("d"): return remove(at: caret)
    case .left, .control("b"): return moveCaret(to: caret - 1)
    case .right, .control("f"): return moveCaret(to: caret + 1)
    case .alt("b"), .altLeft, .controlLeft: return moveCaret(to: wordStart)
    case .alt("f"), .altRight, .controlRight: return moveCaret(to: wordEnd)
    case .alt("d"): return removeRange(caret..<wordEnd)
    case .home, .control("a"): return moveCaret(to: 0)
    case .end, .control("e"): return moveCaret(to: text.count)
    case .control("u"): return removeRange(0..<caret)
    case .control("k"): return removeRange(caret..<text.count)
    case .control("w"): return removeWord()
    case .up, .control("p"): return .history(1)
    case .down, .control("n"): return .history(-1)
    case .tab: return complete(by: 1)
    case .backTab: return complete(by: -1)
    case .character(let scalar): return insert(scalar)
    default: return .nothing
    }
  }

  /// Puts another text in place.
  func replace(with string: String) {
    text = Array(string)
    caret = text.count
    changeNote()
  }

  private func changeNote() { lastNote = nil }

  // MARK: Editing

  private func insert(_ scalar: Unicode.Scalar) -> Outcome {
    // Marks join the character before them, which `Character` takes care of.
    let start = max(caret - 1, 0)
    var end = String(text[start..<caret])
    end.unicodeScalars.append(scalar)
    text.replaceSubrange(start..<caret, with: end)
    caret = start + end.count
    changeNote()
    return .edited
  }

  private func remove(at index: Int) -> Outcome {
    guard text.indices.contains(index) else { return .nothing }
    text.remove(at: index)
    caret = index
    changeNote()
    return .edited
  }

  private func removeRange(_ range: Range<Int>) -> Outcome {
    text.removeSubrange(range)
    caret = range.lowerBound
    changeNote()
    return .edited
  }

  private func removeWord() -> Outcome {
    var start = caret
    while start > 0, text[start - 1] == " " { start -= 1 }
    while start > 0, text[start - 1] != " " { start -= 1 }
    return removeRange(start..<caret)
  }

  /// Where the word before the caret begins.
  private var wordStart: Int {
    var place = caret
    while place > 0, !Self.isWord(text[place - 1]) { place -= 1 }
    while place > 0, Self.isWord(text[place - 1]) { place -= 1 }
    return place
  }

  /// Where the word after the caret ends.
  private var wordEnd: Int {
    var place = caret
    while place < text.count, !Self.isWord(text[place]) { place += 1 }
    while place < text.count, Self.isWord(text[place]) { place += 1 }
    return place
  }

  private static func isWord(_ character: Character) -> Bool {
    character.isLetter || character.isNumber || character == "_"
  }

  /// Puts pasted text at the caret; line ends become blanks, because what is typed is one line.
  func paste(_ pasted: String) -> Outcome {
    completing = nil
    let line = pasted.unicodeScalars.map { $0.value < 0x20 ? " " : Character($0) }
    let start = caret
    text.insert(contentsOf: line, at: start)
    caret = start + line.count
    // Marks join the characters before them.
    let before = String(text[..<caret])
    text = Array(before + String(text[caret...]))
    caret = min(before.count, text.count)
    changeNote()
    return .edited
  }

  private func moveCaret(to place: Int) -> Outcome {
    caret = min(max(place, 0), text.count)
    return .nothing
  }

  private func complete(by step: Int) -> Outcome {
    var (list, index) = completing ?? (completions(string, caret), step > 0 ? -1 : 0)
    let count = list.candidates.count
    guard count > 0 else { return .nothing }
    index = (index + step + count) % count
    let word = Array(list.candidates[index].text)
    let range = list.range.clamped(to: 0..<text.count)
    text.replaceSubrange(range, with: word)
    caret = range.lowerBound + word.count
    list.range = range.lowerBound..<caret
    // A single candidate is final: the next Tab completes from there.
    completing = count > 1 ? (list, index) : nil
    changeNote()
    return .edited
  }
}

/// What a word of a prompt could become.
struct PromptCompletions: Equatable {
  /// The characters that a candidate takes the place of.
  var range: Range<Int>
  var candidates: [Candidate]

  struct Candidate: Equatable {
    var text: String
    /// What the candidate is, such as the type of a property.
    var detail = ""
  }

  static let none = PromptCompletions(range: 0..<0, candidates: [])

  /// The same in a text with more characters before it.
  func shifted(by count: Int) -> PromptCompletions {
    PromptCompletions(range: range.lowerBound + count..<range.upperBound + count, candidates: candidates)
  }

  /// The words that begin with the text after a place.
  static func words(_ words: [String], in text: String, from start: Int) -> PromptCompletions {
    let written = String(text.dropFirst(start))
    return PromptCompletions(
      range: start..<start + written.count,
      candidates: words.filter { $0.hasPrefix(written) }.map { Candidate(text: $0) })
  }
}

/// What the prompt says about a text while it is typed.
struct PromptNote: Equatable {
  var text: String
  var kind = Kind.meaning
  /// The characters that this is about, from 0; empty if something is missing.
  var mark: Range<Int>?

  enum Kind: Hashable {
    /// What Enter would do.
    case meaning
    /// More has to be typed.
    case unfinished
    case error
  }
}

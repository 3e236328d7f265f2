/// A regular expression as the program of a machine that is in many states at once (Thompson, 1968; Pike).
struct PatternProgram: Sendable {
  enum Step: Sendable {
    /// Goes on if the next character is in a set.
    case characters(Int, next: Int)
    case assertion(PatternParser.Assertion, next: Int)
    /// Goes on in both places, the first one preferred.
    case split(Int, Int)
    case match
  }

  private(set) var steps: [Step] = []
  private(set) var start = 0
  let sets: [PatternCharacters]
  /// The first characters of ranges, ascending, within which every set treats all characters of one kind the same.
  let limits: [UInt32]
  let usesWordEdges: Bool
  let usesLines: Bool

  /// Steps that a pattern may take.
  static let mostSteps = 4000

  init(_ tree: PatternParser.Tree, sets: [PatternCharacters], patternLength: Int) throws(PatternError) {
    self.sets = sets
    var limits: Set<UInt32> = [0, 0x80, PatternCharacters.invalidByte]
    for range in sets.flatMap(\.ranges) {
      limits.insert(range.lowerBound)
      limits.insert(range.upperBound + 1)
    }
    self.limits = limits.sorted()
    let builder = Builder(patternLength: patternLength)
    steps = [.match]
    var built: [Step] = [.match]
    start = try builder.build(tree, then: 0, &built)
    steps = built
    var (usesWordEdges, usesLines) = (false, false)
    for case .assertion(let assertion, _) in built {
      switch assertion {
      case .wordEdge, .noWordEdge: usesWordEdges = true
      case .lineStart, .lineEnd: usesLines = true
      case .textStart, .textEnd: continue
      }
    }
    (self.usesWordEdges, self.usesLines) = (usesWordEdges, usesLines)
  }

  /// Builds from the end, so that each step knows the next one.
  private struct Builder {
    let patternLength: Int

    func build(_ tree: PatternParser.Tree, then next: Int, _ steps: inout [Step]) throws(PatternError) -> Int {
      switch tree {
      case .empty: return next
      case .characters(let set): return try add(.characters(set, next: next), &steps)
      case .assertion(let assertion): return try add(.assertion(assertion, next: next), &steps)
      case .sequence(let parts):
        var place = next
        for part in parts.reversed() { place = try build(part, then: place, &steps) }
        return place
      case .choice(let branches):
        var place = try build(branches[branches.count - 1], then: next, &steps)
        for branch in branches.dropLast().reversed() {
          let first = try build(branch, then: next, &steps)
          place = try add(.split(first, place), &steps)
        }
        return place
      case .repeated(let part, let least, let most, let isGreedy, let range):
        do {
          return try build(part, least, most, isGreedy, then: next, &steps)
        } catch {
          throw PatternError(error.description, at: error.range.count == patternLength ? range : error.range)
        }
      }
    }

    private func build(
      _ part: PatternParser.Tree, _ least: Int, _ most: Int?, _ isGreedy: Bool, then next: Int, _ steps: inout [Step]
    ) throws(PatternError) -> Int {
      var place = next
      if let most {
        for _ in least..<max(most, least) {
          // Each optional part may be skipped to the end.
          let first = try build(part, then: place, &steps)
          place = try add(isGreedy ? .split(first, next) : .split(next, first), &steps)
        }
      } else {
        let loop = try add(.split(next, next), &steps)
        let first = try build(part, then: loop, &steps)
        steps[loop] = isGreedy ? .split(first, next) : .split(next, first)
        place = loop
      }
      for _ in 0..<least { place = try build(part, then: place, &steps) }
      return place
    }

    private func add(_ step: Step, _ steps: inout [Step]) throws(PatternError) -> Int {
      guard steps.count < PatternProgram.mostSteps else {
        throw PatternError("the pattern repeats too much to be searched for", at: 0..<patternLength)
      }
      steps.append(step)
      return steps.count - 1
    }
  }
}

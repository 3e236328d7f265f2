import Foundation

/// `realm-fuzz`: damages fixtures millions of times, and runs everything that reads and writes on them.
@main struct Main {
  private static let usage = """
    usage: realm-fuzz [--count N] [--first SEED] [--jobs N] [--corpus FOLDER]... [--keep FOLDER] [--memory MIB]
                      [--write-every N] [--browse-every N] [--check-every N] [--recover-every N]
                      [--seconds N] [--kind bytes|numbers|planted|encrypted|rql|recover|plan|import]
           realm-fuzz --replay SEED [--kind KIND] [--keep FOLDER]
    """

  static func main() throws {
    var arguments = Arguments()
    do { try arguments.parse(Array(CommandLine.arguments.dropFirst())) } catch let error as UsageError {
      print(error, Self.usage, separator: "\n")
      exit(64)
    }
    let corpus = try Corpus(arguments.folders, kind: arguments.kind)
    guard !corpus.entries.isEmpty else { throw UsageError("no realms in \(arguments.folders)") }
    if let seed = arguments.replay {
      let progress = UnsafeMutablePointer<UInt64>.allocate(capacity: 2)
      let input = corpus.input(seed: seed)
      (arguments.writeInterval, arguments.browseInterval) = (1, 1)
      print("seed \(seed): \(input.name), \(input.bytes.count) bytes")
      Child(corpus: corpus, arguments).run(seed..<seed + 1, progress: progress)
      return print("survived")
    }
    var parent = Parent(corpus: corpus, arguments: arguments)
    let failures = try parent.run()
    let kind = arguments.kind.map { "of kind \($0)" } ?? "of all kinds"
    print("\(arguments.count) inputs \(kind) from \(corpus.entries.count) realms, \(failures) failed")
    exit(failures == 0 ? 0 : 1)
  }
}

/// The options of a run.
struct Arguments {
  var count: UInt64 = 10_000
  var first: UInt64 = 1
  var jobs = ProcessInfo.processInfo.activeProcessorCount
  var folders: [String] = []
  var keep = "Fuzz/crashes"
  /// The MiB of memory that one input may take in addition to its file; 0 for any number, which the address sanitizer
  /// needs.
  var memory = 256
  /// Inputs whose seed is a multiple of this number are also written to; 0 for none.
  var writeInterval: UInt64 = 2
  /// Inputs whose seed is a multiple of this number are browsed; 0 for none.
  var browseInterval: UInt64 = 4
  /// Inputs whose seed is a multiple of this number are checked; 0 for none.
  var checkInterval: UInt64 = 1
  /// Inputs whose seed is a multiple of this number are also rescued; 0 for none.
  var recoverInterval: UInt64 = 8
  /// Seconds of processor time that one input may take.
  var seconds = 5
  /// Nil for all kinds in turn.
  var kind: InputKind?
  var replay: UInt64?

  mutating func parse(_ words: [String]) throws {
    var rest = words[...]
    while let option = rest.popFirst() {
      guard let value = rest.popFirst() else { throw UsageError("\(option) needs a value") }
      switch option {
      case "--count": count = try number(value)
      case "--first": first = try number(value)
      case "--jobs": jobs = Int(try number(value))
      case "--corpus": folders.append(value)
      case "--keep": keep = value
      case "--memory": memory = Int(try number(value))
      case "--write-every": writeInterval = try number(value)
      case "--browse-every": browseInterval = try number(value)
      case "--recover-every": recoverInterval = try number(value)
      case "--check-every": checkInterval = try number(value)
      case "--seconds": seconds = Int(try number(value))
      case "--kind":
        guard let named = InputKind(rawValue: value) else { throw UsageError("no such kind: \(value)") }
        kind = named
      case "--replay": replay = try number(value)
      default: throw UsageError("unknown option \(option)")
      }
    }
    if folders.isEmpty { folders = Self.knownFolders }
  }

  /// The project's fixtures, and real files of all formats if the machine has them.
  private static var knownFolders: [String] {
    guard let corpus = ProcessInfo.processInfo.environment["REALMCTL_CORPUS"] else { return ["Fixtures/engine"] }
    return ["Fixtures/engine"]
      + ["real", "odd"].map { corpus + "/" + $0 }.filter { FileManager.default.fileExists(atPath: $0) }
  }

  private func number(_ text: String) throws -> UInt64 {
    guard let number = UInt64(text) else { throw UsageError("not a number: \(text)") }
    return number
  }
}

struct UsageError: Error, CustomStringConvertible {
  let description: String
  init(_ description: String) { self.description = description }
}

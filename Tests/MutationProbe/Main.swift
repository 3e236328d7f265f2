import Foundation
import Mutations

/// Compares readers with the checker, for any number of changes of realms:
///
///     MutationProbe COUNT SEED FILE…
///
/// `COUNT` changes are spread over the files. Each change about which the two disagree is printed; the status is then 1.
///
///     MutationProbe single STEP FIRST FILE…
///
/// takes every STEP-th of all single damages of each file, beginning with FIRST.
///
///     MutationProbe recover STEP FIRST FILE…
///
/// takes every STEP-th of all single damages of small realms, beginning with FIRST, and compares what `recover` says
/// about each with the original content.
@main struct MutationProbe {
  static func main() throws {
    let arguments = CommandLine.arguments.dropFirst()
    if arguments.first == "recover" { return try RescueProbe(Array(arguments.dropFirst())).run() }
    let takesSingle = arguments.first == "single"
    let numbers = Array(arguments.dropFirst(takesSingle ? 1 : 0))
    guard numbers.count >= 3, let count = Int(numbers[0]), let seed = UInt64(numbers[1]), count > 0 else {
      print("usage: MutationProbe [single] COUNT SEED FILE...")
      exit(64)
    }
    let files = Array(numbers.dropFirst(2))
    var totals = Totals()
    for (number, file) in files.enumerated() {
      let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: file)))
      let sound = Comparison(bytes)
      guard sound.errors == 0, sound.damage.isEmpty else {
        print("\(file): not sound: \(sound.kinds) \(sound.damage)")
        continue
      }
      for mutation in mutations(of: bytes, takesSingle, count, seed, number, of: files.count) {
        let result = Comparison(mutation.applied(to: bytes))
        totals.add(result)
        guard let disagreement = result.disagreement(excluding: sound) else { continue }
        guard !disagreement.isInevitable else {
          totals.inevitable += 1
          continue
        }
        totals.disagreements += 1
        print("\(file): \(mutation): \(disagreement)")
      }
    }
    print(totals.text)
    exit(totals.disagreements == 0 ? 0 : 1)
  }

  private static func mutations(
    of bytes: [UInt8], _ takesSingle: Bool, _ count: Int, _ seed: UInt64, _ number: Int, of fileCount: Int
  ) -> [Mutation] {
    if takesSingle {
      let all = SingleDamages(bytes).all
      return stride(from: Int(clamping: seed), to: all.count, by: count).map { all[$0] }
    }
    var mutator = Mutator(bytes, seed: seed &+ UInt64(number))
    return (0..<max(1, count / fileCount)).map { _ in mutator.next() }
  }

  private struct Totals {
    var mutations = 0
    var damaged = 0
    var found = 0
    var disagreements = 0
    var inevitable = 0

    mutating func add(_ result: Comparison) {
      mutations += 1
      if !result.damage.isEmpty { damaged += 1 }
      if result.errors > 0 { found += 1 }
    }

    var text: String {
      "\(mutations) changes: readers call \(damaged) damaged, the checker finds errors in \(found), "
        + "\(disagreements) disagreements, \(inevitable) lists shorter without a word"
    }
  }
}

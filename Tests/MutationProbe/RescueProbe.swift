import Foundation
import Mutations

/// Compares the accounts of `recover` with the truth, for all single damages of small realms.
struct RescueProbe {
  private let step: Int
  private let first: Int
  private let files: [String]

  init(_ arguments: [String]) {
    (step, first) = (arguments.first.flatMap { Int($0) } ?? 1, arguments.dropFirst().first.flatMap { Int($0) } ?? 0)
    files = Array(arguments.dropFirst(2))
  }

  func run() throws {
    var faults = 0
    for file in files {
      let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: file)))
      let truth = try RescueTruth(bytes)
      let damages = SingleDamages(bytes).all
      var (runs, complete, equal, refused, unseen, cautious) = (0, 0, 0, 0, 0, 0)
      for index in stride(from: first, to: damages.count, by: max(1, step)) {
        let outcome = try truth.outcome(of: damages[index].applied(to: bytes))
        runs += 1
        if outcome.isComplete { complete += 1 }
        if outcome.isEqual { equal += 1 }
        if outcome.isRefused { refused += 1 }
        if outcome.isSound, !outcome.isEqual {
          unseen += 1
          print("\(file) [\(index)] \(damages[index]): unseen")
        }
        if outcome.isEqual, !outcome.isComplete {
          cautious += 1
          if getenv("CAUTIOUS") != nil { print("\(file) [\(index)] \(damages[index]): cautious") }
        }
        for fault in outcome.faults { print("\(file) [\(index)] \(damages[index]): \(fault)") }
        if !outcome.faults.isEmpty { faults += 1 }
      }
      print(
        "\(file): \(runs) damages of \(damages.count): \(complete) complete, \(equal) equal, \(cautious) equal but not "
          + "complete, \(refused) refused, \(unseen) seen by nobody, \(faults) with faults so far")
    }
    exit(faults == 0 ? 0 : 1)
  }
}

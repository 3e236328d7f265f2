import Foundation
import RealmExchange
import RealmStorage
import RealmTools
import TestSupport

/// Measures what `recover` saves of a realm that was damaged on purpose: the share of values that are equal to the
/// original ones, mean and worst of many runs, and how many are wrong without a warning.
///
/// ```
/// rescue-benchmark [--runs 100] [--form app|copy] [--encrypted] [--objects 20000] [--only KIND] [--keep FOLDER] [--missing FOLDER]
/// ```
///
/// `--keep` leaves the damaged files in a folder, `--missing` what is missing of each: a line for each value, with its
/// class, property and object key, and whether it is wrong or missing.
@main struct Main {
  static func main() throws {
    var words = Array(CommandLine.arguments.dropFirst())
    func option(_ name: String) -> String? {
      guard let index = words.firstIndex(of: name), index + 1 < words.count else { return nil }
      defer { words.removeSubrange(index...index + 1) }
      return words[index + 1]
    }
    func flag(_ name: String) -> Bool {
      guard let index = words.firstIndex(of: name) else { return false }
      words.remove(at: index)
      return true
    }
    let runs = option("--runs").flatMap { Int($0) } ?? 100
    let objects = option("--objects").flatMap { Int($0) } ?? 20_000
    let (form, only, keep) = (option("--form") ?? "app", option("--only"), option("--keep"))
    let (realm, missing) = (option("--realm"), option("--missing"))
    let single = option("--run").flatMap { Int($0) }
    let isEncrypted = flag("--encrypted")
    guard words.isEmpty, form == "app" || form == "copy" else {
      print(
        "usage: rescue-benchmark [--runs N] [--form app|copy] [--encrypted] [--objects N] [--only KIND] [--keep FOLDER] [--missing FOLDER]"
      )
      exit(64)
    }
    let folder = try TemporaryFolder()
    let key = isEncrypted ? try Fixture.engineKey.withUnsafeBytes { try EncryptionKey(rawBytes: $0) } : nil
    let path = try realm ?? SampleRealm(objects: objects, key: key).write(in: folder.path, isCopy: form == "copy")
    let original = try Fixture.bytes(ofFile: path)
    if let keep { try Data(original).write(to: URL(fileURLWithPath: keep + "/\(form).realm")) }
    let truth = try Truth(path, key: key)
    print(
      "\(form)\(isEncrypted ? ", encrypted" : ""): \(truth.objectCount) objects, \(truth.count) values, \(original.count) bytes"
    )
    print(
      "| damage | export alone: mean | worst | recover: mean | worst | of what is still there: mean | worst | still there | with its group | wrong | s |"
    )
    print("|---|---|---|---|---|---|---|---|---|---|---|")
    for kind in Damage.Kind.allCases where only == nil || only == kind.rawValue {
      var (before, after, there) = (Shares(), Shares(), Shares())
      var (intact, reachable) = (Shares(), Shares())
      var wrong = 0
      let start = ContinuousClock.now
      for run in (single.map { [$0] } ?? Array(0..<runs)) {
        let damage = Damage(kind, seed: UInt64(run), original, isEncrypted: isEncrypted)
        if let keep { try Data(damage.bytes).write(to: URL(fileURLWithPath: "\(keep)/\(kind.rawValue)-\(run).realm")) }
        before.add(truth.shareByExport(damage.bytes, key: key))
        let result = truth.compare(damage, key: key, tells: single != nil)
        if let missing {
          let path = "\(missing)/\(kind.rawValue)-\(run).txt"
          try Data(result.missing.sorted().joined().utf8).write(to: URL(fileURLWithPath: path))
        }
        after.add(result.share)
        there.add(result.shareOfIntact)
        intact.add(result.intact)
        reachable.add(result.reachable)
        wrong += result.wrong
      }
      let seconds = ContinuousClock.now - start
      print(
        "| \(kind.rawValue) | \(before) | \(after) | \(there) | \(intact.mean) | \(reachable.mean) | \(wrong) | \(seconds.components.seconds) |"
      )
      fflush(nil)
    }
  }
}

/// Mean and worst.
struct Shares: CustomStringConvertible {
  private var sum = 0.0
  private var worst = 1.0
  private var count = 0

  mutating func add(_ share: Double) {
    (sum, worst, count) = (sum + share, min(worst, share), count + 1)
  }

  var mean: String { String(format: "%.4f", count == 0 ? 0 : sum / Double(count)) }

  var description: String { String(format: "%.4f | %.4f", count == 0 ? 0 : sum / Double(count), worst) }
}

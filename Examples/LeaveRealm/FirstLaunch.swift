// An app's first launch without Realm: `swift run leave-realm-example REALM DATABASE [KEYFILE]` moves a realm into an SQLite
// database. Run it as often as you like, and kill it whenever you like.

import Foundation
import LeaveRealm
import RealmStorage

@main
struct FirstLaunch {
  static func main() {
    var arguments = Array(CommandLine.arguments.dropFirst())
    // For the test: the process kills itself before its statement of that number.
    var death = Int.max
    if let place = arguments.firstIndex(of: "--die-at"), place + 1 < arguments.count {
      death = Int(arguments[place + 1]) ?? .max
      arguments.removeSubrange(place...place + 1)
    }
    let skips = arguments.firstIndex(of: "--skip-damage").map { arguments.remove(at: $0) } != nil
    guard arguments.count >= 2 else { return print("usage: leave-realm-example REALM DATABASE [KEYFILE]") }
    do {
      let key = try arguments.dropFirst(2).first.map { try EncryptionKey(file: $0) }
      let store = try Store(arguments[1])
      var statements = 0
      store.database.beforeStatement = {
        statements += 1
        if statements == death { kill(getpid(), SIGKILL) }
      }
      print(try move(arguments[0], key: key, to: store, unreadable: skips ? .skip : .stop))
    } catch {
      print("error: \(error)")
    }
  }

  /// - Returns: what to tell the developer.
  static func move(_ path: String, key: EncryptionKey?, to store: Store, unreadable: LeaveRealm.Unreadable) throws
    -> String
  {
    let run: LeaveRealm
    do {
      run = try LeaveRealm(from: path, key: key) { try store.checkpoint() }
    } catch {
      switch error.kind {
      case .absent: return "nothing to copy"
      case .archived: return "copied before"
      case .protected, .running, .changing: return "try again later: \(error)"
      case .changed:
        // The old app has written since: what was copied is of an older state.
        try store.startAgain()
        return try move(path, key: key, to: store, unreadable: unreadable)
      default: throw error
      }
    }
    for schema in run.realm.schema.classes {
      try store.createTables(for: schema)
      try run.copy(schema.displayName.description, batch: 2, unreadable: unreadable) { objects, checkpoint in
        try store.transaction {
          for object in objects { try store.insert(object) }
          try store.setCheckpoint(checkpoint.text)
        }
      }
    }
    try verify(run, store)
    // Classes of which nothing can be read.
    let lost = run.account.classes.filter { $0.walkedCount == nil && !$0.damage.isEmpty }.map(\.name)
    let account = try run.finish(leavingOut: unreadable == .skip ? Set(lost) : []) { checkpoint in
      try store.transaction { try store.setCheckpoint(checkpoint.text) }
    }
    // If a part of the realm was lost, the app goes on with what was saved, and keeps the realm.
    guard account.isComplete, account.skippedCount == 0 else { return "incomplete\n\(account)" }
    try run.archive()
    return "complete\n\(account)"
  }

  struct Difference: Error, CustomStringConvertible { let description: String }

  static func verify(_ run: LeaveRealm, _ store: Store) throws {
    for schema in run.realm.schema.classes {
      let proof = try run.verify(
        schema.displayName.description, by: .objectKey,
        expecting: { row in
          for property in schema.properties {
            row.values[property.name] = row.values[property.name].map { Store.stored($0, of: property) }
          }
        },
        against: { compare in
          try store.forEachRow(of: schema) { key, values in try compare(LeaveRow(key: .int(key), values)) }
        })
      // What was skipped is not there, and is in the account.
      let skipped = run.account[schema.displayName.description]?.skippedCount ?? 0
      let others = proof.differences.filter { $0.kind != .missing }
      guard !others.isEmpty || proof.differenceCount != skipped else { continue }
      throw Difference(
        description: "\(schema.displayName): \(proof.differenceCount) differences, such as "
          + "\((others.first ?? proof.differences.first).map(String.init(describing:)) ?? "")")
    }
  }
}

import Libc
import RealmStorage

// Not Foundation: with what it adds, everything that the runtime looks up for the first time takes twice as long, and
// `realmctl` has none of it.

/// Times one write transaction on a copy of a realm, for `transactions/compare.py`.
///
/// ```
/// transaction-benchmark FILE CLASS update PROPERTY    every object's integer property becomes another
/// transaction-benchmark FILE CLASS one PROPERTY       the first object's integer or text becomes another
/// transaction-benchmark FILE CLASS insert COUNT       objects with consecutive integer primary keys behind the largest
/// transaction-benchmark FILE CLASS fill COUNT         the same, with values for name, email, age, score and active
/// transaction-benchmark FILE CLASS add-property NAME  a required integer
/// transaction-benchmark FILE CLASS rename PROPERTY    to the name with an x behind it
/// transaction-benchmark FILE CLASS version NUMBER     the schema version
///
/// A number behind these makes as many transactions, one after another, of `one`, `update` and `version`.
/// ```
@main struct Main {
  static func main() throws {
    let words = CommandLine.arguments
    guard words.count == 5 || words.count == 6, let times = words.count == 5 ? 1 : Int(words[5]) else {
      print(
        "usage: transaction-benchmark FILE CLASS update|one|insert|fill|add-property|rename|version ARGUMENT [TIMES]")
      exit(64)
    }
    let file = try RealmFile(words[1], key: nil)
    for _ in 0..<times { try measure(words, file) }
  }

  private static func measure(_ words: [String], _ file: RealmFile) throws {
    let clock = ContinuousClock()
    let written = bytesWritten()
    let start = clock.now
    let transaction = try WriteTransaction(file)
    let table = try transaction.table(RealmString("class_" + words[2]))
    try run(words[3], RealmString(words[4]), table, transaction)
    let changed = clock.now
    try transaction.commit()
    let end = clock.now
    print(
      "changes \(changed - start), commit \(end - changed), in all \(end - start), \(bytesWritten() - written) bytes")
  }

  private static func run(
    _ operation: String, _ argument: RealmString, _ table: TableEditor, _ transaction: WriteTransaction
  ) throws {
    switch operation {
    case "update":
      var number: Int64 = 0
      try table.forEachKey { key in
        number += 1
        try table.set(argument, of: key, to: .int(number))
      }
    case "one":
      guard let first = try table.firstKey() else { return }
      switch try table.value(argument, of: first) {
      case .int(let value): try table.set(argument, of: first, to: .int(value + 1))
      case .string("another"): try table.set(argument, of: first, to: .string("one more"))
      default: try table.set(argument, of: first, to: .string("another"))
      }
    case "insert":
      guard let count = Int64(argument.description) else { return }
      let first = Int64(table.objectCount) + 1_000_000_000
      for number in first..<first + count { _ = try table.create(primaryKey: .int(number)) }
    case "fill":
      guard let count = Int64(argument.description) else { return }
      let first = Int64(table.objectCount) + 1_000_000_000
      for number in first..<first + count {
        let key = try table.create(primaryKey: .int(number))
        try table.set("name", of: key, to: .string(RealmString("Person \(number)")))
        try table.set("email", of: key, to: .string(RealmString("\(number)@example.org")))
        try table.set("age", of: key, to: .int(number % 100))
        try table.set("score", of: key, to: .double(Double(number) / 7))
        try table.set("active", of: key, to: .bool(number % 2 == 0))
      }
    case "add-property": try table.addProperty(Property(name: argument, type: .int))
    case "rename": try table.renameProperty(argument, to: RealmString(argument.description + "x"))
    case "version": try transaction.setSchemaVersion(UInt64(argument.description) ?? 0)
    default: print("unknown operation \(operation)")
    }
  }

  /// The bytes that this process has passed to the system for writing; 0 if the system does not say.
  private static func bytesWritten() -> Int {
    guard let file = fopen("/proc/self/io", "r") else { return 0 }
    defer { fclose(file) }
    var line = [CChar](repeating: 0, count: 80)
    while fgets(&line, Int32(line.count), file) != nil {
      if strncmp(line, "wchar:", 6) == 0 { return Int(strtol(Array(line.dropFirst(6)), nil, 10)) }
    }
    return 0
  }
}

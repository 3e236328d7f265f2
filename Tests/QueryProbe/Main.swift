import Foundation
import RealmQuery
import RealmStorage
import TestSupport

/// Prints queries and their results, one per line, in the form in which the reference engine's answers are
/// stored, so that the two files can be compared.
///
/// A query is `CLASS<TAB>TEXT`; in it 0x01 means a newline and 0x02 a tab.
@main struct Main {
  static func main() throws {
    let words = Array(CommandLine.arguments.dropFirst())
    switch words.first {
    case "mutate": try mutate(seed: UInt64(words[1]) ?? 1, count: Int(words[2]) ?? 1)
    case "write": try write(seed: UInt64(words[1]) ?? 1, count: Int(words[2]) ?? 1, path: words[3])
    case "parse": parse()
    case "run": try run(words[1], Set(words.dropFirst(2)))
    default:
      print(
        "usage: query-probe mutate SEED COUNT | write SEED COUNT FILE | parse < QUERIES\n"
          + "       query-probe run FILE [standard] [no-index] [threads] < QUERIES")
      exit(64)
    }
  }

  /// Text that is nearly a query.
  private static func mutate(seed: UInt64, count: Int) throws {
    var mutator = QueryMutator(seed: seed, queries: try ReferenceQuery.all().map(\.text))
    for _ in 0..<count { print("-\t" + encoded(mutator.next())) }
  }

  /// Queries for a realm.
  private static func write(seed: UInt64, count: Int, path: String) throws {
    var writer = QueryWriter(seed: seed, samples: try QuerySamples(try Realm.open(at: path)))
    for _ in 0..<count {
      guard let query = writer.next() else { return }
      print(query.className + "\t" + encoded(query.text))
    }
  }

  /// Whether these are queries for the reference.
  private static func parse() {
    while let line = readLine() {
      let text = decoded(String(line.split(separator: "\t", omittingEmptySubsequences: false)[1]))
      do {
        _ = try RQL.parse(text, dialect: .reference)
        print("=")
      } catch {
        print("! \(error.code.rawValue): " + encoded(error.message))
      }
    }
  }

  /// The keys of the objects that match in a realm, in order.
  private static func run(_ path: String, _ words: Set<String>) throws {
    let key =
      path.contains("encrypted") ? try Fixture.engineKey.withUnsafeBytes { try EncryptionKey(rawBytes: $0) } : nil
    let opened = try ByteStore.open(.path(path), key: key)
    let snapshot = try Snapshot(of: opened.store, wasDecrypted: opened.isEncrypted)
    var options = QueryOptions(threadCount: words.contains("threads") ? 2 : 1)
    options.usesIndexes = !words.contains("no-index")
    while let line = readLine() {
      let parts = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
      guard let table = snapshot.table(displayName: RealmString(parts[0])) else {
        print("! no class \(parts[0])")
        continue
      }
      do {
        let dialect: Dialect = words.contains("standard") ? .standard : .reference
        let query = try Query(decoded(parts[1]), of: table, in: snapshot, dialect: dialect)
        let result = try query.keys(options)
        print((["="] + result.keys.map { "\($0.rawValue)" }).joined(separator: " "))
      } catch let error as QueryError {
        print("! \(error.code.rawValue): " + encoded(error.message))
      } catch {
        print("! other: \(error)")
      }
    }
  }

  private static func encoded(_ text: String) -> String {
    text.replacing("\n", with: "\u{1}").replacing("\t", with: "\u{2}")
  }

  private static func decoded(_ text: String) -> String {
    text.replacing("\u{1}", with: "\n").replacing("\u{2}", with: "\t")
  }
}

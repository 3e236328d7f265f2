import Foundation
import RealmQuery
import RealmStorage
import TestSupport

/// Prints texts of queries and what is made of them, a line each, in the form in which the reference engine's answers
/// are printed beside the project: comparing the two is comparing two files.
///
/// A query is `CLASS<TAB>TEXT`; in it 0x01 stands for a newline and 0x02 for a tab.
@main struct Main {
  static func main() throws {
    let words = Array(CommandLine.arguments.dropFirst())
    switch words.first {
    case "mutate": try mutate(seed: UInt64(words[1]) ?? 1, count: Int(words[2]) ?? 1)
    case "write": try write(seed: UInt64(words[1]) ?? 1, count: Int(words[2]) ?? 1, path: words[3])
    case "parse": parse()
    default:
      print("usage: query-probe mutate SEED COUNT | write SEED COUNT FILE | parse < QUERIES")
      exit(64)
    }
  }

  /// Texts that are nearly queries.
  private static func mutate(seed: UInt64, count: Int) throws {
    var mutator = QueryMutator(seed: seed, queries: try ReferenceQuery.all().map(\.text))
    for _ in 0..<count { print("-\t" + encoded(mutator.next())) }
  }

  /// Queries for a realm.
  private static func write(seed: UInt64, count: Int, path: String) throws {
    var writer = QueryWriter(seed: seed, samples: try QuerySamples(try Realm.open(path)))
    for _ in 0..<count {
      guard let query = writer.next() else { return }
      print(query.className + "\t" + encoded(query.text))
    }
  }

  /// Whether the texts are queries to the reference.
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

  private static func encoded(_ text: String) -> String {
    text.replacing("\n", with: "\u{1}").replacing("\t", with: "\u{2}")
  }

  private static func decoded(_ text: String) -> String {
    text.replacing("\u{1}", with: "\n").replacing("\u{2}", with: "\t")
  }
}

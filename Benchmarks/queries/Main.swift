import Dispatch
import Foundation
import RealmQuery
import RealmStorage

/// Counts the objects that match queries, in process: `query-benchmark FILE THREADS < QUERIES`.
///
/// A query is `CLASS<TAB>TEXT`. For each the shortest of seven times in milliseconds is printed, the count and the
/// query, as the reference engine's tool next to the project prints them.
@main struct Main {
  static func main() throws {
    let words = CommandLine.arguments.dropFirst()
    guard let path = words.first else {
      print("usage: query-benchmark FILE [THREADS] < QUERIES")
      exit(64)
    }
    let opened = try ByteStore.open(.path(path), key: nil)
    let snapshot = try Snapshot(of: opened.store)
    let options = QueryOptions(threadCount: words.count > 1 ? Int(words[words.startIndex + 1]) ?? 1 : 1)
    while let line = readLine() {
      let parts = line.split(separator: "\t", maxSplits: 1).map(String.init)
      guard parts.count == 2, let table = snapshot.table(displayName: RealmString(parts[0])) else { continue }
      var best = Double.infinity
      var count = 0
      for _ in 0..<7 {
        let start = DispatchTime.now().uptimeNanoseconds
        count = try Query(parts[1], of: table, in: snapshot).count(options).count
        best = min(best, Double(DispatchTime.now().uptimeNanoseconds - start) / 1e6)
      }
      print("\(String(format: "%.3f", best))\t\(count)\t\(line)")
    }
  }
}

import RealmQuery
import RealmStorage
import TestSupport

/// Texts that are queries, or nearly so, run on a realm, sound or damaged.
///
/// What a query finds must not depend on whether an index is used, or on the number of threads.
final class QueryExercise {
  private let snapshot: Snapshot
  private let samples: QuerySamples
  /// Queries that make sense, to be changed.
  private let queries: [String]
  private let isSound: Bool

  /// Texts of one seed.
  private static let textCount = 4

  init(_ realm: FuzzedRealm, isSound: Bool, seed: UInt64) throws {
    (snapshot, self.isSound) = (try realm.open().snapshot, isSound)
    samples = try QuerySamples(try Realm.open(at: realm.path, key: realm.key), limit: 40)
    var writer = QueryWriter(seed: seed, samples: samples)
    let written = (0..<60).compactMap { _ in writer.next()?.text }
    queries = isSound ? written + ((try? ReferenceQuery.all().map(\.text)) ?? []) : written
  }

  func run(seed: UInt64) throws {
    guard !queries.isEmpty else { return }
    var mutator = QueryMutator(seed: seed, queries: queries)
    var writer = QueryWriter(seed: seed, samples: samples)
    for number in 0..<Self.textCount {
      if number % 2 == 0 {
        let text = mutator.next()
        for target in samples.classes.prefix(3) { try ask(text, target.name, seed) }
      } else if let (className, text) = writer.next() {
        try ask(text, className, seed)
      }
    }
  }

  private func ask(_ text: String, _ className: String, _ seed: UInt64) throws {
    for dialect in [Dialect.standard, .reference] {
      guard let table = snapshot.table(displayName: RealmString(className)) else { return }
      do {
        let query = try Query(text, of: table, in: snapshot, dialect: dialect)
        var options = QueryOptions(threadCount: seed % 5 == 0 ? 2 : 1)
        let keys = try query.keys(options).keys
        guard isSound else { continue }
        options = QueryOptions()
        options.usesIndexes = false
        guard try query.keys(options).keys == keys else {
          throw Violation("\(className): \(text): another result without an index")
        }
      } catch let error as QueryError {
        _ = (error.picture(in: text, width: 60), error.place(in: text))
      }
    }
  }
}

import RealmStorage

extension RealmObjects {
  /// All of them, in memory.
  package func all(columns: [String]? = nil) throws -> [RealmObject] {
    var objects: [RealmObject] = []
    try forEach(columns: columns) { objects.append($0) }
    return objects
  }

  /// Each of them, or why it cannot be read.
  package func outcomes() throws -> [Result<RealmObject, RealmError>] {
    var (cursor, outcomes) = (try cursor(), [Result<RealmObject, RealmError>]())
    while true {
      do throws(RealmError) {
        guard let object = try cursor.next() else { return outcomes }
        outcomes.append(.success(object))
      } catch {
        outcomes.append(.failure(error))
      }
    }
  }

  /// Those that can be read.
  package func readable(atMost limit: Int = .max) throws -> [RealmObject] {
    var (cursor, objects) = (try cursor(), [RealmObject]())
    while objects.count < limit {
      do {
        guard let object = try cursor.next() else { break }
        objects.append(object)
      } catch { continue }
    }
    return objects
  }
}

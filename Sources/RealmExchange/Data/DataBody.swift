import RealmStorage

/// A schema and files of data as the body of a new realm.
package final class DataBody: RealmBody {
  private let realm: DataRealm
  private let sources: [DataRealm.Source]
  /// Called from time to time with the number of bytes of data read. If it throws, the work ends.
  package var onProgress: (Int) throws -> Void = { _ in }
  /// The result of the last write.
  package private(set) var report = DataRealm.Report()

  /// - Parameters:
  ///   - schema: must be valid for a realm.
  ///   - paths: paths of the data files, read in this order; `-` is standard input, which can be read only once.
  ///   - sources: the kind of each file; JSON if not given.
  package init(
    schema: Schema, dataAt paths: [String], options: DataOptions = DataOptions(), sources: [DataRealm.Source]? = nil
  ) {
    realm = DataRealm(schema: schema, options: options)
    self.sources = sources ?? paths.map { path in { try JSONSource(path, coerces: options.coerces) } }
  }

  /// - Throws: any error of `DataRealm.build`.
  package func write(to output: StreamingOutput) throws -> RealmRoots? {
    let (roots, report) = try realm.build(from: sources, into: output, onProgress: onProgress)
    self.report = report
    return roots
  }
}

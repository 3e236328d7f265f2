import RealmStorage

/// A schema and files of data as the body of a new realm.
package final class DataBody: RealmBody {
  private let realm: DataRealm
  private let paths: [String]
  private let sources: [DataRealm.Source]
  /// Called now and then with the number of bytes of data read; what it throws ends the work.
  package var onProgress: (Int) throws -> Void = { _ in }
  /// What was built when the body was written last.
  package private(set) var report = DataRealm.Report()

  /// - Parameters:
  ///   - schema: valid for a realm.
  ///   - paths: of the data, read in this order, or `-` for standard input, which can be read once only.
  ///   - sources: what is in the files; JSON where it is not given.
  package init(
    schema: Schema, dataAt paths: [String], options: DataOptions = DataOptions(), sources: [DataRealm.Source]? = nil
  ) {
    realm = DataRealm(schema: schema, options: options)
    self.paths = paths
    self.sources = sources ?? paths.map { path in { try JSONSource(path, coerces: options.coerces) } }
  }

  /// - Throws: `DataFileError` for what is wrong with a file; what `DataRealm.build` throws.
  package func write(to output: StreamingOutput) throws -> RealmRoots? {
    do {
      let (roots, report) = try realm.build(from: sources, into: output, onProgress: onProgress)
      self.report = report
      return roots
    } catch let error as DataSourceError {
      throw DataFileError(path: paths[error.number], error: error.error)
    }
  }
}

/// What is wrong with one of the files of data.
package struct DataFileError: Error {
  package let path: String
  /// `DataError`, `JSONError`, or `StorageError` where it cannot be read; of sources other than JSON, what they throw.
  package let error: any Error
}

import RealmStorage

/// A schema and files of JSON data as the body of a new realm.
package final class DataBody: RealmBody {
  private let realm: DataRealm
  private let paths: [String]
  /// Called now and then with the number of bytes of data read; what it throws ends the work.
  package var onProgress: (Int) throws -> Void = { _ in }
  /// What was built when the body was written last.
  package private(set) var report = DataRealm.Report()

  /// - Parameters:
  ///   - schema: valid for a realm.
  ///   - paths: of the data, read in this order, or `-` for standard input, which can be read once only.
  package init(schema: Schema, dataAt paths: [String], options: DataOptions = DataOptions()) {
    realm = DataRealm(schema: schema, options: options)
    self.paths = paths
  }

  /// - Throws: `DataFileError` for what is wrong with a file; what `DataRealm.build` throws.
  package func write(to output: StreamingOutput) throws -> RealmRoots? {
    // Each is opened when its turn comes.
    let sources = paths.map { path in
      {
        let input = try SequentialInput(path)
        return input.read
      } as DataRealm.Source
    }
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
  /// `DataError`, `JSONError`, or `StorageError` where it cannot be read.
  package let error: any Error
}

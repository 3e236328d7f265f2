import RealmStorage

/// A schema and a file of JSON data as the body of a new realm.
public final class DataBody: RealmBody {
  private let realm: DataRealm
  private let open: () throws -> SequentialInput
  /// Called now and then with the number of bytes of data read; what it throws ends the work.
  public var checkpoint: (Int) throws -> Void = { _ in }
  /// What was built when the body was written last.
  public private(set) var report = DataRealm.Report()

  /// - Parameters:
  ///   - schema: valid for a realm.
  ///   - path: of the data, or `-` for standard input, which can be read once only.
  public init(schema: Schema, dataAt path: String, options: DataOptions = DataOptions()) {
    realm = DataRealm(schema: schema, options: options)
    open = { try SequentialInput(path) }
  }

  public func write(to output: StreamingRealm) throws -> RealmRoots? {
    let input = try open()
    let (roots, report) = try realm.build(from: input.read, into: output, checkpoint: checkpoint)
    self.report = report
    return RealmRoots(roots)
  }
}

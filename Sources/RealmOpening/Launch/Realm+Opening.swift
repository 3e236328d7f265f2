import RealmStorage
import RealmSystem

extension Realm {
  /// Opens a realm as an app's launch would: creates, seeds, upgrades, migrates or compacts the file as the
  /// configuration says, and reads the result.
  ///
  /// ```swift
  /// var configuration = RealmConfiguration(path: "app.realm")
  /// configuration.schema = model
  /// configuration.schemaVersion = 2
  /// let realm = try Realm.open(configuration)
  /// ```
  ///
  /// A realm that is opened in memory is what the launch would have made of the file, which stays as it is. With
  /// `LaunchOptions.destination` the file also stays as it is, and the new file is read. A dry run
  /// (`LaunchOptions.dryRun`) opens the file as it is.
  ///
  /// - Parameters:
  ///   - configuration: what happens to the file.
  ///   - options: what else is done.
  public static func open(
    _ configuration: RealmConfiguration = .default, _ options: LaunchOptions = LaunchOptions()
  ) throws(RealmError) -> Realm {
    let path = configuration.path
    return try RealmError.wrapping(path) {
      let outcome = try RealmLaunch(configuration, options).run()
      if let memory = outcome.memory { return try Realm(path, memory) }
      guard let destination = options.destination, !options.dryRun else {
        return try Realm.open(at: path, key: configuration.encryptionKey)
      }
      return try Realm.open(at: destination.path, key: destination.key)
    }
  }

  /// The same on a thread of its own, where it can wait for other processes and for the disk.
  public static func open(
    _ configuration: RealmConfiguration = .default, _ options: LaunchOptions = LaunchOptions()
  ) async throws(RealmError) -> Realm {
    try await WorkerThreads.result { () throws(RealmError) in try Realm.open(configuration, options) }
  }
}

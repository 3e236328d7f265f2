import RealmStorage

/// What an app with a given model meets when it opens a seed read-only.
package struct SeedCompatibility {
  /// Differences that the app tolerates.
  package let tolerated: [SchemaChange]

  /// - Parameters:
  ///   - seed: what the seed has.
  ///   - model: what the app has; its version counts only if it has one.
  /// - Throws: `OpeningError`, `ConfigurationError`: the app cannot open the seed.
  package init(of seed: Schema, with model: Schema, aliases: [[RealmString?]] = []) throws {
    var configuration = RealmConfiguration(path: "seed.realm")
    (configuration.isReadOnly, configuration.schema, configuration.aliases) = (true, model, aliases)
    (configuration.schemaVersion, configuration.keepsStoredVersion) = (model.version, true)
    // An app from the time of an older file format opens that format as a current app opens the newest one.
    let facts = RealmFacts.realm(format: Header.newestFormat, history: .inRealm, schema: seed)
    _ = try OpeningPlan(configuration, file: facts)
    tolerated = SchemaDifference(from: seed, to: model).changes
  }
}

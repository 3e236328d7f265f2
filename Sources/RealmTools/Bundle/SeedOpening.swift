import RealmStorage

/// How an app with a certain model finds a seed that it opens read-only.
package struct SeedOpening {
  /// Differences that the app does not mind.
  package let tolerated: [SchemaChange]

  /// - Parameters:
  ///   - seed: what the seed has.
  ///   - model: what the app has; its version only counts where there is one.
  /// - Throws: `OpeningError`, `ConfigurationError`: the app cannot open the seed.
  package init(of seed: Schema, with model: Schema, aliases: [[RealmString?]] = []) throws {
    var configuration = RealmConfiguration(path: "seed.realm")
    (configuration.isReadOnly, configuration.schema, configuration.aliases) = (true, model, aliases)
    configuration.schemaVersion = model.version
    // An app of the time of an older file format opens it as one of today opens the newest.
    let facts = RealmFacts.realm(format: Header.newestFormat, history: .inRealm, schema: seed)
    _ = try OpeningPlan(configuration, file: facts)
    tolerated = SchemaDifference(from: seed, to: model).changes
  }
}

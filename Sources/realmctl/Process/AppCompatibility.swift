import RealmExchange
import RealmOpening
import RealmStorage
import RealmTools

/// A seed that is opened read-only, as an app with a certain model would open it.
struct AppCompatibility {
  private let opening: SeedCompatibility
  private let model: String
  private let seed: String

  /// - Parameters:
  ///   - target: the model of the app.
  ///   - path: of the file that it was read from.
  /// - Throws: `Diagnostic` of status 1 if the app could not open the seed.
  init(
    of realm: UnpublishedRealm, _ target: SchemaSource.Target, at path: String, _ manifest: SeedManifest
  ) throws {
    (model, seed) = (path, manifest.writing.name)
    do {
      opening = try SeedCompatibility(of: realm.schema ?? Schema(), with: target.schema, aliases: target.aliases)
    } catch OpeningError.invalidSchema(let violations) {
      throw Diagnostic(
        invalidSchema: violations, path: path, known: nil, classes: target.schema.classes.map(\.displayName))
    } catch let error as OpeningError {
      throw Diagnostic(
        .findings, .schemaMismatch, path: seed,
        "an app with the model \(path) could not open the seed, so it was not written",
        detail: error.text(path: seed).split(separator: "\n").joined(separator: " "),
        advice: Self.advice(on: error))
    }
  }

  private static func advice(on error: OpeningError) -> String {
    switch error {
    case .versionDiffers(let wanted, _): "write the seed with --schema-version \(wanted)"
    default: "'schema diff' compares two schemas"
    }
  }

  /// Warns about differences that the app would tolerate.
  func warn(on console: Console) {
    for text in opening.tolerated.compactMap(text) {
      console.warn(Diagnostic(.done, .noSuchTable, path: seed, text))
    }
  }

  private func text(_ change: SchemaChange) -> String? {
    let name = change.className
    return switch change {
    case .addClass: "class '\(name)' of \(model) is not in the seed"
    case .removeClass: "class '\(name)' is not in \(model)"
    case .removeProperty(_, let property): "property '\(name).\(property.name)' is not in \(model)"
    case .addIndex(_, let property, _): "property '\(name).\(property.name)' is indexed in \(model), not in the seed"
    case .removeIndex(_, let property): "property '\(name).\(property.name)' is indexed in the seed, not in \(model)"
    case .changeKind(_, let old, let new): "class '\(name)' is \(old.words) in the seed and \(new.words) in \(model)"
    // Not tolerated, or reported with its class.
    case .addInitialProperties, .addProperty, .changeType, .makeOptional, .makeRequired, .changePrimaryKey: nil
    }
  }
}

extension TableKind {
  fileprivate var words: String {
    switch self {
    case .topLevel: "not embedded"
    case .embedded: "embedded"
    case .asymmetric: "asymmetric"
    }
  }
}

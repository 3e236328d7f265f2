// The texts of errors of opening and migrating for users of the library. Texts known from the SDKs are word for word.

extension ConfigurationError: RealmErrorCause {
  package var kind: RealmError.Kind { .schema }
}

extension OpeningError: RealmErrorCause {
  package var kind: RealmError.Kind {
    switch self {
    case .missingFile, .missingSeed: .notFound
    case .emptyFile: .notARealm
    case .readOnlyNeedsUpgrade, .unsupportedFormat, .upgradeProhibited: .format
    case .synchronized, .unknownHistory: .change
    case .invalidSchema, .versionDecreased, .versionDiffers, .refusedChanges: .schema
    }
  }

  /// What is wrong, without the path.
  package var description: String {
    switch self {
    case .missingFile: "no such file or directory"
    case .missingSeed: "no such file or directory: the seed"
    case .emptyFile: "the file is empty"
    case .readOnlyNeedsUpgrade(let format): "the file has format \(format), which cannot be opened read-only"
    case .synchronized: "the file belongs to Device Sync"
    case .unknownHistory(.unknownKind(let kind)): "the file has a history of unknown kind \(kind.code)"
    case .unsupportedFormat, .upgradeProhibited, .unknownHistory, .invalidSchema, .versionDecreased, .versionDiffers,
      .refusedChanges:
      text(path: "")
    }
  }
}

extension MigrationError: RealmErrorCause {
  package var kind: RealmError.Kind { .schema }

  /// What is wrong, without the path.
  package var description: String {
    switch self {
    case .wouldLoseData: "the migration would lose the values of \(text)"
    case .notPossible(let step, let reason): "\(step.refusal): \(reason)"
    case .embedding, .kindChange, .duplicatePrimaryKey, .rename, .renamedPropertyMissing, .classIsLinkTarget: text
    }
  }
}

extension MigrationStep {
  /// What cannot be done: `property 'Dog.age' cannot be added`.
  package var refusal: String {
    let owner = "class '\(className)'"
    let place = property.map { "property '\(className).\($0)'" } ?? owner
    return switch self {
    case .createClass: "\(owner) cannot be added"
    case .addInitialProperties: "the properties of \(owner) cannot be added"
    case .addProperty: "\(place) cannot be added"
    case .replaceProperty: "\(place) cannot get its new type"
    case .makeOptional: "\(place) cannot be made optional"
    case .addIndex: "\(place) cannot be indexed"
    case .removeIndex: "the index of \(place) cannot be removed"
    case .clearPrimaryKey: "the primary key of \(owner) cannot be removed"
    case .removeProperty: "\(place) cannot be removed"
    case .setPrimaryKey: "\(place) cannot become the primary key"
    case .changeKind(_, _, let new): "\(owner) cannot become \(new == .embedded ? "embedded" : "a top-level class")"
    }
  }
}

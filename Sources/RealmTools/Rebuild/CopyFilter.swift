import RealmStorage

/// Which part of a realm a copy takes: `--only`, `--exclude`, `--no-internal`, `--allow-data-loss`.
package struct CopyFilter: Sendable, Equatable {
  /// The classes to take. Embedded classes that one asked for by name needs come along.
  package var classes = ClassSelection.all
  /// Whether tables that are not classes come along. The one that holds the schema version always does.
  package var includesInternalTables = true
  /// Whether properties that link to a class left out are left out as well, and such links in Mixed values become null;
  /// otherwise there is no copy.
  package var allowsDataLoss = false

  package init() {}

  /// Whether everything is taken.
  package var takesEverything: Bool { classes == .all && includesInternalTables }
}

/// Links that a copy loses, because they lead to a class that is left out.
package struct LinkLoss: Hashable, Sendable {
  package let className: RealmString
  package let property: RealmString
  /// Whether the property itself is left out; otherwise it is a Mixed property, in which the links become null.
  package let leavesPropertyOut: Bool
  package let linkCount: Int

  package init(className: RealmString, property: RealmString, leavesPropertyOut: Bool, linkCount: Int) {
    (self.className, self.property, self.leavesPropertyOut) = (className, property, leavesPropertyOut)
    self.linkCount = linkCount
  }
}

/// Why there can be no copy of a part.
package enum CopyFilterError: Error, Hashable, Sendable {
  case noSuchClass(RealmString)
  /// Properties of classes that are taken link to classes that are not. Nothing is lost unless it is allowed.
  case linksToLeftOutClasses([LinkLoss])
}

extension CopyFilterError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .noSuchClass(let name): "no class '\(name)'"
    case .linksToLeftOutClasses(let losses): losses.map(\.description).joined(separator: "; ")
    }
  }
}

extension LinkLoss: CustomStringConvertible {
  /// One line.
  package var description: String {
    let links = linkCount == 1 ? "1 link" : "\(linkCount) links"
    return leavesPropertyOut
      ? "property '\(className).\(property)' links to a class that is left out (\(links))"
      : "property '\(className).\(property)' holds \(links) to classes that are left out"
  }
}

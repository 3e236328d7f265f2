/// What a migration without a function would lose, and whether objects fit, determined by reading alone.
package struct MigrationPreview: Hashable, Sendable {
  package let plan: SchemaSteps
  /// Lost values, in the order of the steps.
  package let lost: [LostValues]
  /// For each class that becomes embedded, how its objects are linked to.
  package let embeddings: [EmbeddingAnalysis]

  /// - Parameters:
  ///   - snapshot: the realm before the migration.
  ///   - target: the target schema.
  /// - Throws: `StorageError` if values or links cannot be read; `MigrationError.kindChange`.
  package init(of snapshot: Snapshot, to target: Schema) throws {
    plan = SchemaSteps(from: snapshot.schema, to: target)
    lost = try LostValues.counted(by: plan.steps, in: snapshot)
    let going = plan.goingProperties
    let tables = snapshot.classTablesByName
    embeddings = try plan.after.compactMap { step in
      guard case .changeKind(let name, let old, let new) = step else { return nil }
      guard old != .asymmetric, new != .asymmetric else {
        throw MigrationError.kindChange(className: name, from: old, to: new)
      }
      guard new == .embedded, let table = tables[name] else { return nil }
      return try EmbeddingAnalysis(of: table, in: snapshot, without: going)
    }
  }

  /// Finds what a policy does not allow.
  package func check(_ policy: MigrationPolicy) throws(MigrationError) {
    for analysis in embeddings {
      if let obstacle = analysis.obstacle(under: policy.embedding) { throw .embedding(obstacle, analysis) }
    }
    guard lost.isEmpty || policy.allowsDataLoss else { throw .wouldLoseData(lost) }
  }

  /// Whether data is lost for good.
  package var losesData: Bool { !lost.isEmpty || embeddings.contains { $0.orphanCount > 0 } }
}

extension SchemaSteps {
  /// The properties whose values, and with them links, are discarded.
  package var goingProperties: Set<PropertyPath> {
    Set(
      steps.compactMap { step in
        step.discarded.map { PropertyPath(className: step.className, property: $0.name) }
      })
  }
}

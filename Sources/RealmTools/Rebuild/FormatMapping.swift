import RealmExchange
import RealmOpening
import RealmStorage
import RealmSystem

/// Requested changes to types that a file format does not have, and a function that makes them: the code that converts
/// values is above this target.
package struct FormatMapping: Sendable {
  package var mappings: [TypeChange]
  /// Makes the changes in a realm of the newest format.
  package var perform: @Sendable (_ parts: [MappedPart], _ transaction: WriteTransaction) throws -> Void

  /// - Parameter perform: throws `CopyError.mapping` for values that have no counterpart.
  package init(
    _ mappings: [TypeChange],
    perform: @escaping @Sendable (_ parts: [MappedPart], _ transaction: WriteTransaction) throws -> Void
  ) {
    (self.mappings, self.perform) = (mappings, perform)
  }
}

/// A realm as it is written in an older format, after mappings have given its parts other types: a private copy in the
/// newest format, next to the output, or in memory if that is not a file.
struct MappedSource {
  let realm: OpenedRealm
  /// How the result is copied from it.
  let options: CopyOptions
  /// The results of copying and changing it.
  private(set) var facts: MappingFacts
  /// The file of `realm`, removed with this value.
  private let output: SafeOutput

  /// - Parameters:
  ///   - options: of the result.
  ///   - makeOutput: makes a file next to the result; nil for memory.
  /// - Throws: `CopyError`; what `RealmCopy` throws.
  init(
    of source: OpenedRealm, _ options: CopyOptions, by mapping: FormatMapping,
    _ makeOutput: ((RealmCopy) throws -> SafeOutput)?
  ) throws {
    let snapshot = source.snapshot
    let parts = try Self.parts(of: snapshot, options, mapping)
    var first = options
    (first.format, first.mapping, first.schemaVersion) = (.newest, nil, nil)
    let copy = try RealmCopy(of: snapshot, first)
    var report: CopyReport?
    func make(_ makeOutput: (RealmCopy) throws -> SafeOutput) throws -> (SafeOutput, OpenedRealm) {
      let output = try makeOutput(copy)
      report = try copy.write(to: output)
      guard let path = output.temporaryPath else { throw OutputError.notARegularFile(path: output.path) }
      let transaction = try WriteTransaction(RealmFile(unpublished: path, key: options.key))
      do {
        try mapping.perform(parts, transaction)
        try transaction.commit()
      } catch {
        transaction.rollBack()
        throw error
      }
      return (output, try OpenedRealm(fileAt: path, key: options.key))
    }
    if let makeOutput {
      (output, realm) = try make(makeOutput)
    } else {
      (output, realm) = try FileBackend.$calls.withValue(MemoryFiles(.scratch)) {
        try make { try $0.makeOutput(at: "mapped.realm", replacing: .any) }
      }
    }
    if options.verifies {
      try MappedContent(parts, options.threadLimit + 1).verify(realm.snapshot, of: snapshot, copy.plan.selection)
    }
    var rest = options
    rest.mapping = nil
    rest.filter = CopyFilter()
    rest.filter.allowsDataLoss = options.filter.allowsDataLoss
    // The kind of the source was checked before.
    rest.requiresSoundSource = false
    (self.options, facts) = (rest, MappingFacts(parts: parts, source: report))
  }

  /// - Throws: `CopyError.formatCannotHold` for what remains after the mappings and must not be lost.
  private static func parts(
    of snapshot: Snapshot, _ options: CopyOptions, _ mapping: FormatMapping
  ) throws -> [MappedPart] {
    var probe = options
    (probe.mapping, probe.filter.allowsDataLoss) = (nil, true)
    let plan = try RealmCopy(of: snapshot, probe).plan
    var parts = try MappingPlanning(
      mapping.mappings, of: snapshot.schema, in: options.format, losses: plan.formatLosses
    ).parts
    let left = plan.formatLosses.filter { !$0.isPrevented(by: parts) }
    guard left.isEmpty || options.filter.allowsDataLoss else {
      throw CopyError.formatCannotHold(options.format, left)
    }
    var everything = options.filter
    everything.allowsDataLoss = true
    let selection = try RebuildPlan(snapshot, filter: everything, threadCount: options.threadLimit + 1).selection
    for index in parts.indices {
      parts[index].count = try ValueCount(snapshot, selection).count(of: parts[index])
    }
    // What is not copied needs no mapping.
    return parts.filter { part in
      guard let table = snapshot.table(displayName: part.className), selection.tables.contains(table.key) else {
        return false
      }
      let leftOut = selection.leftOutProperties[table.key] ?? []
      return !leftOut.contains { table.schema.properties[$0].name == part.property }
    }
  }
}

/// The part of a report about a realm that was mapped before it was copied.
struct MappingFacts: Sendable {
  let parts: [MappedPart]
  /// Of the copy that was mapped.
  let source: CopyReport?

  func add(to report: inout CopyReport) {
    report.mapped = parts
    guard let source else { return }
    (report.losses, report.matches, report.source) = (source.losses, source.matches, source.source)
    report.leftOutObjectCount = source.leftOutObjectCount
    report.leftOutEmbeddedObjectCount = source.leftOutEmbeddedObjectCount
  }
}

/// Compares a realm before and after mappings: unchanged parts by content, changed parts by the number of values.
private struct MappedContent {
  private let parts: [MappedPart]
  private let threadCount: Int

  init(_ parts: [MappedPart], _ threadCount: Int) { (self.parts, self.threadCount) = (parts, threadCount) }

  /// - Parameter selection: the part of the source that was copied.
  /// - Throws: `WrittenFault.differs`; `StorageError`.
  func verify(_ mapped: Snapshot, of source: Snapshot, _ selection: RebuildSelection) throws {
    var before = ContentHasher(source)
    before.selection = unchanged(of: source, in: selection)
    var after = ContentHasher(mapped)
    after.selection = unchanged(of: mapped, in: RebuildSelection(all: mapped))
    (before.threadCount, after.threadCount) = (threadCount, threadCount)
    let (expected, found) = (try before.run(), try after.run())
    let classes = Set(expected.classes).symmetricDifference(found.classes).map(\.name)
    let differs = source.schema.version != mapped.schema.version
    let counts = ValueCount(mapped, RebuildSelection(all: mapped))
    // An element that a list or dictionary lost would not show, but none is dropped without an error.
    let miscounted = try parts.filter { try counts.count(of: $0) != $0.count }.map(\.className)
    guard classes.isEmpty, miscounted.isEmpty, !differs else {
      throw WrittenFault.differs(classes: Set(classes + miscounted).sorted(), schemaVersion: differs)
    }
  }

  private func unchanged(of snapshot: Snapshot, in selection: RebuildSelection) -> RebuildSelection {
    var selection = selection
    for table in snapshot.tables where table.schema.isClass && isChanged(table.schema.displayName) {
      selection.tables.remove(table.key)
    }
    for table in snapshot.tables {
      for (index, property) in table.schema.properties.enumerated() {
        let isMapped = parts.contains {
          $0.className == table.schema.displayName && $0.property == property.name && table.schema.isClass
        }
        guard isMapped || property.targetClass.map(isChanged) ?? false else { continue }
        selection.leftOutProperties[table.key, default: []].insert(index)
      }
    }
    return selection
  }

  /// Whether a class is new, or of another kind.
  private func isChanged(_ name: RealmString) -> Bool {
    parts.contains { part in
      switch part.change {
      case .plainClass: part.className == name
      case .pairs(_, let className, _): className == name
      case .property: false
      }
    }
  }
}

import RealmInspection
import RealmStorage
import RealmSystem

/// The result of a redaction, once it is proved.
package struct RedactionAccount: Sendable, Equatable {
  /// A property with a rule.
  package struct Rule: Sendable, Equatable {
    package let className: RealmString
    package let property: RealmString
    package let action: RedactionAction
    /// The number of objects of the copy that the rule applies to.
    package var objectCount = 0
    /// The number of objects whose value has changed.
    package var changedCount = 0
  }

  /// An object before and after, as far as it was changed.
  package struct Sample: Sendable, Equatable {
    package struct Change: Sendable, Equatable {
      package let property: RealmString
      /// JSON; only the beginning if it is long.
      package let before: String
      package let after: String
    }

    package let className: RealmString
    package let changes: [Change]
  }

  /// Values of the copy that contain something that was removed elsewhere.
  package struct Remainder: Sendable, Equatable {
    /// Nil for the names of classes and properties.
    package let className: RealmString?
    package let property: RealmString?
    package let action: RedactionAction
    /// Whether the rule keeps some values as they are: those of objects that `where` leaves out, or keys of
    /// dictionaries.
    package var keepsSome = false
    /// Different texts, data and ids.
    package let count: Int

    /// What the rule does, as rules say it.
    package var rule: String { "\(action)" + (keepsSome ? ", others kept" : "") }
  }

  package var rules: [Rule] = []
  /// Values that the rules keep or make, and that are part of what was searched for.
  package var remainders: [Remainder] = []
  /// Different texts, data and ids among `remainders`.
  package var remainderCount = 0
  /// Some of every class, five in total.
  package var samples: [Sample] = []
  /// Number of different strings, data and ids that the copy was searched for; of long ones, the beginning and the end.
  package var soughtCount = 0
  package var keptStrings: [KeptStrings] = []
}

/// Why there is no redacted copy.
package enum RedactionError: Error, Hashable, Sendable {
  case rules(RuleMistakes)
  /// A value of the copy is not what the rules say.
  case differs(className: RealmString, property: RealmString?)
  /// A value that should have been removed is part of a value of the copy; nil if it is in no value.
  case leak(className: RealmString?, property: RealmString?, count: Int)
  /// Two objects have one primary key.
  case equalPrimaryKeys(className: RealmString)
}

extension RedactionError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .differs(let name, let property):
      "'\(name)\(property.map { ".\($0)" } ?? "")' is not what the rules say"
    case .leak(let name?, let property, let count):
      "\(count == 1 ? "a removed value" : "\(count) removed values") found in '\(name)\(property.map { ".\($0)" } ?? "")'"
    case .leak(nil, _, let count):
      "\(count == 1 ? "a removed value" : "\(count) removed values") found outside the values"
    case .rules(let mistakes): mistakes.description
    case .equalPrimaryKeys(let name): "two objects of class '\(name)' have the same primary key"
    }
  }
}

/// Proves that a copy contains what the rules say, and nothing that they remove.
///
/// Its bytes, decrypted, are searched for every string, data and id of four bytes and more that the rules remove. Each
/// match is compared with every value that the copy should have, made from the source once more: a match is allowed
/// only if it is part of such a value. Each value of the copy is compared with the expected one.
package struct RedactionProof {
  private let source: Snapshot
  private let selection: RebuildSelection
  private let redaction: Redaction
  private var gathering: ThreadResult<Gathered, any Error>?
  package var threadCount = 1
  /// Whether each value is compared with what it should be; otherwise only the search is made.
  package var compares = true
  package var format = TargetFormat.newest
  /// Objects shown before and after.
  static let sampleCount = 5
  /// Number of byte strings to search for at once.
  var mostPatterns = RemovedValues.mostPatterns

  package init(of source: Snapshot, _ selection: RebuildSelection, _ redaction: Redaction) {
    (self.source, self.selection, self.redaction) = (source, selection, redaction)
  }

  /// The strings to search for first.
  private struct Gathered: @unchecked Sendable {
    let patterns: BytePatterns
    /// The fingerprints that are included.
    let range: ClosedRange<UInt64>
  }

  /// Starts to collect what to search for, on another thread; only the source is needed for that.
  package mutating func startGathering() {
    let (removed, limit) = (removedValues, mostPatterns)
    gathering = ThreadResult { () throws(any Error) in try Self.gather(removed, from: 0, limit) }
  }

  private var removedValues: RemovedValues {
    RemovedValues(source: source, selection: selection, redaction: redaction)
  }

  private static func gather(_ removed: RemovedValues, from start: UInt64, _ limit: Int) throws -> Gathered {
    let (patterns, end) = try removed.patterns(from: start, limit: limit)
    return Gathered(patterns: patterns, range: start...end)
  }

  /// - Parameters:
  ///   - opened: the file of the copy, not used by anybody else, because its pages are released.
  ///   - keys: the object keys that are others in the copy, by table.
  /// - Throws: `RedactionError`; `StorageError` where either cannot be read.
  package func run(on opened: OpenedBytes, keys: [TableKey: DerivedKeys] = [:]) throws -> RedactionAccount {
    let copy = try Snapshot(of: opened.store, wasDecrypted: opened.isEncrypted)
    let found = BytePatterns(isSmall: true)
    let soughtCount = try search(copy, opened.store, into: found)
    let comparison = RedactedComparison(
      source, copy, selection, redaction, keys, found: found, compares: compares, format: format)
    var account = try comparison.run(threadCount: threadCount)
    account.soughtCount = soughtCount
    account.keptStrings = try redaction.keptStrings(of: selection)
    account.samples = try comparison.samples(Self.sampleCount)
    account.remainderCount = comparison.explained.count
    let left = comparison.unexplained
    if left.count > 0 { try locate(found, left, in: copy, fileSize: opened.physicalSize) }
    return account
  }

  // MARK: Search

  /// Looks for all that is removed, as much at a time as fits.
  ///
  /// - Parameter found: gets what there is.
  /// - Returns: how many byte strings were looked for.
  private func search(_ copy: Snapshot, _ bytes: ByteStore, into found: BytePatterns) throws -> Int {
    var (start, count) = (UInt64(0), 0)
    while true {
      let first = start == 0 ? try gathering?.get() : nil
      let gathered = try first ?? Self.gather(removedValues, from: start, mostPatterns)
      try source.releasePages()
      count += gathered.patterns.count
      try scan(copy, bytes, for: gathered.patterns, into: found)
      guard gathered.range.upperBound < .max else { return count }
      start = gathered.range.upperBound + 1
    }
  }

  private static let blockSize = 4 << 20

  /// Searches the bytes of the copy, a block at a time on each thread.
  private func scan(
    _ copy: Snapshot, _ store: ByteStore, for patterns: BytePatterns, into found: BytePatterns
  ) throws {
    let size = copy.byteCount
    nonisolated(unsafe) let (patterns, found) = (patterns, found)
    let seen = Locked(())
    var next = 0
    let pause = OrderedPipeline<Int>.Pause(
      isNeeded: { copy.holdsTooManyPages }, body: { try copy.releasePages() })
    let pipeline = OrderedPipeline<Int>(threadCount: threadCount, pause: pause) {
      guard next < size else { return nil }
      defer { next += Self.blockSize }
      return next
    }
    try pipeline.run {
      { start, _ in
        let length = min(Self.blockSize + BytePatterns.mostLength, size - start)
        let bytes = try store.copy(at: UInt64(start), length: length)
        bytes.withUnsafeBytes { bytes in
          patterns.scan(bytes, before: Self.blockSize) { range, _ in
            seen.withLock { _ in found.insert(UnsafeRawBufferPointer(rebasing: bytes[range])) }
          }
        }
      }
    }
  }

  // MARK: Places

  /// Reports where a removed value is in the copy.
  ///
  /// Numbers, and the end of one value together with the beginning of the next, may happen to have the bytes of a
  /// removed value. That is harmless as long as only live tables are in the file.
  ///
  /// - Throws: `RedactionError.leak`.
  private func locate(
    _ found: BytePatterns, _ left: Set<UInt64>, in copy: Snapshot, fileSize: UInt64
  ) throws {
    let walk = copy.collectionWalk(passes: 2)
    func search(_ bytes: UnsafeRawBufferPointer, _ table: Table, _ property: Property?) throws {
      try found.scan(bytes) { _, fingerprint in
        guard left.contains(fingerprint) else { return }
        throw RedactionError.leak(
          className: table.schema.displayName, property: property?.name, count: left.count)
      }
    }
    for table in copy.tables {
      try table.schema.name.utf8.withUnsafeBytes { try search($0, table, nil) }
      for (index, property) in table.schema.properties.enumerated() {
        try property.name.utf8.withUnsafeBytes { try search($0, table, property) }
        guard property.canHoldBytes else { continue }
        try table.forEachBatch(in: copy) { batch in
          let values = try batch.values(ofProperty: index)
          for row in 0..<batch.count {
            try values.value(at: row).forEachBytes(walk) { try search($0, table, property) }
          }
        }
      }
    }
    let kinds: Set<SpaceKind> = [.history, .free, .olderSnapshots, .newerSnapshot, .unaccounted, .unreadable]
    let space = try SpaceSurvey(copy, fileSize: fileSize).run()
    if space.damageCount > 0 || space.parts.contains(where: { kinds.contains($0.kind) && $0.byteCount > 0 }) {
      throw RedactionError.leak(className: nil, property: nil, count: left.count)
    }
  }
}

import RealmSystem

extension Realm {
  /// What apps commit to a realm, as it happens: added, changed and removed objects of each class.
  ///
  /// ```swift
  /// for try await change in Realm.changes(at: "app.realm", of: ["Dog"]) {
  ///   for dogs in change.classes { print(dogs.name, dogs.inserted.count, dogs.modified.count, dogs.deleted.count) }
  /// }
  /// ```
  ///
  /// The file is looked at again and again, and nothing is locked: several commits between two looks are one change, and
  /// commits that undo each other are none. The first element is the state at the beginning, without changes. Each new state
  /// is read as a whole, because places in the file that an app has released may have other content: what costs is the
  /// number of objects in the classes, 16 bytes of memory and a fraction of a microsecond for each of their values.
  ///
  /// - Parameters:
  ///   - path: of the realm, a regular file. One that is replaced, as by compacting, is followed.
  ///   - key: of an encrypted realm.
  ///   - classes: names of the classes to look at, without `class_`; nil for all. One that does not exist yet is waited for.
  ///   - everyMilliseconds: how long to wait between two looks at the file, which cost two system calls, at least 1.
  public static func changes(
    at path: String, key: EncryptionKey? = nil, of classes: [String]? = nil, everyMilliseconds: UInt64 = 500
  ) -> RealmNotifications {
    RealmNotifications(
      path: path, key: key, classes: classes.map { Set($0.map(RealmString.init)) },
      everyMilliseconds: min(max(everyMilliseconds, 1), 1 << 40))
  }
}

/// The changes of a realm, as `Realm.changes` gives them. Each iteration begins with the state that it finds.
public struct RealmNotifications: AsyncSequence, Sendable {
  /// A change.
  public typealias Element = RealmChange

  let path: String
  let key: EncryptionKey?
  let classes: Set<RealmString>?
  let everyMilliseconds: UInt64

  /// Begins with the state that the realm has when `next` is called first.
  public func makeAsyncIterator() -> Iterator { Iterator(changes: self) }

  /// The states of the realm one after another. It has no thread of its own between two calls of `next`.
  public struct Iterator: AsyncIteratorProtocol {
    fileprivate let changes: RealmNotifications
    private var last: RealmDigests?

    fileprivate init(changes: RealmNotifications) { self.changes = changes }

    /// Waits for the next change.
    ///
    /// - Returns: never nil: changes have no end.
    /// - Throws: `RealmError` if the realm can no longer be opened or an object cannot be read; `CancellationError` as soon as
    ///   the task is cancelled. After that, the next call compares with the last state all the same.
    public mutating func next() async throws -> RealmChange? {
      while true {
        try Task.checkCancellation()
        if let last {
          try await Task.sleep(nanoseconds: changes.everyMilliseconds * 1_000_000)
          guard try await last.isOutOfDate() else { continue }
        }
        guard let new = try await changes.read() else { continue }
        defer { last = new }
        guard let last else { return RealmChange(realm: new.realm, changesSchema: false, classes: []) }
        let classes = new.changes(since: last)
        let changesSchema = new.schema != last.schema
        if changesSchema || !classes.isEmpty {
          return RealmChange(realm: new.realm, changesSchema: changesSchema, classes: classes)
        }
      }
    }
  }

  /// - Returns: nil if apps commit faster than the realm can be read.
  fileprivate func read() async throws -> RealmDigests? {
    let isCancelled = Locked(false)
    let (path, key, classes) = (path, key, classes)
    return try await withTaskCancellationHandler {
      do {
        return try await WorkerThreads.result { () throws(any Error) in
          try Realm.read(at: path, key: key) { try RealmDigests($0, of: classes, isCancelled: isCancelled) }
        }
      } catch let error as RealmError where error.kind == .changed {
        return nil
      }
    } onCancel: {
      isCancelled.withLock { $0 = true }
    }
  }
}

/// A new state of a realm, and what is different from the one before it.
public struct RealmChange: Sendable {
  /// The realm in the new state. As with every `Realm`, what is read of it after the next commit throws an error of the
  /// kind `changed`.
  public let realm: Realm
  /// Whether classes or properties have been added, changed or removed.
  public let changesSchema: Bool
  /// The classes with changes, in the order of their names, those that no longer exist among them.
  public let classes: [ClassChange]
}

/// Which objects of a class are different, in the order of their keys. An object is modified if one of its own values is, bit
/// for bit; what it links to may change without it. In formats before 10 a key is a position, so that removing an object gives
/// others its key.
public struct ClassChange: Hashable, Sendable {
  /// The name of the class, without `class_`.
  public let name: String
  /// Objects that are new.
  public let inserted: [ObjectKey]
  /// Objects that were there before, with other values. Two different values are taken for the same in one of 2^64 cases.
  public let modified: [ObjectKey]
  /// Objects that are gone.
  public let deleted: [ObjectKey]
}

/// What is kept of a state to tell what differs from it.
private struct RealmDigests: Sendable {
  let realm: Realm
  /// The classes that are looked at.
  let schema: [TableSchema]
  /// Of each class: the objects in the order of their keys.
  private let digests: [RealmString: [Digest]]

  private struct Digest: Sendable {
    let key: ObjectKey
    let values: Int
  }

  init(_ realm: Realm, of names: Set<RealmString>?, isCancelled: Locked<Bool>) throws {
    self.realm = realm
    var (schema, digests): ([TableSchema], [RealmString: [Digest]]) = ([], [:])
    for objects in realm.classes {
      let name = objects.schema.displayName
      guard names?.contains(name) ?? true else { continue }
      var found: [Digest] = []
      try objects.forEach { object in
        guard !isCancelled.withLock({ $0 }) else { throw CancellationError() }
        var hasher = Hasher()
        for value in object.values { hasher.combine(value.bits) }
        found.append(Digest(key: object.key, values: hasher.finalize()))
      }
      // Only a damaged realm has another order.
      if zip(found, found.dropFirst()).contains(where: { $0.key >= $1.key }) { found.sort { $0.key < $1.key } }
      schema.append(objects.schema)
      digests[name] = found
    }
    (self.schema, self.digests) = (schema, digests)
  }

  func isOutOfDate() async throws -> Bool {
    let shared = realm.shared
    return try await WorkerThreads.result { () throws(RealmError) in
      try RealmError.wrapping(shared.path) { shared.bytes.change(since: shared.head) != nil }
    }
  }

  func changes(since old: RealmDigests) -> [ClassChange] {
    Set(digests.keys).union(old.digests.keys).sorted().compactMap { name in
      var (inserted, modified, deleted): ([ObjectKey], [ObjectKey], [ObjectKey]) = ([], [], [])
      var (before, after) = (old.digests[name, default: []][...], digests[name, default: []][...])
      while true {
        switch (before.first, after.first) {
        case (let left?, let right?) where left.key == right.key:
          if left.values != right.values { modified.append(right.key) }
          (before, after) = (before.dropFirst(), after.dropFirst())
        case (let left?, let right) where right.map({ left.key < $0.key }) ?? true:
          deleted.append(left.key)
          before = before.dropFirst()
        case (_, let right?):
          inserted.append(right.key)
          after = after.dropFirst()
        default:
          let isSame = inserted.isEmpty && modified.isEmpty && deleted.isEmpty
          return isSame ? nil : ClassChange(name: "\(name)", inserted: inserted, modified: modified, deleted: deleted)
        }
      }
    }
  }
}

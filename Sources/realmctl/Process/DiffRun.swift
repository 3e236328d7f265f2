import RealmExchange
import RealmPresentation
import RealmStorage
import RealmSystem

/// Reads two realms, or two snapshots of one, and reports the differences.
struct DiffRun {
  let request: DiffCommand.Request
  let console: Console

  /// - Throws: `Diagnostic`; `ClosedPipe`.
  func run() throws -> RunStatus {
    let output = DiffOutput()
    let isDifferent = try read(canStartAgain: { output.isEmpty }) { old, new in
      try compare(old, new, output)
    }
    try output.flush()
    return isDifferent ? .findings : .done
  }

  // MARK: Reading

  private func read<Result>(
    canStartAgain: () throws -> Bool, _ body: (ComparedFile, ComparedFile) throws -> Result
  ) throws -> Result {
    var inputs = zip(request.paths, [request.key, request.newKey ?? request.key]).map { RealmInput(path: $0, key: $1) }
    inputs[0].snapshot = request.snapshot
    let keys = try keys(for: inputs)
    if let choice = request.against {
      return try inputs[0].read(console, with: keys[0], canStartAgain: canStartAgain) { new in
        do {
          // Both are read at the same time, so that pages are not shared.
          return try body(.realm(OpenedRealm(new.bytes.withoutPages(), choosing: choice)), .realm(new))
        } catch let error as StorageError {
          throw Diagnostic(error, path: inputs[0].name)
        }
      }
    }
    return try read(inputs[0], keys[0], canStartAgain) { old in
      try read(inputs[1], keys[1], canStartAgain) { new in try body(old, new) }
    }
  }

  private func read<Result>(
    _ input: RealmInput, _ key: EncryptionKey?, _ canStartAgain: () throws -> Bool,
    _ body: (ComparedFile) throws -> Result
  ) throws -> Result {
    guard let file = try input.database() else {
      return try input.read(console, with: key, canStartAgain: canStartAgain) { try body(.realm($0)) }
    }
    return try body(.database(file))
  }

  /// The key of each input. A single key may be for only one of them. A key that is given for one file alone, or for
  /// nothing that is encrypted, is a mistake, as in other commands.
  private func keys(for inputs: [RealmInput]) throws -> [EncryptionKey?] {
    if let newKey = request.newKey {
      let key = try request.key?.read(for: inputs[0].name)
      return [key, try newKey.read(for: inputs[1].name, option: "--new-key-file")]
    }
    let shared = SharedKey(request.key)
    let keys: [EncryptionKey?] = try inputs.map { input in
      do {
        return try TextInput.kind(of: input.path).needsNoKey ? nil : shared.read(for: input.name)
      } catch let error as StorageError {
        throw Diagnostic(error, path: input.name)
      }
    }
    try shared.requireUse(for: inputs[0].name)
    return keys
  }

  // MARK: Comparing

  private func compare(_ old: ComparedFile, _ new: ComparedFile, _ output: DiffOutput) throws -> Bool {
    let names = request.names(old, new)
    try request.classes.requireKnownNames(in: [old, new], at: request.against == nil ? nil : names.oldPath)
    for file in request.against == nil ? [old, new] : [new] { file.warnIfHeld(on: console) }
    do {
      let done = AtomicInt(0)
      let total = Locked(0)
      let progress = console.makeProgress(alongside: .standardOutput)
      defer { console.endProgress() }
      let difference = try RealmDifference(from: old.content, to: new.content) { count in
        let all = total.withLock { $0 }
        let share = Double(done.add(count)) / Double(max(all, 1))
        progress?.show(share: share)
      }
      let pairs = difference.pairs(in: request.classes)
      total.withLock { $0 = difference.objectCount(of: pairs) }
      let form: any DiffForm =
        console.style.isJSON
        ? DiffJSON(names: names, output: output)
        : DiffLines(
          names: names, output: output, pen: ANSIStyle(isColored: StandardOutput.isColored(console.style.color)),
          showsAll: console.style.volume == .verbose, showsCounts: !request.showsObjects)
      return try show(difference, pairs, form)
    } catch InputError.input(let side, let error) {
      throw Diagnostic.ofSource(error, path: side == 0 ? names.oldPath : names.newPath)
    }
  }

  private func show(_ difference: RealmDifference, _ pairs: [RealmDifference.Pair], _ form: any DiffForm) throws -> Bool
  {
    var schema = difference.schema
    schema.changes.removeAll { !request.classes.contains($0.className) }
    // The version is that of all classes.
    let versions = request.classes == .all ? difference.versions : (old: nil, new: nil)
    try form.begin(schema, versions)
    var counts: [DiffCounts] = []
    for pair in pairs {
      let found = try difference.compare(pair)
      counts.append(DiffCounts(found))
      guard request.showsObjects else { continue }
      for change in found.changes {
        let shown = ShownChange(
          className: pair.name, change: change, primaryKey: try difference.key(of: change, in: pair),
          values: try difference.values(of: change, in: pair))
        try form.show(shown)
      }
    }
    let isDifferent = !schema.isEmpty || versions.old != versions.new || counts.contains { !$0.isEqual }
    try form.end(counts, isDifferent: isDifferent)
    return isDifferent
  }
}

extension DiffCommand.Request {
  fileprivate func names(_ old: ComparedFile, _ new: ComparedFile) -> DiffNames {
    let paths = paths.map { RealmInput(path: $0).name }
    func versioned(_ path: String, _ file: ComparedFile) -> String { "\(path) (version \(file.version ?? 0))" }
    guard against != nil else {
      return DiffNames(
        inputs: self.paths, oldPath: paths[0], newPath: paths[1],
        old: snapshot == .live ? paths[0] : versioned(paths[0], old), new: paths[1])
    }
    return DiffNames(
      inputs: [self.paths[0], self.paths[0]], oldPath: paths[0], newPath: paths[0],
      old: versioned(paths[0], old), new: versioned(paths[0], new))
  }
}

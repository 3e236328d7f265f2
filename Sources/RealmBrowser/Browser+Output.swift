import RealmPresentation
import RealmStorage
import RealmText

/// The result of work that does not belong to a view.
enum JobOutcome: Sendable {
  case said(text: String, isWarning: Bool)
  case copy([UInt8], what: String, remark: String?)
}

/// Everything that leaves the browser: files, copies and the input of programs.
extension Browser {
  /// Starts work that continues regardless of the view that is shown.
  private func start(_ task: BackgroundTask<JobOutcome>) -> [Effect] {
    guard job == nil else { return [.say(.info("already writing; Esc stops it"))] }
    job = task
    task.start(on: context.executor)
    collectJob()
    return []
  }

  func collectJob() {
    guard let task = job, !task.isRunning else { return }
    job = nil
    switch task.state {
    case .finished(.said(let text, let isWarning)): say(Message(text: text, isWarning: isWarning))
    case .finished(.copy(let bytes, let what, let remark)):
      copy(bytes, what)
      if let remark { say(.warning(remark)) }
    case .failed(let error): say(context.message(error))
    case .running, .stopped: break
    }
  }

  // MARK: Files

  func write(_ path: String, replacing: Bool) -> [Effect] {
    guard let write = context.write else { return [.say(.info("nothing can be written here"))] }
    guard let selection = page.view.selection(at: page.row) else {
      return [.say(.info("open a class first; its objects can be written"))]
    }
    guard !path.isEmpty else { return [.say(.warning("name a file, as in :write people.csv"))] }
    let (realm, total) = (context.realm, selection.count(in: context.realm))
    return start(
      BackgroundTask("writing \(path)", total: total) { progress, _ in
        let objects = try selection.objects(in: realm, progress)
        let written = try write(realm, objects, .file(path, replacing: replacing), progress)
        let marked = selection.marks == nil ? "" : "marked "
        let count = objects.keys?.count ?? total
        var text =
          "wrote \(CountText.counted(count, marked + "object", marked + "objects")) to \(path), "
          + ByteCount.short(written.byteCount)
        if !written.remark.isEmpty { text += ", " + written.remark }
        guard written.missingParts > 0 else { return .said(text: text, isWarning: false) }
        return .said(
          text: text + "; \(CountText.counted(written.missingParts, "part")) could not be read", isWarning: true)
      })
  }

  // MARK: Copies

  /// Copies objects as JSON, one per line: the object of the row, or the marked ones.
  func copyObjects() {
    guard let write = context.write, let selection = page.view.rowSelection(at: page.row) else {
      return say(.info("no object to copy"))
    }
    let realm = context.realm
    let work: @Sendable (TaskProgress, (JobOutcome) -> Void) throws -> JobOutcome = { progress, _ in
      let text = CopiedText()
      let objects = try selection.objects(in: realm, progress)
      let written = try write(realm, objects, .lines(text.taker), progress)
      let count = objects.keys?.count ?? 0
      let what = count == 1 ? "the object as JSON" : CountText.counted(count, "object") + " as JSON"
      let missing = written.missingParts
      return .copy(
        text.bytes, what: what,
        remark: missing == 0 ? nil : "without \(CountText.counted(missing, "part")) that cannot be read")
    }
    apply(start(BackgroundTask("copying", total: selection.count(in: realm), work: work)))
  }

  /// Copies the values of a column, one per line, of all objects that are shown or marked.
  func copyColumn(_ argument: String) -> [Effect] {
    guard argument == "column" else { return [.refused("copy", takes: "nothing or column", argument)] }
    guard let view = page.view as? ObjectsView, let selection = view.selection(at: page.row),
      let property = view.columns.focused.property
    else { return [.say(.info("move to a column of objects first"))] }
    let (realm, json) = (context.realm, context.writeJSON)
    let name = view.columns.focused.name
    return start(
      BackgroundTask("copying", total: selection.count(in: realm)) { progress, _ in
        let text = CopiedText()
        var (count, damaged) = (0, 0)
        let keys = try selection.objects(in: realm, progress).keys
        let source = keys.map { RowsSource.keys(table: selection.table, $0) } ?? .table(selection.table)
        var walk = try ShownRowWalk(source, in: realm, progress)
        let buffer = TextBuffer(capacity: 256)
        try walk.forEach { group in
          let values = try group.batch.values(ofProperty: property)
          for row in group.rows {
            buffer.removeAll()
            do {
              let value = try values.value(at: row)
              if try !buffer.appendPlain(value) {
                let written = try json(value, group.snapshot).text
                written.withUnsafeBytes { buffer.append(bytes: $0) }
              }
            } catch is StorageError {
              damaged += 1
            }
            buffer.append("\n")
            try buffer.withBytes { try text.take($0) }
            count += 1
          }
        }
        return .copy(
          text.bytes, what: CountText.counted(count, "value") + " of \(name)",
          remark: damaged == 0 ? nil : "without \(CountText.counted(damaged, "value")) that cannot be read")
      })
  }

  func copyByProgram(_ bytes: [UInt8]) {
    let take = options.clipboard
    apply(
      start(
        BackgroundTask("copying", total: 0) { _, _ in
          .said(text: try take(bytes), isWarning: false)
        }))
  }

  // MARK: Programs

  func askForProgram() {
    ask(
      Prompt(.pipe, label: "| ", completions: { _, _ in .none }) { [self] line in
        line.isEmpty ? [] : pipe(to: line)
      })
  }

  private func pipe(to line: String) -> [Effect] {
    let (realm, view, row) = (context.realm, page.view, page.row)
    if let address = view.pipedValue(at: row) {
      screenRequests.append(
        .run(
          ProgramRun(line) { take in
            guard let blob = try realm.value(at: address)?.blob else { return }
            try blob.forEachPiece { try take($0) }
          }))
      return []
    }
    guard let write = context.write, let selection = view.selection(at: row) else {
      return [.say(.info("nothing to pipe to a program"))]
    }
    screenRequests.append(
      .run(
        ProgramRun(line) { take in
          let progress = TaskProgress(total: 0)
          // The receiver is only used during this call, and by one thread at a time.
          try withoutActuallyEscaping(take) { take in
            let objects = try selection.objects(in: realm, progress)
            _ = try write(realm, objects, .lines(LineTaker(take)), progress)
          }
        }))
    return []
  }
}

/// Text that is gathered for the clipboard.
private final class CopiedText: @unchecked Sendable {
  private(set) var bytes: [UInt8] = []
  /// The copied text is kept in memory.
  private static let most = 64 << 20

  func take(_ part: UnsafeRawBufferPointer) throws {
    guard bytes.count + part.count <= Self.most else {
      throw BrowserProblem("too long to copy; :write saves it to a file")
    }
    bytes.append(contentsOf: part)
  }

  var taker: LineTaker { LineTaker { [self] in try take($0) } }
}

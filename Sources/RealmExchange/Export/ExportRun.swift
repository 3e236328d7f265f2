import RealmStorage
import RealmSystem
import RealmText

/// The work of one thread of an export: turning pieces of work into text.
///
/// Functions, not a protocol: a generic class that calls through a witness is not specialized for its form.
struct PieceWriter {
  /// Appends the text of a piece to the buffer the writer was made with.
  let write: (_ piece: ExportPiece) throws -> Void
  /// The report of what was missing since the last call.
  let takeReport: () -> DamageReport
  /// Forgets all places in the file, whose bytes are about to be released.
  let forgetPlaces: () -> Void
}

/// What the threads of an export share, and what each of them needs.
struct ExportContext: Sendable {
  let snapshot: Snapshot
  let options: ExportOptions
  let walk: CollectionWalk
  let embedded: EmbeddedBudget
}

/// One export: pieces of work, threads that turn them into text, and a sink that takes the text in order.
struct ExportRun {
  typealias MakeWriter =
    @Sendable (_ context: ExportContext, _ text: TextBuffer, _ spill: @escaping (TextBuffer) throws -> Void)
    -> PieceWriter

  let snapshot: Snapshot
  let options: ExportOptions
  let sink: any TextSink
  let makeWriter: MakeWriter

  func run() throws -> DamageReport {
    let pieces = ExportPieces(options.tables, keys: options.keys)
    let context: ExportContext
    if case .inline = options.links {
      // Objects written inline are met again and again.
      context = ExportContext(
        snapshot: snapshot, options: options, walk: snapshot.collectionWalk(for: .inlineLinks),
        embedded: EmbeddedBudget(for: .inlineLinks, limit: snapshot.workLimit))
    } else {
      context = ExportContext(
        snapshot: snapshot, options: options, walk: snapshot.collectionWalk(),
        embedded: EmbeddedBudget(fileSize: snapshot.byteCount))
    }
    let reports = Locked<[(number: Int, report: DamageReport)]>([])
    let releases = AtomicInt(0)
    let pause = OrderedPipeline<ExportPiece>.Pause(
      isNeeded: { [snapshot] in snapshot.holdsTooManyPages },
      body: { [snapshot] in
        try snapshot.releasePages()
        pieces.restorePlaces()
        releases.add(1)
      })
    let pipeline = OrderedPipeline(threadCount: options.threadCount, pause: pause) { pieces.next() }
    let (sink, makeWriter) = (sink, makeWriter)
    try pipeline.run {
      let text = TextBuffer(capacity: ExportLimits.spill / 2)
      let turn = Turn()
      let writer = makeWriter(context, text) { text in
        try turn.wait()
        try text.withBytes(sink.write)
        text.removeAll()
      }
      var releasesSeen = 0
      return { piece, wait in
        let released = releases.value
        if released != releasesSeen { writer.forgetPlaces() }
        releasesSeen = released
        try withoutActuallyEscaping(wait) { wait in
          turn.wait = wait
          defer { turn.wait = {} }
          try writer.write(piece)
          try wait()
        }
        try text.withBytes(sink.write)
        text.removeAll()
        sink.finished(objects: piece.objectCount)
        let report = writer.takeReport()
        if !report.isEmpty || report.replacedBytes > 0 { reports.withLock { $0.append((piece.number, report)) } }
      }
    }
    var total = pieces.report
    for entry in reports.withLock({ $0 }).sorted(by: { $0.number < $1.number }) { total.merge(entry.report) }
    return total
  }

  /// The turn of the piece that a thread works on, so that it can pass on text before the piece is complete.
  private final class Turn {
    var wait: () throws -> Void = {}
  }
}

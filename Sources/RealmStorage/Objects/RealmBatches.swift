import RealmSystem

/// Objects in batches, as `RealmObjects.batches` gives them.
///
/// They are read on a thread of their own, which is never more than one batch ahead. Each iteration reads from the
/// beginning.
public struct RealmBatches: AsyncSequence, Sendable {
  /// Objects that follow each other.
  public typealias Element = [RealmObject]

  let objects: RealmObjects
  let columns: [String]?
  let size: Int

  /// A walk from the first object on.
  public func makeAsyncIterator() -> Iterator { Iterator(self) }

  /// A walk, which ends when nobody has it any more. Iterators that are copied share their place.
  public struct Iterator: AsyncIteratorProtocol, Sendable {
    private let reader: BatchReader

    fileprivate init(_ batches: RealmBatches) { reader = BatchReader(batches) }

    /// The next batch.
    ///
    /// - Returns: nil at the end.
    /// - Throws: `RealmError` if an object cannot be read, after which nothing more comes; `CancellationError` if the task
    ///   is cancelled.
    public mutating func next() async throws -> [RealmObject]? { try await reader.next() }
  }
}

/// Ends the reading thread when it is released.
private final class BatchReader: Sendable {
  private let channel: BatchChannel

  init(_ batches: RealmBatches) { channel = BatchChannel(batches) }

  deinit { channel.close() }

  func next() async throws -> [RealmObject]? {
    try Task.checkCancellation()
    let channel = channel
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { channel.request($0) }
    } onCancel: {
      channel.close()
    }
  }
}

/// What the reading thread and those who wait for it share.
private final class BatchChannel: @unchecked Sendable {
  private typealias Batch = Result<[RealmObject]?, any Error>
  private typealias Waiter = CheckedContinuation<[RealmObject]?, any Error>

  private let batches: RealmBatches
  private let monitor = Monitor()
  private let cursor = Locked<RealmCursor?>(nil)

  // All below is guarded by `monitor`.
  /// The batch that is ahead.
  private var ready: Batch?
  private var waiters: [Waiter] = []
  private var isStarted = false
  /// Whether the last batch, or an error, has been read.
  private var isOver = false
  private var isClosed = false

  init(_ batches: RealmBatches) { self.batches = batches }

  func request(_ waiter: CheckedContinuation<[RealmObject]?, any Error>) {
    let (answer, starts) = monitor.change { () -> (Batch?, Bool) in
      if isClosed { return (.failure(CancellationError()), false) }
      if let ready {
        self.ready = nil
        return (ready, false)
      }
      if isOver { return (.success(nil), false) }
      waiters.append(waiter)
      defer { isStarted = true }
      return (nil, !isStarted)
    }
    if let answer { return waiter.resume(with: answer) }
    guard starts, !WorkerThreads.detachIfPossible({ self.run() }) else { return }
    // Without a thread, the batch is read here; the next request tries again.
    monitor.change { isStarted = false }
    step()
  }

  func close() {
    let left = monitor.change {
      (isClosed, ready) = (true, nil)
      defer { waiters = [] }
      return waiters
    }
    for waiter in left { waiter.resume(throwing: CancellationError()) }
  }

  private func run() {
    while monitor.wait(until: { ready == nil || isClosed }, { !isClosed && !isOver }) { step() }
  }

  /// Reads a batch, for whoever waits first.
  private func step() {
    let batch = cursor.withLock { cursor in Batch { try read(&cursor) } }
    let (waiter, others) = monitor.change { () -> (Waiter?, [Waiter]) in
      if case .success(.some) = batch {} else { isOver = true }
      let waiter = waiters.isEmpty ? nil : waiters.removeFirst()
      if waiter == nil, !isClosed { ready = batch }
      guard isOver else { return (waiter, []) }
      defer { waiters = [] }
      return (waiter, waiters)
    }
    waiter?.resume(with: batch)
    for other in others { other.resume(returning: nil) }
  }

  /// Nil at the end.
  private func read(_ cursor: inout RealmCursor?) throws -> [RealmObject]? {
    var current = try cursor ?? batches.objects.cursor(columns: batches.columns)
    cursor = current
    var objects: [RealmObject] = []
    while objects.count < batches.size, let object = try current.next() { objects.append(object) }
    return objects.isEmpty ? nil : objects
  }
}

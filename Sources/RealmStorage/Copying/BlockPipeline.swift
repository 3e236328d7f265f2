import RealmSystem

/// A piece of a file's plaintext on its way out.
final class OutputBlock: @unchecked Sendable {
  /// One block of encrypted pages: large enough that calls are rare.
  static let capacity = EncryptedBlockWriter.plaintextSize

  /// `capacity` bytes.
  let start = UnsafeMutableRawPointer.allocate(byteCount: OutputBlock.capacity, alignment: 4096)
  /// Bytes in use.
  var count = 0
  /// Its place in the file, counted in blocks.
  var index: UInt64 = 0

  deinit { start.deallocate() }
}

/// Encrypts blocks if there is a key, and writes them, on other threads, while the next ones are being filled.
///
/// Memory is bounded: there are as many blocks as the threads need. Used by one thread, which fills blocks in order.
final class BlockPipeline: @unchecked Sendable {
  private let output: any OutputBytes
  private let key: EncryptionKey?
  /// As asked for; plain files take fewer.
  let threadLimit: Int
  private let writerLimit: Int
  private let monitor = Monitor()
  private let progress: WorkProgress?
  /// Of the caller's thread, for the blocks it takes itself.
  private var ownEncryption: EncryptedBlockWriter?
  /// Started and ended by the caller's thread.
  private var threads = WorkerThreads()

  // All below is guarded by `monitor`.
  private var idle = 0
  private var waiting: [OutputBlock] = []
  private var free: [OutputBlock] = []
  private var blockCount = 0
  /// The block that may be written to a stream next.
  private var turn: UInt64 = 0
  private var unfinished = 0
  private var isClosed = false
  private var failure: (any Error)?

  /// - Parameter threadLimit: threads in addition to the caller's; 0 does all work in `submit`.
  init(to output: any OutputBytes, key: EncryptionKey?, threadLimit: Int, progress: WorkProgress? = nil) {
    self.output = output
    self.progress = progress
    self.key = key
    // Without encryption, writing a block takes no longer than filling one: more than two writers would only wait.
    self.threadLimit = threadLimit
    writerLimit = key == nil ? min(threadLimit, 2) : threadLimit
  }

  /// A block to fill. While all are on their way, the caller encrypts one that no thread has taken yet, or waits.
  ///
  /// - Throws: what went wrong with an earlier one.
  func emptyBlock() throws -> OutputBlock {
    while true {
      let empty: OutputBlock? = try monitor.wait(until: {
        !free.isEmpty || blockCount < blockLimit || isWorthHelping || failure != nil
      }) {
        if let failure { throw failure }
        if let block = free.popLast() {
          block.count = 0
          return block
        }
        guard blockCount < blockLimit else { return nil }
        blockCount += 1
        return OutputBlock()
      }
      if let empty { return empty }
      workOnOne()
    }
  }

  /// Plain blocks are left to the threads: the system writes one to a file at a time.
  private var isWorthHelping: Bool { key != nil && !waiting.isEmpty }

  /// One to fill, one for each thread to work on, and some that wait: encrypting takes longer than filling, and the
  /// threads must not run out while the caller helps.
  private var blockLimit: Int { writerLimit + (key == nil ? 2 : 4) }

  /// Passes on a filled block. Blocks must be in the order of the file; all but the last are full.
  ///
  /// - Throws: the error of an earlier one.
  func submit(_ block: OutputBlock) throws {
    let needsThread = try monitor.change {
      if let failure { throw failure }
      unfinished += 1
      waiting.append(block)
      return idle < waiting.count && threads.count < writerLimit
    }
    if needsThread { startThread() }
    if threads.count == 0 { workOnOne() }
  }

  /// Waits until all blocks are written.
  ///
  /// - Throws: what went wrong with one.
  func finish() throws {
    while monitor.use({ isWorthHelping && failure == nil }) { workOnOne() }
    try monitor.wait(until: { unfinished == 0 || failure != nil }) {
      if let failure { throw failure }
    }
    close()
  }

  /// Ends the threads, and drops anything not written yet. The owner of the pipeline must call it in any case.
  func close() {
    monitor.change { isClosed = true }
    threads.join()
  }

  // MARK: Threads

  private func startThread() {
    threads.start {
      var encryption: EncryptedBlockWriter?
      while let block = self.nextBlock(waits: true) { self.work(on: block, &encryption) }
    }
  }

  /// By the caller's thread.
  private func workOnOne() {
    if let block = nextBlock(waits: false) { work(on: block, &ownEncryption) }
  }

  private func work(on block: OutputBlock, _ encryption: inout EncryptedBlockWriter?) {
    do {
      try monitor.use { if let failure { throw failure } }
      if let key, encryption == nil { encryption = try EncryptedBlockWriter(key: key) }
      try write(block, encryption)
      progress?.add(byteCount: block.count)
    } catch {
      monitor.change { if failure == nil { failure = error } }
    }
    monitor.change {
      turn = max(turn, block.index + 1)
      unfinished -= 1
      free.append(block)
    }
  }

  private func nextBlock(waits: Bool) -> OutputBlock? {
    monitor.use { idle += 1 }
    return monitor.wait(until: { !waiting.isEmpty || isClosed || !waits }) {
      idle -= 1
      return waiting.isEmpty || isClosed ? nil : waiting.removeFirst()
    }
  }

  private func write(_ block: OutputBlock, _ encryption: EncryptedBlockWriter?) throws {
    var bytes = UnsafeRawBufferPointer(start: block.start, count: block.count)
    var offset = block.index &* UInt64(OutputBlock.capacity)
    if let encryption { (bytes, offset) = try encryption.encrypt(bytes, block: block.index) }
    if output.isStream {
      try monitor.wait(until: { turn >= block.index || failure != nil }) {
        if let failure { throw failure }
      }
    }
    try output.write(bytes, at: offset)
  }
}

/// The plaintext bytes of a realm that is written in place.
///
/// What is written may be kept until `synchronize`; what is on the disk after it is on the disk.
protocol RealmPages: AnyObject {
  /// Makes room for this many plaintext bytes.
  func reserve(_ byteCount: UInt64) throws(OutputError)

  /// Writes bytes at a plaintext offset.
  func write(_ bytes: UnsafeRawBufferPointer, at offset: UInt64) throws

  /// Brings all that was written to the disk.
  func synchronize() throws

  /// Cuts off what `reserve` has added, as far as that can be done: a transaction that failed leaves the file as long as
  /// it was.
  func giveBack()
}

/// A file that is open for writing in place.
final class WritableFile {
  let path: String
  let descriptor: Int32
  let calls: any OutputCalls
  /// Bytes of the file.
  private(set) var size: UInt64
  private let originalSize: UInt64
  let identity: FileIdentity

  /// - Throws: `OutputError`.
  init(_ path: String, calls: any OutputCalls) throws(OutputError) {
    do throws(SystemCallError) {
      descriptor = try calls.opened(path, .existing)
    } catch { throw OutputError(path, error) }
    do throws(SystemCallError) {
      let status = try calls.status(of: descriptor)
      (size, originalSize, identity) = (status.size, status.size, status.identity)
    } catch {
      calls.close(descriptor)
      throw OutputError(path, error)
    }
    (self.path, self.calls) = (path, calls)
  }

  deinit { calls.close(descriptor) }

  /// Makes the file at least so long, its bytes really there.
  func reserve(_ byteCount: UInt64) throws(OutputError) {
    guard byteCount > size else { return }
    do throws(SystemCallError) {
      try calls.uninterrupted { () throws(SystemCallError) in
        try calls.reserve(descriptor, from: size, to: byteCount)
      }
    } catch { throw OutputError(path, error) }
    size = byteCount
  }

  func write(_ bytes: UnsafeRawBufferPointer, at offset: UInt64) throws(OutputError) {
    do throws(SystemCallError) { try calls.writeFully(descriptor, bytes, at: offset) } catch {
      throw OutputError(path, error)
    }
  }

  /// - Returns: bytes read; fewer than the buffer holds only at the end of the file.
  func read(into buffer: UnsafeMutableRawBufferPointer, at offset: UInt64) throws(OutputError) -> Int {
    do throws(SystemCallError) { return try calls.readFully(descriptor, into: buffer, at: offset) } catch {
      throw OutputError(path, error)
    }
  }

  func synchronize() throws(OutputError) {
    do throws(SystemCallError) {
      try calls.uninterrupted { () throws(SystemCallError) in try calls.synchronize(descriptor) }
    } catch { throw OutputError(path, error) }
  }

  func giveBack() {
    guard size > originalSize else { return }
    try? calls.truncate(descriptor, to: originalSize)
  }
}

/// The bytes of a plain realm. Neighbours are written together.
final class PlainRealmPages: RealmPages {
  private let file: WritableFile
  private var run: [UInt8] = []
  private var runStart: UInt64 = 0

  private static let longestRun = 1 << 20

  init(_ file: WritableFile) {
    self.file = file
    run.reserveCapacity(Self.longestRun)
  }

  func reserve(_ byteCount: UInt64) throws(OutputError) { try file.reserve(byteCount) }

  func write(_ bytes: UnsafeRawBufferPointer, at offset: UInt64) throws {
    if offset != runStart + UInt64(run.count) || run.count + bytes.count > Self.longestRun {
      try writeRun()
      runStart = offset
    }
    if bytes.count > Self.longestRun {
      try file.write(bytes, at: offset)
      runStart = offset + UInt64(bytes.count)
    } else {
      run.append(contentsOf: bytes)
    }
  }

  private func writeRun() throws(OutputError) {
    var result: Result<Void, OutputError> = .success(())
    run.withUnsafeBytes { bytes in
      do throws(OutputError) { try file.write(bytes, at: runStart) } catch { result = .failure(error) }
    }
    try result.get()
    runStart += UInt64(run.count)
    run.removeAll(keepingCapacity: true)
  }

  func synchronize() throws {
    try writeRun()
    try file.synchronize()
  }

  func giveBack() { file.giveBack() }
}

import RealmSystem

/// A file that is open for reading and writing in place, always through one descriptor.
final class WritableFile {
  let path: String
  let descriptor: Int32
  let calls: any OutputCalls
  let identity: FileIdentity
  /// Bytes of the file.
  private(set) var size: UInt64
  /// The size that `giveBack` restores.
  private var keptSize: UInt64
  private var isLocked = false

  /// - Parameter path: no symbolic link.
  /// - Throws: `OutputError`.
  init(_ path: String, calls: any OutputCalls) throws(OutputError) {
    let isRegular: Bool
    do throws(SystemCallError) {
      descriptor = try calls.opened(path, .existing)
    } catch { throw OutputError(path, error) }
    do throws(SystemCallError) {
      let status = try calls.status(of: descriptor)
      (size, keptSize, identity) = (status.size, status.size, status.identity)
      isRegular = status.kind == .regular
    } catch {
      calls.close(descriptor)
      throw OutputError(path, error)
    }
    (self.path, self.calls) = (path, calls)
    guard isRegular else { throw .notARegularFile(path: path) }
  }

  deinit {
    unlock()
    calls.close(descriptor)
  }

  // MARK: Who has it

  /// Keeps out other processes of this tool that use another name of the file, with another lock file.
  ///
  /// Engines never lock it (Docs/Format/5-coordination.md §1), so that they are not disturbed.
  ///
  /// - Returns: false if somebody else holds the lock.
  /// - Throws: `OutputError`.
  func lock() throws(OutputError) -> Bool {
    do throws(SystemCallError) {
      try calls.uninterrupted { () throws(SystemCallError) in try calls.lock(descriptor) }
      isLocked = true
      return true
    } catch {
      if error.wouldBlock { return false }
      // On a file system without locks, the lock file must suffice.
      guard error.isNotSupported else { throw OutputError(path, error) }
      return true
    }
  }

  func unlock() {
    if isLocked { calls.unlock(descriptor) }
    isLocked = false
  }

  /// Makes sure that the path still leads to this file, and that it was not truncated.
  ///
  /// - Throws: `OutputError.changedMeanwhile`.
  func requireNamed() throws(OutputError) {
    do throws(SystemCallError) {
      if try calls.kind(ofName: path) == .file(identity), try calls.status(of: descriptor).size >= size { return }
    } catch {
      guard error.problem == .missing else { throw OutputError(path, error) }
    }
    throw .changedMeanwhile(path: path)
  }

  /// Names that lead to the file other than this one.
  var otherNameCount: UInt64 { ((try? calls.access(of: descriptor).linkCount) ?? 1) &- 1 }

  func status() throws(StorageError) -> FileStatus {
    do throws(SystemCallError) { return try calls.status(of: descriptor) } catch { throw .file(error.problem) }
  }

  // MARK: Size

  /// Begins again with the size the file has now.
  func refreshSize() throws(OutputError) {
    do throws(SystemCallError) { size = try calls.status(of: descriptor).size } catch { throw OutputError(path, error) }
    keptSize = size
  }

  /// Makes the file at least this long, with reserved disk space if the file system can do that.
  func reserve(_ byteCount: UInt64) throws(OutputError) {
    guard byteCount > size else { return }
    try call { () throws(SystemCallError) in try calls.reserve(descriptor, from: size, to: byteCount) }
    size = byteCount
  }

  /// Truncates the file to the first `byteCount` bytes, for good.
  func shorten(to byteCount: UInt64) throws(OutputError) {
    guard byteCount < size else { return }
    try call { () throws(SystemCallError) in try calls.truncate(descriptor, to: byteCount) }
    (size, keptSize) = (byteCount, byteCount)
  }

  /// Cuts off what `reserve` has added, if the system allows it.
  func giveBack() {
    guard size > keptSize else { return }
    try? calls.truncate(descriptor, to: keptSize)
    size = keptSize
  }

  // MARK: Bytes

  func write(_ bytes: UnsafeRawBufferPointer, at offset: UInt64) throws(OutputError) {
    do throws(SystemCallError) { try calls.writeFully(descriptor, bytes, at: offset) } catch {
      throw OutputError(path, error)
    }
  }

  /// - Returns: bytes read; fewer than fit in the buffer only at the end of the file.
  /// - Throws: also if the system reads less of the file than there should be.
  func read(into buffer: UnsafeMutableRawBufferPointer, at offset: UInt64) throws(OutputError) -> Int {
    do throws(SystemCallError) {
      return try calls.readFully(descriptor, into: buffer, at: offset, ofFileWith: size)
    } catch {
      throw OutputError(path, error)
    }
  }

  /// All that was written before is on the disk before anything that is written afterwards.
  func synchronize() throws(OutputError) {
    try call { () throws(SystemCallError) in try calls.synchronize(descriptor) }
  }

  private func call(_ body: () throws(SystemCallError) -> Void) throws(OutputError) {
    do throws(SystemCallError) { try calls.uninterrupted(body) } catch { throw OutputError(path, error) }
  }
}

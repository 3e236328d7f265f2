/// A file that is open for writing in place.
final class WritableFile {
  let path: String
  private let descriptor: Int32
  private let calls: any OutputCalls
  /// Bytes of the file.
  private(set) var size: UInt64
  /// What `giveBack` returns to.
  private var keptSize: UInt64
  let identity: FileIdentity

  /// - Parameter path: no symbolic link.
  /// - Throws: `OutputError`.
  init(_ path: String, calls: any OutputCalls) throws(OutputError) {
    do throws(SystemCallError) {
      descriptor = try calls.opened(path, .existing)
    } catch { throw OutputError(path, error) }
    do throws(SystemCallError) {
      let status = try calls.status(of: descriptor)
      (size, keptSize, identity) = (status.size, status.size, status.identity)
    } catch {
      calls.close(descriptor)
      throw OutputError(path, error)
    }
    (self.path, self.calls) = (path, calls)
  }

  deinit { calls.close(descriptor) }

  // MARK: Size

  /// Makes the file at least so long, its bytes really there.
  func reserve(_ byteCount: UInt64) throws(OutputError) {
    guard byteCount > size else { return }
    try call { () throws(SystemCallError) in try calls.reserve(descriptor, from: size, to: byteCount) }
    size = byteCount
  }

  /// Cuts off what lies behind the first `byteCount` bytes, for good.
  func shorten(to byteCount: UInt64) throws(OutputError) {
    guard byteCount < size else { return }
    try call { () throws(SystemCallError) in try calls.truncate(descriptor, to: byteCount) }
    (size, keptSize) = (byteCount, byteCount)
  }

  /// Cuts off what `reserve` has added, if the system lets us.
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

  /// - Returns: bytes read; fewer than the buffer holds only at the end of the file.
  /// - Throws: also where the system reads less of the file than there should be.
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

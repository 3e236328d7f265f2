import Synchronization

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Standard input, read to its end.
enum StandardInput {
  static let descriptor: Int32 = 0

  /// Room at the start where nobody can tell the size; it doubles from there.
  private static let firstCapacity = 1 << 20

  /// Everything, read when it is first asked for and kept: what it is can only be told from its bytes, and it cannot be
  /// read twice.
  ///
  /// - Throws: as `readAll`.
  static func shared() throws -> MemoryBytes {
    try content.withLock { content in
      if let content { return content }
      let bytes = try readAll()
      content = bytes
      return bytes
    }
  }

  private static let content = Mutex<MemoryBytes?>(nil)

  /// Reads everything into memory.
  ///
  /// - Parameter limit: bytes that are read at most; the machine's memory unless given, so that an endless input ends
  ///   with an error and not with the machine out of memory.
  /// - Throws: `StorageError.file`; a terminal is refused, nobody types a realm.
  static func readAll(calls: any FileCalls = FileBackend.calls, limit: Int = physicalMemory) throws -> MemoryBytes {
    do {
      let status = try calls.status(of: descriptor)
      if status.kind == .directory { throw StorageError.file(.isDirectory) }
      if calls.isTerminal(descriptor) { throw StorageError.file(.notARegularFile(kind: .characterDevice)) }
      let expected = status.kind == .regular ? Int(clamping: status.size) &+ 1 : firstCapacity
      return try readAll(calls, capacity: min(max(expected, 4096), max(limit, 4096)), limit: limit)
    } catch let error as SystemCallError {
      throw StorageError.file(error.problem)
    }
  }

  private static func readAll(_ calls: any FileCalls, capacity: Int, limit: Int) throws -> MemoryBytes {
    guard var memory = malloc(capacity) else { throw outOfMemory }
    var (capacity, count) = (capacity, 0)
    do {
      while true {
        if count == capacity {
          guard count < limit, let larger = realloc(memory, min(limit, capacity * 2)) else { throw outOfMemory }
          (memory, capacity) = (larger, min(limit, capacity * 2))
        }
        let room = UnsafeMutableRawBufferPointer(start: memory + count, count: capacity - count)
        let added = try readOnce(calls, into: room)
        if added == 0 { break }
        count += added
      }
    } catch {
      free(memory)
      throw error
    }
    return MemoryBytes(takingOver: realloc(memory, max(count, 1)) ?? memory, count: count)
  }

  /// The next bytes, 0 at the end.
  static func readOnce(_ calls: any FileCalls, into room: UnsafeMutableRawBufferPointer)
    throws(SystemCallError) -> Int
  {
    while true {
      do throws(SystemCallError) {
        return try calls.read(descriptor, into: room)
      } catch {
        switch error.number {
        case EINTR: continue
        case EAGAIN: try? calls.waitUntilReadable(descriptor)
        default: throw error
        }
      }
    }
  }

  private static var outOfMemory: StorageError { .file(.systemCall(name: "malloc", errorNumber: ENOMEM)) }

  private static let physicalMemory: Int = {
    let pages = Int(sysconf(Int32(_SC_PHYS_PAGES)))
    let (bytes, overflow) = pages.multipliedReportingOverflow(by: AddressSpace.systemPage)
    return overflow || bytes <= 0 ? Int.max / 4 : bytes
  }()
}

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
  /// - Parameter descriptor: of standard input, or of a pipe that the shell has opened.
  static func shared(_ descriptor: Int32 = descriptor) throws -> MemoryBytes {
    try contents.withLock { contents in
      if let content = contents[descriptor] { return content }
      let bytes = try readAll(descriptor)
      contents[descriptor] = bytes
      return bytes
    }
  }

  /// By descriptor.
  private static let contents = Mutex<[Int32: MemoryBytes]>([:])

  /// The descriptor behind a path such as `/dev/fd/63`, which a shell gives for `<(…)`, where it is a pipe. It is read as
  /// it is: opening the path of a pipe of another kind could block.
  static func pipe(at path: String, calls: any FileCalls = FileBackend.calls) -> Int32? {
    var number: Int32?
    for folder in ["/dev/fd/", "/proc/self/fd/"] where path.hasPrefix(folder) {
      number = Int32(path.dropFirst(folder.count))
    }
    if path == "/dev/stdin" { number = descriptor }
    // The path is looked at as well: a file in memory may have taken its place.
    guard let number, number >= 0, (try? calls.status(of: number))?.kind == .special(.pipe),
      (try? calls.status(ofPath: path))?.kind == .special(.pipe)
    else { return nil }
    return number
  }

  /// Reads everything into memory.
  ///
  /// - Parameter limit: bytes that are read at most; the machine's memory unless given, so that an endless input ends
  ///   with an error and not with the machine out of memory.
  /// - Throws: `StorageError.file`; a terminal is refused, nobody types a realm.
  static func readAll(
    _ descriptor: Int32 = descriptor, calls: any FileCalls = FileBackend.calls, limit: Int = physicalMemory
  ) throws -> MemoryBytes {
    do {
      let status = try calls.status(of: descriptor)
      if status.kind == .directory { throw StorageError.file(.isDirectory) }
      if calls.isTerminal(descriptor) { throw StorageError.file(.notARegularFile(kind: .characterDevice)) }
      let expected = status.kind == .regular ? Int(clamping: status.size) &+ 1 : firstCapacity
      return try readAll(descriptor, calls, capacity: min(max(expected, 4096), max(limit, 4096)), limit: limit)
    } catch let error as SystemCallError {
      throw StorageError.file(error.problem)
    }
  }

  private static func readAll(
    _ descriptor: Int32, _ calls: any FileCalls, capacity: Int, limit: Int
  ) throws -> MemoryBytes {
    guard var memory = malloc(capacity) else { throw outOfMemory }
    var (capacity, count) = (capacity, 0)
    do {
      while true {
        if count == capacity {
          guard count < limit, let larger = realloc(memory, min(limit, capacity * 2)) else { throw outOfMemory }
          (memory, capacity) = (larger, min(limit, capacity * 2))
        }
        let room = UnsafeMutableRawBufferPointer(start: memory + count, count: capacity - count)
        let added = try readOnce(calls, descriptor, into: room)
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
  static func readOnce(
    _ calls: any FileCalls, _ descriptor: Int32 = descriptor, into room: UnsafeMutableRawBufferPointer
  ) throws(SystemCallError) -> Int {
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

import Libc
import RealmSystem

/// Standard input, or a pipe that the shell has opened, read to its end.
package enum StandardInput {
  static let descriptor: Int32 = 0

  /// Initial capacity if the size is unknown; it doubles from there.
  private static let firstCapacity = 1 << 20

  /// What has been read so far: it is kept, because only the bytes tell what the input is, and it cannot be read twice.
  private enum Content {
    case head([UInt8])
    case whole(MemoryBytes)
  }

  /// By descriptor.
  private static let contents = Locked<[Int32: Content]>([:])

  /// The descriptor behind a path such as `/dev/fd/63`, which a shell gives for `<(…)`, if it is a pipe. It is read as
  /// it is: opening the path of a pipe of another kind could block.
  package static func pipe(at path: String, calls: any FileCalls = FileBackend.calls) -> Int32? {
    var number: Int32?
    for folder in ["/dev/fd/", "/proc/self/fd/"] where path.hasPrefix(folder) {
      number = Int32(path.dropFirst(folder.count))
    }
    if path == "/dev/stdin" { number = descriptor }
    // The path is checked as well: a file in memory may have replaced it.
    guard let number, number >= 0, (try? calls.status(of: number))?.kind == .special(.pipe),
      (try? calls.status(ofPath: path))?.kind == .special(.pipe)
    else { return nil }
    return number
  }

  /// Bytes that identify an input: a realm's header, or the first page of an encrypted one with its entry.
  static let headSize = 8192

  /// The first bytes, `headSize` of them at most.
  ///
  /// - Throws: as `readAll`.
  static func sharedHead(_ descriptor: Int32 = descriptor, calls: any FileCalls = FileBackend.calls) throws -> [UInt8] {
    try contents.withLock { contents in
      switch contents[descriptor] ?? .head([]) {
      case .whole(let bytes): return Array(bytes.bytes.prefix(headSize))
      case .head(let head) where head.count == headSize: return head
      case .head(let head):
        do {
          try requireStream(descriptor, calls)
          let read = try head + readHead(descriptor, calls, count: headSize - head.count)
          contents[descriptor] = .head(read)
          return read
        } catch let error as SystemCallError {
          throw StorageError.file(error.problem)
        }
      }
    }
  }

  /// Everything, read when it is first asked for and kept.
  ///
  /// - Throws: as `readAll`.
  package static func shared(
    _ descriptor: Int32 = descriptor, limit: Int = physicalMemory, beyondLimit: StorageError = outOfMemory,
    refusal: Refusal = { _ in nil }
  ) throws -> MemoryBytes {
    try contents.withLock { contents in
      switch contents[descriptor] ?? .head([]) {
      case .whole(let bytes): return bytes
      case .head(let head):
        let bytes = try readAll(descriptor, limit: limit, beyondLimit: beyondLimit, head: head, refusal: refusal)
        contents[descriptor] = .whole(bytes)
        return bytes
      }
    }
  }

  /// Looks at the first bytes, `headSize` of them, of an input that has more: nil if they are acceptable, otherwise the
  /// error for an input of this many bytes.
  package typealias Refusal = (_ head: [UInt8]) -> ((_ byteCount: UInt64) -> StorageError)?

  /// Reads everything into memory.
  ///
  /// - Parameters:
  ///   - limit: bytes that are read at most; the machine's memory unless given, so that an endless input ends with an
  ///     error instead of exhausting memory.
  ///   - beyondLimit: that error.
  ///   - head: what has been read already.
  ///   - refusal: an input that is refused is not kept in memory, and an endless one is not read for ever.
  /// - Throws: `StorageError.file`; a terminal is refused, nobody types a realm.
  static func readAll(
    _ descriptor: Int32 = descriptor, calls: any FileCalls = FileBackend.calls, limit: Int = physicalMemory,
    beyondLimit: StorageError = outOfMemory,
    head: [UInt8] = [], refusal: Refusal = { _ in nil }
  ) throws -> MemoryBytes {
    do {
      let status = try requireStream(descriptor, calls)
      var head = head
      if head.count < headSize { head += try readHead(descriptor, calls, count: headSize - head.count) }
      if head.count == headSize, let refusal = refusal(head) {
        throw refusal(try UInt64(headSize) + skip(descriptor, calls))
      }
      let expected = status.kind == .regular ? Int(clamping: status.size) &+ 1 : firstCapacity
      let capacity = min(max(expected, headSize), max(limit, headSize))
      return try readRest(descriptor, calls, after: head, capacity: capacity, limit: limit, beyondLimit)
    } catch let error as SystemCallError {
      throw StorageError.file(error.problem)
    }
  }

  @discardableResult
  private static func requireStream(_ descriptor: Int32, _ calls: any FileCalls) throws -> FileStatus {
    let status = try calls.status(of: descriptor)
    if status.kind == .directory { throw StorageError.file(.isDirectory) }
    if calls.isTerminal(descriptor) { throw StorageError.file(.notARegularFile(kind: .characterDevice)) }
    return status
  }

  /// Fewer bytes than asked for only at the end.
  private static func readHead(_ descriptor: Int32, _ calls: any FileCalls, count: Int) throws -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    var done = 0
    while done < count {
      let added = try bytes.withUnsafeMutableBytes { buffer in
        try calls.readNext(descriptor, into: UnsafeMutableRawBufferPointer(rebasing: buffer[done...]))
      }
      if added == 0 { break }
      done += added
    }
    return Array(bytes[..<done])
  }

  /// How much of a refused input is read to determine its size.
  private static let mostSkipped: UInt64 = 256 << 20

  /// Reads on without keeping anything.
  ///
  /// - Returns: number of bytes up to the end, or up to the limit.
  private static func skip(_ descriptor: Int32, _ calls: any FileCalls) throws -> UInt64 {
    let room = UnsafeMutableRawBufferPointer.allocate(byteCount: firstCapacity, alignment: 16)
    defer { room.deallocate() }
    var count: UInt64 = 0
    while count < mostSkipped, case let added = try calls.readNext(descriptor, into: room), added > 0 {
      count += UInt64(added)
    }
    return count
  }

  private static func readRest(
    _ descriptor: Int32, _ calls: any FileCalls, after head: [UInt8], capacity: Int, limit: Int,
    _ beyondLimit: StorageError
  ) throws -> MemoryBytes {
    guard var memory = malloc(capacity) else { throw outOfMemory }
    var (capacity, count) = (capacity, head.count)
    do {
      head.withUnsafeBytes { memory.copyMemory(from: $0.baseAddress ?? UnsafeRawPointer(memory), byteCount: $0.count) }
      while true {
        if count == capacity {
          guard count < limit else { throw beyondLimit }
          guard let larger = realloc(memory, min(limit, capacity * 2)) else { throw outOfMemory }
          (memory, capacity) = (larger, min(limit, capacity * 2))
        }
        let room = UnsafeMutableRawBufferPointer(start: memory + count, count: capacity - count)
        let added = try calls.readNext(descriptor, into: room)
        if added == 0 { break }
        count += added
      }
    } catch {
      free(memory)
      throw error
    }
    return MemoryBytes(takingOver: realloc(memory, max(count, 1)) ?? memory, count: count)
  }

  static var outOfMemory: StorageError { .file(.systemCall(name: "malloc", errorNumber: ENOMEM)) }

  static let physicalMemory: Int = {
    let pages = Int(sysconf(Int32(_SC_PHYS_PAGES)))
    let (bytes, overflow) = pages.multipliedReportingOverflow(by: AddressSpace.systemPage)
    return overflow || bytes <= 0 ? Int.max / 4 : bytes
  }()
}

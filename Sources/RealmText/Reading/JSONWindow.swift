/// The bytes of a JSON text that are in memory: all of them, or a moving part.
///
/// `cursor` is where reading continues. A scanner that reaches `end` before its token is complete asks for more with
/// `extend` and starts again at `cursor`. `extend` at least doubles what follows `cursor`, so that all scans of one
/// token together cost no more than two.
struct JSONWindow {
  /// Fills the start of the buffer and gives the number of bytes, 0 at the end of the text.
  typealias Source = (UnsafeMutableRawBufferPointer) throws -> Int

  private var start: UnsafeRawPointer
  var cursor: UnsafeRawPointer
  private(set) var end: UnsafeRawPointer
  /// Whether nothing follows `end`.
  private(set) var isComplete: Bool

  /// Memory of the window's own, for a text that comes from a source.
  private var storage: UnsafeMutableRawPointer?
  private var capacity = 0
  private let source: Source?
  private let tokenLimit: Int

  /// Where reading will continue later: nothing from here on is dropped.
  private(set) var mark: UnsafeRawPointer?

  // What came before `start`.
  private var passedBytes = 0
  private var passedLines = 0
  private var passedColumns = 0
  /// Up to where lines and columns after `start` were last counted, and how many there were.
  private var counted = (byteCount: 0, lines: 0, columns: 0)

  /// The whole text; the memory stays the caller's.
  init(_ bytes: UnsafeRawBufferPointer) {
    let empty: StaticString = " "
    start = bytes.baseAddress ?? UnsafeRawPointer(empty.utf8Start)
    cursor = start
    end = start + bytes.count
    isComplete = true
    source = nil
    tokenLimit = .max
  }

  /// `tokenLimit` is the number of bytes that may be needed at once.
  init(chunkSize: Int, tokenLimit: Int, source: @escaping Source) {
    capacity = max(chunkSize, 64)
    let memory = UnsafeMutableRawPointer.allocate(byteCount: capacity, alignment: 16)
    storage = memory
    start = UnsafeRawPointer(memory)
    cursor = start
    end = start
    isComplete = false
    self.source = source
    self.tokenLimit = tokenLimit
  }

  /// Frees the memory. The window must not be used afterwards.
  func deallocate() { storage?.deallocate() }

  /// Keeps what follows the cursor until `returnToMark`.
  mutating func setMark() { mark = cursor }

  /// Goes back to where `setMark` was called.
  mutating func returnToMark() {
    cursor = mark ?? cursor
    mark = nil
  }

  /// Gets more bytes, at least as many as are between `cursor` and `end`, unless the text ends before. The bytes before
  /// `cursor`, or the mark, are dropped, and all places move. Returns false if there are no more.
  mutating func extend() throws(JSONError) -> Bool {
    guard !isComplete, let source, let storage else { return false }
    let first = mark ?? cursor
    let read = cursor - first
    let kept = end - first
    pass(upTo: first)
    let memory = try makeRoom(in: storage, from: first, for: kept)
    start = UnsafeRawPointer(memory)
    cursor = start + read
    if mark != nil { mark = start }
    end = start + kept
    let wanted = start + min(capacity, max(2 * kept, 1))
    repeat {
      let free = UnsafeMutableRawBufferPointer(start: memory + (end - start), count: capacity - (end - start))
      do {
        let count = min(max(try source(free), 0), free.count)
        if count == 0 { isComplete = true }
        end += count
      } catch {
        throw .input(error)
      }
    } while end < wanted && !isComplete
    return end > start + kept
  }

  /// Moves the `kept` bytes from `first` on to the start of a block of memory twice as large.
  private mutating func makeRoom(
    in memory: UnsafeMutableRawPointer, from first: UnsafeRawPointer, for kept: Int
  ) throws(JSONError) -> UnsafeMutableRawPointer {
    if kept <= capacity / 2 {
      memory.copyMemory(from: first, byteCount: kept)
      return memory
    }
    if kept >= tokenLimit { throw .malformed(.tooLong(limit: tokenLimit), at: location(of: first)) }
    let larger = UnsafeMutableRawPointer.allocate(byteCount: capacity * 2, alignment: 16)
    larger.copyMemory(from: first, byteCount: kept)
    memory.deallocate()
    storage = larger
    capacity *= 2
    return larger
  }

  // MARK: - Places

  /// Bytes up to the cursor.
  var byteOffset: Int { passedBytes + (cursor - start) }

  private mutating func pass(upTo place: UnsafeRawPointer) {
    let location = location(of: place)
    (passedLines, passedColumns, passedBytes) = (location.line - 1, location.column - 1, location.byteOffset)
    start = place
    counted = (0, passedLines, passedColumns)
  }

  /// It has no column of its own.
  mutating func skipByteOrderMark() {
    cursor += 3
    (passedColumns, counted.columns) = (-1, -1)
  }

  /// The location of a byte; of the cursor if the byte is no longer in the window. Calls in the order of the text count
  /// each character once.
  mutating func location(ofByte offset: Int) -> JSONLocation {
    let place = offset < passedBytes ? cursor : start + (offset - passedBytes)
    let from = start + counted.byteCount
    let location =
      from <= place
      ? location(of: place, from: from, lines: counted.lines, columns: counted.columns) : location(of: place)
    counted = (place - start, location.line - 1, location.column - 1)
    return location
  }

  /// Counts lines and characters up to `place`, which lies in the window.
  func location(of place: UnsafeRawPointer) -> JSONLocation {
    location(of: place, from: start, lines: passedLines, columns: passedColumns)
  }

  private func location(
    of place: UnsafeRawPointer, from first: UnsafeRawPointer, lines: Int, columns: Int
  ) -> JSONLocation {
    let bytes = UnsafeRawBufferPointer(start: first, count: place - first)
    let lineEnds = Self.lineEnds(in: bytes)
    let lines = lines + lineEnds
    var columns = columns
    var lineStart = 0
    if lineEnds > 0 {
      lineStart = bytes.count
      while bytes[lineStart - 1] != UInt8(ascii: "\n") { lineStart -= 1 }
      columns = 0
    }
    for index in lineStart..<bytes.count where bytes[index] & 0xc0 != 0x80 { columns += 1 }
    return JSONLocation(line: lines + 1, column: columns + 1, byteOffset: passedBytes + (place - start))
  }

  /// Looks at eight bytes at a time, most of which have none.
  private static func lineEnds(in bytes: UnsafeRawBufferPointer) -> Int {
    var (count, place) = (0, 0)
    while bytes.count - place >= 8 {
      let word = bytes.loadUnaligned(fromByteOffset: place, as: UInt64.self) ^ 0x0a0a_0a0a_0a0a_0a0a
      // The highest bit of each byte that is not 0.
      let others = (word & 0x7f7f_7f7f_7f7f_7f7f &+ 0x7f7f_7f7f_7f7f_7f7f | word) & 0x8080_8080_8080_8080
      if others != 0x8080_8080_8080_8080 { count += 8 - others.nonzeroBitCount }
      place += 8
    }
    while place < bytes.count {
      if bytes[place] == UInt8(ascii: "\n") { count += 1 }
      place += 1
    }
    return count
  }
}

import RealmPresentation
import RealmStorage

/// One string or data value as a whole: wrapped and scrolled, or as hex digits.
final class ValuePager: BrowserView {
  let kind = ViewKinds.value
  let crumb: String
  let showsCursor = false

  private let context: ViewContext
  /// Nil for a text that is in no file.
  private let address: ValueAddress?
  private var title = ""
  private var bytes: [UInt8] = []
  /// Bytes of the value, of which `bytes` may be only the first part.
  private var byteCount = 0
  private var isData = false
  private var showsHex = false
  /// The original bytes, while indented JSON is shown in their place.
  private var plain: [UInt8]?
  private var wraps = true
  private var problem: StorageError?
  private var area = ScreenSize(columns: 80, rows: 20)
  private var breaks = LineBreaks(width: 80)
  private var hex = HexLines(bytes: [], width: 80)
  /// First column shown where lines are not wrapped.
  private var column = 0
  private var breaking: BackgroundTask<LineBreaks>?
  /// The byte that will be in the first visible line once its line has been found.
  private var awaitedByte: Int?
  /// The byte around which the view was last laid out, and its line, so that going back leads to the same place.
  private var kept = (row: 0, byte: 0)

  /// Longer values are shown only up to this size.
  private static let mostBytes = 64 << 20
  /// Strings up to this size are broken into lines at once, longer ones in the background.
  private static let mostAtOnce = 1 << 18
  private static let mostUnwrapped = 1 << 16

  init(_ context: ViewContext, _ address: ValueAddress, crumb: String) {
    self.context = context
    self.address = address
    self.crumb = crumb
    _ = read()
    showsHex = isData
    layOutLines()
  }

  /// A text that is in no file.
  init(_ context: ViewContext, text: [UInt8], title: String, crumb: String) {
    self.context = context
    self.title = title
    self.crumb = crumb
    address = nil
    (bytes, byteCount) = (text, text.count)
    layOutLines()
  }

  /// - Returns: false if there is no longer a string or data at the address.
  private func read() -> Bool {
    guard let address else { return true }
    problem = nil
    do {
      guard let value = try context.realm.value(at: address), let blob = value.blob else { return false }
      isData = value.isData
      byteCount = blob.count
      bytes = []
      try blob.withPrefix(Self.mostBytes) { bytes = Array($0) }
    } catch let error as StorageError {
      problem = error
      bytes = []
    } catch {
      return false
    }
    return true
  }

  var rowCount: Int {
    if problem != nil { return 1 }
    return showsHex ? hex.count : breaks.starts.count
  }

  // MARK: Lines

  func layOut(in area: ScreenSize, visible: Range<Int>) { self.area = area }

  func reflow(to area: ScreenSize, keeping row: Int) -> Int {
    guard area.columns != self.area.columns else { return row }
    let byte = firstByte(ofLine: row)
    self.area = area
    return layOutLines(keeping: byte)
  }

  private func firstByte(ofLine row: Int) -> Int {
    // A line near the end cannot be the first visible one.
    let last = max(rowCount - (area.rows - header().count), 0)
    if row == min(kept.row, last) { return kept.byte }
    if showsHex { return row * hex.bytesPerLine }
    return breaks.starts.indices.contains(row) ? breaks.starts[row] : 0
  }

  /// - Returns: the line with a byte, as far as lines have been found.
  private func layOutLines(keeping byte: Int) -> Int {
    layOutLines()
    awaitedByte = breaking == nil ? nil : byte
    kept = (line(of: byte), byte)
    return kept.row
  }

  private func line(of byte: Int) -> Int {
    if showsHex { return byte / hex.bytesPerLine }
    return breaks.line(of: byte)
  }

  private func layOutLines() {
    breaking.stop()
    hex = HexLines(bytes: showsHex ? bytes : [], width: area.columns - 2)
    guard !showsHex else { return }
    breaks = LineBreaks(width: wraps ? area.columns - 2 : nil)
    guard bytes.count > Self.mostAtOnce else {
      return bytes.withUnsafeBytes { breaks.find(.max, in: $0) }
    }
    // The first screens at once, the rest in the background.
    bytes.withUnsafeBytes { breaks.find(area.rows * 4, in: $0) }
    let (start, text) = (breaks, bytes)
    breaking = context.start("finding lines", total: bytes.count) { progress, _ in
      var breaks = start
      try text.withUnsafeBytes { text in
        while !breaks.isComplete {
          let before = breaks.starts.last ?? 0
          breaks.find(breaks.starts.count + 4096, in: text)
          try progress.advance(by: (breaks.starts.last ?? 0) - before)
        }
      }
      return breaks
    }
    takeLines()
  }

  private func takeLines() {
    guard let task = breaking else { return }
    switch task.state {
    case .running: return
    case .finished(let result): breaks = result
    case .failed, .stopped: break
    }
    breaking = nil
  }

  func collect(at row: Int) -> [Effect] {
    takeLines()
    guard breaking == nil, let byte = awaitedByte else { return [] }
    awaitedByte = nil
    kept = (line(of: byte), byte)
    return [.scroll(to: kept.row)]
  }

  var work: WorkStatus? { breaking?.status }

  func stopWork() { breaking.stop() }

  // MARK: Drawing

  func header() -> [[Cell]] {
    var text = context.text(" ", limit: area.columns)
    guard let address else {
      text.append(title, Style(.heading))
      return [text.fitted(to: area.columns)]
    }
    text.append(address.property.description, Style(.heading))
    text.append(isData ? " data  " : " text  ", Style(.type))
    text.append(CountText.counted(byteCount, "byte"), .faint)
    if let kind = ContentKind.name(of: plain ?? bytes, context.typography) { text.append("  " + kind, Style(.type)) }
    if plain != nil { text.append("  indented", Style(.count)) }
    if byteCount > bytes.count, problem == nil {
      text.append(", the first \(CountText.grouped(bytes.count)) of them", Style(.warning))
    }
    return [text.fitted(to: area.columns)]
  }

  func line(_ row: Int, isCursor: Bool) -> [Cell] {
    var text = context.text(" ", limit: area.columns)
    if let problem {
      context.printer.append(problem, to: &text)
    } else if showsHex {
      text.append(hex.line(row, context.typography, limit: area.columns - 1))
    } else {
      bytes.withUnsafeBytes { bytes in
        let part = UnsafeRawBufferPointer(rebasing: bytes[breaks.line(row, in: bytes)])
        guard column > 0 else { return text.append(utf8: part) }
        var whole = context.text(limit: Self.mostUnwrapped)
        whole.append(utf8: part)
        for cell in whole.cells.dropFirst(column) where !cell.isWideTail { text.append(cell.base, cell.style) }
      }
    }
    return text.fitted(to: area.columns)
  }

  func position(_ row: Int) -> String? {
    let last = min(row + area.rows - 1, rowCount)
    return "line \(CountText.grouped(row + 1)) of \(CountText.grouped(rowCount))  "
      + CountText.percent(last, of: rowCount)
  }

  // MARK: Requests

  func tableInQuestion(at row: Int) -> RealmString? { address?.object.table }
  func pipedValue(at row: Int) -> ValueAddress? { address }

  func hint(for request: Request, at row: Int) -> Hint {
    switch request {
    case .toggleHex: .text(showsHex ? "text" : "hex")
    case .togglePretty:
      // The key finds out whether all of it is JSON.
      [UInt8(ascii: "{"), UInt8(ascii: "[")].contains((plain ?? bytes).first ?? 0)
        ? .text(plain == nil ? "indent" : "as it is") : .none
    case .toggleWrap: showsHex ? .none : .text(wraps ? "cut lines" : "wrap lines")
    default: .standard
    }
  }

  func perform(_ request: Request, at row: Int) -> [Effect]? {
    switch request {
    case .toggleHex:
      let byte = firstByte(ofLine: row)
      showsHex.toggle()
      return [.scroll(to: layOutLines(keeping: byte))]
    case .toggleWrap:
      let byte = firstByte(ofLine: row)
      wraps.toggle()
      column = 0
      return [.scroll(to: layOutLines(keeping: byte))]
    case .togglePretty: return togglePretty(row)
    case .left:
      column = max(column - 8, 0)
      return []
    case .right:
      if !wraps, !showsHex { column = min(column + 8, Self.mostUnwrapped) }
      return []
    case .jump:
      return [.ask(Prompt(.jump, label: "jump to line: ") { [self] in jump(to: $0) })]
    case .copy:
      guard let address else { return context.copy(bytes) }
      guard let value = try? context.realm.value(at: address) else { return [] }
      return context.copy(value)
    default: return nil
    }
  }

  private func togglePretty(_ row: Int) -> [Effect] {
    if let before = plain {
      (bytes, plain) = (before, nil)
    } else {
      guard byteCount == bytes.count, bytes.count <= Self.mostIndented, let lines = PrettyJSON.lines(of: bytes) else {
        return [.say(.info("not a JSON document"))]
      }
      (plain, bytes) = (bytes, lines)
      showsHex = false
    }
    return [.scroll(to: layOutLines(keeping: 0))]
  }

  private static let mostIndented = 4 << 20

  func perform(_ command: ViewCommand, at row: Int) -> [Effect]? {
    switch command {
    case .row(let number): [.scroll(to: number - 1)]
    case .jump(let text): jump(to: text)
    default: nil
    }
  }

  private func jump(to text: String) -> [Effect] {
    guard let number = Int(text), number >= 1, number <= rowCount else {
      return text.isEmpty ? [] : [.say(.warning("no line \(text)"))]
    }
    return [.scroll(to: number - 1)]
  }

  func find(_ pattern: TextPattern, from row: Int, _ direction: SearchDirection) -> SearchOutcome {
    guard !showsHex, breaking == nil, rowCount > 0 else { return findInLines(pattern, from: row, direction) }
    let searcher = pattern.searcher()
    return bytes.withUnsafeBytes { bytes in
      let count = rowCount
      for step in 0..<count {
        let line = direction == .forwards ? (row + step) % count : (row - step + count * 2) % count
        let range = searchRange(line, pattern, bytes)
        // A match that begins in the next line is found there.
        if let place = searcher.firstMatch(in: UnsafeRawBufferPointer(rebasing: bytes[range])),
          range.lowerBound + place < max(breaks.line(line, in: bytes).upperBound, range.lowerBound + 1)
        {
          return .found(row: line)
        }
      }
      return .notFound
    }
  }

  /// How far a match of a regular expression may extend beyond the line in which it begins.
  private static let mostMatched = 4096

  /// The bytes of a line, and those of the following lines into which a match may extend.
  private func searchRange(_ line: Int, _ pattern: TextPattern, _ bytes: UnsafeRawBufferPointer) -> Range<Int> {
    let range = breaks.line(line, in: bytes)
    let more = pattern.isRegex ? Self.mostMatched : max(pattern.text.utf8.count - 1, 0)
    let end = min(range.upperBound + more, bytes.count)
    let rest = bytes[range.upperBound..<end]
    return range.lowerBound..<(rest.firstIndex(of: UInt8(ascii: "\n")) ?? end)
  }

  func refresh(keeping row: Int) -> Int? { row }

  func reload(keeping row: Int) -> Int? {
    plain = nil
    guard read() else { return nil }
    layOutLines()
    return row
  }
}

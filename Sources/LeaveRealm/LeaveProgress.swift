import RealmStorage
import RealmSystem

/// How far a run has come, as text and back. The text is what clients store.
///
/// `leave-realm-1 STATE open CLASS:LAST:READ:SKIPPED[:KEY=WHY]… … CHECKSUM`, where names and reasons have all but letters,
/// digits, `-`, `_` and `.` as `%XX`.
struct LeaveProgress: Hashable, Sendable {
  /// Identifies the state of the realm that is copied.
  let state: String
  var isFinished = false
  var classes: [Class] = []

  struct Class: Hashable, Sendable {
    let name: RealmString
    /// The last object of all batches that are stored; nil before the first.
    var last: ObjectKey?
    /// Objects up to that one.
    var readCount = 0
    /// Those of them that were not handed over, or that the client did not store.
    var skippedCount = 0
    /// The first of these, at most `mostSkips`.
    var skips: [LeaveSkip] = []

    mutating func add(_ skips: [LeaveSkip]) {
      skippedCount += skips.count
      for skip in skips.prefix(max(0, LeaveProgress.mostSkips - self.skips.count)) {
        self.skips.append(LeaveSkip(key: skip.key, reason: LeaveProgress.shortened(skip.reason)))
      }
    }
  }

  /// Kept for each class, so that the text stays small.
  static let mostSkips = 20
  private static let longestReason = 120

  static func shortened(_ reason: String) -> String {
    reason.unicodeScalars.count <= longestReason
      ? reason : String(String.UnicodeScalarView(reason.unicodeScalars.prefix(longestReason))) + "…"
  }

  init(state: String) { self.state = state }

  subscript(_ name: RealmString) -> Class {
    get { classes.first { $0.name == name } ?? Class(name: name) }
    set {
      if let index = classes.firstIndex(where: { $0.name == name }) {
        classes[index] = newValue
      } else {
        classes.append(newValue)
      }
    }
  }

  // MARK: Text

  private static let mark = "leave-realm-1"

  var text: String {
    var words = [Self.mark, state, isFinished ? "finished" : "open"]
    for progress in classes {
      var fields = [
        Self.escaped(progress.name.utf8), progress.last.map { String($0.rawValue) } ?? "", String(progress.readCount),
        String(progress.skippedCount),
      ]
      fields += progress.skips.map { "\($0.key.rawValue)=\(Self.escaped(Array($0.reason.utf8)))" }
      words.append(fields.joined(separator: ":"))
    }
    let text = words.joined(separator: " ")
    return text + " " + Self.checksum(text)
  }

  /// Shows that text was cut off or changed.
  static func checksum(_ text: String) -> String {
    var hash = SHA256()
    Array(text.utf8).withUnsafeBytes { hash.add($0) }
    return String(hash.finish().description.prefix(16))
  }

  /// Nil if the text is not one of `text`.
  init?(text: String) {
    let words = text.utf8.split(separator: UInt8(ascii: " "), omittingEmptySubsequences: false).map(Array.init)
    guard words.count >= 4, words[0] == Array(Self.mark.utf8), words[1].count == 32,
      words[1].allSatisfy(Self.isHexDigit)
    else { return nil }
    state = String(decoding: words[1], as: UTF8.self)
    switch String(decoding: words[2], as: UTF8.self) {
    case "open": isFinished = false
    case "finished": isFinished = true
    default: return nil
    }
    for word in words[3..<words.count - 1] {
      guard let progress = Self.readClass(word), !classes.contains(where: { $0.name == progress.name }) else {
        return nil
      }
      classes.append(progress)
    }
    guard self.text.utf8.elementsEqual(text.utf8) else { return nil }
  }

  private static func readClass(_ word: [UInt8]) -> Class? {
    let fields = word.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
    guard fields.count >= 4, let name = unescaped(fields[0]) else { return nil }
    var progress = Class(name: RealmString(utf8: name))
    if !fields[1].isEmpty {
      guard let key = number(fields[1]) else { return nil }
      progress.last = ObjectKey(rawValue: key)
    }
    // Keys are 0 or greater, and different.
    let last = progress.last?.rawValue ?? -1
    guard let read = number(fields[2]).flatMap(Int.init(exactly:)),
      let skipped = number(fields[3]).flatMap(Int.init(exactly:)),
      read >= 0, 0...read ~= skipped, (progress.last == nil) == (read == 0), read - 1 <= last,
      fields.count - 4 == min(mostSkips, skipped)
    else { return nil }
    (progress.readCount, progress.skippedCount) = (read, skipped)
    for field in fields[4...] {
      guard let sign = field.firstIndex(of: UInt8(ascii: "=")), let key = number(field[..<sign]),
        key >= 0, key <= last, !progress.skips.contains(where: { $0.key.rawValue == key }),
        let reason = unescaped(field[(sign + 1)...])
      else { return nil }
      progress.skips.append(
        LeaveSkip(key: ObjectKey(rawValue: key), reason: String(decoding: reason, as: UTF8.self)))
    }
    return progress
  }

  private static func number(_ digits: ArraySlice<UInt8>) -> Int64? { Int64(String(decoding: digits, as: UTF8.self)) }

  private static func isPlain(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."):
      true
    default: false
    }
  }

  private static func isHexDigit(_ byte: UInt8) -> Bool { hexDigit(byte) != nil }

  private static func hexDigit(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
    default: nil
    }
  }

  private static func escaped(_ bytes: [UInt8]) -> String {
    var text: [UInt8] = []
    let digits = Array("0123456789abcdef".utf8)
    for byte in bytes {
      if isPlain(byte) {
        text.append(byte)
      } else {
        text += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
      }
    }
    return String(decoding: text, as: UTF8.self)
  }

  private static func unescaped(_ text: ArraySlice<UInt8>) -> [UInt8]? {
    var (bytes, rest): ([UInt8], ArraySlice<UInt8>) = ([], text)
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "%") else {
        guard isPlain(byte) else { return nil }
        bytes.append(byte)
        continue
      }
      guard let high = rest.popFirst().flatMap(hexDigit), let low = rest.popFirst().flatMap(hexDigit) else {
        return nil
      }
      bytes.append(high << 4 | low)
    }
    return bytes
  }
}

/// An object that is not in the target, and why.
public struct LeaveSkip: Hashable, Sendable {
  /// The key of the object in its class.
  public let key: ObjectKey
  /// In the client's words, or what is wrong with the object.
  public let reason: String

  init(key: ObjectKey, reason: String) { (self.key, self.reason) = (key, reason) }
}

/// What the target must store with a batch, in the same transaction.
///
/// Progress that is committed with the data is what makes a run repeatable: if the process is killed before the commit,
/// neither is there; after it, both are.
public final class LeaveCheckpoint {
  private let progress: LeaveProgress
  private let name: RealmString?
  private let keys: [ObjectKey]
  private var skips: [Int: String] = [:]
  private(set) var isRead = false
  private(set) var isSkippedTooLate = false

  /// - Parameters:
  ///   - progress: as it is when the batch is stored.
  ///   - keys: of the objects of the batch that were handed over.
  init(_ progress: LeaveProgress, className name: RealmString? = nil, keys: [ObjectKey] = []) {
    (self.progress, self.name, self.keys) = (progress, name, keys)
  }

  /// A line of ASCII, at most some thousand characters for each class, to be given to the next run. Store it in one place,
  /// in the place of the one before.
  public var text: String {
    isRead = true
    return result.text
  }

  /// Says that an object of the batch is not stored, so that the account has it. Must be called before `text` is asked
  /// for.
  ///
  /// - Parameters:
  ///   - index: of the object in the batch; others are ignored.
  ///   - reason: for instance "duplicate of 4711".
  public func skip(at index: Int, because reason: String) {
    guard keys.indices.contains(index) else { return }
    if isRead { isSkippedTooLate = true }
    skips[index] = reason
  }

  /// The progress with what was skipped.
  var result: LeaveProgress {
    guard let name, !skips.isEmpty else { return progress }
    var progress = progress
    progress[name].add(skips.sorted { $0.key < $1.key }.map { LeaveSkip(key: keys[$0.key], reason: $0.value) })
    return progress
  }

  /// Whether the text is that of a run that has finished: everything was copied, and nothing is left to do but to put the
  /// realm aside.
  public static func isFinished(_ text: String) -> Bool { LeaveProgress(text: text)?.isFinished ?? false }
}

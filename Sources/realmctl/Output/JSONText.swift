import RealmStorage
import RealmText

/// Builds one JSON value: members in the order they are given, numbers whole, text escaped.
///
/// ```swift
/// let json = JSONText()
/// json.object {
///   json.member("code", "FileNotFound")
///   json.member("exit", 3)
/// }
/// print(json.text)  // {"code":"FileNotFound","exit":3}
/// ```
final class JSONText {
  private let buffer = TextBuffer()
  private let isIndented: Bool
  private var depth = 0
  private var isFirst = true

  /// - Parameter isIndented: over several lines, for people; otherwise on one line without spaces.
  init(isIndented: Bool = false) {
    self.isIndented = isIndented
  }

  /// What has been written, without a line end.
  var text: String { buffer.withBytes { String(decoding: $0, as: UTF8.self) } }

  /// The version of all documents, see `Docs/JSONOutput.md`: it grows when a key changes its meaning or is removed.
  static let version = 2

  /// A whole object with its line end; its first member is the version.
  static func document(isIndented: Bool = true, _ members: (JSONText) -> Void) -> String {
    let json = JSONText(isIndented: isIndented)
    json.object {
      json.member("version", version)
      members(json)
    }
    return json.text + "\n"
  }

  // MARK: - Containers

  func object(_ members: () -> Void) { container("{", "}", members) }
  func array(_ elements: () -> Void) { container("[", "]", elements) }

  private func container(_ opening: StaticString, _ closing: StaticString, _ content: () -> Void) {
    buffer.append(opening)
    depth += 1
    isFirst = true
    content()
    depth -= 1
    if !isFirst { breakLine() }
    isFirst = false
    buffer.append(closing)
  }

  /// What comes next in an array: call one of the value functions after it.
  func element(_ value: () -> Void) {
    separate()
    value()
  }

  /// A string as an element of an array.
  func element(_ value: String) { element { buffer.appendJSON(value) } }

  // MARK: - Members

  func member(_ name: String, _ value: () -> Void) {
    separate()
    buffer.appendJSON(name)
    buffer.append(isIndented ? ": " : ":")
    value()
  }

  /// A member that is left out if there is no value.
  func member(_ name: String, _ value: String?) {
    if let value { member(name) { buffer.appendJSON(value) } }
  }

  /// The path of a file, whose name need not be text; left out if there is none.
  func path(_ name: String, _ value: String?) { member(name, value.map(PrintableText.showingBytes)) }

  /// The same, null if there is none.
  func pathOrNull(_ name: String, _ value: String?) { if value == nil { null(name) } else { path(name, value) } }

  /// Paths of files.
  func paths(_ name: String, _ values: [String]) { texts(name, values.map(PrintableText.showingBytes)) }

  /// A string, or null if there is none.
  func textOrNull(_ name: String, _ value: String?) { if value == nil { null(name) } else { member(name, value) } }

  /// A member that is left out if there is no value.
  func member(_ name: String, _ value: (some BinaryInteger)?) {
    if let value { member(name) { buffer.append(String(value)) } }
  }

  func member(_ name: String, _ value: Bool) {
    member(name) { buffer.append(value ? "true" : "false") }
  }

  /// A member whose value is JSON already.
  func member(_ name: String, json: [UInt8]) {
    member(name) { json.withUnsafeBytes { buffer.append(bytes: $0) } }
  }

  /// A number of seconds, in thousandths.
  func member(_ name: String, seconds: Double) {
    let thousandths = String(max(0, Int(exactly: (seconds * 1000).rounded()) ?? 0) % 1_000_000_000 + 1_000_000_000)
    let whole = Int(exactly: seconds.rounded(.down)) ?? 0
    member(name) { buffer.append("\(whole).\(thousandths.suffix(3))") }
  }

  func null(_ name: String) {
    member(name) { buffer.append("null") }
  }

  /// A member that is null if there is no value.
  func orNull(_ name: String, _ value: (some BinaryInteger)?) {
    if let value { member(name, value) } else { null(name) }
  }

  /// A member with an object.
  func object(_ name: String, _ members: () -> Void) { member(name) { object(members) } }

  /// A member with an array of objects.
  func objects<Element>(_ name: String, _ elements: some Sequence<Element>, _ members: (Element) -> Void) {
    member(name) {
      array { for one in elements { element { object { members(one) } } } }
    }
  }

  /// A member with an array of strings.
  func texts(_ name: String, _ elements: some Sequence<String>) {
    member(name) {
      array { for text in elements { element(text) } }
    }
  }

  // MARK: - Layout

  private func separate() {
    if !isFirst { buffer.append(",") }
    isFirst = false
    breakLine()
  }

  private func breakLine() {
    guard isIndented else { return }
    buffer.append("\n")
    for _ in 0..<depth { buffer.append("  ") }
  }
}

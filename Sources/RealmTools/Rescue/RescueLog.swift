import RealmStorage
import RealmText

/// The report that names everything that is not as it was, as NDJSON: a line for each kind, class and property, with the
/// keys of some objects.
package final class RescueLog {
  private let output: SafeOutput
  private let text = TextBuffer(capacity: 1 << 16)
  private var failure: OutputError?

  private static let flushLimit = 1 << 16

  /// - Parameter inputs: files that must not be replaced.
  /// - Throws: `OutputError`.
  package init(at path: String, replacing: Bool, inputs: [String]) throws {
    output = try SafeOutput(at: path, replacing: replacing ? .any : .never, inputs: inputs)
  }

  /// Adds a line. Errors of the disk come with `publish`.
  package func add(_ detail: RescueDetail) {
    text.append("{\"kind\":")
    text.appendJSON(detail.kind.rawValue)
    text.append(",\"class\":")
    text.appendJSON(detail.className.description)
    if let property = detail.property {
      text.append(",\"property\":")
      text.appendJSON(property.description)
    }
    text.append(",\"objKeys\":[")
    for (index, key) in detail.keys.enumerated() {
      if index > 0 { text.append(",") }
      text.append(integer: key.rawValue)
    }
    text.append("]}\n")
    if text.count >= Self.flushLimit { flush() }
  }

  /// Adds a line for a text that nothing leads to.
  package func add(orphanedText value: [UInt8], at ref: Ref) {
    text.append("{\"byte\":")
    text.append(integer: Int64(clamping: ref.rawValue))
    text.append(",\"text\":")
    text.appendJSON(String(decoding: value, as: UTF8.self))
    text.append("}\n")
    if text.count >= Self.flushLimit { flush() }
  }

  private func flush() {
    guard failure == nil else { return text.removeAll() }
    do { try text.withBytes { try output.write($0) } } catch { failure = error as? OutputError }
    text.removeAll()
  }

  /// Makes the file appear.
  ///
  /// - Throws: `OutputError`.
  package func publish() throws {
    flush()
    if let failure { throw failure }
    try output.close()
    _ = try output.publish()
  }
}

import RealmInspection
import RealmStorage
import RealmText

/// The report that names everything that is not as it was, as NDJSON: a line for each kind, class and property, with the
/// keys of some objects.
package final class RescueLog {
  private let output: SafeOutput
  private let text = TextBuffer(capacity: 1 << 16)
  private var failure: OutputError?

  private static let flushLimit = 1 << 16

  /// - Parameters:
  ///   - inputs: files that must not be replaced.
  ///   - isPrivate: whether nobody but its owner may use a new file.
  /// - Throws: `OutputError`.
  package init(at path: String, replacing: Bool, inputs: [String], isPrivate: Bool = false) throws {
    output = try SafeOutput(at: path, replacing: replacing ? .any : .never, inputs: inputs)
    if isPrivate { try output.makePrivate() }
  }

  /// Adds a line. Disk errors are reported by `close`.
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

  /// Adds a line for a string that belongs to no object.
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

  /// Writes what was added to the disk, under a temporary name.
  ///
  /// - Throws: `OutputError`.
  package func close() throws {
    flush()
    if let failure { throw failure }
    try output.close()
  }

  /// Makes the closed file appear.
  ///
  /// - Throws: `OutputError`.
  package func publish() throws { _ = try output.publish() }

  /// Removes the file again, unless it has replaced another.
  func withdraw() { output.withdraw() }
}

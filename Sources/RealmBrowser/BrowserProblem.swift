/// Why something could not be done, in one line: in lower case and without a full stop.
package struct BrowserProblem: Error {
  let text: String

  package init(_ text: String) { self.text = text }

  /// The file changed while it was read.
  static let stale = BrowserProblem("the file has changed; R reloads it")

  static func noEditor(_ name: String) -> BrowserProblem {
    BrowserProblem("'\(name)' cannot be started; set EDITOR to your editor")
  }
}

/// Why something could not be done.
package enum BrowserProblem: Error, Hashable, Sendable {
  /// In one line: in lower case and without a full stop.
  case other(String)
  /// The file has changed since it was read.
  case stale
  /// The same while there are changes that are not written.
  case staleChanges
  /// The file is encrypted, and its key is not known.
  case needsKey
  case alreadyInSet
  /// There is nothing to undo, or to redo.
  case nothingLeft(isRedo: Bool)
  /// The classes of the file have changed since the edits were made.
  case otherSchema
  /// An edit no longer fits, after somebody else has changed the file.
  case noLongerFits(number: Int, reason: String)

  package init(_ text: String) { self = .other(text) }

  static func noEditor(_ name: String) -> BrowserProblem {
    BrowserProblem("'\(name)' cannot be started; set EDITOR to your editor")
  }

  /// In words for users.
  var text: String {
    switch self {
    case .other(let text): text
    case .stale: "the file has changed; R reloads it"
    case .staleChanges: "the file has changed; R reloads it and keeps your changes"
    case .needsKey: "the file is encrypted"
    case .alreadyInSet: "the set already has this element"
    case .nothingLeft(let isRedo): isRedo ? "nothing to redo" : "nothing to undo"
    case .otherSchema: "the schema of the file has changed, so your changes no longer fit; :edit! drops them"
    case .noLongerFits(let number, let reason): "change \(number) no longer fits: \(reason)"
    }
  }
}

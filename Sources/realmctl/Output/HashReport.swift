import RealmExchange
import RealmStorage

/// The report of `hash` about one realm.
struct HashReport {
  /// As typed; `-` for standard input.
  let input: String
  let hash: ContentHash
  let includesObjectKeys: Bool

  /// The hash and the name, in the form of `sha256sum`; on demand the same for each class.
  func text(showsClasses: Bool) -> String {
    let name = PrintableText.escaping(input)
    var text = "\(hash.digest)  \(name)\n"
    guard showsClasses else { return text }
    for entry in hash.classes {
      text += "\(entry.digest)  \(name): \(PrintableText.escaping(entry.name.description))\n"
    }
    return text
  }

  /// `Docs/JSONOutput.md` describes the keys.
  func json(isIndented: Bool) -> String {
    JSONText.document(isIndented: isIndented) { json in
      json.path("input", input)
      json.member("objectKeys", includesObjectKeys)
      json.member("hash", hash.digest.description)
      json.objects("classes", hash.classes) { entry in
        json.member("name", entry.name.description)
        json.member("objects", entry.objectCount)
        json.member("hash", entry.digest.description)
      }
    }
  }
}

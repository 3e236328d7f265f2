import RealmExchange
import RealmStorage

/// The first version of a file of rules: a rule for each property, guessed from its name, its type and its values.
package struct RedactionDraft {
  private let snapshot: Snapshot

  package init(_ snapshot: Snapshot) { self.snapshot = snapshot }

  /// - Throws: `StorageError` if the objects cannot be read.
  package func yaml() throws -> String {
    let tables = snapshot.tables.filter { $0.schema.isClass }
    let isNameable = tables.allSatisfy { table in
      table.schema.displayName.isValidText && table.schema.properties.allSatisfy { $0.name.isValidText }
    }
    var lines = ["# Rules for a redacted copy. They are guesses: read every line."]
    if !isNameable { lines += ["# Some names are not UTF-8 text, so no rule can name them.", "default: null"] }
    lines.append(tables.isEmpty ? "classes: {}" : "classes:")
    for table in tables {
      guard table.schema.displayName.isValidText else { continue }
      let rules = try table.schema.properties.indices.compactMap { index -> String? in
        let name = table.schema.properties[index].name
        guard name.isValidText else { return nil }
        let guess = try guess(index, of: table)
        return "    \(PlanSkeletonText.quoted(name)): \(guess.rule)" + (guess.reason.map { "  # \($0)" } ?? "")
      }
      lines.append("  \(PlanSkeletonText.quoted(table.schema.displayName)):" + (rules.isEmpty ? " {}" : ""))
      lines += rules
    }
    return lines.joined(separator: "\n") + "\n"
  }

  // MARK: Guesses

  private struct Guess {
    let rule: String
    /// The reason, if it is not obvious.
    var reason: String?

    init(_ rule: String, _ reason: String? = nil) { (self.rule, self.reason) = (rule, reason) }
  }

  private func guess(_ index: Int, of table: Table) throws -> Guess {
    let property = table.schema.properties[index]
    let words = NameWords(property.name)
    if index == table.schema.primaryKeyIndex { return Guess("hash", "primary key; links follow it") }
    switch property.type {
    case .object:
      if property.collection == .dictionary { return Guess("hash", "the keys; links stay") }
      let target = snapshot.tables.first { $0.schema.name == property.target }
      return Guess("keep", target?.schema.kind == .embedded ? "their class has its own rules" : "links")
    case .linkingObjects: return Guess("keep", "computed from links")
    case .bool where property.collection == .dictionary: return Guess("null")
    case .bool: return Guess("keep", "true or false")
    case .string: return try guess(words, TextSample(of: index, table, in: snapshot))
    case .data: return Guess("null")
    case .date: return Guess("{ shift: 30d }", "keeps the time between the dates of an object")
    case .uuid, .objectID, .mixed: return Guess("hash")
    case .int, .float, .double, .decimal128: return guess(number: property, words)
    }
  }

  private func guess(_ words: NameWords, _ sample: TextSample) -> Guess {
    if sample.isMostly(.email) || words.have("email", "mail") { return Guess("{ fake: email }") }
    if words.have("password", "passwd", "token", "secret", "pin", "credential", "auth", "session") {
      return Guess("hash")
    }
    if sample.isMostly(.phone) || words.have("phone", "mobile", "tel", "telephone", "fax") {
      return Guess("{ fake: phone }")
    }
    if sample.isMostly(.id) || words.endWith("id", "uuid", "guid", "key") {
      return Guess("hash", "equal values stay equal")
    }
    if words.have("city", "town") { return Guess("{ fake: city }") }
    if words.have("address", "addresses", "street", "zip", "postcode", "postal", "iban", "account") {
      return Guess("mask")
    }
    if words.have("url", "uri", "path", "file", "filename", "photo", "image", "avatar", "device", "ip", "serial") {
      return Guess("hash")
    }
    if words.have("name", "surname", "firstname", "lastname", "nickname", "username", "author", "owner", "contact") {
      return Guess("{ fake: name }")
    }
    if words.have(Self.texts) { return Guess("{ fake: text }") }
    if let count = sample.categoryCount {
      return Guess("keep", "\(count) different values in \(sample.count) objects: a category")
    }
    return Guess("mask")
  }

  /// Names of what people write about something, or somebody. They may write the same now and then, or have written little
  /// so far.
  private static let texts = [
    "note", "notes", "comment", "comments", "message", "messages", "text", "texts", "body", "bio", "biography",
    "description", "descriptions", "content", "contents", "title", "subject", "remark", "remarks", "memo", "reason",
    "reasons", "detail", "details", "summary", "caption", "feedback", "review", "question", "answer", "reply", "post",
    "story", "history", "letter", "transcript", "instruction", "instructions", "diagnosis", "diagnoses", "symptom",
    "symptoms", "complaint", "complaints", "disease", "illness", "disorder", "medication", "medications", "treatment",
    "therapy", "allergy", "allergies", "finding", "findings",
  ]

  private static let personalNumbers = [
    "phone", "mobile", "tel", "telephone", "fax", "ssn", "tax", "pin", "password", "token", "secret", "account", "iban",
    "card", "cvv", "zip", "postcode", "postal", "passport", "license", "licence", "serial", "imei",
  ]

  private func guess(number property: Property, _ words: NameWords) -> Guess {
    if property.type == .int, words.endWith("id", "key", "number", "no") || words.have(Self.personalNumbers) {
      return Guess("hash", "equal values stay equal")
    }
    if words.have("lat", "lon", "lng", "latitude", "longitude"), property.type != .int {
      return Guess("{ noise: 0.1 }", "about 10 km")
    }
    let isMeasure = words.have(
      "age", "salary", "income", "price", "amount", "balance", "weight", "height", "total", "cost")
    if isMeasure || property.collection == .dictionary { return Guess("{ noise: 10% }") }
    return Guess("keep", "numbers")
  }
}

/// The words of a property's name, in lower case: `firstName` and `first_name` have two.
private struct NameWords {
  private let words: [String]

  init(_ name: RealmString) {
    var words: [String] = []
    var current = ""
    var wasLower = false
    for scalar in name.description.unicodeScalars {
      let isUpper = scalar.properties.isUppercase
      if !scalar.properties.isAlphabetic || isUpper && wasLower {
        if !current.isEmpty { words.append(current) }
        current = ""
      }
      if scalar.properties.isAlphabetic { current += scalar.properties.lowercaseMapping }
      wasLower = !isUpper
    }
    if !current.isEmpty { words.append(current) }
    self.words = words
  }

  func have(_ known: String...) -> Bool { have(known) }
  func have(_ known: [String]) -> Bool { words.contains { known.contains($0) } }
  func endWith(_ known: String...) -> Bool { words.last.map { known.contains($0) } ?? false }
}

/// What the strings of a property look like.
private struct TextSample {
  enum Kind {
    case email, phone, id
  }

  /// Objects with a text.
  private(set) var count = 0
  private var kinds: [Kind: Int] = [:]
  private var different: Set<[UInt8]> = []
  private var hasLongTexts = false

  private static let mostCategories = 12
  private static let leastObjects = 50
  private static let longestCategory = 24

  init(of index: Int, _ table: Table, in snapshot: Snapshot) throws {
    guard table.schema.properties[index].collection == nil else { return }
    try table.forEachBatch(in: snapshot) { batch in
      let values = try batch.values(ofProperty: index)
      for row in 0..<batch.count {
        if case .string(let text) = try values.value(at: row) { try take(text) }
      }
    }
  }

  private mutating func take(_ text: BlobView) throws {
    guard text.count > 0 else { return }
    count += 1
    guard text.count <= 254 else { return hasLongTexts = true }
    let bytes = try text.copied()
    if bytes.count > Self.longestCategory || bytes.contains(UInt8(ascii: " ")) { hasLongTexts = true }
    if different.count <= Self.mostCategories { different.insert(bytes) }
    if let kind = Self.kind(of: bytes) { kinds[kind, default: 0] += 1 }
  }

  private static func kind(of bytes: [UInt8]) -> Kind? {
    let digits = bytes.count { (0x30...0x39).contains($0) }
    let hexadecimal = bytes.count { (0x30...0x39).contains($0) || (0x61...0x66).contains($0 | 0x20) }
    if bytes.count(where: { $0 == UInt8(ascii: "@") }) == 1, bytes.contains(UInt8(ascii: ".")) { return .email }
    if bytes.count == 36, hexadecimal == 32 { return .id }
    if bytes.count >= 24, bytes.count == hexadecimal { return .id }
    let grouping: Set<UInt8> = Set("+-()./ ".utf8)
    if digits >= 7, bytes.allSatisfy({ (0x30...0x39).contains($0) || grouping.contains($0) }) { return .phone }
    return nil
  }

  func isMostly(_ kind: Kind) -> Bool { count > 0 && (kinds[kind] ?? 0) * 2 > count }

  /// The number of different strings, if there are so few that each reveals little. Of a single one, nobody knows what
  /// others will be.
  var categoryCount: Int? {
    count >= Self.leastObjects && 2...Self.mostCategories ~= different.count && !hasLongTexts ? different.count : nil
  }
}

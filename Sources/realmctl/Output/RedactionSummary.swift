import RealmExchange
import RealmRedaction
import RealmStorage
import RealmText

/// What happened to the values of a redacted copy.
struct RedactionSummary {
  let account: RedactionAccount
  let dryRun: Bool

  init(_ account: RedactionAccount, dryRun: Bool) { (self.account, self.dryRun) = (account, dryRun) }

  /// One line; in a dry run also a line for each rule, and some objects before and after.
  func text() -> String {
    let changed = account.rules.reduce(0) { $0 + $1.changedCount }
    let searched =
      "redacted: \(changed.counted("value")) by \(account.rules.count.counted("rule")); searched for "
      + account.soughtCount.counted("removed string")
    var lines =
      account.remainders.isEmpty
      ? ["\(searched) and found none"]
      : ["\(searched) and found \(account.remainderCount) in what the rules keep or make:"]
    lines += account.remainders.map { "  \(Self.place($0)): \($0.count)" } + account.keptStrings.lines
    if dryRun {
      lines += account.rules.map {
        "  \($0.className).\($0.property): \($0.action): \($0.changedCount) of \($0.objectCount.counted("object")) changed"
      }
      for sample in account.samples {
        lines.append("\(sample.className):")
        lines += sample.changes.map { "  \($0.property): \($0.before) -> \($0.after)" }
      }
    }
    return lines.map { PrintableText.escaping($0) + "\n" }.joined()
  }

  private static func place(_ remainder: RedactionAccount.Remainder) -> String {
    guard let name = remainder.className, let property = remainder.property else {
      return "names of classes and properties"
    }
    return "\(name).\(property) (\(remainder.rule))"
  }

  func add(to json: JSONText) {
    json.object("redaction") {
      json.objects("redactionRules", account.rules) { rule in
        json.member("class", rule.className.description)
        json.member("property", rule.property.description)
        json.member("rule", "\(rule.action)")
        json.member("ruleObjects", rule.objectCount)
        json.member("redactedValues", rule.changedCount)
      }
      json.member("searched", account.soughtCount)
      json.member("foundStrings", account.remainderCount)
      json.objects("foundPlaces", account.remainders) { place in
        if let name = place.className { json.member("class", name.description) }
        if let property = place.property { json.member("property", property.description) }
        json.member("rule", place.rule)
        json.member("foundStrings", place.count)
      }
      account.keptStrings.add(to: json)
      if dryRun {
        json.objects("redactedSamples", account.samples) { sample in
          json.member("class", sample.className.description)
          json.objects("redactedProperties", sample.changes) { change in
            json.member("property", change.property.description)
            json.member("sourceValue", change.before)
            json.member("copyValue", change.after)
          }
        }
      }
    }
  }
}

extension [KeptStrings] {
  /// A heading and a line for each; none if nothing is kept.
  var lines: [String] {
    isEmpty
      ? []
      : ["strings that stay as they are:"]
        + map { kept in
          let count = (kept.isEstimate ? "about " : "") + kept.distinctCount.counted("different value")
          return "  \(kept.name): \(count)"
            + (kept.distinctCount == 0 ? "" : ", the longest of \(kept.longest.counted("byte"))")
        }
  }

  func add(to json: JSONText) {
    json.objects("keptStrings", self) { kept in
      json.member("class", kept.className.description)
      json.member("property", kept.property.description)
      json.member("named", kept.isNamed)
      json.member("distinct", kept.distinctCount)
      json.member("distinctIsEstimate", kept.isEstimate)
      json.member("longestBytes", kept.longest)
    }
  }

  /// What no rule names.
  ///
  /// - Parameters:
  ///   - rules: the file of rules.
  ///   - status: of an error; `done` for a warning.
  func diagnostic(rules: String, _ status: RunStatus = .done) -> Diagnostic? {
    let unnamed = filter { !$0.isNamed }
    guard !unnamed.isEmpty else { return nil }
    let shown = unnamed.prefix(3).map { "'\($0.name)'" }.joined(separator: ", ")
    let more = unnamed.count > 3 ? ", and \(unnamed.count - 3) more" : ""
    return Diagnostic(
      status, .invalidInput, path: RealmInput(path: rules).name,
      "'default: keep' keeps strings that no rule names: \(shown)\(more)",
      advice: "add a rule for each of them")
  }
}

extension KeptStrings {
  fileprivate var name: String { "\(className).\(property)" }
}

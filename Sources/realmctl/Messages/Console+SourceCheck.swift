import RealmInspection
import RealmOpening
import RealmStorage
import RealmText
import RealmTools

extension Console {
  /// Maximum number of findings to show; more say nothing new.
  private static let mostFindings = 10

  /// Reports what the checker found in a realm that was copied or changed.
  ///
  /// - Parameter copiesNodes: whether damage was copied too; a rebuild copies values, and fails if it cannot read one.
  func warn(of check: SourceCheck?, path: String, copiesNodes: Bool = true) {
    guard let check, !check.isSound else { return }
    let shown = check.findings.prefix(Self.mostFindings)
    // The same advice comes once, and none about the rest of the damage if not all of it is shown.
    let advice = shown.map { finding in
      let own = finding.kind.adviceForSource
      return own != nil || !copiesNodes || finding.severity != .error || check.findingCount > shown.count
        ? own : finding.adviceOnWhatIsCopied
    }
    for (index, finding) in shown.enumerated() {
      let word = finding.severity == .error ? "damaged" : "suspicious"
      warn(
        Diagnostic(
          .done, .invalidDatabase, path: path, "\(word): \(finding.name): \(finding.message)",
          advice: advice.lastIndex(of: advice[index]) == index ? advice[index] : nil))
    }
    guard check.findingCount > shown.count else { return }
    warn(
      Diagnostic(
        .done, .invalidDatabase, path: path, "\(check.countText) in all",
        advice: check.errorCount > 0 ? "run 'check' to see them, 'recover' to save the rest" : "run 'check' to see them"
      ))
  }
}

extension Diagnostic {
  /// Nothing was written, because only an undamaged source was wanted.
  init(unsound check: SourceCheck, path: String, _ status: RunStatus, advice: String) {
    let more = check.findingCount - 1
    let first = check.findings.first?.message ?? check.countText
    self.init(
      status, .invalidDatabase, path: path,
      "the realm is damaged, so nothing was written: \(first)\(more > 0 ? ", and \(more) more" : "")",
      advice: advice)
  }
}

extension SourceCheck {
  /// `3 errors and 1 warning`
  var countText: String {
    [errorCount.countedIfAny("error"), warningCount.countedIfAny("warning")].compactMap { $0 }.joined(
      separator: " and ")
  }

  /// `Docs/JSONOutput.md` describes the keys.
  static func addFacts(_ check: SourceCheck?, to json: JSONText) {
    guard let check else {
      json.null("sourceErrors")
      return json.null("sourceWarnings")
    }
    json.member("sourceErrors", check.errorCount)
    json.member("sourceWarnings", check.warningCount)
  }
}

extension CopyReport {
  /// The text after the sizes of a copy; empty if nothing was compared.
  func comparisonText(with source: String) -> String {
    guard isCompared else { return "" }
    guard let check = self.source, check.errorCount > 0 else { return "; verified against \(source)" }
    return "; matches \(source), which has \(check.countText)"
  }
}

extension FindingKind {
  /// What to do about a finding in a realm that was copied or changed; nil if its message says it, or there is nothing
  /// to do.
  fileprivate var adviceForSource: String? {
    switch self {
    case .linkWithoutBacklink, .backlinkWithoutLink:
      "compare with a backup: the link or the backlink is damaged; a rebuild keeps the links"
    case _ where contradictsValues:
      "compare with a backup: the value or the index is damaged; a rebuild keeps the values"
    case .indexStaleLink, .indexUnorderedWords: nil
    default: isRebuilt ? "'compact --rebuild' fixes it" : nil
    }
  }

}

extension Finding {
  /// What a copy of the nodes does with damage; nil for what each copy writes by itself.
  fileprivate var adviceOnWhatIsCopied: String? {
    switch (kind.rawValue.prefix(while: { $0 != "." }), place.part) {
    case ("free-list", _), (_, .freeList): "the result has a new list of free space"
    case ("header", _), ("top", _), ("history", _), (_, .evacuation): nil
    default: "the result also has this damage; 'recover' saves what can be read"
    }
  }
}

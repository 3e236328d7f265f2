import RealmBrowser
import RealmExchange
import RealmMigration
import RealmOpening
import RealmQuery
import RealmStorage
import RealmSystem
import RealmText
import RealmTools

extension BrowseCommand.Request {
  /// What the browser needs for editing: values are read as `update` reads them, and written as it writes.
  ///
  func editing(with key: EncryptionKey?) throws -> EditingOptions {
    var editing = EditingOptions(
      readValue: { text, property, table, lookup in
        let reader = ValueText(schema: lookup.schema, tableKeys: lookup.tableKey) { target, link in
          switch link {
          case .primaryKey(let value): return try lookup.find(target.name, value)
          case .objectKey(let key): return try lookup.contains(target.name, key) ? key : nil
          }
        }
        do { return try reader.value(text, of: property, in: table) } catch let error as PlanError {
          throw BrowserProblem(error.message)
        }
      },
      editableText: { value, isMixed, snapshot in
        let json = try isMixed ? ValueJSON(typed: value, in: snapshot) : ValueJSON(of: value, in: snapshot)
        guard json.missingParts == 0 else { throw BrowserProblem("parts of the value cannot be read") }
        return String(decoding: json.text, as: UTF8.self)
      },
      write: { [input, access] script, compacts in
        ChangeWriting(input: input, key: key, access: access).write(script, compacts: compacts)
      })
    (editing.key, editing.isOn, editing.refusal) = (key, isEditing, input.editingRefusal)
    return editing
  }
}

extension RealmInput {
  /// Why it must not be edited; nil if it may be.
  var editingRefusal: String? {
    if isPipe { return "a pipe can only be read; write it to a file first" }
    if snapshot != .live { return "an older snapshot can only be read; omit --snapshot" }
    return realmOfBackup.map { "this is a backup of a realm, which is not changed; the realm is \($0)" }
  }
}

/// Writes the changes of the browser.
private struct ChangeWriting {
  let input: RealmInput
  let key: EncryptionKey?
  let access: InPlaceAccess

  func write(_ script: MigrationScript, compacts: Bool) -> EditingOptions.WriteOutcome {
    do {
      let written = try launch(access) { $0.script = script }
      var parts: [String] = []
      if written.isDurable == false { parts.append("a power cut could undo it") }
      if compacts {
        do { parts.append(try compact()) } catch { parts.append("not compacted: " + Self.text(of: error)) }
      } else if written.leavesRemovedValues || written.migration?.overwritten.isEmpty == false {
        parts.append("old values stay until :w compact")
      }
      // The long name comes last: a narrow screen may cut it off.
      if let backup = written.backup { parts.append("backup \(backup.path)") }
      return .written(parts.joined(separator: "; "))
    } catch BrowserProblem.staleChanges {
      return .changedMeanwhile
    } catch OutputError.changedMeanwhile {
      return .changedMeanwhile
    } catch {
      return .failed(Self.text(of: error))
    }
  }

  /// The backup already has the old content.
  private func compact() throws -> String {
    var second = access
    second.backup = .none
    let outcome = try launch(second, compacts: true) { _ in }
    guard case .done(let before, let after) = outcome.compaction else { return "nothing to compact" }
    return WrittenText.compaction((before, after), dryRun: false)
  }

  private func launch(
    _ access: InPlaceAccess, compacts: Bool = false, _ configure: (inout RealmConfiguration) -> Void
  ) throws -> LaunchOutcome {
    var configuration = RealmConfiguration(path: input.path)
    configuration.encryptionKey = key
    configuration.policy.allowsDataLoss = true
    configure(&configuration)
    var options = LaunchOptions()
    (options.access, options.backupRule, options.compacts) = (access, .always, compacts)
    options.inputs = [input.key?.path].compactMap { $0 }
    options.threadLimit = Processors.threadCount(forBytes: .max) - 1
    return try Diagnostic.ofLaunch(input.name) { try RealmLaunch(configuration, options).run() }
  }

  /// What is wrong, and what to do, in one line.
  private static func text(of error: any Error) -> String {
    guard let diagnostic = error as? Diagnostic else { return "\(error)" }
    guard let advice = diagnostic.advice else { return diagnostic.problem }
    // Options cannot be used here.
    let all = advice.split(separator: ", ").map { $0.hasPrefix("or ") ? $0.dropFirst(3) : $0 }
    let ways = all.filter { !$0.contains("--") }
    guard ways.count < all.count else { return diagnostic.problem + "; " + advice }
    return diagnostic.problem + (ways.isEmpty ? "" : "; " + ways.joined(separator: ", or ") + ", then :w")
  }
}

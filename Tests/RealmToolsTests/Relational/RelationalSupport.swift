import Foundation
import TestSupport
import Testing

@testable import RealmExchange
@testable import RealmModels
@testable import RealmStorage

/// A realm and a folder for what it is exported to.
struct RelationalCase {
  let snapshot: Snapshot
  let folder: TemporaryFolder

  init(_ path: String) throws {
    snapshot = try TestRealm(path).snapshot
    folder = try TemporaryFolder()
  }

  init(_ snapshot: Snapshot) throws {
    self.snapshot = snapshot
    folder = try TemporaryFolder()
  }

  var options: ExportOptions {
    ExportOptions(
      format: .sqlite,
      tables: ExportOptions.allTables(of: snapshot, format: .sqlite, includesInternal: false))
  }

  /// Exports everything to a new file.
  func export(
    _ name: String = "a.sqlite", dates: RelationalSchema.DateForm = .iso, threads: Int = 1
  ) throws -> (path: String, plan: RelationalPlan, report: RelationalExport.Report) {
    var options = options
    options.threadCount = threads
    let plan = try RelationalPlan(snapshot, options: options, dates: dates, isWhole: true)
    let path = folder.path(name)
    #expect(FileManager.default.createFile(atPath: path, contents: nil))
    let report = try RelationalExport(snapshot, options: options, plan: plan).write(to: path, keepsOffDisk: false)
    return (path, plan, report)
  }

  /// Runs SQL on a file.
  static func change(_ path: String, _ sql: String) throws {
    let database = try SQLiteDatabase(path, .writing)
    try database.execute(sql)
  }

  /// The differences between the realm and a file: `Class key: property`, with `+` and `-` for whole objects.
  func difference(_ path: String) throws -> [String] {
    let difference = try RealmDifference(from: .realm(snapshot), to: .database(RelationalFile(path)))
    var found = difference.schema.changes.compactMap(\.text)
    for pair in difference.pairs() {
      for change in try difference.compare(pair).changes {
        let key = try difference.key(of: change, in: pair).map { String(decoding: $0, as: UTF8.self) }
        let name = "\(pair.name) \(key ?? "\(change.key.rawValue)")"
        switch change {
        case .removed: found.append("- " + name)
        case .added: found.append("+ " + name)
        case .changed: found += try difference.values(of: change, in: pair).map { "\(name): \($0.property)" }
        }
      }
    }
    return found
  }
}

import RealmStorage
import RealmSystem

/// Puts a realm aside with the files next to it, and back: all of them get names under which no SDK looks for a realm.
///
/// The realm is renamed last when it is put aside, and first when it is put back. So it is under its own name, or
/// completely aside, and a call that was interrupted between two renames is completed by the next one. Nothing is
/// replaced or deleted.
struct RealmArchive {
  /// As given.
  private let path: String
  /// With symbolic links followed.
  private let target: String
  private let calls = FileBackend.calls

  init(of path: String) { (self.path, target) = (path, SafeOutput.destination(of: path)) }

  /// `.left`, `.left-2`, `.left-3` …
  private static func ending(_ number: Int) -> String { number == 1 ? ".left" : ".left-\(number)" }

  private static let mostArchives = 1000

  /// Where the realm is that was put aside last; nil if there is none.
  var latest: String? { latestNumber.map { target + Self.ending($0) } }

  private var latestNumber: Int? {
    var (number, latest) = (1, Int?.none)
    // They are numbered without a gap, unless somebody has removed one.
    while number <= Self.mostArchives, latest == nil || latest == number - 1 {
      if SafeOutput.isNameTaken(target + Self.ending(number)) { latest = number }
      number += 1
    }
    return latest
  }

  // MARK: Aside

  /// - Parameter check: looks at the realm under the lock, before anything is renamed.
  /// - Returns: what was renamed; empty if the realm is aside already.
  /// - Throws: `AccessError`; `OutputError`; `LeaveError.absent`; what `check` throws.
  func putAside(waitingMilliseconds: UInt64, check: () throws -> Void) throws -> [LeaveMove] {
    guard SafeOutput.isNameTaken(target) else {
      guard latestNumber != nil else { throw LeaveError(.absent, path, "there is no realm to put aside") }
      return []
    }
    let access = try ExclusiveAccess(toRealm: path, waitingMilliseconds: waitingMilliseconds)
    defer { access.release() }
    try check()
    let names = try sideFiles() + [target]
    guard
      let number = (1...Self.mostArchives).first(where: { number in
        names.allSatisfy { !SafeOutput.isNameTaken($0 + Self.ending(number)) }
      })
    else { throw OutputError.exists(path: target + Self.ending(Self.mostArchives)) }
    return try rename(names.map { LeaveMove(from: $0, to: $0 + Self.ending(number)) })
  }

  // MARK: Back

  /// - Returns: what was renamed.
  /// - Throws: `AccessError`; `OutputError`; `LeaveError`, with `absent` if nothing is aside.
  func putBack(waitingMilliseconds: UInt64) throws -> [LeaveMove] {
    let access = try ExclusiveAccess(toRealm: path, waitingMilliseconds: waitingMilliseconds)
    defer { access.release() }
    let isThere = SafeOutput.isNameTaken(target)
    var moves: [LeaveMove] = []
    if !isThere {
      guard let latest else { throw LeaveError(.absent, path, "no realm was put aside") }
      moves = try rename([LeaveMove(from: latest, to: target)])
    }
    moves += try rename(sideFilesWithoutRealm())
    if isThere, moves.isEmpty, latest != nil {
      throw LeaveError(.changed, path, "there is a realm again, so that the one put aside stays where it is")
    }
    return moves
  }

  /// Files that were put aside, and whose realm was not or is back.
  private func sideFilesWithoutRealm() throws(OutputError) -> [LeaveMove] {
    var moves: [LeaveMove] = []
    for number in 1...Self.mostArchives {
      let ending = Self.ending(number)
      guard !SafeOutput.isNameTaken(target + ending) else { continue }
      let names = try sideFiles(ending: ending)
      // Beyond the last.
      if names.isEmpty, number > (latestNumber ?? 0) + 1 { break }
      for name in names where !moves.contains(where: { $0.to == name }) && !SafeOutput.isNameTaken(name) {
        moves.append(LeaveMove(from: name + ending, to: name))
      }
    }
    return moves
  }

  // MARK: Files

  /// The files next to the realm that belong to it, sorted, without its lock file: that keeps others away until the end,
  /// and has no content of its own.
  ///
  /// - Parameter ending: that they have been given; they are returned without it.
  private func sideFiles(ending: String = "") throws(OutputError) -> [String] {
    var files: [String] = []
    for realm in path == target ? [target] : [target, path] {
      let folder = SystemText.split(realm).folder
      let names: [String]
      do throws(SystemCallError) { names = try SafeOutput.names(inFolder: folder.isEmpty ? "." : folder) } catch {
        throw .systemCall(path: folder, name: error.name, errorNumber: error.number)
      }
      for name in names.sorted() where name.hasPathSuffix(ending) {
        let name = folder + String(decoding: name.utf8.dropLast(ending.utf8.count), as: UTF8.self)
        guard let side = SideFileName(path: name), side.realm.utf8.elementsEqual(realm.utf8), side.kind != .lock,
          !files.contains(name)
        else { continue }
        files.append(name)
      }
    }
    return files
  }

  /// All files of the realm that are there now, under their own names or put aside; no lock files.
  var files: [String] {
    get throws(OutputError) {
      var files = try sideFiles()
      if SafeOutput.isNameTaken(target) { files.append(target) }
      for number in 1...max(1, latestNumber ?? 1) {
        let ending = Self.ending(number)
        files += try sideFiles(ending: ending).map { $0 + ending }
        if SafeOutput.isNameTaken(target + ending) { files.append(target + ending) }
      }
      return files
    }
  }

  /// Each rename is on the disk before the next one.
  private func rename(_ moves: [LeaveMove]) throws(OutputError) -> [LeaveMove] {
    for move in moves {
      do throws(SystemCallError) {
        do throws(SystemCallError) { try calls.renameExclusively(move.from, to: move.to) } catch {
          // Not every file system can; the name was free a moment ago, and the lock keeps SDKs away.
          guard error.isNotSupported, !SafeOutput.isNameTaken(move.to) else { throw error }
          try calls.rename(move.from, to: move.to)
        }
        try synchronizeFolder(of: move.to)
      } catch { throw .systemCall(path: move.from, name: error.name, errorNumber: error.number) }
    }
    return moves
  }

  private func synchronizeFolder(of path: String) throws(SystemCallError) {
    let folder = SystemText.split(path).folder
    let descriptor = try calls.opened(folder.isEmpty ? "." : folder, .folder)
    defer { calls.close(descriptor) }
    do throws(SystemCallError) {
      try calls.uninterrupted { () throws(SystemCallError) in try calls.synchronize(descriptor) }
    } catch {
      // Not every file system has that for folders.
      guard error.isNotSupported else { throw error }
    }
  }
}

/// A file that got another name.
public struct LeaveMove: Hashable, Sendable {
  /// The path that it had.
  public let from: String
  /// The path that it has now.
  public let to: String

  init(from: String, to: String) { (self.from, self.to) = (from, to) }
}

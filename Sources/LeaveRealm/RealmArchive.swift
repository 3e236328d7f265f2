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

  /// The number of an ending; nil if the name has none.
  private static func number(endingName name: String) -> Int? {
    let digits = name.utf8.reversed().prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    let number = digits.isEmpty ? 1 : Int(String(decoding: digits.reversed(), as: UTF8.self))
    // After the highest number comes another one.
    guard let number, number < .max, name.hasPathSuffix(ending(number)) else { return nil }
    return number
  }

  /// Where the realm is that was put aside last; nil if there is none.
  ///
  /// - Throws: `OutputError` if the folder cannot be read.
  var latest: String? {
    get throws(OutputError) { try listed().latest.map { target + Self.ending($0) } }
  }

  // MARK: Aside

  /// - Parameter check: looks at the realm under the lock, before anything is renamed.
  /// - Returns: what was renamed; empty if the realm is aside already.
  /// - Throws: `AccessError`; `OutputError`; `LeaveError.absent`; what `check` throws.
  func putAside(waitingMilliseconds: UInt64, check: () throws -> Void) throws -> [LeaveMove] {
    guard SafeOutput.isNameTaken(target) else {
      guard try latest != nil else { throw LeaveError(.absent, path, "there is no realm to put aside") }
      return []
    }
    let access = try ExclusiveAccess(toRealm: path, waitingMilliseconds: waitingMilliseconds)
    defer { access.release() }
    try check()
    let listing = try listed()
    // A number below could be that of a realm whose file was removed since, and the latest would be an older one.
    let ending = Self.ending(max(listing.latest ?? 0, listing.sides.compactMap(\.number).max() ?? 0) + 1)
    let names = listing.sides.filter { $0.number == nil }.map(\.name) + [target]
    return try rename(names.map { LeaveMove(from: $0, to: $0 + ending) })
  }

  // MARK: Back

  /// - Returns: what was renamed.
  /// - Throws: `AccessError`; `OutputError`; `LeaveError`, with `absent` if nothing is aside.
  func putBack(waitingMilliseconds: UInt64) throws -> [LeaveMove] {
    let access = try ExclusiveAccess(toRealm: path, waitingMilliseconds: waitingMilliseconds)
    defer { access.release() }
    let isThere = SafeOutput.isNameTaken(target)
    let listing = try listed()
    var moves: [LeaveMove] = []
    if !isThere {
      guard let latest = listing.latest else { throw LeaveError(.absent, path, "no realm was put aside") }
      moves = try rename([LeaveMove(from: target + Self.ending(latest), to: target)])
    }
    moves += try rename(sideFilesWithoutRealm(listing, first: isThere ? nil : listing.latest))
    if isThere, moves.isEmpty, listing.latest != nil {
      throw LeaveError(.changed, path, "there is a realm again, so that the one put aside stays where it is")
    }
    return moves
  }

  /// Files that were put aside, and whose realm was not or is back; of several with the same name, the last.
  ///
  /// - Parameter number: of the realm that is back; its own files come before others.
  private func sideFilesWithoutRealm(_ listing: Listing, first number: Int?) -> [LeaveMove] {
    var moves: [LeaveMove] = []
    func rank(_ side: Side) -> Int { side.number == number ? .max : side.number ?? 0 }
    for side in listing.sides.sorted(by: { rank($0) > rank($1) }) {
      guard let number = side.number, !SafeOutput.isNameTaken(target + Self.ending(number)),
        !SafeOutput.isNameTaken(side.name), !moves.contains(where: { $0.to.utf8.elementsEqual(side.name.utf8) })
      else { continue }
      moves.append(LeaveMove(from: side.path, to: side.name))
    }
    return moves
  }

  // MARK: Files

  private struct Listing {
    /// The files next to the realm that belong to it, sorted, without its lock file: that keeps others away until the end,
    /// and has no content of its own.
    var sides: [Side] = []
    /// Numbers of the realms that were put aside.
    var realms: Set<Int> = []

    var latest: Int? { realms.max() }
  }

  private struct Side {
    /// The path under its own name.
    let name: String
    /// Nil if it has its own name.
    let number: Int?

    var path: String { name + (number.map(RealmArchive.ending) ?? "") }
  }

  /// - Throws: `OutputError` if a folder is there and cannot be read.
  private func listed() throws(OutputError) -> Listing {
    var listing = Listing()
    for realm in path == target ? [target] : [target, path] {
      let folder = SystemText.split(realm).folder
      let names: [String]
      do throws(SystemCallError) { names = try SafeOutput.names(inFolder: folder.isEmpty ? "." : folder) } catch {
        guard error.problem != .missing else { continue }
        throw .systemCall(path: folder, name: error.name, errorNumber: error.number)
      }
      for name in names.sorted() {
        let number = Self.number(endingName: name)
        // The system says what is a name of the realm: it may not care about case.
        if let number, SafeOutput.isNameTaken(target + Self.ending(number)) { listing.realms.insert(number) }
        let length = name.utf8.count - (number.map(Self.ending) ?? "").utf8.count
        let name = folder + String(decoding: name.utf8.prefix(length), as: UTF8.self)
        guard let side = SideFileName(path: name), side.realm.utf8.elementsEqual(realm.utf8), side.kind != .lock,
          !listing.sides.contains(where: { $0.number == number && $0.name.utf8.elementsEqual(name.utf8) })
        else { continue }
        listing.sides.append(Side(name: name, number: number))
      }
    }
    return listing
  }

  /// All files of the realm that are there now, under their own names or put aside; no lock files.
  var files: [String] {
    get throws(OutputError) {
      let listing = try listed()
      return listing.sides.map(\.path) + (SafeOutput.isNameTaken(target) ? [target] : [])
        + listing.realms.sorted().map { target + Self.ending($0) }
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

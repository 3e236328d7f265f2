import CSystem
import RealmSystem

/// Where an output goes: a path with symbolic links followed, and the temporary names next to it.
struct OutputPath: Hashable, Sendable {
  /// The path as given, then the target of each symbolic link on the way. The last one is not a link, and need not
  /// exist.
  let links: [String]
  /// The base of temporary names: the file's own name, or that of the file it belongs to.
  private let family: String

  /// The file itself: a link's target is replaced, not the link.
  var target: String { links.last ?? "" }

  /// - Parameter family: for an output whose name differs from run to run, such as a backup: the name of the file it
  ///   belongs to, by which the next run finds what a killed one left.
  /// - Throws: `linksInCircles`, `linkOfAnother`; `systemCall` if a name cannot be looked at.
  init(_ path: String, family: String? = nil, calls: any OutputCalls) throws(OutputError) {
    var links = [path]
    while let last = links.last, try Self.isLink(last, path, calls) {
      // The name in a link to an open pipe, such as /dev/fd/63, is not one of a file.
      if case .special = (try? calls.status(ofPath: last))?.kind { break }
      // The limit of the systems' own walks.
      guard links.count <= 40 else { throw .linksInCircles(path: path) }
      let (destination, isOurs): (String, Bool)
      do throws(SystemCallError) {
        let link = try calls.target(ofLink: last)
        (destination, isOurs) = (link.path, try Self.mayUse(ownedBy: link.owner, at: last, calls))
      } catch { throw OutputError(path, error) }
      guard isOurs else { throw .linkOfAnother(path: path, link: last) }
      links.append(
        destination.utf8.first == UInt8(ascii: "/") ? destination : SystemText.split(last).folder + destination)
    }
    self.links = links
    self.family = family ?? SystemText.split(links.last ?? "").name
  }

  /// The rule of the kernel (`fs.protected_symlinks` and `fs.protected_fifos`, proc_sys_fs(5)), which does not apply to
  /// a program that follows links itself, nor to pipes that it does not offer to create: in a folder where everybody may
  /// create names and nobody may remove those of others, such as `/tmp`, a link or pipe is used if it is this user's own
  /// or that of the folder's owner. Any other may have been put there to lead a write astray.
  static func mayUse(ownedBy owner: UInt32, at name: String, _ calls: any OutputCalls) throws(SystemCallError) -> Bool {
    guard owner != calls.userID else { return true }
    let folder = SystemText.split(name).folder
    let status = try calls.status(ofPath: folder.isEmpty ? "." : folder)
    return status.mode & 0o1002 != 0o1002 || status.owner == owner
  }

  private static func isLink(_ name: String, _ path: String, _ calls: any OutputCalls) throws(OutputError) -> Bool {
    do throws(SystemCallError) {
      return try calls.kind(ofName: name) == .symbolicLink
    } catch {
      switch error.problem {
      case .missing: return false
      default: throw OutputError(path, error)
      }
    }
  }

  // MARK: Folder

  /// As the file calls take it.
  var folder: String {
    let folder = SystemText.split(target).folder
    return folder.isEmpty ? "." : folder
  }

  // MARK: Temporary names

  /// `.app.realm.realmctl-4711-0`: hidden, with the file it belongs to, the program and the process.
  func temporary(process: Int32, attempt: Int) -> String {
    SystemText.split(target).folder + prefix + "\(process)-\(attempt)"
  }

  /// Whether a name in the folder is one that `temporary` gives for this target; the number of the process.
  func process(ofTemporary name: String) -> Int32? {
    guard name.utf8.starts(with: prefix.utf8) else { return nil }
    let numbers = name.utf8.dropFirst(prefix.utf8.count)
      .split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
      .map { String(decoding: $0, as: UTF8.self) }
    guard numbers.count == 2, let process = Int32(numbers[0]), process > 0, UInt32(numbers[1]) != nil else {
      return nil
    }
    return process
  }

  /// Whether a name may be one that `temporary` gives for any target.
  static func isTemporary(_ name: String) -> Bool { name.utf8.first == UInt8(ascii: ".") && name.contains(text: mark) }

  /// The list of the files in a temporary folder, which shows that this program made the folder: a name in it, itself
  /// that of a temporary file of `listFamily`. A list that is left in a folder with its own name is a leftover there.
  static func list(ofFolder temporary: String) -> String {
    let digits = temporary.utf8.lastIndex(of: UInt8(ascii: ".")).map { temporary.utf8[$0...] }
    return "." + listFamily + (digits.map { String(decoding: $0, as: UTF8.self) } ?? mark)
  }

  static let listFamily = "files"
  private static let mark = ".realmctl-"

  /// Names may have 255 bytes; the digits need at most 22.
  private var prefix: String {
    "." + SystemText.text(of: SystemText.bytes(of: family).prefix(200)) + Self.mark
  }
}

/// Removes leftovers of killed runs next to an output.
enum Leftovers {
  /// Removes temporary files and folders that no process is writing.
  ///
  /// A run that writes holds an exclusive lock on its temporary file or folder. The lock ends with the process, however
  /// that ends, so a file that can be locked is a leftover. If the file system has no locks, the process number in the
  /// name decides. What cannot be removed stays, since a leftover must not prevent writing. Files of other users also
  /// stay, and everything in a folder of another user, who can give any name to anything in it.
  ///
  /// The folder is kept open and files are named relative to it: if another folder replaces it meanwhile, nothing in
  /// that one is touched.
  static func remove(beside path: OutputPath, calls: any OutputCalls) {
    guard let folder = try? calls.opened(path.folder, .folder) else { return }
    defer { calls.close(folder) }
    guard isOwn(folder, calls) else { return }
    for name in (try? calls.names(in: folder)) ?? [] {
      guard let process = path.process(ofTemporary: name) else { continue }
      remove(name, in: folder, of: process, calls)
    }
  }

  /// Whether a folder has names as temporary files have them, or cannot be looked through.
  static func areExpected(in path: String, calls: any OutputCalls) -> Bool {
    guard let folder = try? calls.opened(path, .folder) else { return true }
    defer { calls.close(folder) }
    return (try? calls.names(in: folder))?.contains(where: OutputPath.isTemporary) ?? true
  }

  private static func remove(_ name: String, in folder: Int32, of process: Int32, _ calls: any OutputCalls) {
    let opened = (try? calls.opened(name, in: folder, .existing)) ?? (try? calls.opened(name, in: folder, .folder))
    guard let descriptor = opened else { return }
    defer { calls.close(descriptor) }
    guard isOwn(descriptor, calls) else { return }
    do throws(SystemCallError) {
      try calls.uninterrupted { () throws(SystemCallError) in try calls.lock(descriptor) }
    } catch {
      guard !error.wouldBlock, !calls.isRunning(process: process) else { return }
    }
    // Between opening and locking, the writer may have given the file its name, and the temporary name may be another
    // file's by now.
    guard let status = try? calls.status(of: descriptor),
      (try? calls.status(ofName: name, in: folder))?.identity == status.identity
    else { return }
    switch status.kind {
    case .regular: try? calls.unlink(name, in: folder)
    case .directory:
      removeFiles(of: descriptor, listedIn: OutputPath.list(ofFolder: name), calls)
      // Fails unless it is empty.
      try? calls.removeFolder(name, in: folder)
    case .special, .symbolicLink: break
    }
  }

  /// More than the names of any realm's tables.
  private static let longestList: UInt64 = 16 << 20

  /// Removes the files of a temporary folder by their names, complete or not, if it has a list of them. Any other folder
  /// may have got its name from somebody else.
  private static func removeFiles(of folder: Int32, listedIn list: String, _ calls: any OutputCalls) {
    guard let descriptor = try? calls.opened(list, in: folder, .reading) else { return }
    defer { calls.close(descriptor) }
    guard isOwn(descriptor, calls), let status = try? calls.status(of: descriptor), status.kind == .regular,
      status.size <= longestList
    else { return }
    var bytes = [UInt8](repeating: 0, count: Int(status.size))
    let count = try? bytes.withUnsafeMutableBytes { bytes throws(SystemCallError) in
      try calls.readFully(descriptor, into: bytes, at: 0)
    }
    guard count == bytes.count else { return }
    let listed = Set(bytes.split(separator: 0).map(Array.init))
    for name in (try? calls.names(in: folder)) ?? [] where name != list {
      guard listed.contains(SystemText.bytes(of: name)) || OutputPath.isTemporary(name),
        let status = try? calls.status(ofName: name, in: folder), status.kind == .regular,
        status.owner == calls.userID
      else { continue }
      try? calls.unlink(name, in: folder)
    }
    try? calls.unlink(list, in: folder)
  }

  private static func isOwn(_ descriptor: Int32, _ calls: any OutputCalls) -> Bool {
    (try? calls.access(of: descriptor))?.owner == calls.userID
  }
}

/// Where an output goes: a path with symbolic links followed, and the temporary names beside it.
struct OutputPath: Hashable, Sendable {
  /// The path as given, then what each symbolic link on the way leads to; the last one is not a link, there or not.
  let links: [String]
  /// What temporary names are made of: the file's own name, or that of the file it belongs to.
  private let family: String

  /// The file itself: a link's target is replaced, not the link.
  var target: String { links.last ?? "" }

  /// - Parameter family: the name of the file that an output belongs to which has another name every time, such as a
  ///   backup: what is left of one is found by the next.
  /// - Throws: `linksInCircles`, `linkOfAnother`; `systemCall` where a name cannot be looked at.
  init(_ path: String, family: String? = nil, calls: any OutputCalls) throws(OutputError) {
    var links = [path]
    while let last = links.last, try Self.isLink(last, path, calls) {
      // The limit of the systems' own walks.
      guard links.count <= 40 else { throw .linksInCircles(path: path) }
      let (destination, isOurs): (String, Bool)
      do throws(SystemCallError) {
        let link = try calls.target(ofLink: last)
        (destination, isOurs) = (link.path, try Self.mayFollow(link, at: last, calls))
      } catch { throw OutputError(path, error) }
      guard isOurs else { throw .linkOfAnother(path: path, link: last) }
      links.append(destination.utf8.first == UInt8(ascii: "/") ? destination : Self.split(last).folder + destination)
    }
    self.links = links
    self.family = family ?? Self.split(links.last ?? "").name
  }

  /// The rule of the kernel (`fs.protected_symlinks`, proc_sys_fs(5)), which does not see who follows links for itself: in
  /// a folder where everybody may make names and nobody remove another's, such as `/tmp`, a link is followed if it is this
  /// user's own or that of the folder's owner. Any other may have been put there to lead a write astray.
  private static func mayFollow(
    _ link: SymbolicLink, at name: String, _ calls: any OutputCalls
  ) throws(SystemCallError) -> Bool {
    guard link.owner != calls.userID else { return true }
    let folder = split(name).folder
    let status = try calls.status(ofPath: folder.isEmpty ? "." : folder)
    return status.mode & 0o1002 != 0o1002 || status.owner == link.owner
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

  /// The folder with its slash, empty for the current one, and the name.
  static func split(_ path: String) -> (folder: String, name: String) {
    // By bytes: as characters, a slash and a mark that follows it are one.
    guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return ("", path) }
    let start = path.utf8.index(after: slash)
    return (String(decoding: path.utf8[..<start], as: UTF8.self), String(decoding: path.utf8[start...], as: UTF8.self))
  }

  // MARK: Folder

  /// As the file calls take it.
  var folder: String {
    let folder = Self.split(target).folder
    return folder.isEmpty ? "." : folder
  }

  // MARK: Temporary names

  /// `.app.realm.realmctl-4711-0`: hidden, telling what it belongs to, who made it and why.
  func temporary(process: Int32, attempt: Int) -> String {
    Self.split(target).folder + prefix + "\(process)-\(attempt)"
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
  static func isTemporary(_ name: String) -> Bool { name.utf8.first == UInt8(ascii: ".") && name.contains(mark) }

  private static let mark = ".realmctl-"

  /// Names may have 255 bytes; the digits need at most 22.
  private var prefix: String {
    "." + SystemText.text(of: SystemText.bytes(of: family).prefix(200)) + Self.mark
  }
}

/// Where an output goes: a path with symbolic links followed, and the temporary names beside it.
struct OutputPath: Hashable, Sendable {
  /// The path as given, then what each symbolic link on the way leads to; the last one is no link, there or not.
  let links: [String]

  /// The file itself: a link's target is replaced, not the link.
  var target: String { links.last ?? "" }

  /// - Throws: `linksInCircles`; `systemCall` where a name cannot be looked at.
  init(_ path: String, calls: any OutputCalls) throws(OutputError) {
    var links = [path]
    while let last = links.last, try Self.isLink(last, path, calls) {
      // The limit of the systems' own walks.
      guard links.count <= 40 else { throw .linksInCircles(path: path) }
      let destination: String
      do throws(SystemCallError) { destination = try calls.target(ofLink: last) } catch {
        throw OutputError(path, error)
      }
      links.append(destination.hasPrefix("/") ? destination : Self.split(last).folder + destination)
    }
    self.links = links
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
    guard let slash = path.lastIndex(of: "/") else { return ("", path) }
    let start = path.index(after: slash)
    return (String(path[..<start]), String(path[start...]))
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
    guard name.hasPrefix(prefix) else { return nil }
    let numbers = name.dropFirst(prefix.count).split(separator: "-", omittingEmptySubsequences: false)
    guard numbers.count == 2, let process = Int32(numbers[0]), process > 0, UInt32(numbers[1]) != nil else {
      return nil
    }
    return process
  }

  /// Names may have 255 bytes; the digits need at most 22.
  private var prefix: String {
    "." + String(decoding: Self.split(target).name.utf8.prefix(200), as: UTF8.self) + ".realmctl-"
  }
}

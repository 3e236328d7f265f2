import RealmSystem

/// The file that an output replaces: its owner, permissions and extended attributes.
struct ReplacedFile: Sendable {
  let identity: FileIdentity
  let access: FileAccess
  private let attributes: [(name: String, value: [UInt8])]

  /// - Parameter opening: `existing` if only users who may write the file may replace it: a write-protected file stays
  ///   as it is, although the folder's owner could replace it.
  /// - Throws: `systemCall` if the file cannot be opened so.
  init(
    _ target: String, path: String, opening: OutputOpening = .reading, calls: any OutputCalls
  ) throws(OutputError) {
    do throws(SystemCallError) {
      let descriptor = try calls.opened(target, opening)
      defer { calls.close(descriptor) }
      identity = try calls.status(of: descriptor).identity
      access = try calls.access(of: descriptor)
      attributes = try Self.attributes(of: descriptor, calls)
    } catch {
      throw OutputError(path, error)
    }
  }

  private static func attributes(of descriptor: Int32, _ calls: any OutputCalls) throws(SystemCallError) -> [(
    String, [UInt8]
  )] {
    let names: [String]
    do throws(SystemCallError) { names = try calls.extendedAttributeNames(of: descriptor) } catch {
      guard error.isNotSupported else { throw error }
      return []
    }
    var attributes: [(String, [UInt8])] = []
    for name in names {
      do throws(SystemCallError) {
        attributes.append((name, try calls.extendedAttribute(name, of: descriptor)))
      } catch {
        guard isBestEffort(name) else { throw error }
      }
    }
    return attributes
  }

  /// Gives a new file the same owner, permissions and attributes. Failing is better than leaving a file that the app can
  /// no longer open.
  ///
  /// - Throws: `cannotKeepOwner`, `cannotKeepAttribute`, `systemCall`.
  func apply(to descriptor: Int32, path: String, calls: any OutputCalls) throws(OutputError) {
    do throws(SystemCallError) {
      let created = try calls.access(of: descriptor)
      if (created.owner, created.group) != (access.owner, access.group) {
        try calls.setOwner(of: descriptor, owner: access.owner, group: access.group)
      }
    } catch {
      guard error.name == "fchown" else { throw OutputError(path, error) }
      throw .cannotKeepOwner(path: path, owner: access.owner, group: access.group)
    }
    try removeInheritedLists(from: descriptor, path, calls)
    for attribute in attributes {
      do throws(SystemCallError) {
        try calls.setExtendedAttribute(attribute.name, of: descriptor, to: attribute.value)
      } catch {
        guard Self.isBestEffort(attribute.name) else {
          throw .cannotKeepAttribute(path: path, name: attribute.name, errorNumber: error.number)
        }
      }
    }
    // After the owner, whose change takes bits away, and after the list, to whose entries these bits give effect.
    do throws(SystemCallError) { try calls.setMode(of: descriptor, access.mode) } catch {
      throw OutputError(path, error)
    }
  }

  /// Removes an access list that the new file has inherited from its folder, and the old one did not have: it would
  /// give others access as soon as the file gets its permissions.
  private func removeInheritedLists(
    from descriptor: Int32, _ path: String, _ calls: any OutputCalls
  ) throws(OutputError) {
    let own = Set(attributes.map(\.name))
    do throws(SystemCallError) {
      for name in try calls.accessLists(of: descriptor) where !own.contains(name) {
        try calls.removeExtendedAttribute(name, of: descriptor)
      }
    } catch { throw OutputError(path, error) }
  }

  /// Attributes that the system itself sets, and that only some programs may change.
  private static func isBestEffort(_ name: String) -> Bool {
    ["security.", "trusted.", "com.apple."].contains { name.hasPrefix($0) }
  }
}

/// Who, apart from its owner, may use a new file: only those who may use all of its inputs.
struct OutputOpenness: Sendable {
  /// The permissions at creation; the umask of the process restricts them further.
  private(set) var mode: UInt32
  private var inputs: [Input] = []

  private struct Input: Sendable {
    let status: FileStatus
    /// Whether the group bits are not those of the group, but the maximum that an access list gives to anybody.
    let hasAccessList: Bool
  }

  /// For a file that gets its permissions at the end: until then nobody else may read it.
  static let closed = OutputOpenness(mode: 0o600)

  private init(mode: UInt32) { self.mode = mode }

  /// - Parameter inputs: paths, `-` for standard input. Pipes and the like set no limits; where the status of an input is
  ///   unknown, only the owner may use the new file.
  init(of inputs: [String], _ calls: any OutputCalls) {
    let states = inputs.map { ($0, Self.status(of: $0, calls)) }
    self.inputs = states.compactMap { path, status in
      guard let status, status.kind == .regular else { return nil }
      return Input(status: status, hasAccessList: Self.hasAccessList(path, calls))
    }
    let first: UInt32 = states.contains { $0.1 == nil } ? 0o600 : 0o666
    mode = self.inputs.reduce(first) { $0 & Self.bits($1.status.mode) }
  }

  /// For a folder of such files: who may read them may also list and open them.
  var folderMode: UInt32 { Self.searchable(mode) }

  private static func searchable(_ mode: UInt32) -> UInt32 { 0o100 | mode | (mode & 0o444) >> 2 }

  /// The owner of the new file may always use it: it is this user's own.
  private static func bits(_ mode: UInt32) -> UInt32 { 0o600 | mode & 0o066 }

  /// What an input is; nil if it is not there.
  static func status(of input: String, _ calls: any FileCalls) -> FileStatus? {
    input == "-" ? try? calls.status(of: StandardInput.descriptor) : try? calls.status(ofPath: input)
  }

  /// True also if it is unknown.
  private static func hasAccessList(_ input: String, _ calls: any OutputCalls) -> Bool {
    do {
      guard input != "-" else { return try !calls.accessLists(of: StandardInput.descriptor).isEmpty }
      let descriptor = try calls.opened(OutputPath(input, calls: calls).target, .reading)
      defer { calls.close(descriptor) }
      return try !calls.accessLists(of: descriptor).isEmpty
    } catch {
      return true
    }
  }

  /// Restricts the group of a new file if an input belongs to another group, because members of the new file's group
  /// had no access to that input. The same applies to everyone in an access list that the file has inherited from its
  /// folder.
  func narrow(_ descriptor: Int32, isFolder: Bool = false, _ calls: any OutputCalls) throws(SystemCallError) {
    guard !inputs.isEmpty else { return }
    let made = try calls.access(of: descriptor)
    let hasAccessList = try !calls.accessLists(of: descriptor).isEmpty
    let strangers = inputs.filter { hasAccessList || $0.hasAccessList || $0.status.group != made.group }
      .map(\.status.mode)
    let mode = strangers.reduce(made.mode) { mode, stranger in
      let bits = Self.bits(stranger & 0o006 | (stranger & 0o006) << 3)
      // A folder's group may be one that its files take over.
      return mode & (isFolder ? 0o7000 | Self.searchable(bits) : bits)
    }
    if mode != made.mode { try calls.setMode(of: descriptor, mode) }
  }
}

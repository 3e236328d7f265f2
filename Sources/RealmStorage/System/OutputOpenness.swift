/// Who, apart from its owner, may use a new file: nobody who may not use all that went into it.
struct OutputOpenness: Sendable {
  /// What the file is made with; the process's own mask takes more away.
  private(set) var mode: UInt32
  private var inputs: [Input] = []

  private struct Input: Sendable {
    let status: FileStatus
    /// Whether the bits of its group are not its group's own, but the most that an access list gives to anybody.
    let hasAccessList: Bool
  }

  /// For what replaces a file, or gets permissions later: nobody may look into it before.
  static let closed = OutputOpenness(mode: 0o600)

  private init(mode: UInt32) { self.mode = mode }

  /// - Parameter inputs: paths, `-` for standard input. What is not a file, such as a pipe, has nothing to say; of what
  ///   cannot be asked, the owner alone may see what it became.
  init(of inputs: [String], _ calls: any OutputCalls) {
    let states = inputs.map { ($0, Self.status(of: $0, calls)) }
    self.inputs = states.compactMap { path, status in
      guard let status, status.kind == .regular else { return nil }
      return Input(status: status, hasAccessList: Self.hasAccessList(path, calls))
    }
    let first: UInt32 = states.contains { $0.1 == nil } ? 0o600 : 0o666
    mode = self.inputs.reduce(first) { $0 & Self.bits($1.status.mode) }
  }

  /// The owner of the new file may always use it: it is this user's own.
  private static func bits(_ mode: UInt32) -> UInt32 { 0o600 | mode & 0o066 }

  /// What an input is; nil where it is not there.
  static func status(of input: String, _ calls: any FileCalls) -> FileStatus? {
    input == "-" ? try? calls.status(of: StandardInput.descriptor) : try? calls.status(ofPath: input)
  }

  /// What cannot be asked may have one.
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

  /// Takes away from a file that was just made what its group may do where it is not the group of an input: its members
  /// are any others to that input. So is whoever the access list names that the file has from its folder.
  func narrow(_ descriptor: Int32, _ calls: any OutputCalls) throws(SystemCallError) {
    guard !inputs.isEmpty else { return }
    let made = try calls.access(of: descriptor)
    let hasAccessList = try !calls.accessLists(of: descriptor).isEmpty
    let strangers = inputs.filter { hasAccessList || $0.hasAccessList || $0.status.group != made.group }
      .map(\.status.mode)
    let mode = strangers.reduce(made.mode) { $0 & Self.bits($1 & 0o006 | ($1 & 0o006) << 3) }
    if mode != made.mode { try calls.setMode(of: descriptor, mode) }
  }
}

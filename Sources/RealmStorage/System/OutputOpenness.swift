/// Who besides its owner may use a new file: nobody who may not use all that went into it.
struct OutputOpenness: Sendable {
  /// What the file is made with; the process's own mask takes more away.
  private(set) var mode: UInt32
  private var inputs: [FileStatus] = []

  /// For what replaces a file, or gets permissions later: nobody may look into it before.
  static let closed = OutputOpenness(mode: 0o600)

  private init(mode: UInt32) { self.mode = mode }

  /// - Parameter inputs: paths, `-` for standard input. What is not a file, such as a pipe, has nothing to say; of what
  ///   cannot be asked, the owner alone may see what it became.
  init(of inputs: [String], _ calls: any FileCalls) {
    let states = inputs.map { Self.status(of: $0, calls) }
    self.inputs = states.compactMap(\.self).filter { $0.kind == .regular }
    mode = self.inputs.reduce(states.contains(nil) ? 0o600 : 0o666) { $0 & Self.bits($1.mode) }
  }

  /// The owner of the new file may always use it: it is this user's own.
  private static func bits(_ mode: UInt32) -> UInt32 { 0o600 | mode & 0o066 }

  /// What an input is; nil where it is not there.
  static func status(of input: String, _ calls: any FileCalls) -> FileStatus? {
    input == "-" ? try? calls.status(of: StandardInput.descriptor) : try? calls.status(ofPath: input)
  }

  /// Takes away from a file that was just made what its group may do where it is not the group of an input: its members
  /// are any others to that input.
  func narrow(_ descriptor: Int32, _ calls: any OutputCalls) throws(SystemCallError) {
    guard !inputs.isEmpty else { return }
    let made = try calls.access(of: descriptor)
    let strangers = inputs.filter { $0.group != made.group }
    let mode = strangers.reduce(made.mode) { $0 & Self.bits($1.mode & 0o006 | ($1.mode & 0o006) << 3) }
    if mode != made.mode { try calls.setMode(of: descriptor, mode) }
  }
}

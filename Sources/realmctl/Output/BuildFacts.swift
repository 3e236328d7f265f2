/// What the program was built from, for `--version`.
package struct BuildFacts: Sendable {
  private var commit = "unknown"
  private var compiler = "unknown"
  private var system = "unknown"
  private var libraries: @Sendable () -> [(name: String, version: String)] = { [] }

  /// Nothing is known.
  init() {}

  /// - Parameters:
  ///   - commit: of the sources.
  ///   - compiler: the version of the Swift compiler.
  ///   - system: the processor and the system it was built for.
  ///   - libraries: those that it is linked with; asked only for the version.
  package init(
    commit: String, compiler: String, system: String,
    libraries: @escaping @Sendable () -> [(name: String, version: String)]
  ) {
    (self.commit, self.compiler, self.system, self.libraries) = (commit, compiler, system, libraries)
  }

  var text: String {
    """
    realmctl \(Realmctl.version)
    commit     \(commit)
    build      Swift \(compiler), \(system)
    libraries  \(libraries().map { "\($0.name) \($0.version)" }.joined(separator: ", "))
    """
  }

  /// `Docs/JSONOutput.md` describes the keys.
  var json: String {
    let json = JSONText(isIndented: true)
    json.object {
      json.member("version", JSONText.version)
      json.member("realmctl", Realmctl.version)
      json.member("commit", commit)
      json.member("compiler", compiler)
      json.member("system", system)
      json.member("libraries") {
        json.object { for library in libraries() { json.member(library.name, library.version) } }
      }
    }
    return json.text
  }
}

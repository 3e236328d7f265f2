import CVersion
import realmctl

/// The executable. All else is in a library, which the tests can look into.
@main
enum Main {
  static func main() {
    Program.main(
      BuildFacts(
        commit: String(cString: cversion_commit()), compiler: String(cString: cversion_compiler()),
        system: String(cString: cversion_system())
      ) {
        let libraries = (0...).lazy.map(cversion_library_at).prefix { $0.name != nil }
        return libraries.map { (String(cString: $0.name), String(cString: $0.version)) }
      })
  }
}

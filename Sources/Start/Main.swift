import realmctl

/// The executable. All else is in a library, which the tests can look into.
@main
enum Main {
  static func main() { Program.main() }
}

import ArgumentParser
import RealmTools

@main struct Realmctl: ParsableCommand {
  func run() throws { print("x") }
}

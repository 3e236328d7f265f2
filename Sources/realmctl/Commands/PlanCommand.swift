import ArgumentParser

/// `realmctl plan`: migration plans.
struct PlanCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "plan",
    abstract: "Write and check migration plans.",
    subcommands: [PlanNewCommand.self, PlanCheckCommand.self])
}

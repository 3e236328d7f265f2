import Foundation
import PackagePlugin

/// `swift package realmctl ARGUMENTS…`, with the exit status of `realmctl`.
@main
struct Realmctl: CommandPlugin {
  func performCommand(context: PluginContext, arguments: [String]) throws {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: try context.tool(named: "realmctl").path.string)
    process.arguments = arguments
    try process.run()
    process.waitUntilExit()
    if process.terminationStatus != 0 { exit(process.terminationStatus) }
  }
}

import CProcess
import Foundation
import TestSupport
import Testing

/// A run that is interrupted while the external program of a plan is at work.
@Suite struct TransformProcessTests {
  private static let plan = """
    plan: 1
    steps:
      - to: 2
        do:
          - add_property: { class: Person, name: nick, type: string, value: { template: "{firstName}" } }
          - transform: { class: Person, command: [sh, -c, 'sleep 1000 & echo > started; mv started going; wait'] }
    """

  /// In place and into another file; the first steps are written already, to a copy that nobody sees.
  @Test(arguments: [SIGINT: 130, SIGTERM: 143, SIGHUP: 129] as [Int32: Int32], [[], ["-o", "new.realm"]])
  func aSignalEndsTheProgramAndLeavesTheFileAsItWas(
    _ signal: (key: Int32, value: Int32), _ options: [String]
  ) throws {
    let folder = try TemporaryFolder()
    try folder.write("a.realm", Fixture.bytes("engine/person-v1.realm"))
    try folder.write("plan.yml", Array(Self.plan.utf8))
    var tool = Tool()
    tool.folder = folder.path
    // The lock file is there from now on.
    #expect(try tool.run("migrate", "a.realm", "--plan", "plan.yml").status == 7)
    #expect(try tool.run("compact", "a.realm").status == 0)
    let before = try FolderContent(folder)
    let errors = try PipeEnds()
    let process = try tool.start(
      ["migrate", "a.realm", "--plan", "plan.yml", "--allow-exec"] + options, input: 0, output: 1,
      errors: errors.writeEnd)
    errors.closeWriting()
    while try !folder.names().contains("going") { sched_yield() }
    if options.isEmpty {
      // No other process can use the file meanwhile.
      #expect(try tool.run("compact", "a.realm", "--wait", "0").status == 6)
    }
    kill(process.identifier, signal.key)
    #expect(try process.wait() == .status(signal.value))
    // The pipe ends when nobody has it any more: the shell and what it started are gone.
    #expect(String(decoding: try errors.readToEnd(), as: UTF8.self) == "")
    try FileManager.default.removeItem(atPath: folder.path("going"))
    #expect(try FolderContent(folder) == before)
    #expect(try tool.run("compact", "a.realm", "--wait", "0").status == 0)
    _ = try LeftRealm(folder.path("a.realm"))
  }
}

import Foundation
import TestSupport
import Testing

/// The example program does what the README says of it.
@Suite struct ExampleTests {
  @Test func shelter() throws {
    let folder = try TemporaryFolder()
    var example = Tool()
    example.executable = Tool.builtProducts.appendingPathComponent("shelter-example").path
    let outcome = try example.run(folder.path("."))
    #expect(
      outcome.outputText == """
        created: true
        migrated: true
        version 2, file format 24
        Dog: 2
          0: Rex
          1: Fido
        Person: 1
          0: Alice
            has Rex
            has Fido
        Rex is in Person.dogs of 1

        """)
    #expect(outcome.errors == "")
    let checked = try Tool().run("check", "--strict", folder.path("shelter.realm"))
    #expect(checked.status == 0, "\(checked.outputText)")
  }
}

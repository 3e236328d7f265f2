import Foundation
import TestSupport
import Testing

@testable import realmctl

/// Advice about names, and about what was typed in the place of something else.
extension AdviceFollowedTests {
  static let nameRows: [Row] = [
    Row("help rqll", "did you mean 'rql'?", "help rql"),
    Row("rql", "for the topic: realmctl help rql", "help rql"),
    Row("help nonsense", "See 'realmctl --help' for all commands and topics", "--help"),
    Row("help query Dog", "See 'realmctl help query'", "help query"),
    Row("help rql more", "See 'realmctl help rql'", "help rql"),
    Row("schema dmp", "See 'realmctl schema --help' for all commands", "schema --help"),
    Row("help plan|0", "'realmctl plan --help' describes the commands", "plan --help"),
    Row("plan --help|0", "'realmctl help plan' describes plan files", "help plan"),
    Row("schema --help|0", "'realmctl help schema' describes schema files", "help schema"),
  ]
}

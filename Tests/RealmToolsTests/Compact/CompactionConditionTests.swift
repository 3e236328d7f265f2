import Testing

@testable import RealmTools

@Suite struct CompactionConditionTests {
  private static let space = SpaceUse(total: 200_000_000, free: 150_000_000)

  @Test(arguments: [
    ("total > 100MB && used < total / 2", true),
    ("total > 100 MB && used < total / 2", true),
    ("total>200MB", false), ("total>=200MB", true), ("total <= 200MB", true), ("total == 200MB", true),
    ("total != 200MB", false), ("used == 50MB", true), ("free == 150MB", true), ("free + used == total", true),
    ("total - used - free == 0", true), ("total - (used - free) == 300MB", true),
    ("total / 4 * 2 == 100MB", true), ("2 + 3 * 4 == 14", true), ("(2 + 3) * 4 == 20", true),
    ("-free < 0", true), ("0 - -1 == 1", true), ("!(total > 1)", false), ("!!(total > 1)", true),
    ("total > 1 || total / (used - used) < 1", true), ("total < 1 && total / (used - used) < 1", false),
    ("1KB == 1000", true), ("1MB == 1000KB", true), ("1GB == 1000MB", true), ("1KiB == 1024", true),
    ("1MiB == 1024KiB", true), ("1GiB == 1024MiB", true), ("1.5kb == 1500", true), ("0.5mib == 524288", true),
    // `&&` binds tighter than `||`.
    ("1 == 1 || 1 == 2 && 1 == 2", true), ("(1 == 1 || 1 == 2) && 1 == 2", false),
    ("\ttotal\n>\r1 ", true),
  ])
  func conditionsAreWhatTheySay(text: String, holds: Bool) throws {
    #expect(try CompactionCondition(text).holds(for: Self.space) == holds)
  }

  @Test(arguments: [
    ("", CompactionConditionError.Reason.missingOperand, 0), ("total", .notACondition, 0),
    ("total >", .missingOperand, 7),
    ("> 1", .missingOperand, 0), ("total > 1 &&", .missingOperand, 12), ("total > > 1", .missingOperand, 8),
    ("total 1", .missingOperator, 6), ("total > 1 (used)", .missingOperator, 10),
    ("(total > 1", .missingClosingParenthesis, 0),
    ("total > (1 + 2", .missingClosingParenthesis, 8), ("total > 1)", .unmatchedClosingParenthesis, 9),
    ("total = 1", .unknownCharacter, 6), ("total & 1", .unknownCharacter, 6), ("total > 1 # x", .unknownCharacter, 10),
    ("#", .unknownCharacter, 0), ("size > 1", .unknownName("size"), 0), ("Total > 1", .unknownName("Total"), 0),
    ("größe > 1", .unknownName("größe"), 0), ("total > 1 TB", .unknownUnit("TB"), 10),
    ("total > 1e9", .unknownUnit("e9"), 9),
    ("total > 1..2", .missingOperand, 8), ("total > .5", .missingOperand, 8),
    ("total > 99999999999999999999", .numberTooLarge, 8), ("total > 9999999999GiB", .numberTooLarge, 8),
    ("total && used > 1", .notACondition, 0), ("total > 1 && used", .notACondition, 13), ("!total", .notACondition, 1),
    ("(total > 1) + 1 > 2", .notASize, 0), ("1 < total < 5", .notASize, 0), ("-(total > 1) > 1", .notASize, 1),
    ("total / 0 > 1", .divisionByZero, 8), ("total / (1 - 1) > 1", .divisionByZero, 8),
    ("total / 0KB < 1", .divisionByZero, 8), ("total > 1 / (2 * (3 - 3))", .divisionByZero, 12),
    ("1 / -0 > 1", .divisionByZero, 4),
  ])
  func whatMeansNothingIsNamedWithItsPlace(text: String, reason: CompactionConditionError.Reason, position: Int) {
    #expect(throws: CompactionConditionError(reason: reason, position: position)) { try CompactionCondition(text) }
  }

  @Test(arguments: [
    "total / (used - used) > 1", "!(total / (used - used) > 1)", "(free - free) / (used - used) == 0",
    "total > 1 && total / (used - used) > 1", "total < 1 || 1 / (used - used) < 1",
  ])
  func anAnswerThatDependsOnADivisionByZeroIsNone(text: String) throws {
    let condition = try CompactionCondition(text)
    #expect(throws: CompactionDivisionByZero()) { try condition.holds(for: Self.space) }
  }

  @Test func anyDepthAndLengthEndsInAnAnswer() throws {
    let deep = String(repeating: "(", count: 100_000) + "total > 1" + String(repeating: ")", count: 100_000)
    #expect(throws: CompactionConditionError(reason: .tooDeep, position: 64)) { try CompactionCondition(deep) }
    let negated = String(repeating: "!", count: 100_000) + "(total > 1)"
    #expect(throws: CompactionConditionError.self) { try CompactionCondition(negated) }
    let long = "total > 0" + String(repeating: " && total + 1 > 0", count: 100_000)
    #expect(try CompactionCondition(long).holds(for: Self.space))
  }

  @Test func anyBytesEndInAConditionOrAnError() {
    let words = [
      "total", "used", "free", "(", ")", "!", "-", "+", "*", "/", "<", "<=", "==", "&&", "||", "1", "2.5MB", " ", "é",
      "=",
    ]
    var state: UInt64 = 42
    var valid = 0
    for _ in 0..<20_000 {
      var text = ""
      for _ in 0..<8 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        text += words[Int(state >> 33) % words.count]
      }
      if let condition = try? CompactionCondition(text) {
        valid += 1
        _ = try? condition.holds(for: Self.space)
      }
    }
    #expect(valid > 0)
  }
}

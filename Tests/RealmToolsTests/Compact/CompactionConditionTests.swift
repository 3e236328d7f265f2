import RealmOpening
import RealmQuery
import Testing

@testable import RealmTools

@Suite struct CompactionConditionTests {
  private static let space = SpaceUse(total: 200_000_000, free: 150_000_000)

  @Test(arguments: [
    ("total > 100MB && used < total / 2", true),
    ("total > 100 MB && used < total / 2", true),
    // As the SDKs call them.
    ("totalBytes == total && usedBytes == used", true), ("totalBytes > 100MB && usedBytes > 50MB", false),
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
    // As in plans.
    ("total % 7 == 4", true), ("total > 1e3", true), ("!total > 1GB", true), ("2 * -3MB < -5e6", true),
    ("1 == 2 || 1 == 2 || 1 == 1", true), ("1 == 1 && 1 == 1 && 1 == 2", false), ("total / 3 * 3 == total", true),
    ("total / (used - used) < 1 && total < 1", false), ("total / (used - used) < 1 || total > 1", true),
  ])
  func conditionsAreWhatTheySay(text: String, holds: Bool) throws {
    #expect(try CompactionCondition(text).holds(for: Self.space) == holds)
  }

  private static let operand = "expected a size, total, used, free, '!', '-' or '('"
  private static let signs = "expected an operator (+ - * / % < <= > >= == != && ||)"
  private static let condition = "expected a condition such as total > 100MiB, found a size"
  private static let size = "expected a size, found a condition"
  private static let names = "the names are total, used and free"
  private static let units = "the units are KB, MB, GB, KiB, MiB and GiB"

  private static let syntax: [(String, String, Int)] = [
    ("", "unexpected end, \(operand)", 1), ("total >", "unexpected end, \(operand)", 8),
    ("> 1", "unexpected '>', \(operand)", 1), ("total > 1 &&", "unexpected end, \(operand)", 13),
    ("total > > 1", "unexpected '>', \(operand)", 9), ("total 1", "unexpected '1', \(signs)", 7),
    ("total > 1 (used)", "unexpected '(', \(signs)", 11), ("(total > 1", "'(' is not closed", 1),
    ("total > (1 + 2", "'(' is not closed", 9), ("total > 1)", "unexpected ')', \(signs)", 10),
    ("total = 1", "unexpected '=', \(signs)", 7), ("total & 1", "unexpected '&', \(signs)", 7),
    ("total > 1 # x", "unexpected '#', \(signs)", 11), ("#", "unexpected '#', \(operand)", 1),
    ("total > 1..2", "'1..2' is not a number", 9), ("total > .5", "unexpected '.', \(operand)", 9),
    ("total > 99999999999999999999", "the number is too large", 9),
    ("total > 9999999999GiB", "the number is too large", 9),
    ("1 < total < 5", "comparisons cannot be chained; use '&&' between two", 11),
  ]

  private static let meanings: [(String, String, Int)] = [
    ("size > 1", "unknown name 'size'; \(names)", 1), ("Total > 1", "unknown name 'Total'; \(names)", 1),
    ("größe > 1", "unknown name 'größe'; \(names)", 1),
    ("total > 1 && größe > x", "unknown name 'größe'; \(names)", 14),
    ("total > 1 TB", "unknown unit 'TB'; \(units)", 11), ("total > 1é > x", "unknown unit 'é'; \(units)", 10),
    ("total", condition, 1), ("total && used > 1", condition, 1), ("total > 1 && used", condition, 14),
    ("!total", condition, 2), ("total > 1 || !(!used)", condition, 17), ("(total > 1) + 1 > 2", size, 1),
    ("-(total > 1) > 1", size, 2), ("total > (1 < 2)", size, 9),
    ("total / 0 > 1", "division by zero", 9), ("total / (1 - 1) > 1", "division by zero", 9),
    ("total / 0KB < 1", "division by zero", 9), ("total > 1 / (2 * (3 - 3))", "division by zero", 13),
    ("1 / -0 > 1", "division by zero", 5), ("total % 0 > 1", "division by zero", 9),
    // What plans have, but conditions on sizes do not.
    ("'total' > 1", "unexpected ''', \(operand)", 1), ("`total` > 1", "unexpected '`', \(operand)", 1),
    ("max(total, 1) > 1", "unknown name 'max'; \(names)", 1), ("true", "unknown name 'true'; \(names)", 1),
    ("total.x > 1", "unexpected '.', \(signs)", 6), ("total[0] > 1", "unexpected '[', \(signs)", 6),
  ]

  @Test(arguments: syntax + meanings)
  func whatMeansNothingIsNamedWithItsPlace(text: String, message: String, character: Int) {
    let error = #expect(throws: ExpressionError.self) { try CompactionCondition(text) }
    let parts = [error?.message, error?.advice].compactMap(\.self)
    #expect(parts.joined(separator: "; ") == message && error?.character(in: text) == character)
  }

  @Test(arguments: [
    "total / (used - used) > 1", "!(total / (used - used) > 1)", "(free - free) / (used - used) == 0",
    "total > 1 && total / (used - used) > 1", "total < 1 || 1 / (used - used) < 1", "total % (used - used) == 0",
  ])
  func anAnswerThatDependsOnADivisionByZeroIsNone(text: String) throws {
    let condition = try CompactionCondition(text)
    #expect(condition.holds(for: Self.space) == nil)
  }

  @Test func anyDepthAndLengthEndsInAnAnswer() throws {
    let deep = String(repeating: "(", count: 100_000) + "total > 1" + String(repeating: ")", count: 100_000)
    let error = #expect(throws: ExpressionError.self) { try CompactionCondition(deep) }
    #expect(error?.message == "nested more than 64 levels deep" && error?.character(in: deep) == 65)
    let negated = String(repeating: "!", count: 100_000) + "(total > 1)"
    #expect(throws: ExpressionError.self) { try CompactionCondition(negated) }
    let inner = String(repeating: "*1", count: 63) + String(repeating: "+1", count: 63)
    let heavy = String(repeating: "(", count: 63) + "1" + String(repeating: inner + ")", count: 63) + " > total"
    #expect(try CompactionCondition(heavy).holds(for: Self.space) == false)
    #expect(throws: ExpressionError.self) { try CompactionCondition("1" + inner + "+1 > 0") }
    let long = "total > 0" + String(repeating: " && total + 1 > 0", count: 100_000)
    #expect(try CompactionCondition(long).holds(for: Self.space) == true)
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
        _ = condition.holds(for: Self.space)
      }
    }
    #expect(valid > 0)
  }
}

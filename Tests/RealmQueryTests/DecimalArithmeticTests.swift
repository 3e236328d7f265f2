import RealmQuery
import RealmStorage
import RealmText
import TestSupport
import Testing

/// Arithmetic of decimals against another implementation, and at the ends of the range.
@Suite struct DecimalArithmeticTests {
  /// A line of `Fixtures/decimals/operations.txt`: `1E-6176 * 0.06 = 0E-6176`.
  private struct Case {
    let left: Decimal128
    let sign: Substring
    let right: Decimal128
    let result: Decimal128

    init(_ line: Substring) throws {
      let words = line.split(separator: " ")
      try #require(words.count == 5 && words[3] == "=", "\(line)")
      left = try #require(Decimal128(text: String(words[0])))
      sign = words[1]
      right = try #require(Decimal128(text: String(words[2])))
      result = try #require(Decimal128(text: String(words[4])))
    }

    var computed: Decimal128 {
      switch sign {
      case "+": DecimalArithmetic.add(left, right)
      case "-": DecimalArithmetic.subtract(left, right)
      case "*": DecimalArithmetic.multiply(left, right)
      default: DecimalArithmetic.divide(left, right)
      }
    }
  }

  @Test("results are those of another implementation, digit for digit") func recorded() throws {
    let lines = String(decoding: try Fixture.bytes("decimals/operations.txt"), as: UTF8.self).split(separator: "\n")
    #expect(lines.count == 3000)
    for line in lines {
      let one = try Case(line)
      #expect(one.computed == one.result, "\(line)")
    }
  }

  private static func decimal(_ text: String) throws -> Decimal128 { try #require(Decimal128(text: text)) }

  @Test(
    "what is too small becomes the nearest multiple of the least number",
    arguments: [
      ("1E-6176", "0.06", "0E-6176"), ("1E-6176", "0.5", "0E-6176"), ("1E-6176", "0.6", "1E-6176"),
      ("3E-6176", "0.5", "2E-6176"), ("9E-6176", "0.1", "1E-6176"), ("99E-6176", "0.01", "1E-6176"),
      ("6E-6176", "0.01", "0E-6176"), ("-6E-6176", "0.01", "-0E-6176"), ("1E-6176", "1E-6176", "0E-6176"),
      ("9.999999999999999999999999999999999E-6143", "1E-34", "1E-6176"),
    ]) func underflow(_ left: String, _ right: String, _ product: String) throws
  {
    let (left, right) = (try Self.decimal(left), try Self.decimal(right))
    #expect(DecimalArithmetic.multiply(left, right) == (try Self.decimal(product)))
    let reciprocal = DecimalArithmetic.divide(try Self.decimal("1"), right)
    // 1 / 0.06 is rounded; the others are exact.
    if DecimalArithmetic.multiply(reciprocal, right) == (try Self.decimal("1")) {
      #expect(DecimalArithmetic.divide(left, reciprocal) == (try Self.decimal(product)))
    }
  }

  @Test("any bits have a sum, difference, product and quotient") func anyBits() {
    var generator = SeededGenerator(seed: 15)
    for _ in 0..<20_000 {
      let left = Decimal128(low: generator.next(), high: generator.next())
      let right = Decimal128(low: generator.next(), high: generator.next())
      let sum = DecimalArithmetic.add(left, right)
      #expect(sum == DecimalArithmetic.add(right, left))
      let product = DecimalArithmetic.multiply(left, right)
      #expect(product == DecimalArithmetic.multiply(right, left))
      for result in [sum, product, DecimalArithmetic.subtract(left, right), DecimalArithmetic.divide(left, right)] {
        // Numbers are returned unchanged: results are canonical.
        let again = DecimalArithmetic.multiply(result, Decimal128(low: 1, high: 6176 << 49))
        #expect(again == result || result.classified == .nan)
      }
    }
  }

  @Test("a query over numbers at the ends of the range answers", arguments: ["*", "/", "+", "-"])
  func inQueries(_ sign: String) throws {
    let realm = try QueryRealm(
      schema: #"[{"name":"A","properties":{"a":"decimal128","b":"decimal128"}}]"#,
      data: """
        {"A":[{"a":"1E-6176","b":"9.999999999999999999999999999999999E+6144"},{"a":"-1E-6176","b":"1E-6176"},
        {"a":"9.999999999999999999999999999999999E+6144","b":"0.06"},{"a":"0","b":"1E+6111"},
        {"a":"9999999999999999999999999999999999E-6176","b":"3"}]}
        """)
    let table = try realm.table("A")
    for text in [
      "a \(sign) 0.06 >= 0", "a \(sign) b >= 0", "b \(sign) a < 1", "0.06 \(sign) a != 0", "a \(sign) 7 == 1E-6176",
      "a \(sign) 1e-300 > 0",
    ] {
      // Except for NaN, an object matches either a comparison or its opposite.
      let found = try Query(text, of: table, in: realm.snapshot).count().count
      #expect(found <= 5, "\(text)")
      #expect(try Query("NOT (\(text))", of: table, in: realm.snapshot).count().count == 5 - found, "\(text)")
    }
  }
}

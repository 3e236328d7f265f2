import RealmStorage
import Testing

@testable import RealmText

/// Which numbers come back from a double or float as they were written.
@Suite struct KeptDigitsTests {
  /// Oracle: Python 3.11, `Decimal(repr(float(text))) == Decimal(text)`, and the same over the nearest float of `struct`
  /// and its shortest `%.*g` that reads back as it.
  static let cases: [(text: String, double: Bool, float: Bool)] = [
    ("1.50", true, true), ("66.33146316081592", false, false), ("66.33146316081591", true, false),
    ("9007199254740993.0", false, false), ("9007199254740992", true, false), ("4611686018427387904", false, false),
    ("0.1", true, true), ("0.10000000000000001", false, false), ("1e400", false, false), ("1e-400", false, false),
    ("5e-324", true, false), ("4.9e-324", false, false), ("1.7976931348623157e308", true, false), ("-0.0", true, true),
    ("1e22", true, true), ("1e23", true, true), ("123456789012345678", false, false),
    ("0.1000000000000000055511151231257827021181583404541015625", false, false), ("16777217", true, false),
    ("1.23456789", true, false), ("3.4028235e38", true, true), ("1e-45", true, true),
    ("2.2250738585072014e-308", true, false), ("1.50000000000000000000000000000000000000000", true, true),
    ("1103467384450487.4", true, false), ("3710269800640.1987", true, false), ("0.073660224830986984", false, false),
    ("656394.5283064821", true, false), ("4.461863116317828e-05", true, false), ("2.9686765372541855", true, false),
    ("21310444177985028", true, false),
  ]

  private func bytes<Result>(_ text: String, _ body: (UnsafeRawBufferPointer) -> Result) -> Result {
    Array(text.utf8).withUnsafeBytes(body)
  }

  @Test("a number is kept if the shortest text of the nearest one has the same digits", arguments: cases)
  func numbers(_ each: (text: String, double: Bool, float: Bool)) {
    #expect(bytes(each.text) { Double.keeps($0) } == each.double)
    #expect(bytes(each.text) { Float.keeps($0) } == each.float)
  }

  @Test("the 17 digits that C writes for a double are no number of their own")
  func longForms() {
    #expect(bytes("1.0000000000000001e-01") { Double.keeps($0, acceptsLongForm: true) })
    #expect(bytes("66.331463160815915") { Double.keeps($0, acceptsLongForm: true) })
    #expect(!bytes("66.33146316081592") { Double.keeps($0, acceptsLongForm: true) })
    #expect(!bytes("9007199254740993") { Double.keeps($0, acceptsLongForm: true) })
  }
}

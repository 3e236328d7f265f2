import ArgumentParser
import RealmExchange
import RealmStorage

/// How much data an answer may read if it visits the same objects again and again.
struct WorkLimitOption: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Maximum amount of data to read through links.",
      discussion:
        "Counts data each time it is read. "
        + "Default: 64GiB, or 4096 times the file size if that is more.",
      valueName: "size"))
  var workLimit: ByteLimit?
}

/// A number of bytes as a user writes it: `500000`, `64M`, `2GiB`, `2GB`. Units are those of `CompactionCondition`:
/// `KiB` is 1024 bytes and `KB` 1000; a letter alone means the former, as in most tools.
struct ByteLimit: Equatable, Sendable, ExpressibleByArgument {
  let byteCount: Int

  init?(argument: String) {
    let digits = argument.prefix { $0.isASCII && $0.isNumber }
    let unit = argument.dropFirst(digits.count).uppercased()
    // Not one condition: the compiler took four seconds to find its types.
    let power = ["", "K", "M", "G", "T"].firstIndex { (letter: String) -> Bool in
      let names: [String] = letter.isEmpty ? ["", "B"] : [letter, letter + "B", letter + "IB"]
      return names.contains(unit)
    }
    guard let number = Int(digits), let power else { return nil }
    let base = unit.count == 2 ? 1000 : 1024
    let factor = (0..<power).reduce(1) { product, _ in product * base }
    let (product, overflow) = number.multipliedReportingOverflow(by: factor)
    guard !overflow else { return nil }
    byteCount = product
  }

  /// Sets the limit of a snapshot, if there is one.
  static func apply(_ limit: ByteLimit?, to realm: OpenedRealm) {
    if let limit { realm.snapshot.workLimit = limit.byteCount }
  }
}

import RealmText

/// Sizes for people: exact, and with a unit where that is easier to read.
package enum ByteCount {
  /// `24576 bytes (24.0 KiB)`
  package static func text(_ count: UInt64) -> String {
    let exact = count.counted("byte")
    return count < 1024 ? exact : "\(exact) (\(short(count)))"
  }

  /// `24576 bytes (24.0 KiB, 12.5%)`
  package static func text(_ count: UInt64, share: String) -> String {
    "\(count.counted("byte")) (\(count < 1024 ? "" : short(count) + ", ")\(share))"
  }

  /// `24.0 KiB`, rounded
  package static func short(_ count: UInt64) -> String {
    guard count >= 1024 else { return "\(count) B" }
    var unit: UInt64 = 1024
    var names = ["KiB", "MiB", "GiB", "TiB", "PiB", "EiB"][...]
    var tenths: UInt64 {
      let (whole, rest) = count.quotientAndRemainder(dividingBy: unit)
      // Rest is less than the unit, 2^60 at most: no overflow.
      return whole * 10 + (rest * 10 + unit / 2) / unit
    }
    while tenths >= 10240, names.count > 1 {
      unit *= 1024
      names = names.dropFirst()
    }
    return "\(tenths / 10).\(tenths % 10) \(names.first ?? "")"
  }
}

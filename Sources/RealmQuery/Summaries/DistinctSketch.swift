import Libc
import RealmStorage

/// Estimates how many different values there are, in 32 KiB whatever their number: HyperLogLog (Flajolet and others, 2007).
///
/// The standard error is 0.6 %. The same values give the same estimate.
struct DistinctSketch {
  private static let indexBits = 15
  private static let registerCount = 1 << indexBits
  private var registers = [UInt8](repeating: 0, count: registerCount)

  /// Takes note of a value.
  ///
  /// - Parameter hash: its hash, all bits of which are as good as random.
  mutating func add(_ hash: UInt64) {
    // Mixed once more: hashes may come from functions with weak upper bits.
    var bits = hash
    bits = (bits ^ bits >> 33) &* 0xff51_afd7_ed55_8ccd
    bits = (bits ^ bits >> 33) &* 0xc4ce_b9fe_1a85_ec53
    bits ^= bits >> 33
    let index = Int(bits >> UInt64(64 - Self.indexBits))
    let rest = bits << UInt64(Self.indexBits) | 1 << UInt64(Self.indexBits - 1)
    registers[index] = max(registers[index], UInt8(rest.leadingZeroBitCount + 1))
  }

  /// How many there are, about.
  var estimate: Int {
    let count = Double(Self.registerCount)
    var sum = 0.0
    var empty = 0
    for register in registers {
      sum += 1 / Double(UInt64(1) << UInt64(register))
      if register == 0 { empty += 1 }
    }
    let raw = 0.7213 / (1 + 1.079 / count) * count * count / sum
    // With few values most registers are empty, and their number tells more.
    let isSmall = raw <= 2.5 * count && empty > 0
    return Int(clamping: (isSmall ? count * log(count / Double(empty)) : raw).rounded())
  }
}

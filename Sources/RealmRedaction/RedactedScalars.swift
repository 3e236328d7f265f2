import RealmStorage

/// Replaces scalars by others, all with one key. Any number of threads may use it.
final class RedactedScalars: Sendable {
  private let permutation: KeyedPermutation
  private let texts: KeyedHash
  private let data: KeyedHash
  private let numbers: KeyedHash
  private let ids: KeyedHash
  private let dates: KeyedHash
  private let masks: KeyedHash
  private let noises: KeyedHash

  init(_ key: RedactionKey) {
    permutation = KeyedPermutation(key.hash(for: "int"))
    (texts, data, numbers) = (key.hash(for: "text"), key.hash(for: "data"), key.hash(for: "number"))
    (ids, dates, masks, noises) = (
      key.hash(for: "id"), key.hash(for: "date"), key.hash(for: "mask"), key.hash(for: "noise")
    )
  }

  // MARK: Hash

  /// The keyed hash of a value, of the same type. A value that is not a scalar, or has no hash, is returned unchanged.
  ///
  /// - Parameter keepsTime: whether object ids keep the time at which they were created.
  /// - Throws: `StorageError` if the value cannot be read.
  func hash(_ value: ValueView, keepsTime: Bool = false, in arena: ByteArena) throws -> ValueView {
    switch value {
    case .int(let number): return .int(permutation(number))
    // A boolean has only two values, so any replacement would show which is which.
    case .bool: return .bool(false)
    case .string(let text):
      return .string(try Self.withBytes(of: text) { hashedText($0, in: arena) })
    case .data(let bytes):
      let words = try data.digest(bytes).words
      return .data(withUnsafeBytes(of: words) { BlobView(arena.copy($0)) })
    case .float, .double, .decimal: return hashedNumber(value)
    case .date(let date):
      // From 1970 to 2038.
      let digest = dates.digest(UInt64(bitPattern: date.seconds), UInt64(bitPattern: Int64(date.nanoseconds)))
      return .date(Timestamp(seconds: Int64(digest.words.x.littleEndian >> 33), nanoseconds: 0))
    case .uuid(let id): return .uuid(hashed(id))
    case .objectID(let id): return .objectID(hashed(id, keepsTime: keepsTime))
    case .null, .link, .typedLink, .list, .set, .dictionary: return value
    }
  }

  /// A keyed hash as a key of a dictionary, which cannot be an address: it may have no point.
  func hash(key: BlobView, in arena: ByteArena) throws -> BlobView {
    try Self.withBytes(of: key) { hashedText($0, isKey: true, in: arena) }
  }

  /// The keyed hash of a text: 24 hexadecimal digits; for an e-mail address, an address at a domain that nobody has;
  /// for a UUID, digits in the same groups.
  private func hashedText(_ text: UnsafeRawBufferPointer, isKey: Bool = false, in arena: ByteArena) -> BlobView {
    let digest = texts.digest(text)
    if let id = RealmUUID(canonical: text) {
      let hasUpper = text.contains { (UInt8(ascii: "A")...UInt8(ascii: "F")).contains($0) }
      let hasLower = text.contains { (UInt8(ascii: "a")...UInt8(ascii: "f")).contains($0) }
      // As a text, the same UUID in letters of both cases is another value.
      let isOfOneCase = !(hasUpper && hasLower)
      let other = isOfOneCase ? hashed(id) : Self.replaced(id, by: digest)
      return Self.copied(other.canonicalText(isUpper: isOfOneCase && hasUpper), in: arena)
    }
    let suffix: StaticString = !isKey && Self.isAddress(text) ? "@example.com" : ""
    return withUnsafeTemporaryAllocation(byteCount: Self.digitCount + suffix.utf8CodeUnitCount, alignment: 1) { bytes in
      Self.writeHex(digest, to: UnsafeMutableRawBufferPointer(rebasing: bytes[..<Self.digitCount]))
      suffix.withUTF8Buffer {
        UnsafeMutableRawBufferPointer(rebasing: bytes[Self.digitCount...]).copyBytes(from: $0)
      }
      return BlobView(arena.copy(UnsafeRawBufferPointer(bytes)))
    }
  }

  private static let digitCount = 24

  private static func writeHex(_ digest: KeyedDigest, to text: UnsafeMutableRawBufferPointer) {
    withUnsafeBytes(of: digest.words) { bytes in
      for index in text.indices {
        let half: UInt8 = index & 1 == 0 ? bytes[index / 2] >> 4 : bytes[index / 2] & 15
        text[index] = half < 10 ? UInt8(ascii: "0") + half : UInt8(ascii: "a") + half - 10
      }
    }
  }

  /// Whether the text is something, one `@`, and something with a point.
  static func isAddress(_ text: UnsafeRawBufferPointer) -> Bool {
    guard text.count <= 254, let at = text.firstIndex(of: UInt8(ascii: "@")), at > 0 else { return false }
    let domain = text[(at + 1)...]
    return domain.contains(UInt8(ascii: ".")) && !domain.contains(UInt8(ascii: "@"))
      && !text.contains(UInt8(ascii: " "))
  }

  private func hashed(_ id: RealmUUID) -> RealmUUID { Self.replaced(id, by: ids.digest(16, id.head, id.tail)) }

  /// The version and the variant stay.
  private static func replaced(_ id: RealmUUID, by digest: KeyedDigest) -> RealmUUID {
    let (head, tail) = (digest.words.x.littleEndian, digest.words.y.littleEndian)
    return RealmUUID(head: head & ~0xf000 | id.head & 0xf000, tail: tail & ~(3 << 62) | id.tail & 3 << 62)
  }

  private func hashed(_ id: ObjectID, keepsTime: Bool) -> ObjectID {
    let words = ids.digest(12, id.head, UInt64(id.tail)).words
    let head = words.x.littleEndian
    let tail = UInt32(truncatingIfNeeded: words.y.littleEndian)
    return ObjectID(head: keepsTime ? id.head & ~0xffff_ffff | head & 0xffff_ffff : head, tail: tail)
  }

  /// A number from 0 up to 1, which reveals neither sign nor size.
  private func hashedNumber(_ value: ValueView) -> ValueView {
    switch value {
    case .float(let number):
      let bits = (number == 0 ? 0 : number).bitPattern
      return .float(Float(numbers.digest(4, UInt64(bits)).words.x.littleEndian >> 40) * 0x1p-24)
    case .double(let number):
      var random = KeyedNumbers(numbers.digest(8, (number == 0 ? 0 : number).bitPattern))
      return .double(random.fraction())
    case .decimal(let number):
      let same = number.shortened
      let random = numbers.digest(16, same.low, same.high).words.x.littleEndian
      let digits: UInt64 = 10_000_000_000_000_000
      return .decimal(
        Decimal128(coefficient: Unsigned128(random % digits), exponent: -16, isNegative: false))
    default: return value
    }
  }

  // MARK: Mask

  /// Another value of the same length and kind; if no such thing exists, its hash.
  func mask(_ value: ValueView, in arena: ByteArena) throws -> ValueView {
    switch value {
    case .string(let text):
      return .string(
        Self.copied(
          try Self.withBytes(of: text) { text in
            var random = KeyedNumbers(masks.digest(text))
            return TextMask.masked(text, otherThan: text, &random)
          }, in: arena))
    case .data(let bytes):
      var random = KeyedNumbers(try masks.digest(bytes))
      var other = (0..<bytes.count).map { _ in UInt8(truncatingIfNeeded: random.next()) }
      if try !other.isEmpty && other == bytes.copied() { other[0] ^= 1 }
      return .data(Self.copied(other, in: arena))
    case .int(let number): return .int(maskedInteger(number))
    case .float, .double, .decimal: return maskedNumber(value)
    default: return try hash(value, in: arena)
    }
  }

  /// Another number with as many digits.
  private func maskedInteger(_ number: Int64) -> Int64 {
    var random = KeyedNumbers(masks.digest(UInt64(bitPattern: number)))
    let (low, high) = Self.decade(of: Unsigned128(number.magnitude))
    let limit = min(high, Unsigned128(number < 0 ? 1 << 63 : 1 << 63 - 1))
    let magnitude = Self.number(from: low, through: limit, otherThan: Unsigned128(number.magnitude), &random)
    return Int64(truncatingIfNeeded: Signed128(magnitude, isNegative: number < 0))
  }

  /// The least and the greatest number of as many digits.
  private static func decade(of number: Unsigned128) -> (low: Unsigned128, high: Unsigned128) {
    var end: Unsigned128 = 10
    while end <= number, end < Unsigned128.max / 10 { end = end * 10 }
    return (end == 10 ? 0 : end / 10, end - 1)
  }

  /// - Parameters:
  ///   - low: less than `high`.
  ///   - same: in the range.
  private static func number(
    from low: Unsigned128, through high: Unsigned128, otherThan same: Unsigned128, _ random: inout KeyedNumbers
  ) -> Unsigned128 {
    let other = number(from: low, through: high - 1, &random)
    return other < same ? other : other + 1
  }

  static func number(from low: Unsigned128, through high: Unsigned128, _ random: inout KeyedNumbers) -> Unsigned128 {
    guard low < high else { return low }
    return low + Unsigned128(high: random.next(), low: random.next()) % (high - low + 1)
  }

  /// The same sign, and about the same size; 0, infinities and NaN stay.
  private func maskedNumber(_ value: ValueView) -> ValueView {
    switch value {
    case .float(let number) where number.isFinite && number != 0:
      let random = masks.digest(4, UInt64(number.bitPattern)).words.x.littleEndian
      let bits = number.bitPattern & ~0x7f_ffff | UInt32(truncatingIfNeeded: random) & 0x7f_ffff
      return .float(Float(bitPattern: bits == number.bitPattern ? bits ^ 1 : bits))
    case .double(let number) where number.isFinite && number != 0:
      let random = masks.digest(8, number.bitPattern).words.x.littleEndian
      let mantissa: UInt64 = 0xf_ffff_ffff_ffff
      let bits = number.bitPattern & ~mantissa | random & mantissa
      return .double(Double(bitPattern: bits == number.bitPattern ? bits ^ 1 : bits))
    case .decimal(let number):
      guard case .finite(let isNegative, let coefficient, let exponent) = number.classified, coefficient != 0 else {
        return value
      }
      var random = KeyedNumbers(masks.digest(16, number.low, number.high))
      let (low, high) = Self.decade(of: coefficient)
      let other = Self.number(from: low, through: high, otherThan: coefficient, &random)
      return .decimal(Decimal128(coefficient: other, exponent: exponent, isNegative: isNegative))
    default: return value
    }
  }

  // MARK: Noise and steps

  /// A number to which an amount, decided by the key and the number, is added or from which it is subtracted; nil for
  /// anything else.
  func noisy(_ value: ValueView, _ range: NoiseRange) -> ValueView? {
    func offset(_ magnitude: Double, _ bits: UInt64) -> Double {
      var random = KeyedNumbers(noises.digest(bits, 0))
      let limit =
        switch range {
        case .absolute(let limit): limit
        case .relative(let share): magnitude * share
        }
      return random.signedFraction() * limit
    }
    switch value {
    case .int(let number):
      var random = KeyedNumbers(noises.digest(UInt64(bitPattern: number), 0))
      let limit =
        switch range {
        case .absolute(let limit): Unsigned128(clamping: min(limit, 0x1p64))
        case .relative(let share): Self.part(share, of: Unsigned128(number.magnitude))
        }
      // A share of a small int would change nothing.
      let bounds = Signed128(Int64.min)...Signed128(Int64.max)
      return .int(Int64(clamping: Self.near(Signed128(number), within: max(limit, 1), bounds, &random)))
    case .float(let number):
      guard number.isFinite else { return value }
      let most = Double(Float.greatestFiniteMagnitude)
      let offset = offset(Double(abs(number)), UInt64(number.bitPattern))
      return .float(Self.moved(number, by: Float(max(-most, min(offset, most)))))
    case .double(let number):
      return .double(number.isFinite ? Self.moved(number, by: offset(abs(number), number.bitPattern)) : number)
    case .decimal(let number):
      var random = KeyedNumbers(noises.digest(number.low, number.high))
      return .decimal(Self.noisy(number, range, &random))
    default: return nil
    }
  }

  /// In the other direction if the sum would be infinite.
  private static func moved<Real: BinaryFloatingPoint>(_ number: Real, by offset: Real) -> Real {
    let sum = number + offset
    return sum.isFinite ? sum : number - offset
  }

  /// The largest multiple of a step that is not above the number; nil if it is not a number.
  func rounded(_ value: ValueView, to step: Double) -> ValueView? {
    switch value {
    case .int(let number):
      guard step == step.rounded() else {
        // Occurs only in a Mixed value.
        return .int(Int64(exactly: ((Double(number) / step).rounded(.down) * step).rounded(.down)) ?? 0)
      }
      guard let step = Int64(exactly: step) else { return .int(number < 0 ? .min : 0) }
      let rest = number % step
      let (floor, isTooLow) = number.subtractingReportingOverflow(rest < 0 ? rest + step : rest)
      return .int(isTooLow ? number - rest : floor)
    case .float(let number):
      return .float(Float(Self.rounded(Double(number), to: step, limit: Double(Float.greatestFiniteMagnitude))))
    case .double(let number):
      return .double(Self.rounded(number, to: step, limit: Double.greatestFiniteMagnitude))
    case .decimal(let number): return .decimal(Self.rounded(number, to: step))
    default: return nil
    }
  }

  /// The last multiple within the limit, if the one below the number is not. Infinities and NaN stay, and so does what is a
  /// multiple with all the digits that it has.
  private static func rounded(_ number: Double, to step: Double, limit: Double) -> Double {
    let count = (number / step).rounded(.down)
    let multiple = count * step
    guard number.isFinite, count.isFinite, multiple <= limit else { return number }
    return multiple >= -limit ? multiple : (count + 1) * step
  }

  // MARK: Bytes

  static func withBytes<Result>(
    of text: BlobView, _ body: (UnsafeRawBufferPointer) throws -> Result
  ) throws -> Result {
    if let bytes = text.contiguous { return try body(bytes) }
    return try text.copied().withUnsafeBytes { try body($0) }
  }

  static func copied(_ bytes: [UInt8], in arena: ByteArena) -> BlobView {
    bytes.withUnsafeBytes { BlobView(arena.copy($0)) }
  }

  static func copied(_ bytes: Slice<UnsafeRawBufferPointer>, in arena: ByteArena) -> BlobView {
    BlobView(arena.copy(UnsafeRawBufferPointer(rebasing: bytes)))
  }
}

extension RealmUUID {
  /// The UUID that a text of 36 characters is.
  fileprivate init?(canonical text: UnsafeRawBufferPointer) {
    guard text.count == 36 else { return nil }
    var (head, tail): (UInt64, UInt64) = (0, 0)
    for (index, byte) in text.enumerated() {
      if [8, 13, 18, 23].contains(index) {
        guard byte == UInt8(ascii: "-") else { return nil }
        continue
      }
      let digit: UInt8
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"): digit = byte - UInt8(ascii: "0")
      case UInt8(ascii: "a")...UInt8(ascii: "f"): digit = byte - UInt8(ascii: "a") + 10
      case UInt8(ascii: "A")...UInt8(ascii: "F"): digit = byte - UInt8(ascii: "A") + 10
      default: return nil
      }
      head = head << 4 | tail >> 60
      tail = tail << 4 | UInt64(digit)
    }
    self.init(head: head, tail: tail)
  }

  fileprivate func canonicalText(isUpper: Bool) -> [UInt8] {
    let digits = Array((isUpper ? "0123456789ABCDEF" : "0123456789abcdef").utf8)
    var text: [UInt8] = []
    for index in 0..<32 {
      if [8, 12, 16, 20].contains(index) { text.append(UInt8(ascii: "-")) }
      let word = index < 16 ? head : tail
      text.append(digits[Int(word >> UInt64(60 - index % 16 * 4) & 15)])
    }
    return text
  }
}

extension Decimal128 {
  /// The same number with as few digits as it takes; of zeros one, of NaN and infinities what they are.
  fileprivate var shortened: Decimal128 {
    guard case .finite(let isNegative, var coefficient, var exponent) = classified else { return self }
    guard coefficient != 0 else { return Decimal128(coefficient: 0, exponent: 0, isNegative: false) }
    while coefficient % 10 == 0 {
      (coefficient, exponent) = (coefficient / 10, exponent + 1)
    }
    return Decimal128(coefficient: coefficient, exponent: exponent, isNegative: isNegative)
  }
}

import RealmStorage
import RealmText

/// Turns scalars of one type into another, without loss or not at all: the conversion table of `Docs/Plan.md`.
struct ScalarConversion {
  let type: PropertyType
  var options = ConversionOptions()

  /// Whether values of a type can be converted at all. Mixed values are asked one by one.
  static func isPossible(from source: PropertyType, to target: PropertyType) -> Bool {
    if source == target || source == .mixed || target == .mixed { return true }
    switch (source, target) {
    case (_, .object), (.object, _), (_, .linkingObjects), (.linkingObjects, _): return false
    case (.objectID, .date), (.string, _), (_, .string): return true
    case (.int, _), (.float, _), (.double, _), (.decimal128, _), (.bool, _), (.date, _):
      let isDateToTruth = source == .date && target == .bool || source == .bool && target == .date
      return [.int, .float, .double, .decimal128, .bool, .date].contains(target) && !isDateToTruth
    default: return false
    }
  }

  /// - Parameter value: a scalar, not null.
  /// - Throws: `ValueError`.
  func convert(_ value: Value) throws(ValueError) -> Value {
    if case .string(let text) = value, type != .data, type != .mixed { return try read(text, value) }
    return switch type {
    case .int: .int(try int(value))
    case .bool: .bool(try bool(value))
    case .float: .float(try float(value))
    case .double: .double(try double(value))
    case .decimal128: .decimal(try decimal(value))
    case .string: .string(try string(value))
    case .date: .date(try date(value))
    case .data: .data(try data(value))
    case .objectID: try identifier(value)
    case .uuid: try identifier(value)
    case .mixed: try mixed(value)
    case .object, .linkingObjects: throw ValueError(value, type)
    }
  }

  /// The value that a text means.
  private func read(_ text: RealmString, _ value: Value) throws(ValueError) -> Value {
    var text = text
    // The reader of files allows white space around a boolean, but around nothing else.
    if type == .bool, text.utf8.contains(where: { $0 <= 0x20 }) { return try refuse(value) }
    // With a space instead of the letter a date would not need its zone.
    if type == .date { text.utf8.replace([0x20], with: [UInt8(ascii: "T")]) }
    do throws(NumberOutOfRange) {
      if let read = try Value(text: text, as: type) { return read }
    } catch { throw ValueError("\(value.shown) is beyond the range of \(type.schemaName)") }
    return try refuse(value)
  }

  /// The number that a text means.
  private func read(_ value: Value) throws(ValueError) -> Value { try read(need(value.plainText, value), value) }

  // MARK: Numbers

  private func int(_ value: Value) throws(ValueError) -> Int64 {
    switch value {
    case .int(let number): return number
    case .bool(let flag): return flag ? 1 : 0
    case .float(let number): return try whole(Double(number), value)
    case .double(let number): return try whole(number, value)
    case .decimal(let number): return try need(DecimalNumber(number).flatMap { whole($0) }, value)
    case .date(let date):
      guard date.nanoseconds != 0 else { return date.seconds }
      let (down, up) = (date.nanoseconds < 0, date.nanoseconds > 0)
      switch options.rounding {
      case nil: throw ValueError("\(value.shown) has a fraction of a second, and int has none", .fraction)
      case .floor: return try next(date.seconds, down ? -1 : 0, value)
      case .ceil: return try next(date.seconds, up ? 1 : 0, value)
      case .truncate: return date.seconds
      case .round:
        guard date.nanoseconds.magnitude >= 500_000_000 else { return date.seconds }
        return try next(date.seconds, down ? -1 : 1, value)
      }
    default: return try refuse(value)
    }
  }

  private func next(_ seconds: Int64, _ step: Int64, _ value: Value) throws(ValueError) -> Int64 {
    let (result, overflow) = seconds.addingReportingOverflow(step)
    guard !overflow else { throw ValueError("\(value.shown) is beyond the range of int") }
    return result
  }

  private func whole(_ number: Double, _ value: Value) throws(ValueError) -> Int64 {
    var number = number
    switch options.rounding {
    case nil: break
    case .floor: number = number.rounded(.down)
    case .ceil: number = number.rounded(.up)
    case .truncate: number = number.rounded(.towardZero)
    case .round: number = number.rounded(.toNearestOrAwayFromZero)
    }
    guard let whole = Int64(exactly: number) else {
      guard number.isFinite, number == number.rounded() else {
        throw ValueError("\(value.shown) is not a whole number", number.isFinite ? .fraction : .other)
      }
      throw ValueError("\(value.shown) is beyond the range of int")
    }
    return whole
  }

  private func whole(_ number: DecimalNumber) -> Int64? {
    if let whole = number.int64 { return whole }
    guard let rounding = options.rounding else { return nil }
    return number.rounded(rounding).int64
  }

  private func double(_ value: Value) throws(ValueError) -> Double {
    switch value {
    case .int(let number):
      guard number.magnitude <= 1 << 53 else {
        throw ValueError("\(number) is beyond 2^53 and cannot be stored exactly as a double")
      }
      return Double(number)
    case .bool(let flag): return flag ? 1 : 0
    case .float(let number): return Double(number)
    case .double(let number): return number
    case .decimal(let number): return try nearest(number, value)
    case .date(let date): return Double(date.seconds) + Double(date.nanoseconds) / 1e9
    default: return try refuse(value)
    }
  }

  private func nearest(_ number: Decimal128, _ value: Value) throws(ValueError) -> Double {
    let nearest = try need(ScalarConversion(type: .double).read(value).doubleValue, value)
    if options.isExact, let wanted = DecimalNumber(number) {
      let read = Value.double(nearest).plainText.flatMap(DecimalReading.init)?.decimal
      guard read.flatMap(DecimalNumber.init).map({ $0.adding(wanted.negated).isZero }) ?? false else {
        throw ValueError("\(value.shown) cannot be stored exactly as a double")
      }
    }
    return nearest
  }

  private func float(_ value: Value) throws(ValueError) -> Float {
    switch value {
    case .int(let number):
      guard let exact = Float(exactly: number) else {
        throw ValueError("\(number) cannot be stored exactly as a float")
      }
      return exact
    case .float(let number): return number
    case .decimal: return try need(ScalarConversion(type: .float).read(value).floatValue, value)
    default:
      let number = try double(value)
      let rounded = Float(number)
      guard rounded.isFinite || !number.isFinite else {
        throw ValueError("\(value.shown) is beyond the range of float")
      }
      return rounded
    }
  }

  private func decimal(_ value: Value) throws(ValueError) -> Decimal128 {
    switch value {
    case .decimal(let number): return number
    case .bool(let flag): return DecimalNumber(flag ? 1 : 0).decimal
    case .int(let number): return DecimalNumber(number).decimal
    case .date(let date): return DecimalNumber(date).decimal
    case .float, .double:
      return try need(ScalarConversion(type: .decimal128).read(value).decimal128Value, value)
    default: return try refuse(value)
    }
  }

  private func bool(_ value: Value) throws(ValueError) -> Bool {
    switch value {
    case .bool(let flag): return flag
    case .int, .float, .double, .decimal:
      switch try? ScalarConversion(type: .int).int(value) {
      case 0: return false
      case 1: return true
      default: throw ValueError("\(value.shown) is neither 0 nor 1")
      }
    default: return try refuse(value)
    }
  }

  // MARK: Others

  private func string(_ value: Value) throws(ValueError) -> RealmString {
    guard case .data(let bytes) = value, options.encoding == .utf8 else { return try need(value.plainText, value) }
    guard String(utf8: bytes) != nil else {
      throw ValueError(
        "data of \(bytes.count.counted("byte")) is not UTF-8", key: "'encoding: base64' takes any bytes")
    }
    return RealmString(utf8: bytes)
  }

  private func data(_ value: Value) throws(ValueError) -> [UInt8] {
    switch value {
    case .data(let bytes): return bytes
    case .string(let text):
      guard options.encoding == .base64 else { return text.utf8 }
      guard let bytes = text.utf8.withUnsafeBytes({ Base64.decode($0) }) else {
        throw ValueError("\(value.shown) is not Base64")
      }
      return bytes
    default: return try refuse(value)
    }
  }

  private func date(_ value: Value) throws(ValueError) -> Timestamp {
    switch value {
    case .date(let date): return date
    case .int(let seconds): return Timestamp(seconds: seconds, nanoseconds: 0)
    case .objectID(let id):
      // The first four bytes are seconds since 1970.
      return Timestamp(seconds: Int64(id.head >> 32), nanoseconds: 0)
    case .float, .double, .decimal:
      guard let text = value.plainText, let reading = DecimalReading(text: text), !reading.isRounded,
        let date = DecimalNumber(reading.decimal)?.timestamp
      else { throw ValueError("\(value.shown) is out of range for a date in seconds") }
      return date
    default: return try refuse(value)
    }
  }

  private func identifier(_ value: Value) throws(ValueError) -> Value {
    switch (value, type) {
    case (.objectID, .objectID), (.uuid, .uuid): return value
    default: return try refuse(value)
    }
  }

  private func mixed(_ value: Value) throws(ValueError) -> Value {
    switch value {
    case .link(let table, let key): return .typedLink(table, key)
    case .set: throw ValueError("a set cannot be inside a mixed value")
    default: return value
    }
  }

  private func need<Result>(_ result: Result?, _ value: Value) throws(ValueError) -> Result {
    guard let result else { throw ValueError(value, type) }
    return result
  }

  private func refuse<Result>(_ value: Value) throws(ValueError) -> Result { throw ValueError(value, type) }
}

import CSQLite
import RealmStorage
import RealmText

/// `sum`, `avg` and `total` as SQLite has them, but for texts that are decimals: these are added exactly, and the result is
/// rounded once.
enum SQLAggregates {
  /// The memory of one group, which SQLite fills with zeros.
  private struct State {
    var count: Int
    var integers: Int64
    var reals: Double
    /// Whether something was no integer.
    var isReal: Bool
    var overflows: Bool
    /// A `DecimalBox`, retained; nil without decimals.
    var decimals: UnsafeMutableRawPointer?
  }

  private final class DecimalBox { var sum = DecimalSum() }

  /// - Returns: whether SQLite knows the functions now.
  static func register(in connection: OpaquePointer) -> Bool {
    register(
      "sum", in: connection, { SQLAggregates.giveSum($0) },
      last: { SQLAggregates.release($0, after: SQLAggregates.giveSum) })
      && register(
        "avg", in: connection, { SQLAggregates.giveAverage($0) },
        last: { SQLAggregates.release($0, after: SQLAggregates.giveAverage) })
      && register(
        "total", in: connection, { SQLAggregates.giveTotal($0) },
        last: { SQLAggregates.release($0, after: SQLAggregates.giveTotal) })
  }

  private typealias Result = @convention(c) (OpaquePointer?) -> Void

  private static func register(
    _ name: String, in connection: OpaquePointer, _ value: @escaping Result, last: @escaping Result
  ) -> Bool {
    sqlite3_create_window_function(
      connection, name, 1, SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS, nil,
      { context, _, arguments in SQLAggregates.step(context, arguments, adds: true) }, last, value,
      { context, _, arguments in SQLAggregates.step(context, arguments, adds: false) }, nil) == SQLITE_OK
  }

  /// - Parameter size: 0 for no memory if there has been no value.
  private static func state(_ context: OpaquePointer?, _ size: Int) -> UnsafeMutablePointer<State>? {
    sqlite3_aggregate_context(context, Int32(size))?.assumingMemoryBound(to: State.self)
  }

  private static func release(_ context: OpaquePointer?, after give: (OpaquePointer?) -> Void) {
    give(context)
    guard let decimals = state(context, 0)?.pointee.decimals else { return }
    Unmanaged<DecimalBox>.fromOpaque(decimals).release()
  }

  // MARK: Values

  private static func step(
    _ context: OpaquePointer?, _ arguments: UnsafeMutablePointer<OpaquePointer?>?, adds: Bool
  ) {
    guard let value = arguments?[0], let state = state(context, MemoryLayout<State>.size) else { return }
    switch sqlite3_value_type(value) {
    case SQLITE_NULL: return
    case SQLITE_INTEGER: add(integer: sqlite3_value_int64(value), to: &state.pointee, adds: adds)
    case SQLITE_TEXT:
      let start = sqlite3_value_text(value)
      let bytes = UnsafeRawBufferPointer(start: start, count: Int(sqlite3_value_bytes(value)))
      guard let decimal = Decimal128(text: bytes) else { fallthrough }
      let box: DecimalBox
      if let known = state.pointee.decimals {
        box = Unmanaged<DecimalBox>.fromOpaque(known).takeUnretainedValue()
      } else {
        box = DecimalBox()
        state.pointee.decimals = Unmanaged.passRetained(box).toOpaque()
      }
      if adds { box.sum.add(decimal) } else { box.sum.remove(decimal) }
    default:
      let real = sqlite3_value_double(value)
      state.pointee.reals += adds ? real : -real
      state.pointee.count += adds ? 1 : -1
      state.pointee.isReal = true
    }
  }

  private static func add(integer: Int64, to state: inout State, adds: Bool) {
    state.count += adds ? 1 : -1
    state.reals += adds ? Double(integer) : -Double(integer)
    let (sum, overflows) =
      adds
      ? state.integers.addingReportingOverflow(integer) : state.integers.subtractingReportingOverflow(integer)
    state.integers = sum
    if overflows, !state.isReal { state.overflows = true }
  }

  // MARK: Results

  private static func decimals(_ state: State) -> DecimalSum? {
    let sum = state.decimals.map { Unmanaged<DecimalBox>.fromOpaque($0).takeUnretainedValue().sum }
    return sum?.count ?? 0 > 0 ? sum : nil
  }

  private static func giveSum(_ context: OpaquePointer?) {
    guard let state = state(context, 0)?.pointee else { return sqlite3_result_null(context) }
    guard let decimals = decimals(state) else {
      guard state.count > 0 else { return sqlite3_result_null(context) }
      if state.overflows { return sqlite3_result_error(context, "integer overflow", -1) }
      if state.isReal { return sqlite3_result_double(context, state.reals) }
      return sqlite3_result_int64(context, state.integers)
    }
    guard state.count == 0 else { return sqlite3_result_double(context, decimals.double + state.reals) }
    let (sum, double) = (decimals.decimal, decimals.double)
    // Only numbers are compared and sorted as numbers; where one has all digits, it is the result.
    let isSame = DecimalReading(text: "\(double)").map { ValueOrder.compare(.decimal($0.decimal), .decimal(sum)) } == 0
    if isSame || !double.isFinite { return sqlite3_result_double(context, double) }
    let text = TextBuffer(capacity: 48)
    text.appendCanonical(sum)
    if let context { text.withBytes { SQLResult.give(text: $0, to: context) } }
  }

  private static func giveAverage(_ context: OpaquePointer?) {
    guard let state = state(context, 0)?.pointee else { return sqlite3_result_null(context) }
    switch (decimals(state), state.count) {
    case (nil, 0): sqlite3_result_null(context)
    case (nil, _): sqlite3_result_double(context, state.reals / Double(state.count))
    case (let decimals?, 0): sqlite3_result_double(context, decimals.average)
    case (let decimals?, let count):
      sqlite3_result_double(context, (decimals.double + state.reals) / Double(decimals.count + count))
    }
  }

  private static func giveTotal(_ context: OpaquePointer?) {
    guard let state = state(context, 0)?.pointee else { return sqlite3_result_double(context, 0) }
    sqlite3_result_double(context, (decimals(state)?.double ?? 0) + state.reals)
  }
}

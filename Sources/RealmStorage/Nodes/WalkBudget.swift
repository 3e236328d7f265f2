import RealmSystem

/// An upper bound on the bytes of nodes one walk may visit, so that refs in circles, or one subtree referred to a million times,
/// end in an error instead of an endless answer.
///
/// The nodes of a sound file form a tree, so a walk sees each byte of them once at most. Shared by all threads of
/// a walk.
package final class WalkBudget: Sendable {
  private let spent = AtomicInt(0)
  private let spentOnValues = AtomicInt(0)
  private let limit: Int
  private let valueLimit: Int
  /// What may reach the same nodes again and again; nil for a walk that sees each of them once, where more is damage.
  private let work: RepeatedWork?
  /// Of the whole work that this walk is a part of.
  private let whole: WalkBudget?
  /// Called now and then, at least once in each MiB. What it throws ends the work.
  private let check: (@Sendable () throws -> Void)?

  /// How often a walk may read each long value, on the average: who compares and then prints reads it twice.
  private static let readsPerValue = 64
  /// `check` is called once for so many bytes, as a power of two.
  private static let checkBits = 20
  /// Bytes of values that cost nothing beyond the leaf they are in.
  static let shortValue = 64

  /// - Parameter valueLimit: bytes of long values that may be read; nil for many times the limit.
  package init(limit: Int, valueLimit: Int? = nil) {
    self.limit = limit
    self.valueLimit = valueLimit ?? limit.multiplied(atMost: Self.readsPerValue)
    (work, whole, check) = (nil, nil, nil)
  }

  /// For work that may read so many bytes, many of them more than once.
  init(for work: RepeatedWork, limit: Int, check: (@Sendable () throws -> Void)?) {
    (self.limit, valueLimit) = (limit, limit)
    (self.work, whole, self.check) = (work, nil, check)
  }

  private init(_ whole: WalkBudget, limit: Int) {
    (self.limit, valueLimit) = (limit, .max)
    (work, self.whole, check) = (nil, whole, nil)
  }

  /// For one tree. Where trees are walked again and again, none of them is larger than the file unless it is damaged.
  func forOneTree(of store: ByteStore) -> WalkBudget {
    work == nil ? self : WalkBudget(self, limit: store.count + 4096)
  }

  /// For a walk that sees each byte of the file so many times at most.
  package static func bytes(of store: ByteStore, passes: Int = 1) -> WalkBudget {
    WalkBudget(limit: (store.count + 4096).multiplied(atMost: passes))
  }

  /// For values that are kept in memory together, each of them once: of a sound file they are no longer than it.
  static func values(of store: ByteStore) -> WalkBudget {
    WalkBudget(limit: store.count + 4096, valueLimit: store.count + 4096)
  }

  /// Accounts for a visit at `ref` that costs so many units.
  ///
  /// - Throws: `visitedTooOften` beyond the limit, `limitReached` if that may be; what `check` throws.
  func spend(_ units: Int = 1, at ref: Ref) throws {
    try whole?.spend(units, at: ref)
    let sum = spent.add(units)
    guard sum <= limit else { throw overrun(at: ref) }
    if let check, sum >> Self.checkBits != (sum &- units) >> Self.checkBits { try check() }
  }

  private func overrun(at ref: Ref) -> StorageError {
    work.map { .limitReached($0, byteCount: limit) } ?? .corrupted(ref, .visitedTooOften)
  }

  /// Accounts for bytes of a long value.
  ///
  /// - Throws: as the other `spend`.
  func spend(onBytes count: Int, at ref: Ref) throws {
    try whole?.spend(onBytes: count, at: ref)
    let sum = spentOnValues.add(count)
    guard sum <= valueLimit else { throw overrun(at: ref) }
    if let check, sum >> Self.checkBits != (sum &- count) >> Self.checkBits { try check() }
  }
}

extension WalkBudget {
  /// Accounts for bytes of many long values at once, if all of them are within the limit; else for none.
  func trySpend(onBytes count: Int) -> Bool {
    guard spentOnValues.add(count) > valueLimit else { return true }
    spentOnValues.add(-count)
    return false
  }
}

extension Int {
  /// The product of two numbers that are not negative; the largest number where it is larger.
  package func multiplied(atMost factor: Int) -> Int {
    let (product, overflow) = multipliedReportingOverflow(by: factor)
    return overflow ? .max : product
  }

  /// The sum of two numbers that are not negative; the largest number where it is larger.
  package func clampedSum(_ other: Int) -> Int {
    let (sum, overflow) = addingReportingOverflow(other)
    return overflow ? .max : sum
  }
}

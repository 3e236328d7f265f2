import CSystem

/// A number that threads read and change without a lock. (The standard library's `Atomic` needs macOS 15 and iOS 18.)
@usableFromInline
package struct AtomicInt: ~Copyable, @unchecked Sendable {
  @usableFromInline let cell: UnsafeMutablePointer<Int>

  package init(_ value: Int) {
    cell = .allocate(capacity: 1)
    cell.initialize(to: value)
  }

  deinit { cell.deallocate() }

  @inlinable
  package var value: Int {
    get { csystem_atomic_load(cell) }
    nonmutating set { csystem_atomic_store(cell, newValue) }
  }

  /// Wraps around.
  ///
  /// - Returns: the sum.
  @inlinable @discardableResult
  package func add(_ number: Int) -> Int { csystem_atomic_add(cell, number) }

  /// - Returns: what was there before.
  package func exchange(_ value: Int) -> Int { csystem_atomic_exchange(cell, value) }

  /// Stores a value if another one is there.
  package func replace(_ expected: Int, by value: Int) { _ = csystem_atomic_replace(cell, expected, value) }
}

/// Whether something has happened, as threads tell each other without a lock.
package struct AtomicFlag: ~Copyable, Sendable {
  private let number = AtomicInt(0)

  package init() {}

  package var isSet: Bool { number.value != 0 }
  package func set() { number.value = 1 }
}

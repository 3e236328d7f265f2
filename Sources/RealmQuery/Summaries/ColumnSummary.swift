import RealmStorage

/// A summary of a property, or a key path, over many objects.
///
/// A collection counts with its elements, a dictionary with the values of its entries.
///
/// ```swift
/// let summary = try ClassSummary(of: table, in: snapshot, [.property(0)], SummaryOptions(threadCount: 2))
/// for frequency in summary.columns[0].frequencies { print(frequency.value, frequency.count) }
/// ```
package struct ColumnSummary: Sendable {
  /// A number, and whether it is only about right.
  package struct Count: Hashable, Sendable {
    package let value: Int
    package let isEstimate: Bool
  }

  /// A value with how often it occurs.
  package struct Frequency: Sendable {
    /// The identity of the value, for looking it up again: `DistinctValue.Reader`.
    package let identity: DistinctValue
    /// The first such value; null for null. An embedded object is a link to the first one of its content.
    package let value: Value
    /// An estimate is too high by less than `error`.
    package let count: Count
    /// 0 for an exact count.
    package let error: Int
  }

  /// How many elements the collections have.
  package struct Sizes: Hashable, Sendable {
    package var collections = 0
    package var empty = 0
    package var least = 0
    package var greatest = 0
    /// Elements of all together.
    package var total = 0

    /// Elements of a collection on average; 0 for no collection.
    package var mean: Double { collections == 0 ? 0 : Double(total) / Double(collections) }
  }

  /// How many values of a type there are among mixed ones.
  package struct TypeCount: Sendable {
    /// As `@type` names it.
    package let name: String
    package let count: Int
  }

  /// Objects that were looked at.
  package internal(set) var objects = 0
  /// Values that are not null.
  package internal(set) var values = 0
  package internal(set) var nulls = 0
  /// Values that could not be read. They count nowhere else.
  package internal(set) var damaged = 0
  /// NaNs among the values, which are left out of least, greatest and mean.
  package internal(set) var notANumbers = 0
  /// Different values, null left out.
  package internal(set) var distinct = Count(value: 0, isEstimate: false)
  /// By the order in which RQL sorts; null if there is no value that has an order. Links have none.
  package internal(set) var least = Value.null
  package internal(set) var greatest = Value.null
  /// Of numbers and dates; of mixed values that of the numbers among them. Null if there is none.
  package internal(set) var mean = Value.null
  /// Of collections only.
  package internal(set) var sizes: Sizes?
  /// Of mixed values only, the most frequent first.
  package internal(set) var types: [TypeCount] = []
  /// The most frequent values, null among them; as many as were asked for.
  package internal(set) var frequencies: [Frequency] = []
  /// Of numbers and dates only.
  package internal(set) var histogram: Histogram?
}

/// How a summary is made.
package struct SummaryOptions: Sendable {
  /// Threads at most.
  package var threadCount: Int
  /// How many of the most frequent values are reported.
  package var top: Int
  /// How many bins a histogram has, about.
  package var bins: Int
  /// Different values of a column that are counted exactly. Each takes some 50 bytes.
  package var mostExact: Int
  /// Called with the number of values that were looked at since the last call, on any thread. What it throws ends the work.
  package var visited: (@Sendable (Int) throws -> Void)?

  package init(
    threadCount: Int = 1, top: Int = 5, bins: Int = 20, mostExact: Int = 1_000_000,
    visited: (@Sendable (Int) throws -> Void)? = nil
  ) {
    (self.threadCount, self.top, self.bins) = (threadCount, top, bins)
    (self.mostExact, self.visited) = (mostExact, visited)
  }
}

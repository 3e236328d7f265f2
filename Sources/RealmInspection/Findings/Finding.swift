import RealmStorage

/// One thing the checker found in a file.
///
/// ```swift
/// let summary = try Realm.check("app.realm") { finding in
///   print(finding.severity, finding.name, finding.message)
/// }
/// ```
public struct Finding: Hashable, Sendable {
  /// What is wrong.
  package let kind: FindingKind
  /// How bad it is.
  public let severity: Severity
  /// Where it is.
  public let place: Place
  /// The numbers and names that go with it.
  package let facts: Facts
  /// Independent findings are numbered from 0; nil for one that follows from another.
  public let number: Int?
  /// The number of the finding that this one follows from, or repeats.
  public let cause: Int?

  /// The name of what is wrong, such as `free-list.order`, which stays the same in later versions. `Docs/Guides/Damage.md` in
  /// the repository has all of them with their meaning.
  public var name: String { kind.rawValue }

  /// The same without numbers and texts that may be parts of values, such as the keys of an index.
  package var withoutValues: Finding {
    switch facts {
    case .found, .expected, .text:
      Finding(kind: kind, severity: severity, place: place, facts: .none, number: number, cause: cause)
    case .none, .bytes, .name, .link, .node: self
    }
  }

  /// How bad a finding is.
  public enum Severity: String, Hashable, Sendable, CaseIterable, Comparable {
    /// Left behind by engines, or a matter of taste: nothing is wrong.
    case note
    /// Against the format, without known consequences.
    case warning
    /// Against the format: values are lost or will be, or an engine fails on it.
    case error

    /// The worse one is greater.
    public static func < (left: Severity, right: Severity) -> Bool {
      left != right && (left == .note || right == .error)
    }
  }

  /// Where it is, as far as that is known.
  public struct Place: Hashable, Sendable {
    /// The part of the realm; nil for none in particular.
    public var part: Part?
    /// Full name of the table, such as `class_Person`.
    public var table: RealmString?
    /// The property, or the incoming links.
    public var column: ColumnName?
    /// The object.
    public var object: ObjectKey?
    /// The node, a byte offset in the plaintext.
    package var ref: Ref?
    /// Position inside the node, the collection or the list that the finding is about.
    public var position: Int?

    /// A place; what is not known is left out.
    package init(
      part: Part? = nil, table: RealmString? = nil, column: ColumnName? = nil, object: ObjectKey? = nil,
      ref: Ref? = nil, position: Int? = nil
    ) {
      (self.part, self.table, self.column, self.object) = (part, table, column, object)
      (self.ref, self.position) = (ref, position)
    }
  }

  /// A column as users know it.
  public enum ColumnName: Hashable, Sendable {
    /// A property, by its name.
    case property(RealmString)
    /// The hidden column of the links that come from `column` of `table`. The names are nil if that no longer exists.
    case backlinks(table: RealmString?, column: RealmString?)
  }

  /// Parts of a file (Docs/Format/1-container.md §3.1, Docs/Format/3-tables-and-objects.md §2).
  public enum Part: String, Hashable, Sendable, CaseIterable {
    /// The first 24 bytes, and the footer of a streaming file.
    case header
    /// The root of everything.
    case top = "top array"
    /// The list of free space.
    case freeList = "free list"
    /// The history of changes.
    case history
    /// What an engine notes while it moves nodes to shrink the file.
    case evacuation
    /// The names and refs of the tables.
    case tables = "list of tables"
    /// What describes a table as a whole.
    case table
    /// The names, types and attributes of the columns.
    case spec
    /// The objects with their values.
    case objects
    /// Keys of objects that are linked to and do not exist.
    case tombstones
    /// A search index.
    case index
    /// Objects whose own key was in use, so that they got another one.
    case collisions = "collision map"
  }

  /// What was found, in numbers and names; the kind says what they mean.
  package enum Facts: Hashable, Sendable {
    case none
    case found(Int64)
    case expected(Int64, found: Int64)
    /// Bytes `from` up to, not including, `to`.
    case bytes(from: UInt64, to: UInt64)
    case name(RealmString)
    /// A link to, or from, an object.
    case link(table: RealmString?, key: ObjectKey)
    case node(Corruption.Reason)
    case text(String)

    /// `found` and `expected` for numbers of other types, as near as 64 bits come.
    static func count(_ found: some BinaryInteger) -> Facts { .found(Int64(clamping: found)) }

    /// None if both are the same number: then something else is wrong, such as a ref in its place, and the kind says it.
    static func counts(_ expected: some BinaryInteger, found: some BinaryInteger) -> Facts {
      let (expected, found) = (Int64(clamping: expected), Int64(clamping: found))
      return expected == found ? .none : .expected(expected, found: found)
    }
  }
}

/// What a file contains, and what was found in it.
public struct CheckSummary: Hashable, Sendable {
  /// Nothing counted yet.
  public init() {}

  /// The file format of the live snapshot.
  public var format: UInt8 = 0
  /// Nodes that can be reached, and the bytes they own.
  public var nodes = 0
  /// Bytes of the nodes in use.
  public var liveBytes: UInt64 = 0
  /// Entries of the free list.
  public var freeEntries = 0
  /// Bytes that they list.
  public var freeBytes: UInt64 = 0
  /// Bytes that nodes and free list account for.
  public var logicalSize: UInt64 = 0
  /// Tables that could be read.
  public var tables = 0
  /// Objects of all tables.
  public var objects = 0
  /// Objects that are linked to but do not exist.
  public var tombstones = 0
  /// Links from object to object, each occurrence counted.
  public var links = 0
  /// Search indexes compared with values.
  public var indexes = 0
  /// All findings, also those beyond the limit of what was reported in detail, and those that follow from others.
  package var counts: [FindingKind: Int] = [:]
  /// Independent findings.
  public var errors = 0
  /// Findings that deserve attention.
  public var warnings = 0
  /// Findings that are harmless.
  public var notes = 0
  /// Findings that follow from others, or repeat them.
  public var following = 0
  /// How many follow from a finding that was reported, by its number.
  public var followers: [Int: Int] = [:]
  /// The classes and internal tables with findings, in the order in which they were met.
  public var classes: [ClassCounts] = []

  /// What was found in one table.
  public struct ClassCounts: Hashable, Sendable {
    /// Its full name, such as `class_Person`.
    public let table: RealmString
    /// Findings that are damage.
    public var errors = 0
    /// Findings that deserve attention.
    public var warnings = 0
    /// Findings that are harmless.
    public var notes = 0
    /// What follows from these, wherever it was found.
    public var following = 0
  }

  /// Nothing is wrong: notes alone do not count.
  public var isSound: Bool { errors == 0 && warnings == 0 }
}

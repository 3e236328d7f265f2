import RealmQuery
import RealmStorage

/// The elements of a list or set, or the entries of a dictionary, by position. Those around the last one are kept.
///
/// Belongs to one thread; valid as long as the pages it was made from are kept.
final class Elements: ElementReader, @unchecked Sendable {
  /// One row, read.
  enum Row {
    case element(ElementView)
    case entry(key: BlobView, value: ValueView)
    case damaged(StorageError)

    /// Nil for what cannot be read, and for links to objects that are not in the file.
    var value: ValueView? {
      switch self {
      case .element(.value(let value)), .entry(_, let value): value
      default: nil
      }
    }
  }

  let count: Int
  private let content: Content
  private let snapshot: Snapshot
  private var window: (start: Int, rows: [Row]) = (0, [])

  private enum Content {
    case elements(ListView)
    case entries(DictionaryPositions)
  }

  /// The number of elements that are read together.
  private static let stride = 256

  /// - Returns: nil if there is no collection.
  /// - Throws: `StorageError` if not even the number of elements can be read.
  init?(of address: ValueAddress, in realm: BrowsedRealm) throws {
    snapshot = realm.snapshot
    switch try realm.value(at: address) {
    case .list(let list), .set(let list):
      content = .elements(list)
      count = try list.count(in: realm.snapshot)
    case .dictionary(let dictionary):
      let positions = try DictionaryPositions(of: dictionary, in: realm.snapshot)
      content = .entries(positions)
      count = positions.count
    default: return nil
    }
  }

  var isDictionary: Bool { if case .entries = content { true } else { false } }

  func row(at position: Int) -> Row? {
    guard position >= 0, position < count else { return nil }
    if !(window.start..<window.start + window.rows.count).contains(position) {
      let start = position / Self.stride * Self.stride
      window = (start, rows(start..<min(start + Self.stride, count)))
    }
    return window.rows[position - window.start]
  }

  /// The same without the elements around it, for reading single elements.
  func single(at position: Int) -> Row? {
    position >= 0 && position < count ? rows(position..<position + 1).first : nil
  }

  private func rows(_ range: Range<Int>) -> [Row] {
    switch content {
    case .elements(let list): list.elements(at: range, in: snapshot).map { .element($0) }
    case .entries(let positions):
      positions.entries(at: range, in: snapshot).map { entry in
        switch entry {
        case .entry(let key, let value): .entry(key: key, value: value)
        case .damaged(let error): .damaged(error)
        }
      }
    }
  }

  /// The position of a key in a dictionary.
  func position(of key: RealmString) -> Int? {
    guard case .entries(let positions) = content else { return nil }
    return positions.position(of: key, in: snapshot)
  }

  func value(at position: Int, in snapshot: Snapshot) throws -> ValueView {
    switch row(at: position) {
    case .element(.value(let value))?, .entry(_, let value)?: return value
    case .damaged(let error)?: throw error
    case .element(.damaged(let error))?: throw error
    case .element(.unresolvedLink)?, nil: throw StorageError.corrupted(.null, .missingNode)
    }
  }
}

import RealmStorage
import RealmText

/// A source of objects: JSON text, or something that is read as JSON.
package protocol ImportSource: AnyObject {
  /// Prepares for reading, with the classes of the realm.
  ///
  /// - Parameter note: receives the problems of rows that are left out.
  /// - Throws: `InputError.source`; errors of the file.
  func open(_ classes: ImportedClasses, note: @escaping (ImportProblem) throws -> Void) throws
  /// Fills the start of a buffer with the next bytes of JSON and returns their number; 0 at the end.
  func read(_ buffer: UnsafeMutableRawBufferPointer) throws -> Int
  /// The place in the source that a place in the JSON comes from.
  func place(_ location: JSONLocation, property: RealmString?) -> ImportPlace
  /// Whether text is accepted for numbers and booleans.
  var coerces: Bool { get }
  /// Whether its object keys are valid only for its own objects. Object keys in text are also valid for files that were
  /// exported together.
  var ownsObjectKeys: Bool { get }
  /// Whether it says, without any object, what objects it could have.
  var hasHeader: Bool { get }
  /// Bytes read of the file.
  var byteCount: Int { get }
}

extension ImportSource {
  package var ownsObjectKeys: Bool { false }
  package var hasHeader: Bool { false }
}

/// A place in a source, and the value there.
package struct ImportPlace: Sendable {
  /// The path of another file that belongs to the source, if the place is there.
  var file: String?
  var line: Int
  var column: Int
  var value: String?
}

/// The classes of a realm, as sources see them.
package struct ImportedClasses {
  let classes: [DataClass]
  let ignoresUnknown: Bool
  /// The class of objects that do not name it.
  let className: RealmString?
  /// Whether an option would add the properties that are missing.
  var canAddProperties = false

  /// Whether links use object keys: their target has no primary key, and no other property identifies it.
  func isKeyOfOther(_ property: DataProperty) -> Bool {
    property.type == .object && property.lookup == nil && !property.targetIsEmbedded
      && property.target.map { classes[$0].primaryKey == nil } ?? true
  }

  func classNamed(_ name: RealmString) -> DataClass? {
    classes.first { $0.name == name } ?? classes.first { $0.schema.name == name }
  }
}

/// JSON in any form that `export` writes.
package final class JSONSource: ImportSource {
  private let input: (UnsafeMutableRawBufferPointer) throws -> Int
  package let coerces: Bool
  package private(set) var byteCount = 0

  /// - Throws: `StorageError.file`.
  package convenience init(_ path: String, coerces: Bool) throws {
    self.init(reading: try SequentialInput(path).read, coerces: coerces)
  }

  /// - Parameter input: fills the start of a buffer with the next bytes and returns their number; 0 at the end.
  init(reading input: @escaping (UnsafeMutableRawBufferPointer) throws -> Int, coerces: Bool) {
    (self.input, self.coerces) = (input, coerces)
  }

  package func open(_ classes: ImportedClasses, note: @escaping (ImportProblem) throws -> Void) {}

  package func read(_ buffer: UnsafeMutableRawBufferPointer) throws -> Int {
    let count = try input(buffer)
    byteCount += count
    return count
  }

  package func place(_ location: JSONLocation, property: RealmString?) -> ImportPlace {
    ImportPlace(line: location.line, column: location.column)
  }
}

/// Text that is made line by line, for sources that are not JSON.
final class LineOutput {
  let text = TextBuffer(capacity: 1 << 12)
  /// Bytes that are no longer in `text`.
  private(set) var passedBytes = 0
  private var given = 0

  /// Returns bytes that are ready, and makes more if there are none.
  ///
  /// - Parameter next: appends a line to `text`; returns false at the end.
  func read(_ buffer: UnsafeMutableRawBufferPointer, next: () throws -> Bool) throws -> Int {
    if given == text.count {
      passedBytes += given
      text.removeAll()
      given = 0
      guard try next() else { return 0 }
    }
    let count = min(buffer.count, text.count - given)
    text.withBytes { buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[given..<given + count])) }
    given += count
    return count
  }
}

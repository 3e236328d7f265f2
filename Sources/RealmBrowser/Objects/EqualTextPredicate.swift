import RealmPresentation
import RealmStorage
import RealmText

/// Objects for which the value of a property, written as text, is equal to this text.
struct EqualTextPredicate: ObjectPredicate {
  let text: [UInt8]
  let property: Int

  init(_ text: String, property: Int) {
    // Ids are hex digits in upper or lower case; only they are compared without regard to case.
    self.text = Array(text.utf8)
    self.property = property
  }

  func matcher(of table: Table, in snapshot: Snapshot, _ progress: TaskProgress) -> any ObjectMatcher {
    Matcher(predicate: self, progress: progress)
  }

  private struct Matcher: ObjectMatcher {
    let predicate: EqualTextPredicate
    let progress: TaskProgress
    private let buffer = TextBuffer(capacity: 64)

    func match(_ batch: ObjectBatch, rows: Range<Int>, _ damage: inout DamageTally, found: (Int) -> Void) throws {
      try batch.match(property: predicate.property, rows: rows, &damage, found: found) { value, _, _ in
        try progress.check()
        return try predicate.isEqual(value, buffer)
      }
    }
  }

  fileprivate func isEqual(_ value: ValueView, _ buffer: TextBuffer) throws -> Bool {
    if case .null = value { return text.elementsEqual("null".utf8) }
    if case .string(let blob) = value, blob.count != text.count { return false }
    buffer.removeAll()
    guard try buffer.appendPlain(value), buffer.count == text.count else { return false }
    let isID = value.isID
    return buffer.withBytes { bytes in
      for (left, right) in zip(bytes, text) where left != (isID ? right.loweredASCII : right) { return false }
      return true
    }
  }
}

extension ValueView {
  fileprivate var isID: Bool {
    switch self {
    case .objectID, .uuid: true
    default: false
    }
  }
}

extension UInt8 {
  fileprivate var loweredASCII: UInt8 { self &- 0x41 < 26 ? self + 0x20 : self }
}

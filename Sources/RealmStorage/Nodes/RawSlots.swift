/// The elements of a node of refs in which each has a meaning of its own, read once and unverified.
///
/// Keeps no pointer into the file.
package struct RawSlots: Sendable {
  let ref: Ref
  /// Byte 4 of the node's header.
  let flags: UInt8
  /// Slots that the node has, those without a meaning too.
  package let count: Int
  /// Bytes of the node.
  package let byteSize: Int
  fileprivate let elements: [RefOrTagged]

  /// More than any such node has that have a meaning.
  private static let mostSlots = 14

  /// - Throws: `StorageError.corrupted` if there is no node of references.
  init(_ ref: Ref, in store: ByteStore, _ expected: @autoclosure () -> String) throws {
    let node = try Node(ref, in: store)
    try node.requireRefs(expected())
    self.init(node)
  }

  /// - Parameter node: one of references.
  package init(_ node: Node) {
    (ref, flags, count, byteSize) = (node.ref, node.flags, node.count, node.byteSize)
    elements = (0..<min(node.count, Self.mostSlots)).map { node.slot($0) }
  }
}

/// What engines write into a slot: the one description of a structure, by which the checker judges its node and by which
/// the rescue knows one that nothing leads to.
@usableFromInline
package enum SlotContent: Sendable {
  case ref, refOrZero, number, numberOrZero, zero
  /// What no engine checks.
  case anything

  /// Whether there is never a ref.
  package var isNumber: Bool { self == .number || self == .numberOrZero }

  /// Whether an engine could have written the element.
  package func allows(_ element: RefOrTagged) -> Bool {
    switch self {
    case .ref: element.child != nil
    case .refOrZero: !element.isTagged
    case .number: element.isTagged
    case .numberOrZero: element.isTagged || element.rawValue == 0
    case .zero: element.rawValue == 0
    case .anything: true
    }
  }

  /// Whether the element can be meant: a ref leads to some place in a file of `size` bytes, and a number may be lost.
  package func isLikely(_ element: RefOrTagged, inFileOf size: UInt64) -> Bool {
    if let child = element.child, self != .anything {
      return (self == .ref || self == .refOrZero) && child.isPlace(inFileOf: size)
    }
    return self == .number ? element.isTagged || element.rawValue == 0 : allows(element)
  }
}

extension Ref {
  /// Whether a node can be there.
  package func isPlace(inFileOf size: UInt64) -> Bool {
    rawValue & 7 == 0 && rawValue >= UInt64(RawHeader.size) && rawValue < size
  }
}

/// The names of the slots of a structure, and what each has.
@usableFromInline
package protocol StructureSlot: RawRepresentable<Int>, CaseIterable, Sendable {
  var content: SlotContent { get }
}

extension Node {
  /// What a slot has; 0 if no such slot exists.
  @inlinable @inline(__always)
  package func slot(_ slot: some StructureSlot) -> RefOrTagged { self.slot(slot.rawValue) }
}

/// What the slots of one node say. The engine turns it into what it believes, or throws; the checker reports what is
/// wrong with it.
///
/// Not a generic type: making those at run time takes longer than reading a small file.
package protocol RawStructure: Sendable {
  associatedtype Slot: StructureSlot
  var slots: RawSlots { get }
}

extension RawStructure {
  package var ref: Ref { slots.ref }
  package var flags: UInt8 { slots.flags }
  /// Slots that the node has.
  package var count: Int { slots.count }
  /// Whether the flags are those that engines give to nodes of this kind.
  package var hasPlainFlags: Bool { flags & 0xf8 == 0x40 }

  /// The slots of the node with an element that no engine writes there.
  package var wrongSlots: [Slot] { Slot.allCases.filter { $0.rawValue < count && !$0.content.allows(self[$0]) } }

  /// Whether each slot of the node has what can be meant, in a file of `size` bytes.
  package func isLikely(inFileOf size: UInt64) -> Bool {
    Slot.allCases.allSatisfy { $0.rawValue >= count || $0.content.isLikely(self[$0], inFileOf: size) }
  }

  /// What a slot has; 0 if no such slot exists.
  package subscript(slot: Slot) -> RefOrTagged {
    slot.rawValue < slots.elements.count ? slots.elements[slot.rawValue] : RefOrTagged(0)
  }

  /// The ref in a slot; the null ref where it is 0 or no such slot exists.
  ///
  /// - Throws: `StorageError.corrupted` for a number.
  func ref(_ slot: Slot) throws -> Ref {
    guard !self[slot].isTagged else {
      throw StorageError.corrupted(ref, .unexpectedNodeKind(expected: "a ref in slot \(slot.rawValue)"))
    }
    return self[slot].ref
  }

  /// The number in a slot; 0 if it is 0 or no such slot exists.
  ///
  /// - Throws: `StorageError.corrupted` for a ref.
  func number(_ slot: Slot) throws -> UInt64 {
    guard self[slot].isTagged || self[slot].rawValue == 0 else {
      throw StorageError.corrupted(ref, .unexpectedNodeKind(expected: "a number in slot \(slot.rawValue)"))
    }
    return self[slot].tagged
  }
}

extension RawRepresentable<Int> {
  /// The elements of a node that has slots of these names, for writing it; those that are not given are 0.
  ///
  /// - Parameter count: of its slots; what is given for others is left out.
  static func elements(count: Int, _ values: KeyValuePairs<Self, Int64>) -> [Int64] {
    var elements = Array(repeating: Int64(0), count: count)
    for (slot, value) in values where slot.rawValue < count { elements[slot.rawValue] = value }
    return elements
  }
}

extension RefOrTagged {
  /// The child that an element leads to; nil for a number and for 0.
  @inlinable @inline(__always) package var child: Ref? { isTagged || rawValue == 0 ? nil : ref }

  /// The number in an element; 0 for a ref.
  @inlinable package var number: UInt64 { isTagged ? tagged : 0 }
}

extension Node {
  /// Element `index` of a node of references; 0 if no such element exists, as in a node of another scheme: its
  /// elements have other sizes.
  @inlinable @inline(__always)
  package func slot(_ index: Int) -> RefOrTagged {
    RefOrTagged(index >= 0 && index < count && flags & 0x18 == 0 ? uncheckedInt(index) : 0)
  }
}

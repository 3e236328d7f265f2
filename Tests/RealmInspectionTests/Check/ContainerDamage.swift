import TestSupport

@testable import RealmInspection
@testable import RealmStorage

extension Damage {
  /// Header, top array, history (Docs/Format/1-container.md §9, checks 1, 2, 8, 9).
  static let container: [Damage] = [
    .bytes("four bytes appended", of: "dogs", finds: .headerSize, at: .part(.header)) {
      $0.bytes += [0, 0, 0, 0]
    },
    .bytes("magic of the footer changed", of: "all-types-copy", finds: .headerFooter, at: .part(.header)) {
      $0.bytes[$0.bytes.count - 1] ^= 1
    },
    .bytes("copy cut short", of: "all-types-copy", finds: .headerFooter, at: .part(.header)) {
      $0.bytes.removeLast(4096)
    },
    .bytes("copy that is not empty, without a root", of: "all-types-copy", finds: .headerTopRef, at: .part(.header)) {
      $0.setNumber(0, at: $0.bytes.count - 16)
    },
    .bytes("second slot of a copy filled", of: "all-types-copy", finds: .headerStreaming, at: .part(.header)) {
      $0.bytes[8] = 8
    },
    .bytes("empty slot of a copy selected", of: "all-types-copy", finds: .headerTopRef, at: .part(.header)) {
      $0.bytes[23] = 1
    },
    .bytes("reserved byte set", of: "dogs", finds: .headerReserved, at: .part(.header, 22)) { $0.bytes[22] = 7 },
    .bytes("unused flags set", of: "dogs", finds: .headerReserved, at: .part(.header, 23)) { $0.bytes[23] |= 0xf0 },
    .bytes("root moved by four bytes", of: "dogs", finds: .headerTopRef, at: .part(.header)) { editor in
      let slot = Int(editor.bytes[23] & 1) * 8
      editor.setNumber(editor.number(at: slot) + 4, at: slot)
    },
    .bytes("root beyond the file", of: "dogs", finds: .headerTopRef, at: .part(.header)) { editor in
      editor.setNumber(0x10_0000, at: Int(editor.bytes[23] & 1) * 8)
    },
    .bytes("root without references", of: "dogs", finds: .topNode, at: .part(.top)) { editor in
      editor.setFlags(editor.bytes[editor.top + 4] & 0x07, of: editor.top)
    },
    .bytes(
      "older of two versions selected", of: "todo", finds: .headerNewerState, at: .part(.header), severity: .note
    ) { $0.bytes[23] ^= 1 },
    .nodes("root with the context flag", of: "dogs", finds: .topNode, at: .part(.top)) { $0.root.flags |= 0x20 },
    .nodes("root of eight slots", of: "dogs", finds: .topCount, at: .part(.top)) { $0.root.elements.removeLast(3) },
    .nodes("ref in place of a number", of: "dogs", finds: .topNumber, at: .part(.top, 10)) {
      $0.root.elements[10] = .child(.numbers([1]))
    },
    .nodes("number in place of a ref", of: "dogs", finds: .topRef, at: .part(.top, 8)) {
      $0.root.elements[8] = .tagged(5)
    },
    .bytes("logical size beyond the file", of: "dogs", finds: .topLogicalSize, at: .part(.top, 2)) {
      $0.setElement($0.top, 2, to: 2 * 8192 + 1)
    },
    .bytes(
      "logical size of a copy beyond its root", of: "all-types-copy", finds: .topLogicalSize, .freeSpaceGap,
      at: .part(.top, 2)
    ) {
      $0.setElement($0.top, 2, to: $0.element($0.top, 2) + 2 * 8)
    },
    .nodes("version 0", of: "all-types", finds: .topVersion, at: .part(.top, 6), severity: .warning) {
      $0.root.elements[6] = .tagged(0)
    },
    .nodes("negative number in the state of evacuation", of: "dogs", finds: .topEvacuation, at: .part(.evacuation)) {
      $0.root.elements.append(.child(.numbers([-8, 10])))
    },
    .nodes("unknown type of history", of: "dogs", finds: .historyType, at: .part(.history, 7)) {
      $0.root.elements[7] = .tagged(9)
    },
    .nodes("history of no type", of: "dogs", finds: .historyConsistency, at: .part(.history, 8)) {
      $0.root.elements[7] = .tagged(0)
    },
    .nodes("history schema of the future", of: "dogs", finds: .historySchema, at: .part(.history, 9)) {
      $0.root.elements[9] = .tagged(7)
    },
    .nodes("more entries than versions", of: "dogs", finds: .historyCount, at: .part(.history)) { tree in
      let ends = EditableNode.numbers([0, 0, 0, 0, 0, 0, 0])
      tree.root.elements[8] = .child(
        .refs([.child(ends), .child(.blob([])), .child(.numbers([0, 0, 0, 0, 0, 0, 0]))]))
      tree.root.elements[6] = .tagged(6)
    },
    .nodes("history that is a node of integers", of: "dogs", finds: .leafKind, at: .part(.history)) {
      $0.root.elements[8] = .child(.numbers([1, 2]))
    },
    .nodes("sync history of 20 slots", of: "synced", finds: .historyShape, at: .part(.history)) {
      try $0.root.require(8).elements.removeLast()
    },
    .nodes("sync history with a ref as a number", of: "synced", finds: .historyShape, at: .part(.history, 3)) {
      try $0.root.require(8).elements[3] = .child(.numbers([1]))
    },
    .nodes("sync columns of different length", of: "synced", finds: .historyShape, at: .part(.history)) {
      try $0.root.require(8).require(15).values.removeLast()
    },
  ]
}

import RealmStorage

extension HeaderRepair {
  /// Sets an element of a node of refs that leads to where no node can begin, if a bit away from it there is exactly one node
  /// of the right kind that nothing else leads to, and that ends where another begins.
  ///
  /// - Parameter isRight: whether a node can be there.
  /// - Returns: whether there was one.
  @discardableResult
  func repairRef(_ index: Int, of parent: Ref, _ isRight: (Node) -> Bool) -> Bool {
    guard let node = bytes.wholeNode(parent), node.hasRefs, node.scheme == .bits, node.width >= 8, index < node.count,
      let freeRanges
    else { return false }
    let slot = node.slot(index)
    guard slot.rawValue != 0, slot.child.map(canBeginNode) != true, !node.reachesIntoNode(in: bytes.store) else {
      return false
    }
    let element = UInt64(bitPattern: slot.rawValue) & (.max >> UInt64(64 - node.width))
    let found = (0..<UInt64(node.width)).map { Ref(element ^ 1 << $0) }.filter { ref in
      guard ref.isPlace(inFileOf: size & ~7), bytes.isNode(at: ref), space?.isTaken(ref.rawValue) == false,
        !freeRanges.contains(where: { $0.contains(ref.rawValue) }), let found = bytes.wholeNode(ref)
      else { return false }
      return isFollowed(found) && isRight(found)
    }
    guard found.count == 1 else { return false }
    space?.take(found[0])
    set(index, of: node, to: Int64(bitPattern: found[0].rawValue))
    return true
  }

  /// Whether a node, perhaps with a damaged header, can be at a place: in the file, in use, and not inside another one.
  private func canBeginNode(_ ref: Ref) -> Bool {
    guard ref.isPlace(inFileOf: size & ~7) else { return false }
    if bytes.isNode(at: ref) { return true }
    return freeRanges?.contains { $0.contains(ref.rawValue) } == false && !isInsideNode(ref)
  }
}

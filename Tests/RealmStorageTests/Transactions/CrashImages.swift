/// What a power cut can leave of a file.
///
/// What was synchronized is there. Any part of what came after the last sync may be there, in any order: pieces of
/// writes between multiples of `pieceSize`, and changes of the size. The words of the header count as separate pieces:
/// a writer should not rely on their being in one sector.
struct CrashImages {
  let initial: [UInt8]
  let changes: [FileChange]
  let pieceSize: Int
  /// The number of images that are tried for each number of changes, in addition to the extreme ones.
  let randomImages: Int

  /// - Parameter body: gets an image and the number of changes before the power cut.
  func forEach(_ body: (_ image: [UInt8], _ changeCount: Int) throws -> Void) rethrows {
    var settled = initial
    var pending: [FileChange] = []
    var seen: Set<[FileChange]> = []
    var dice = SeededDice(seed: UInt64(changes.count))
    for count in 0...changes.count {
      for choice in choices(pending, &dice) where seen.insert(choice).inserted {
        var image = settled
        for change in choice { Self.apply(change, to: &image) }
        try body(image, count)
      }
      guard count < changes.count else { return }
      if changes[count] == .synchronize {
        for change in pending { Self.apply(change, to: &settled) }
        pending = []
        seen = []
      } else {
        pending += pieces(of: changes[count])
      }
    }
  }

  /// Which of the pending changes reach the disk, and in what order.
  private func choices(_ pending: [FileChange], _ dice: inout SeededDice) -> [[FileChange]] {
    guard let last = pending.last else { return [[]] }
    // None, all, all but the last, only the last.
    var choices = [[], pending, Array(pending.dropLast()), [last]]
    for _ in 0..<randomImages {
      let share = 2 + dice.roll(4)
      let isKept = dice.roll(2) == 0
      var choice = pending.filter { _ in (dice.roll(share) == 0) != isKept }
      if dice.roll(2) == 0 { choice.reverse() }
      choices.append(choice)
    }
    return choices
  }

  private func pieces(of change: FileChange) -> [FileChange] {
    guard case .write(let offset, let bytes) = change else { return [change] }
    var pieces: [FileChange] = []
    var start = 0
    while start < bytes.count {
      let size = pieceSize < 4096 && offset + start < 24 ? 8 : pieceSize
      let end = min(bytes.count, ((offset + start) / size + 1) * size - offset)
      pieces.append(.write(offset: offset + start, bytes: Array(bytes[start..<end])))
      start = end
    }
    return pieces
  }

  static func apply(_ change: FileChange, to image: inout [UInt8]) {
    switch change {
    case .synchronize: break
    case .resize(let size):
      if size < image.count { image.removeLast(image.count - size) }
      image += [UInt8](repeating: 0, count: size - image.count)
    case .write(let offset, let bytes):
      let missing = offset + bytes.count - image.count
      if missing > 0 { image += [UInt8](repeating: 0, count: missing) }
      image.replaceSubrange(offset..<offset + bytes.count, with: bytes)
    }
  }
}

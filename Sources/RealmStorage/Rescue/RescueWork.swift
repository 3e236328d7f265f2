/// How much may be looked at to find out what a damaged file does not say: what is compared with what grows faster than
/// the file, and a file made for that could keep a program busy for ever.
final class RescueWork {
  private var left: Int

  private static let most = 1 << 25

  init(_ bytes: RescueBytes) { left = min(1 << 20 + bytes.byteCount.multiplied(atMost: 8), Self.most) }

  /// - Returns: whether so much may still be done.
  func spend(_ count: Int) -> Bool {
    left -= min(count, left)
    return left > 0
  }
}

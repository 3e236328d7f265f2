import Libc

/// The source of keys.
final class KeyInput {
  let descriptor: Int32
  /// Whether the descriptor was opened here, and is still open.
  private var isOwned: Bool

  /// Standard input, which stays open.
  static var standard: KeyInput { KeyInput(STDIN_FILENO, isOwned: false) }

  private init(_ descriptor: Int32, isOwned: Bool) { (self.descriptor, self.isOwned) = (descriptor, isOwned) }

  /// - Parameter device: a name given by this program, not by a user: `/dev/tty`.
  /// - Returns: nil if it cannot be opened.
  convenience init?(opening device: String) {
    let descriptor = open(device, O_RDWR | O_CLOEXEC | O_NOCTTY)
    guard descriptor >= 0 else { return nil }
    self.init(descriptor, isOwned: true)
  }

  deinit { close() }

  /// Closes the descriptor, once: the second time, its number might be another file's.
  func close() {
    guard isOwned else { return }
    isOwned = false
    _ = Libc.close(descriptor)
  }
}

import Libc

/// Where keys come from.
final class KeyInput {
  let descriptor: Int32
  /// Whether the descriptor was opened here, and is still open.
  private var isOwned: Bool

  /// Standard input, which stays open.
  static var standard: KeyInput { KeyInput(STDIN_FILENO, isOwned: false) }

  private init(_ descriptor: Int32, isOwned: Bool) { (self.descriptor, self.isOwned) = (descriptor, isOwned) }

  /// - Parameter device: a name of this program, not of a user: `/dev/tty`.
  /// - Returns: nil where it cannot be opened.
  convenience init?(opening device: String) {
    let descriptor = open(device, O_RDWR | O_CLOEXEC | O_NOCTTY)
    guard descriptor >= 0 else { return nil }
    self.init(descriptor, isOwned: true)
  }

  deinit { close() }

  /// Gives the descriptor back, once: by the second time its number may be another file's.
  func close() {
    guard isOwned else { return }
    isOwned = false
    _ = Libc.close(descriptor)
  }
}

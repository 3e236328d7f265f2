import Libc
import RealmStorage
import RealmSystem

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

  /// The bytes that have arrived, at least one; nil if the terminal is gone.
  func read() -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: 4096)
    let count = bytes.withUnsafeMutableBytes { try? SystemFileCalls().readNext(descriptor, into: $0) } ?? 0
    return count > 0 ? Array(bytes.prefix(count)) : nil
  }

  /// Closes the descriptor, once: the second time, its number might be another file's.
  func close() {
    guard isOwned else { return }
    isOwned = false
    _ = Libc.close(descriptor)
  }
}

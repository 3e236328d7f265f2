import Foundation
import RealmStorage
import RealmSystem

/// POSIX access lists of files and folders, as the kernel stores them (acl(5)): attributes in its own form.
package enum AccessList {
  #if os(Linux)
    private static let (access, inherited) = ("system.posix_acl_access", "system.posix_acl_default")
    /// A user who is neither this user nor in a group of the tests.
    private static let stranger: UInt32 = 65_534
    private static let nobody: UInt32 = .max

    /// A list that lets a stranger do what `permissions` says, as far as the mask allows.
    private static func list(_ permissions: UInt16) -> [UInt8] {
      let entries: [(tag: UInt16, permissions: UInt16, id: UInt32)] = [
        (0x01, 6, nobody), (0x02, permissions, stranger), (0x04, 4, nobody), (0x10, 7, nobody), (0x20, 0, nobody),
      ]
      var bytes = withUnsafeBytes(of: UInt32(2).littleEndian, Array.init)
      for entry in entries {
        bytes += withUnsafeBytes(of: entry.tag.littleEndian, Array.init)
        bytes += withUnsafeBytes(of: entry.permissions.littleEndian, Array.init)
        bytes += withUnsafeBytes(of: entry.id.littleEndian, Array.init)
      }
      return bytes
    }

    /// Makes new files in a folder usable for a stranger. False if the file system has no access lists.
    package static func makeInherited(from folder: String) -> Bool { set(inherited, of: folder) }

    /// Makes a file usable for a stranger.
    package static func add(to file: String) -> Bool { set(access, of: file) }

    private static func set(_ name: String, of path: String) -> Bool {
      let calls = SystemFileCalls()
      guard let descriptor = try? calls.open(path, .reading) else { return false }
      defer { calls.close(descriptor) }
      do {
        try calls.setExtendedAttribute(name, of: descriptor, to: list(6))
        return true
      } catch {
        return false
      }
    }

    /// The list of a file; nil if it has none apart from its permissions.
    package static func list(of path: String) -> [UInt8]? {
      let calls = SystemFileCalls()
      guard let descriptor = try? calls.open(path, .reading) else { return nil }
      defer { calls.close(descriptor) }
      return try? calls.extendedAttribute(access, of: descriptor)
    }

    /// Whether a stranger may read a file: by its list, within the mask in its permissions, or otherwise as anybody.
    package static func letsStrangersRead(_ path: String) -> Bool {
      var status = stat()
      guard stat(path, &status) == 0 else { return false }
      let isNamed = list(of: path).map { $0.count > 4 + 4 * 8 } ?? false
      return status.st_mode & (isNamed ? 0o044 : 0o004) != 0
    }
  #else
    package static func makeInherited(from folder: String) -> Bool { false }
    package static func add(to file: String) -> Bool { false }
    package static func list(of path: String) -> [UInt8]? { nil }
    package static func letsStrangersRead(_ path: String) -> Bool { false }
  #endif

  /// Whether the folder for temporary files has access lists.
  package static let isSupported: Bool = {
    guard let folder = try? TemporaryFolder() else { return false }
    return makeInherited(from: folder.path)
  }()
}

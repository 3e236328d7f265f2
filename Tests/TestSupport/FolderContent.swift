import Foundation

/// The files in a folder and in the folders in it.
package struct FolderContent: Equatable, Sendable {
  /// By their paths in the folder; a folder without files is named with a slash.
  package private(set) var files: [String: [UInt8]] = [:]

  package init(_ folder: TemporaryFolder) throws { try add(folder, "") }

  private mutating func add(_ folder: TemporaryFolder, _ prefix: String) throws {
    for name in try FileManager.default.contentsOfDirectory(atPath: folder.path(prefix)) {
      var isFolder: ObjCBool = false
      _ = FileManager.default.fileExists(atPath: folder.path(prefix + name), isDirectory: &isFolder)
      if isFolder.boolValue {
        files[prefix + name + "/"] = []
        try add(folder, prefix + name + "/")
      } else {
        files[prefix + name] = try Fixture.bytes(ofFile: folder.path(prefix + name))
      }
    }
  }

  /// Lock files are left by every process that needs them.
  package var withoutLocks: [String: [UInt8]] { files.filter { !$0.key.hasSuffix(".lock") } }
}

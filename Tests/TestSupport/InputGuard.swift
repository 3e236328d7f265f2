import Foundation

/// What a file and its folder look like, to see that reading leaves no trace.
public struct FileState: Equatable {
  public let bytes: [UInt8]
  public let modified: Date?
  public let folder: [String]

  public init(_ path: String) throws {
    bytes = try Fixture.bytes(ofFile: path)
    modified = try FileManager.default.attributesOfItem(atPath: path)[.modificationDate] as? Date
    let parent = (path as NSString).deletingLastPathComponent
    folder = try FileManager.default.contentsOfDirectory(atPath: parent).sorted()
  }
}

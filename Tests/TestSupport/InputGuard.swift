import Foundation

/// The state of a file and its folder, to prove that reading leaves no trace.
package struct FileState: Equatable {
  package let bytes: [UInt8]
  package let modified: Date?
  package let folder: [String]

  package init(_ path: String) throws {
    bytes = try Fixture.bytes(ofFile: path)
    modified = try FileManager.default.attributesOfItem(atPath: path)[.modificationDate] as? Date
    let parent = (path as NSString).deletingLastPathComponent
    folder = try FileManager.default.contentsOfDirectory(atPath: parent).sorted()
  }
}

/// A test changed a file that it should only read.
package struct InputChanged: Error {
  package let path: String
}

/// Runs a test's body on an input, and fails if the input or its folder has changed afterwards.
package func leavingUntouched<Result>(_ path: String, _ body: (String) throws -> Result) throws -> Result {
  let before = try FileState(path)
  let result = Swift.Result { try body(path) }
  guard try FileState(path) == before else { throw InputChanged(path: path) }
  return try result.get()
}

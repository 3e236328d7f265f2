import Foundation

/// Writes into an existing file, as a commit does, instead of replacing it.
func overwrite(_ path: String, _ bytes: [UInt8]) throws {
  let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
  try handle.write(contentsOf: Data(bytes))
  try handle.close()
}

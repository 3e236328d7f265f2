import Libc

/// Text files that are small enough to hold in memory: schemas, plans.
package enum TextInput {
  /// A schema of thousands of classes has a few megabytes.
  static let sizeLimit = 256 << 20

  /// All bytes of a file or of a pipe that the shell has opened, or of standard input for the path `-`.
  ///
  /// - Throws: `StorageError.file`.
  package static func read(_ path: String) throws -> [UInt8] {
    if let descriptor = streamDescriptor(of: path) {
      let input = try StandardInput.shared(
        descriptor, limit: sizeLimit + 1, beyondLimit: .file(.systemCall(name: "read", errorNumber: Self.tooLarge)))
      guard input.bytes.count <= sizeLimit else {
        throw StorageError.file(.systemCall(name: "read", errorNumber: Self.tooLarge))
      }
      return Array(input.bytes)
    }
    let file = try InputFile(path: path)
    guard let size = Int(exactly: file.size), size <= sizeLimit else {
      throw StorageError.file(.systemCall(name: "read", errorNumber: Self.tooLarge))
    }
    do throws(SystemCallError) {
      var failure: SystemCallError?
      let bytes = [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
        do throws(SystemCallError) {
          count = try file.readRequired(into: UnsafeMutableRawBufferPointer(buffer), at: 0)
        } catch { failure = error }
      }
      if let failure { throw failure }
      return bytes
    } catch {
      throw StorageError.file(error.problem)
    }
  }

  /// Where the content of a path that can be read once only comes from; nil for any other.
  static func streamDescriptor(of path: String) -> Int32? {
    path == "-" ? StandardInput.descriptor : StandardInput.pipe(at: path)
  }
}

extension TextInput {
  fileprivate static var tooLarge: Int32 { EFBIG }
}

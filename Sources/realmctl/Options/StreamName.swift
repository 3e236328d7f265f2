import ArgumentParser
import RealmStorage

/// Names of the standard streams: `-`, and what the system calls them.
enum StreamName {
  /// Whether a path is standard input.
  static func isInput(_ path: String) -> Bool { isStream(path, "stdin", 0) }

  /// Whether a path is standard output, or leads to the same pipe or device: a report would end up in what is written.
  static func isOutput(_ path: String) -> Bool { isStream(path, "stdout", 1) || SafeOutput.isStandardOutput(path) }

  private static func isStream(_ path: String, _ name: String, _ descriptor: Int) -> Bool {
    ["-", "/dev/\(name)", "/dev/fd/\(descriptor)", "/proc/self/fd/\(descriptor)"].contains(path)
  }

  /// - Parameter option: that names an output which nothing else may be in.
  /// - Throws: `UsageError` for standard output, and if there is no path.
  static func requireFile(_ path: String?, _ option: String) throws {
    guard let path, path.isEmpty || isOutput(path) else { return }
    throw UsageError("\(option) needs the path of a file")
  }
}

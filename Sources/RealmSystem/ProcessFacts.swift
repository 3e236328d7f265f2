import CSystem
import Libc

/// What a process gets when it starts.
package enum ProcessStart {
  /// The arguments after the name of the program, in the form of `SystemText`; nil if they cannot be determined.
  /// Swift's own come from `/proc`, which may be missing, and lose bytes that are not text.
  package static var arguments: [String]? {
    var count: Int32 = 0
    guard let words = csystem_arguments(&count), count > 0 else { return nil }
    return (1..<max(Int(count), 1)).compactMap { index in
      words[index].map { SystemText.text(of: UnsafeRawBufferPointer(start: $0, count: SystemText.length(of: $0))) }
    }
  }

  /// Removes from the environment what was added before `main` for the Swift runtime, which otherwise aborts without
  /// `/proc`: child processes get the environment that this one was given.
  package static func restoreEnvironment() { csystem_forget_runtime_place() }

  /// Makes sure that the descriptors 0, 1 and 2 are in use before any file is opened: messages would be written into a
  /// file with such a number. A stream that was closed still cannot be read or written.
  package static func openStandardStreams() { csystem_open_standard_streams() }

  /// Runs the program, on a thread of its own if the stack of the first one is limited to less than a megabyte.
  package static func withEnoughStack(_ body: @escaping @Sendable () -> Void) {
    var threads = WorkerThreads()
    if !csystem_stack_is_small() || !threads.start(body) { body() }
    threads.join()
  }
}

/// The time of day, for names of files. Nothing that is written into a realm depends on it.
package enum SystemClock {
  package static var secondsSince1970: Int64 { Int64(time(nil)) }
}

/// The processors this process may use.
package enum Processors {
  /// How many threads are worthwhile for work on this many bytes: one for each processor, but a thread costs more than
  /// it saves on less than a megabyte.
  package static func threadCount(forBytes byteCount: UInt64) -> Int {
    min(Int(csystem_processor_count()), 1 + Int(min(byteCount >> 20, 64)))
  }
}

import CFork
import Foundation

/// Distributes the seeds to child processes, and keeps the input of each child that ended badly.
struct Parent {
  let corpus: Corpus
  let arguments: Arguments

  /// The number of inputs of a child before it is replaced, so that its leaks and growth do not count for later inputs.
  private static let batch: UInt64 = 500

  private struct Running {
    let seeds: Range<UInt64>
    let progress: UnsafeMutablePointer<UInt64>
  }

  /// What a child does, in a form that C can pass on.
  private final class ChildTask {
    private let child: Child
    private let seeds: Range<UInt64>
    private let progress: UnsafeMutablePointer<UInt64>

    init(child: Child, seeds: Range<UInt64>, progress: UnsafeMutablePointer<UInt64>) {
      (self.child, self.seeds, self.progress) = (child, seeds, progress)
    }

    func run() { child.run(seeds, progress: progress) }
  }

  private var running: [pid_t: Running] = [:]
  private var failures = 0

  init(corpus: Corpus, arguments: Arguments) {
    self.corpus = corpus
    self.arguments = arguments
  }

  /// - Returns: the number of inputs that made a child end.
  mutating func run() throws -> Int {
    var pending: [Range<UInt64>] = stride(
      from: arguments.first, to: arguments.first + arguments.count, by: Int(Self.batch)
    )
    .map { $0..<min($0 + Self.batch, arguments.first + arguments.count) }.reversed()
    while !pending.isEmpty || !running.isEmpty {
      while running.count < arguments.jobs, let seeds = pending.popLast() { try start(seeds) }
      if let rest = try waitForChild() { pending.append(rest) }
    }
    return failures
  }

  private mutating func start(_ seeds: Range<UInt64>) throws {
    guard let shared = mmap(nil, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0), shared != MAP_FAILED
    else { throw UsageError("no shared memory") }
    let progress = shared.bindMemory(to: UInt64.self, capacity: 2)
    (progress[0], progress[1]) = (seeds.lowerBound, 0)
    // A fork shares the corpus in memory.
    let task = ChildTask(child: Child(corpus: corpus, arguments), seeds: seeds, progress: progress)
    let child = withExtendedLifetime(task) {
      realm_fuzz_fork(
        { Unmanaged<ChildTask>.fromOpaque($0).takeUnretainedValue().run() }, Unmanaged.passUnretained(task).toOpaque())
    }
    guard child > 0 else { throw UsageError("no child process: \(String(cString: strerror(errno)))") }
    running[child] = Running(seeds: seeds, progress: progress)
  }

  /// Waits for a child.
  ///
  /// - Returns: the seeds left by a child that ended badly.
  private mutating func waitForChild() throws -> Range<UInt64>? {
    var status: Int32 = 0
    let child = waitpid(-1, &status, 0)
    guard let work = running.removeValue(forKey: child) else { return nil }
    let (seed, activity) = (work.progress[0], Child.Activity(rawValue: work.progress[1]) ?? .reading)
    munmap(work.progress, 4096)
    guard status != 0 else { return nil }
    failures += 1
    try keep(seed, activity, signal: status & 0x7f, exit: (status >> 8) & 0xff)
    return seed + 1 < work.seeds.upperBound ? seed + 1..<work.seeds.upperBound : nil
  }

  private func keep(_ seed: UInt64, _ activity: Child.Activity, signal: Int32, exit: Int32) throws {
    let input = activity == .writing ? corpus.inputToWrite(seed: seed) : corpus.input(seed: seed)
    let reason = [SIGALRM, SIGVTALRM].contains(signal) ? "hang" : signal != 0 ? "signal \(signal)" : "exit \(exit)"
    print("seed \(seed): \(reason) \(activity) \(input.name)")
    // People look at a long run while it continues.
    fflush(nil)
    try FileManager.default.createDirectory(atPath: arguments.keep, withIntermediateDirectories: true)
    try Data(input.bytes).write(to: URL(fileURLWithPath: "\(arguments.keep)/\(seed)-\(activity)-\(input.name)"))
  }
}

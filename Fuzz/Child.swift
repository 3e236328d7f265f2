import Foundation
import RealmInspection
import RealmStorage

/// Runs a batch of inputs in this process. It tells the parent which seed it is at, and whether it writes, so that the
/// parent knows the input that ended it.
struct Child {
  let corpus: Corpus
  /// The bytes of memory that one input may take in addition to its file; 0 for any number.
  let memoryLimit: Int
  /// Inputs whose seed is a multiple of this number are also written to; 0 for none.
  let writeInterval: UInt64
  private let checkInterval: UInt64
  private let exercises = Exercises()

  private final class Exercises {
    var byName: [String: QueryExercise] = [:]
    var plansByName: [String: PlanExercise] = [:]
    var importsByName: [String: ImportExercise] = [:]
  }

  /// Inputs whose seed is a multiple of this number are also browsed; 0 for none.
  let browseInterval: UInt64

  /// Inputs whose seed is a multiple of this number are also rescued; 0 for none.
  private let recoverInterval: UInt64

  init(corpus: Corpus, _ arguments: Arguments) {
    self.corpus = corpus
    (memoryLimit, timeLimit) = (arguments.memory << 20, arguments.seconds)
    checkInterval = arguments.checkInterval
    recoverInterval = arguments.recoverInterval
    (writeInterval, browseInterval) = (arguments.writeInterval, arguments.browseInterval)
  }

  /// The seconds of processor time that one input may take; real time proves nothing on a busy machine.
  let timeLimit: Int
  /// Seconds after which an input that takes no processor time counts as stuck.
  private static let patience: UInt32 = 120

  /// What is done with an input, as reported to the parent.
  enum Activity: UInt64 { case reading, browsing, checking, writing, querying, recovering, migrating, importing }

  func run(_ seeds: Range<UInt64>, progress: UnsafeMutablePointer<UInt64>) {
    let largest = corpus.entries.map(\.bytes.count).max() ?? 0
    for seed in seeds {
      (progress[0], progress[1]) = (seed, Activity.reading.rawValue)
      // What is needed before the input is read, and once more for the copy in the store.
      if memoryLimit > 0 { limitMemory(to: Self.residentData() + memoryLimit + largest * 2) }
      let input = corpus.input(seed: seed)
      if corpus.kind == .rql {
        progress[1] = Activity.querying.rawValue
        perform { query(input, seed) }
        continue
      }
      if corpus.kind == .plan {
        progress[1] = Activity.migrating.rawValue
        perform { migrate(input, seed) }
        continue
      }
      if corpus.kind == .import {
        progress[1] = Activity.importing.rawValue
        perform { importObjects(input, seed) }
        continue
      }
      if corpus.kind == .recover || recoverInterval > 0 && seed % recoverInterval == 0 {
        progress[1] = Activity.recovering.rawValue
        perform { recover(input, seed) }
        if corpus.kind == .recover { continue }
        progress[1] = Activity.reading.rawValue
      }
      perform { try read(input, seed) }
      if browseInterval > 0, seed % browseInterval == 0 {
        progress[1] = Activity.browsing.rawValue
        perform { try browse(input, seed) }
      }
      if checkInterval > 0, seed % checkInterval == 0 {
        progress[1] = Activity.checking.rawValue
        perform { try check(input) }
      }
      if seed % 4 == 1 {
        progress[1] = Activity.querying.rawValue
        perform { try queryDamaged(input, seed) }
      }
      if writeInterval > 0, seed % writeInterval == 0 {
        progress[1] = Activity.writing.rawValue
        perform { write(seed) }
      }
    }
  }

  private func perform(_ body: () throws -> Void) {
    limitTime(to: timeLimit)
    alarm(Self.patience)
    try? body()
    alarm(0)
  }

  private func write(_ seed: UInt64) {
    let input = corpus.inputToWrite(seed: seed)
    do { try WriteExercise.run(input.bytes, key: input.isEncrypted ? FuzzedRealm.key() : nil, seed: seed) } catch {
      end(seed, error)
    }
  }

  /// Ends the process if a sound realm answers a query in two ways.
  private func query(_ input: Corpus.Input, _ seed: UInt64) {
    do {
      let realm = try FuzzedRealm(input.bytes, key: nil)
      try realm.use { try exercise(realm, input.name).run(seed: seed) }
    } catch {
      FileHandle.standardError.write(Data("seed \(seed): \(error)\n".utf8))
      _exit(1)
    }
  }

  /// Ends the process if a plan does something that no plan may do.
  private func migrate(_ input: Corpus.Input, _ seed: UInt64) {
    do {
      let exercise = try exercises.plansByName[input.name] ?? PlanExercise(input.bytes)
      exercises.plansByName[input.name] = exercise
      try exercise.run(seed: seed)
    } catch {
      end(seed, error)
    }
  }

  /// Ends the process if an import does something that no import may do.
  private func importObjects(_ input: Corpus.Input, _ seed: UInt64) {
    do {
      let exercise = try exercises.importsByName[input.name] ?? ImportExercise(input.bytes)
      exercises.importsByName[input.name] = exercise
      try exercise.run(seed: seed)
    } catch {
      end(seed, error)
    }
  }

  /// One for each realm of the corpus: it reads much of it first.
  private func exercise(_ realm: FuzzedRealm, _ name: String) throws -> QueryExercise {
    if let known = exercises.byName[name] { return known }
    let made = try QueryExercise(realm, isSound: true, seed: 1)
    exercises.byName[name] = made
    return made
  }

  private func queryDamaged(_ input: Corpus.Input, _ seed: UInt64) throws {
    let realm = try FuzzedRealm(input.bytes, key: input.isEncrypted ? FuzzedRealm.key() : nil)
    try realm.use { try QueryExercise(realm, isSound: false, seed: seed).run(seed: seed) }
  }

  private func recover(_ input: Corpus.Input, _ seed: UInt64) {
    do { try RescueExercise.run(input.bytes, key: input.isEncrypted ? FuzzedRealm.key() : nil, seed: seed) } catch {
      FileHandle.standardError.write(Data("seed \(seed): \(error)\n".utf8))
      _exit(1)
    }
  }

  private func read(_ input: Corpus.Input, _ seed: UInt64) throws {
    do { try open(input) { try Exercise.run($0, wasDecrypted: input.isEncrypted, seed: seed) } } catch let error
      as Violation
    {
      end(seed, error)
    }
  }

  /// Ends the process if something happens that must not happen.
  private func end(_ seed: UInt64, _ error: any Error) -> Never {
    // This skips what the parent has not printed yet, of which a child has a copy.
    FileHandle.standardError.write(Data("seed \(seed): \(error)\n".utf8))
    _exit(1)
  }

  private func check(_ input: Corpus.Input) throws {
    var messages = 0
    try open(input) { _ = try Checker($0).run { messages &+= $0.message.utf8.count } }
  }

  private func open(_ input: Corpus.Input, _ body: (ByteStore) throws -> Void) throws {
    guard input.isEncrypted else { return try body(ByteStore(copying: input.bytes)) }
    let realm = try FuzzedRealm(input.bytes, key: FuzzedRealm.key())
    try realm.use { try body(try ByteStore.open(.path(realm.path), key: realm.key).store) }
  }

  private func browse(_ input: Corpus.Input, _ seed: UInt64) throws {
    let realm = try FuzzedRealm(input.bytes, key: input.isEncrypted ? FuzzedRealm.key() : nil)
    try realm.use { try BrowseExercise.run(realm, seed: seed) }
  }

  /// Lets the system send SIGVTALRM after a number of seconds of processor time.
  private func limitTime(to seconds: Int) {
    var limit = itimerval(
      it_interval: timeval(tv_sec: 0, tv_usec: 0), it_value: timeval(tv_sec: seconds, tv_usec: 0))
    #if os(Linux)
      setitimer(__itimer_which_t(ITIMER_VIRTUAL.rawValue), &limit, nil)
    #else
      setitimer(ITIMER_VIRTUAL, &limit, nil)
    #endif
  }

  private func limitMemory(to bytes: Int) {
    #if os(Linux)
      var limit = rlimit(rlim_cur: rlim_t(bytes), rlim_max: rlim_t.max)
      setrlimit(__rlimit_resource_t(UInt32(RLIMIT_DATA.rawValue)), &limit)
    #endif
  }

  /// The current number of bytes of private writable memory of this process.
  private static func residentData() -> Int {
    guard let status = try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8) else { return 1 << 30 }
    let fields = status.split(separator: " ")
    return (fields.count > 5 ? Int(fields[5]) ?? 0 : 0) * 4096
  }
}

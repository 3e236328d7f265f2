import Testing

@testable import RealmSystem

@Suite struct `Values of several threads` {
  @Test func `nothing is lost between threads`() {
    let (locked, counter, flag) = (Locked(0), Counter(), Counter())
    var threads = WorkerThreads()
    for _ in 0..<4 {
      threads.start {
        for _ in 0..<10_000 {
          locked.withLock { $0 += 1 }
          counter.number.add(1)
        }
        flag.isDone.set()
      }
    }
    threads.join()
    #expect(locked.withLock { $0 } == 40_000 && counter.number.value == 40_000 && flag.isDone.isSet)
    #expect(counter.number.exchange(7) == 40_000)
    counter.number.replace(8, by: 9)
    #expect(counter.number.value == 7)
    counter.number.replace(7, by: 9)
    #expect(counter.number.value == 9)
  }

  @Test func `an error leaves the value unlocked`() {
    let locked = Locked([1])
    #expect(throws: CancellationError.self) {
      try locked.withLock { value in
        value.append(2)
        throw CancellationError()
      }
    }
    #expect(locked.withLock { $0 } == [1, 2])
  }

  private final class Counter: Sendable {
    let number = AtomicInt(0)
    let isDone = AtomicFlag()
  }
}

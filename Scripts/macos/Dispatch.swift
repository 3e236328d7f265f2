// What this package uses of Apple's module Dispatch. Only compiled, never run.
public struct DispatchTime: Sendable {
  public static func now() -> Self { fatalError() }
  public var uptimeNanoseconds: UInt64 { 0 }
}
public enum DispatchTimeInterval: Sendable { case seconds(Int) }
public func + (time: DispatchTime, interval: DispatchTimeInterval) -> DispatchTime { time }
public enum DispatchTimeoutResult: Sendable { case success, timedOut }

open class DispatchSemaphore: @unchecked Sendable {
  public init(value: Int) {}
  @discardableResult public func signal() -> Int { 0 }
  public func wait() {}
  public func wait(timeout: DispatchTime) -> DispatchTimeoutResult { .success }
}
open class DispatchQueue: @unchecked Sendable {
  public static func global() -> DispatchQueue { fatalError() }
  public func asyncAfter(deadline: DispatchTime, execute: DispatchWorkItem) {}
  public static func concurrentPerform(iterations: Int, execute: (Int) -> Void) {}
}
open class DispatchWorkItem: @unchecked Sendable {
  public init(block: @escaping @convention(block) () -> Void) {}
  public func cancel() {}
}

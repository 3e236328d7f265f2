/// Where the calls for files go: to the system, unless a test lends others.
///
/// ```swift
/// FileBackend.$calls.withValue(FailingCalls(.death, atCall: 7)) { compact("app.realm") }
/// ```
///
/// Whatever reads or writes files asks here once, when it is made, and keeps the answer; threads that help it later use
/// the same.
package enum FileBackend {
  @TaskLocal package static var calls: any OutputCalls = SystemFileCalls()
}

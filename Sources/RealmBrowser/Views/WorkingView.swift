/// A view whose content is found in the background, as a whole.
protocol WorkingView: BrowserView {
  associatedtype Output: Sendable
  var context: ViewContext { get }
  /// The work that is not done yet.
  var task: BackgroundTask<Output>? { get set }

  /// Shows the result.
  func take(_ output: Output) -> [Effect]
}

extension WorkingView {
  func collect(at row: Int) -> [Effect] { collectTask() }

  func collectTask() -> [Effect] { task?.collect(context, end: { task = nil }, finished: take) ?? [] }

  var work: WorkStatus? { task?.status }

  func stopWork() { task.stop() }

  func refresh(keeping row: Int) -> Int? { row }
}

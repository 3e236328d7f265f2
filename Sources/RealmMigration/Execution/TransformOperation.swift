import RealmStorage

extension PlanExecution {
  func transform(_ action: PlanOperation.Transform, _ done: inout PlanReport.Operation) throws {
  }
}

import Reactor
import TestSupport

/// A reactor that does what the test says, on a thread with a stack of 256 KiB; its state is the
/// sum of its mutations.
actor SmallStackReactor: Reactor {
  typealias Action = Int
  typealias Mutation = Int
  typealias State = Int
  typealias Script = @Sendable (isolated SmallStackReactor, Int) -> MutationStream<Int>

  nonisolated let initialState = 0
  nonisolated let pipeline = Pipeline()
  nonisolated let reports = ReportLog()
  private nonisolated let executor = SmallStackExecutor(stack: 256 * 1024)
  private let script: Script

  init(_ script: @escaping Script = { _, _ in .empty }) { self.script = script }

  deinit { executor.stop() }

  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  func mutate(action: Int) -> MutationStream<Int> { script(self, action) }

  func reduce(state: inout Int, mutation: Int) { state += mutation }

  nonisolated func report(_ report: ReactorReport) { reports.append(report) }
}

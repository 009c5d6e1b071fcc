package import Reactor

/// A reactor that does what the test says; its state is the list of what was reduced.
///
/// It has no hooks. `notes` stands for the non-`Sendable` things that a reactor owns.
package actor ScriptedReactor: Reactor {
  package typealias Action = Int
  package typealias Mutation = Int
  package typealias State = [Int]
  package typealias Script = @Sendable (isolated ScriptedReactor, Int) -> MutationStream<Int>
  package typealias Watch = @Sendable (isolated ScriptedReactor, Int) -> Void

  package final class Notes { package var lines: [String] = [] }

  /// Every action is its own mutation.
  package static let echo: Script = { _, action in .just(action) }

  package nonisolated let initialState: [Int] = []
  package nonisolated let pipeline = Pipeline()
  package nonisolated let reports = ReportLog()
  /// Opens when the reactor is released.
  package nonisolated let released = Gate()
  package let notes = Notes()
  private let script: Script
  private let onReduce: Watch?

  /// - Parameter script: What `mutate` returns.
  package init(_ script: @escaping Script = ScriptedReactor.echo) {
    self.script = script
    onReduce = nil
  }

  /// - Parameters:
  ///   - onReduce: Called in `reduce`, for every mutation.
  ///   - script: What `mutate` returns.
  package init(onReduce: @escaping Watch, script: @escaping Script) {
    self.script = script
    self.onReduce = onReduce
  }

  deinit { released.open() }

  package func mutate(action: Int) -> MutationStream<Int> { script(self, action) }

  package func reduce(state: inout [Int], mutation: Int) {
    onReduce?(self, mutation)
    state.append(mutation)
  }

  package nonisolated func report(_ report: ReactorReport) { reports.append(report) }

  package func note(_ line: String) { notes.lines.append(line) }

  package var lines: [String] { notes.lines }
}

extension StateStream {
  /// Observes until a state satisfies the condition, or the stream ends.
  package func first(where isWanted: (State) -> Bool) async -> State? {
    for await state in self where isWanted(state) { return state }
    return nil
  }

  /// Everything until the stream ends.
  package func all() async -> [State] {
    var states: [State] = []
    for await state in self { states.append(state) }
    return states
  }
}

extension Reactor {
  /// Does something in one go on the reactor, so that it takes no action meanwhile.
  package func turn<Result: Sendable>(_ body: @Sendable (isolated Self) -> Result) -> Result {
    body(self)
  }

  /// Returns once something is so on the reactor.
  package nonisolated func wait(until isSo: @Sendable (isolated Self) -> Bool) async {
    while !(await turn(isSo)) { await Task.yield() }
  }
}

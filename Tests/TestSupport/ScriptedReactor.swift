import Reactor

/// A reactor that does what the test says; its state is the list of what was reduced.
///
/// It has no hooks. `notes` stands for the non-`Sendable` things that a reactor owns.
actor ScriptedReactor: Reactor {
  typealias Action = Int
  typealias Mutation = Int
  typealias State = [Int]
  typealias Script = @Sendable (isolated ScriptedReactor, Int) -> MutationStream<Int>
  typealias Watch = @Sendable (isolated ScriptedReactor, Int) -> Void

  final class Notes { var lines: [String] = [] }

  /// Every action is its own mutation.
  static let echo: Script = { _, action in .just(action) }

  let initialState: [Int] = []
  let pipeline = Pipeline()
  let reports = ReportLog()
  /// Opens when the reactor is released.
  let gone = Gate()
  let notes = Notes()
  private let script: Script
  private let onReduce: Watch?

  /// - Parameter script: What `mutate` returns.
  init(_ script: @escaping Script = ScriptedReactor.echo) {
    self.script = script
    onReduce = nil
  }

  /// - Parameters:
  ///   - onReduce: Called in `reduce`, for every mutation.
  ///   - script: What `mutate` returns.
  init(onReduce: @escaping Watch, script: @escaping Script) {
    self.script = script
    self.onReduce = onReduce
  }

  deinit { gone.open() }

  func mutate(action: Int) -> MutationStream<Int> { script(self, action) }

  func reduce(state: inout [Int], mutation: Int) {
    onReduce?(self, mutation)
    state.append(mutation)
  }

  nonisolated func report(_ report: ReactorReport) { reports.append(report) }

  func note(_ line: String) { notes.lines.append(line) }

  var lines: [String] { notes.lines }
}

extension StateStream {
  /// Observes until a state satisfies the condition, or the stream ends.
  func first(where isWanted: (State) -> Bool) async -> State? {
    for await state in self where isWanted(state) { return state }
    return nil
  }

  /// Everything until the stream ends.
  func all() async -> [State] {
    var states: [State] = []
    for await state in self { states.append(state) }
    return states
  }
}

extension Reactor {
  /// Does something in one go on the reactor, so that it takes no action meanwhile.
  func turn<Result: Sendable>(_ body: @Sendable (isolated Self) -> Result) -> Result {
    body(self)
  }

  /// Returns once something is so on the reactor.
  nonisolated func wait(until isSo: @Sendable (isolated Self) -> Bool) async {
    while !(await turn(isSo)) { await Task.yield() }
  }
}

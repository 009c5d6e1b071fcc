import Reactor
import TestSupport

/// A reactor whose lanes the test chooses; every effect says that it has started, waits at its
/// action's gate, and emits its action.
actor LanedReactor: Reactor {
  typealias Action = Int
  typealias Mutation = Int
  typealias State = [Int]
  typealias Choose = @Sendable (isolated LanedReactor, Int) -> Lane?
  typealias Script = @Sendable (isolated LanedReactor, Int) -> MutationStream<Int>

  let initialState: [Int] = []
  let pipeline: ReactorPipeline<LanedReactor>
  let reports = ReportLog()
  /// The actions that `mutate` has seen.
  let started = Log<Int>()
  /// The actions whose effects have ended.
  let ended = Log<Int>()
  let released = Gate()
  /// One gate for every action that is expected.
  let gates: [Gate]
  private let chooseLane: Choose
  private let script: Script

  /// - Parameters:
  ///   - gates: How many gates there are, for the actions from 0 on.
  ///   - inboxLimit: How many actions may wait.
  ///   - suspendsSenders: Whether senders wait for a slot.
  ///   - script: What `mutate` returns; by default an effect that waits at its gate.
  ///   - lane: Which lane an action has.
  init(
    gates: Int = 10, inboxLimit: Int = .max, suspendsSenders: Bool = false,
    script: @escaping Script = gated,
    lane: @escaping Choose
  ) {
    self.gates = (0..<gates).map { _ in Gate() }
    pipeline = ReactorPipeline(inboxLimit: inboxLimit, suspendsSenders: suspendsSenders)
    self.script = script
    chooseLane = lane
  }

  deinit { released.open() }

  /// An effect that waits at the gate of its action; it does not hold the reactor.
  static let gated: Script = { reactor, action in
    let (gate, ended) = (reactor.gates[action], reactor.ended)
    return .run { emit in
      defer { ended.append(action) }
      try await gate.wait()
      await emit(action)
    }
  }

  /// The same, but it does not heed its cancellation.
  static let stubborn: Script = { reactor, action in
    let (gate, ended) = (reactor.gates[action], reactor.ended)
    return .run { emit in
      defer { ended.append(action) }
      await gate.pass()
      await emit(action)
    }
  }

  /// At once, without an effect.
  static let echo: Script = { _, action in .just(action) }

  /// Returns once every action sent before has been taken.
  ///
  /// It waits for a slot: refused by a full inbox, it would have waited for nothing.
  nonisolated func flush() async { await sendWhenRoom(Self.nothing).settled }

  private static let nothing = -1

  func lane(for action: Int) -> Lane? {
    action == Self.nothing ? nil : chooseLane(self, action)
  }

  func mutate(action: Int) -> MutationStream<Int> {
    if action == Self.nothing { return .empty }
    started.append(action)
    return script(self, action)
  }

  func reduce(state: inout [Int], mutation: Int) { state.append(mutation) }

  nonisolated func report(_ report: ReactorReport) { reports.append(report) }

  /// Sends them in one go, so that all wait in the inbox before the first is taken.
  @discardableResult
  func sendAll(_ actions: some Sequence<Int>) -> [ActionReceipt<LanedReactor>] {
    actions.map { send($0) }
  }

  /// Opens the gates of these actions, one after the other, each once the one before has ended.
  nonisolated func finish(_ actions: Int...) async {
    for action in actions {
      let count = ended.count
      gates[action].open()
      _ = await ended.entries(upTo: count + 1)
    }
  }

}

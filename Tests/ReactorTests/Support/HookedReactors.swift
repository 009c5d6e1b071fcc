import Reactor
import TestSupport

/// A ``ScriptedReactor`` with `transform(action:)`.
actor ActionHookedReactor: Reactor {
  typealias Action = Int
  typealias Mutation = Int
  typealias State = [Int]
  typealias Script = @Sendable (isolated ActionHookedReactor, Int) -> MutationStream<Int>
  typealias Hook =
    @Sendable (isolated ActionHookedReactor, ReactorActions<ActionHookedReactor>) -> Erased<Int>

  /// Every action is its own mutation.
  static let echo: Script = { _, action in .just(action) }
  /// A hook that lets everything through.
  static let passing: Hook = { _, elements in Erased(elements) }

  let initialState: [Int] = []
  let pipeline = Pipeline()
  let reports = ReportLog()
  let released = Gate()
  private let hook: Hook
  private let script: Script

  init(hook: @escaping Hook, _ script: @escaping Script = echo) {
    self.hook = hook
    self.script = script
  }

  deinit { released.open() }

  func transform(action: Actions) -> Erased<Int> { hook(self, action) }

  func mutate(action: Int) -> MutationStream<Int> { script(self, action) }

  func reduce(state: inout [Int], mutation: Int) { state.append(mutation) }

  nonisolated func report(_ report: ReactorReport) { reports.append(report) }
}

/// A ``ScriptedReactor`` with `transform(mutation:)`.
actor MutationHookedReactor: Reactor {
  typealias Action = Int
  typealias Mutation = Int
  typealias State = [Int]
  typealias Script = @Sendable (isolated MutationHookedReactor, Int) -> MutationStream<Int>
  typealias Hook =
    @Sendable (isolated MutationHookedReactor, ReactorMutations<MutationHookedReactor>) -> Erased<
      Int
    >

  /// Every action is its own mutation.
  static let echo: Script = { _, action in .just(action) }
  /// A hook that lets everything through.
  static let passing: Hook = { _, elements in Erased(elements) }

  let initialState: [Int] = []
  let pipeline = Pipeline()
  let reports = ReportLog()
  let released = Gate()
  private let hook: Hook
  private let script: Script

  init(hook: @escaping Hook, _ script: @escaping Script = echo) {
    self.hook = hook
    self.script = script
  }

  deinit { released.open() }

  func mutate(action: Int) -> MutationStream<Int> { script(self, action) }

  func transform(mutation: Mutations) -> Erased<Int> { hook(self, mutation) }

  func reduce(state: inout [Int], mutation: Int) { state.append(mutation) }

  nonisolated func report(_ report: ReactorReport) { reports.append(report) }
}

/// A ``ScriptedReactor`` with `transform(state:)`.
actor StateHookedReactor: Reactor {
  typealias Action = Int
  typealias Mutation = Int
  typealias State = [Int]
  typealias Hook =
    @Sendable (isolated StateHookedReactor, ReactorStates<StateHookedReactor>) -> Erased<[Int]>

  /// A hook that lets everything through.
  static let passing: Hook = { _, elements in Erased(elements) }

  let initialState: [Int] = []
  let pipeline = Pipeline()
  let reports = ReportLog()
  let released = Gate()
  private let hook: Hook

  init(hook: @escaping Hook) { self.hook = hook }

  deinit { released.open() }

  func reduce(state: inout [Int], mutation: Int) { state.append(mutation) }

  func transform(state: States) -> Erased<[Int]> { hook(self, state) }

  nonisolated func report(_ report: ReactorReport) { reports.append(report) }
}

extension MutationHookedReactor {
  /// A reactor whose hook does something with each mutation before it passes it on.
  static func make(
    _ script: @escaping Script = echo,
    inHook body: @escaping @Sendable (MutationHookedReactor?, Int) -> Void
  ) -> MutationHookedReactor {
    MutationHookedReactor(
      hook: { reactor, mutation in
        Erased(
          mutation.map { [weak reactor] number in
            body(reactor, number)
            return number
          })
      }, script)
  }

  /// Sends them in one go, so that all wait in the inbox before the first is taken.
  @discardableResult
  func sendAll(_ actions: some Sequence<Int>) -> [ActionReceipt<MutationHookedReactor>] {
    actions.map { send($0) }
  }
}

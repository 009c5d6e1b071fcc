import Reactor
import ReactorJournal

/// ReactorKit's counter: every change takes a while, and an alert reports when it is done.
///
/// Changes overlap: `+` three times in a row ends at 3, after one delay. Which mutations are
/// journaled, and how changes are undone, is in `CounterReactor+Keeping.swift`.
actor CounterReactor: Reactor, JournaledReactor, UndoableReactor {
  enum Action: Equatable {
    case increase(by: Int), decrease(by: Int), set(Int), reset
    /// Sent by a change that was cancelled: what its effect emits is ignored.
    case endChange
  }

  enum Mutation: Equatable, Codable {
    /// `end` ends a change that `begin` began, and `cancel` one that was cancelled; `add` undoes a
    /// change, without having begun.
    case begin, cancel, end(adding: Int, alert: String), add(Int), set(Int), refuse(String)
  }

  struct State: Equatable {
    /// `changesUnderWay` is the number of changes in progress.
    var value = 0, changesUnderWay = 0
    @Pulse var alert: String?
    @Pulse var refusal: String?
    var isLoading: Bool { changesUnderWay > 0 }
  }

  static let journalName = "counter"
  static let journalVersion = 1
  static let initialState = State()
  let pipeline = Pipeline()
  private let (delay, clock): (Duration, any Clock<Duration>)

  init(delay: Duration = .milliseconds(500), clock: any Clock<Duration> = ContinuousClock()) {
    (self.delay, self.clock) = (delay, clock)
  }

  func mutate(action: Action) -> MutationStream<Mutation> {
    switch action {
    case .increase(let amount): change(by: amount, alert: "increased!")
    case .decrease(.min): refuse(Int.min.magnitude)
    case .decrease(let amount): change(by: -amount, alert: "decreased!")
    case .set(let value): .just(.set(value))
    case .reset: .just(.set(0))
    case .endChange: .just(.cancel)
    }
  }

  private func change(by amount: Int, alert: String) -> MutationStream<Mutation> {
    if currentState.value.addingReportingOverflow(amount).overflow { return refuse(amount) }
    return .run { emit in
      await emit(.begin)
      try await clock.sleep(for: delay)
      await emit(.end(adding: amount, alert: alert))
    }
    .onEnd { outcome, _ in if outcome != .finished { sendUnlessStopped(.endChange) } }
  }

  private func refuse(_ amount: some BinaryInteger) -> MutationStream<Mutation> {
    .just(.refuse(Self.refusal(of: amount, at: currentState.value)))
  }

  /// Makes a change; a sum that does not fit is refused and leaves the value unchanged.
  ///
  /// It is static, as for every journaled reactor: it can use only the state and the mutation.
  static func reduce(state: inout State, mutation: Mutation) {
    switch mutation {
    // The beginning is not journaled, so after a restart the count may be 0 at the end.
    case .begin: state.changesUnderWay += 1
    case .cancel: state.changesUnderWay = max(0, state.changesUnderWay - 1)
    case .end(let amount, let alert):
      state.changesUnderWay = max(0, state.changesUnderWay - 1)
      if add(amount, to: &state) { state.alert = alert }
    case .add(let amount): _ = add(amount, to: &state)
    case .set(let value): state.value = value
    case .refuse(let reason): state.refusal = reason
    }
  }

  /// - Returns: Whether the sum fits; if not, the value is unchanged.
  private static func add(_ amount: Int, to state: inout State) -> Bool {
    let (sum, overflows) = state.value.addingReportingOverflow(amount)
    if overflows { state.refusal = refusal(of: amount, at: state.value) } else { state.value = sum }
    return !overflows
  }

  private static func refusal(of amount: some BinaryInteger, at value: Int) -> String {
    "\(value) cannot change by \(amount): the value must stay between \(Int.min) and \(Int.max)"
  }
}

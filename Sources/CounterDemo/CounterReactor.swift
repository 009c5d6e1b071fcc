public import Reactor
public import ReactorJournal

/// ReactorKit's counter: every change takes a while, and reports when it is done.
///
/// Changes overlap: `+` three times in a row ends at 3, after one delay. What is journaled, and how
/// changes are undone, is in `CounterReactor+Keeping.swift`.
public actor CounterReactor: Reactor, JournaledReactor, UndoableReactor {
  /// The actions of the user.
  public enum Action: Sendable, Equatable {
    /// Adds to the value, after the delay.
    case increase(by: Int)
    /// Subtracts from the value, after the delay.
    case decrease(by: Int)
    /// Sets the value at once.
    case set(Int)
    /// Sets the value to 0 at once.
    case reset
  }

  /// The changes of the state.
  public enum Mutation: Sendable, Equatable, Codable {
    /// A change has begun; the mutation below ends it.
    case begin
    /// A change that had begun is made.
    case end(adding: Int, alert: String)
    /// An amount is added without having begun: a change is undone.
    case add(Int)
    /// The value is replaced.
    case set(Int)
    /// A change was refused.
    case refuse(String)
  }

  /// The state that a screen shows.
  public struct State: Sendable, Equatable {
    /// The count.
    public var value = 0
    /// The number of changes in progress.
    public var changesUnderWay = 0
    /// Reports that a change is done; fires once for each.
    @Pulse public var alert: String?
    /// Reports why a change was refused; fires once for each.
    @Pulse public var refusal: String?

    /// Whether a change is in progress.
    public var isLoading: Bool { changesUnderWay > 0 }
  }

  /// The counter at 0.
  public static let initialState = State()
  /// The pipeline's storage.
  public let pipeline = Pipeline()

  private let delay: Duration
  private let clock: any Clock<Duration>

  /// Creates a counter at 0.
  ///
  /// - Parameters:
  ///   - delay: How long a change takes.
  ///   - clock: The clock that measures the delay.
  public init(
    delay: Duration = .milliseconds(500), clock: any Clock<Duration> = ContinuousClock()
  ) {
    self.delay = delay
    self.clock = clock
  }

  /// Converts an action to mutations.
  public func mutate(action: Action) -> MutationStream<Mutation> {
    switch action {
    case .increase(let amount): change(by: amount, alert: "increased!")
    case .decrease(.min):
      .just(.refuse(Self.refusal(of: Int.min.magnitude, at: currentState.value)))
    case .decrease(let amount): change(by: -amount, alert: "decreased!")
    case .set(let value): .just(.set(value))
    case .reset: .just(.set(0))
    }
  }

  /// Makes a change; a sum that does not fit is refused and leaves the value unchanged.
  ///
  /// It is static, as for every journaled reactor: it can use only the state and the mutation.
  public static func reduce(state: inout State, mutation: Mutation) {
    switch mutation {
    case .begin: state.changesUnderWay += 1
    case .end(let amount, let alert):
      // The beginning is not journaled, so after a restart the count may be 0 already.
      state.changesUnderWay = max(0, state.changesUnderWay - 1)
      if add(amount, to: &state) { state.alert = alert }
    case .add(let amount): add(amount, to: &state)
    case .set(let value): state.value = value
    case .refuse(let reason): state.refusal = reason
    }
  }

  /// - Returns: Whether the sum fits; if not, the value is unchanged.
  @discardableResult
  private static func add(_ amount: Int, to state: inout State) -> Bool {
    let (sum, overflows) = state.value.addingReportingOverflow(amount)
    if overflows {
      state.refusal = refusal(of: amount, at: state.value)
    } else {
      state.value = sum
    }
    return !overflows
  }

  private func change(by amount: Int, alert: String) -> MutationStream<Mutation> {
    guard !currentState.value.addingReportingOverflow(amount).overflow else {
      return .just(.refuse(Self.refusal(of: amount, at: currentState.value)))
    }
    return .run { emit in
      await emit(.begin)
      try await clock.sleep(for: delay)
      await emit(.end(adding: amount, alert: alert))
    }
  }

  private static func refusal(of amount: some BinaryInteger, at value: Int) -> String {
    "\(value) cannot change by \(amount): the value must stay between \(Int.min) and \(Int.max)"
  }
}

public import Reactor
public import ReactorJournal

/// ReactorKit's counter: every change takes a while, and says so when it is done.
///
/// Changes overlap: `+` three times in a row ends at 3, after one delay. What is kept of it, and
/// how changes are taken back, stands in `CounterReactor+Keeping.swift`.
public actor CounterReactor: Reactor, JournaledReactor, UndoableReactor {
  /// What a person can ask for.
  public enum Action: Sendable, Equatable {
    /// Adds to the value, after the delay.
    case increase(by: Int)
    /// Takes from the value, after the delay.
    case decrease(by: Int)
    /// Sets the value at once.
    case set(Int)
    /// Sets the value to 0 at once.
    case reset
  }

  /// What can happen to the state.
  public enum Mutation: Sendable, Equatable, Codable {
    /// A change has begun; it will end with the one below.
    case begin
    /// A change that had begun is made.
    case end(adding: Int, alert: String)
    /// Something is added without having begun: a change is taken back.
    case add(Int)
    /// The value is replaced.
    case set(Int)
    /// Something could not be done, and was not.
    case refuse(String)
  }

  /// What a screen shows.
  public struct State: Sendable, Equatable {
    /// The count.
    public var value = 0
    /// How many changes are under way.
    public var changesUnderWay = 0
    /// Says that a change is done; fires once for each.
    @Pulse public var alert: String?
    /// Says why something was not done; fires once for each.
    @Pulse public var refusal: String?

    /// Whether a change is under way.
    public var isLoading: Bool { changesUnderWay > 0 }
  }

  /// The counter at 0.
  public static let initialState = State()
  /// The pipeline's storage.
  public let pipeline = Pipeline()

  private let delay: Duration
  private let clock: any Clock<Duration>

  /// A counter at 0.
  ///
  /// - Parameters:
  ///   - delay: How long a change takes.
  ///   - clock: What the delay is measured with.
  public init(
    delay: Duration = .milliseconds(500), clock: any Clock<Duration> = ContinuousClock()
  ) {
    self.delay = delay
    self.clock = clock
  }

  /// Turns a wish into what happens.
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

  /// Makes a change; a sum that does not fit is refused and leaves the value alone.
  ///
  /// Static, as of every reactor that is kept: it sees nothing but the state and the mutation.
  public static func reduce(state: inout State, mutation: Mutation) {
    switch mutation {
    case .begin: state.changesUnderWay += 1
    case .end(let amount, let alert):
      // That it had begun is not kept, so after a restart there is nothing to count down.
      state.changesUnderWay = max(0, state.changesUnderWay - 1)
      if add(amount, to: &state) { state.alert = alert }
    case .add(let amount): add(amount, to: &state)
    case .set(let value): state.value = value
    case .refuse(let reason): state.refusal = reason
    }
  }

  /// - Returns: Whether the sum fits; if not, the value is left alone.
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

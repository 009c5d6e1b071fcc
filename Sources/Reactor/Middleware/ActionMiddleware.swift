/// A stage that actions pass on their way into a reactor: it passes an action on, changes it, or
/// drops it.
///
/// ```swift
/// struct Authorising: ActionMiddleware {
///   let session: Session
///
///   mutating func handle<R: Reactor>(
///     _ action: R.Action, in context: MiddlewareContext<R>
///   ) -> ActionVerdict<R.Action> {
///     guard let action = action as? any NeedsLogin, action.needsLogin else { return .pass }
///     return session.isOpen ? .pass : .drop(NotLoggedIn())
///   }
/// }
///
/// let appMiddleware: [any ActionMiddleware] = [Logging(), Authorising(session: session)]
///
/// actor TodoReactor: Reactor {
///   let pipeline = Pipeline(through: appMiddleware)
///   …
/// }
/// ```
///
/// A list of stages is created once, and can be passed to reactors of any types. The first stage in
/// the list runs first; the later ones never see an action that it drops.
///
/// **Runs on** the reactor, synchronously and without a task, when the action is dequeued: before
/// `transform(action:)`, before its lane and `mutate`. It should be quick. Actions that
/// `transform(action:)` creates do not pass it, and neither do mutations.
///
/// **The sender** is known from the action, or from a task-local value that the pipeline carries,
/// see `Pipeline(carrying:through:)`; here such a value is the sender's. Other task-local values
/// may be those of any task, as in `mutate`: the turn may be taken by a task that waits for another
/// action.
///
/// **State**: the properties of a stage belong to one reactor, and need no lock, since each reactor
/// has a copy. What all reactors have to share is a reference in a property.
///
/// **A dropped action** has settled, and ``ActionReceipt/outcome`` is
/// ``ActionOutcome/droppedByMiddleware(_:)`` with the reason, which is also reported. A caller that
/// asked gets the reason, unchanged if it is an ``ExpectedError``, otherwise in an ``AskError``.
/// Nothing else sees the action, not even `actions(where:)`.
///
/// **Cost**: none for a reactor without middleware.
public protocol ActionMiddleware: Sendable {
  /// Decides what happens to an action.
  ///
  /// - Parameters:
  ///   - action: The action, as the stage before has left it.
  ///   - context: The reactor's state, and which reactor it is.
  /// - Returns: What happens to it.
  mutating func handle<R: Reactor>(
    _ action: R.Action, in context: MiddlewareContext<R>
  ) -> ActionVerdict<R.Action>
}

/// What a stage of the middleware can read besides the action.
public struct MiddlewareContext<R: Reactor>: Sendable {
  /// The state before the action.
  public let state: R.State
  /// The number of the action.
  public let actionNumber: ActionNumber
  let core: Engine<R>

  /// The identity of the reactor.
  public var reactor: ReactorIdentity { core.identity }

  /// Sends a further action to the reactor, which waits for its turn, and passes all stages.
  ///
  /// - Parameter action: The action.
  /// - Returns: Its receipt; `nil` if the reactor has been released.
  @discardableResult
  public func send(_ action: R.Action) -> ActionReceipt<R>? { core.reactor?.send(action) }
}

/// A stage for the actions of one type, which passes all others on.
///
/// ```swift
/// let trimming = ActionStage(for: TodoReactor.Action.self) { action in
///   if case .add(let title) = action { .change(.add(trimmed(title))) } else { .pass }
/// }
/// ```
public struct ActionStage<Action: Sendable>: ActionMiddleware {
  private let decide: @Sendable (Action) -> ActionVerdict<Action>

  /// Creates a stage.
  ///
  /// - Parameters:
  ///   - type: The type of the actions.
  ///   - decide: Returns what happens to an action.
  public init(
    for type: Action.Type = Action.self,
    _ decide: @escaping @Sendable (Action) -> ActionVerdict<Action>
  ) {
    self.decide = decide
  }

  /// Decides what happens to an action of the type.
  ///
  /// - Parameters:
  ///   - action: The action.
  ///   - context: Not used.
  /// - Returns: What happens to it.
  public func handle<R: Reactor>(
    _ action: R.Action, in context: MiddlewareContext<R>
  ) -> ActionVerdict<R.Action> {
    guard let action = action as? Action else { return .pass }
    switch decide(action) {
    case .pass: return .pass
    case .drop(let reason): return .drop(reason)
    case .change(let other):
      // The two types are the same, but the compiler does not know it.
      guard let other = other as? R.Action else { return .pass }
      return .change(other)
    }
  }
}

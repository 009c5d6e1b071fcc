/// A stage on the way of actions into a reactor: it lets an action pass, changes it, or drops it.
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
/// A list is put together once, and given to any reactors, of whatever types. The first stage in it
/// comes first; what it drops, the others never see.
///
/// **Runs on** the reactor, at once and without a task, when the action comes out of the inbox:
/// before `transform(action:)`, before its lane and `mutate`. It should be quick. What
/// `transform(action:)` makes by itself does not come by here, nor do mutations.
///
/// **Who sent it** is known by the action, or by a task-local value that the pipeline carries, see
/// `Pipeline(carrying:through:)`, which is the sender's here. Of others a stage may see anybody's,
/// as `mutate` may: the turn may be taken by a task that waits for another action.
///
/// **What it remembers** in its own properties it remembers for that reactor alone, without a lock:
/// each has a copy. What all reactors are to have in common is a reference in there.
///
/// **Dropped**: the action has settled, ``ActionReceipt/outcome`` is
/// ``ActionOutcome/droppedByMiddleware(_:)`` with the reason, which is reported, too; who has asked
/// gets it, as it is if it is an ``ExpectedError``, else in an ``AskError``. Nothing else sees the
/// action, `actions(where:)` included.
///
/// **What it costs**: nothing where there is none.
public protocol ActionMiddleware: Sendable {
  /// Decides what becomes of an action.
  ///
  /// - Parameters:
  ///   - action: The action, as the stage before has left it.
  ///   - context: The reactor's state, and which reactor it is.
  /// - Returns: What becomes of it.
  mutating func handle<R: Reactor>(
    _ action: R.Action, in context: MiddlewareContext<R>
  ) -> ActionVerdict<R.Action>
}

/// What a stage of the middleware may look at beside the action.
public struct MiddlewareContext<R: Reactor>: Sendable {
  /// The state, as it is before the action.
  public let state: R.State
  /// The number of the action.
  public let actionNumber: ActionNumber
  let core: Engine<R>

  /// Which reactor it is.
  public var reactor: ReactorIdentity { core.identity }

  /// Sends a further action to the reactor, which waits its turn, and passes all stages.
  ///
  /// - Parameter action: The action.
  /// - Returns: Its receipt; `nil` if the reactor is gone.
  @discardableResult
  public func send(_ action: R.Action) -> ActionReceipt<R>? { core.reactor?.send(action) }
}

/// A stage for the actions of one type: it lets all others pass.
///
/// ```swift
/// let trimming = ActionStage(for: TodoReactor.Action.self) { action in
///   if case .add(let title) = action { .change(.add(trimmed(title))) } else { .pass }
/// }
/// ```
public struct ActionStage<Action: Sendable>: ActionMiddleware {
  private let decide: @Sendable (Action) -> ActionVerdict<Action>

  /// A stage.
  ///
  /// - Parameters:
  ///   - type: The type of the actions.
  ///   - decide: What becomes of one.
  public init(
    for type: Action.Type = Action.self,
    _ decide: @escaping @Sendable (Action) -> ActionVerdict<Action>
  ) {
    self.decide = decide
  }

  /// Decides about an action of the type.
  ///
  /// - Parameters:
  ///   - action: The action.
  ///   - context: Not looked at.
  /// - Returns: What becomes of it.
  public func handle<R: Reactor>(
    _ action: R.Action, in context: MiddlewareContext<R>
  ) -> ActionVerdict<R.Action> {
    guard let action = action as? Action else { return .pass }
    switch decide(action) {
    case .pass: return .pass
    case .drop(let reason): return .drop(reason)
    case .change(let other):
      // It is the same type, seen from the other side.
      guard let other = other as? R.Action else { return .pass }
      return .change(other)
    }
  }
}

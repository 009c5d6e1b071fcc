/// A reactor narrowed to a part of its state and to the actions of that part.
///
/// ```swift
/// let todos = app.scope(\.todos) { .todos($0) }
/// todos.send(.add("milk"))
/// for await titles in todos.select(\.titles) { … }
/// ```
///
/// Pass it to code that should use one part of a reactor only, such as a screen. It keeps the
/// reactor alive, and its actions take the same turns. It can be narrowed further, as deeply as
/// parts consist of parts. Each narrowing calls the one before it, for each action and each value:
/// thousands of them, made in a loop, overflow the stack.
public struct ReactorScope<R: Reactor, Action: Sendable, State: Sendable>: Sendable {
  /// The reactor that the part is of.
  public let reactor: R
  let part: @Sendable (R.State) -> State
  let action: @Sendable (Action) -> R.Action

  /// Sends an action of the part; see ``Reactor/send(_:)``.
  ///
  /// - Parameter action: The action.
  /// - Returns: Its receipt.
  @discardableResult
  public func send(_ action: Action) -> ActionReceipt<R> { reactor.send(self.action(action)) }

  /// Sends an action of the part, and returns how its work ended.
  ///
  /// See ``Reactor/outcome(of:)``.
  ///
  /// - Parameter action: The action.
  /// - Returns: The outcome.
  nonisolated(nonsending) public func outcome(of action: Action) async -> ActionOutcome {
    await reactor.outcome(of: self.action(action))
  }

  /// Sends an action of the part that carries a reply, and returns the answer; see
  /// ``Reactor/ask(_:)``.
  ///
  /// - Parameter action: Creates the action from the reply that it carries.
  /// - Returns: The answer.
  /// - Throws: The error that it was answered with, or an ``AskError``.
  nonisolated(nonsending) public func ask<Value: Sendable>(
    _ action: (Reply<Value>) -> Action
  ) async throws -> Value {
    try await reactor.ask { self.action(action($0)) }
  }

  /// The part's state, as reduced so far.
  ///
  /// **Runs on** the reactor.
  public var currentState: State { get async { part(await reactor.currentState) } }

  /// Returns the part of a state of the reactor.
  ///
  /// - Parameter state: The state.
  /// - Returns: The part's state.
  public func part(of state: R.State) -> State { part(state) }

  /// Observes one value in the part; a value equal to the previous one is skipped.
  ///
  /// - Parameter value: A key path, or a function of the part's state.
  /// - Returns: The values, the current one first.
  public func select<Value: Equatable & Sendable>(
    _ value: @escaping @Sendable (State) -> Value
  ) -> StateSelection<R.State, Value> {
    reactor.state.select { [part] in value(part($0)) }
  }

  /// Narrows the scope further.
  ///
  /// - Parameters:
  ///   - part: The part of the part.
  ///   - action: Converts the inner part's action to an action of this part.
  /// - Returns: The narrower scope, of the same reactor.
  public func scope<InnerAction: Sendable, Inner: Sendable>(
    _ part: @escaping @Sendable (State) -> Inner,
    action: @escaping @Sendable (InnerAction) -> Action
  ) -> ReactorScope<R, InnerAction, Inner> {
    ReactorScope<R, InnerAction, Inner>(
      reactor: reactor, part: { [outer = self.part] in part(outer($0)) },
      action: { [outer = self.action] in outer(action($0)) })
  }
}

extension ReactorScope where State: Equatable {
  /// The states of the part, the current one first; a state equal to the previous one is skipped.
  public var state: StateSelection<R.State, State> { select { $0 } }
}

extension Reactor {
  /// Narrows the reactor to a part of its state and to the actions of that part.
  ///
  /// - Parameters:
  ///   - part: A key path, or a function of the reactor's state.
  ///   - action: Converts an action of the part to an action of the reactor.
  /// - Returns: The scope, which keeps the reactor alive.
  public nonisolated func scope<PartAction: Sendable, Part: Sendable>(
    _ part: @escaping @Sendable (State) -> Part,
    action: @escaping @Sendable (PartAction) -> Action
  ) -> ReactorScope<Self, PartAction, Part> {
    ReactorScope(reactor: self, part: part, action: action)
  }
}

public import Reactor

/// A reactor narrowed to a part of its state and to the actions of that part.
///
/// ```swift
/// let todos = app.scope(\.todos) { .todos($0) }
/// todos.send(.add("milk"))
/// for await titles in todos.select(\.titles) { … }
/// ```
///
/// What a screen is given that is to know its own part only, of a reactor that is made of parts. It
/// keeps the reactor, takes the same turns, and can be narrowed further, as deeply as parts consist
/// of parts. Each narrowing calls the one before it, for each action and each value: thousands,
/// made in a loop, overflow the stack.
public struct ReactorScope<R: Reactor, Action: Sendable, State: Sendable>: Sendable {
  let reactor: R
  let part: @Sendable (R.State) -> State
  let action: @Sendable (Action) -> R.Action

  /// Sends an action of the part; see ``/Reactor/Reactor/send(_:)``.
  ///
  /// - Parameter action: The action.
  /// - Returns: Its receipt.
  @discardableResult
  public func send(_ action: Action) -> ActionReceipt<R> { reactor.send(self.action(action)) }

  /// Sends an action of the part, and returns how its work ended.
  ///
  /// See ``/Reactor/Reactor/outcome(of:)``.
  ///
  /// - Parameter action: The action.
  /// - Returns: How it ended.
  nonisolated(nonsending) public func outcome(of action: Action) async -> ActionOutcome {
    await reactor.outcome(of: self.action(action))
  }

  /// Sends an action of the part that carries a reply, and returns the answer; see
  /// ``/Reactor/Reactor/ask(_:)``.
  ///
  /// - Parameter action: Makes the action from the reply that it is to carry.
  /// - Returns: The answer.
  /// - Throws: What it was answered with, or an ``/Reactor/AskError``.
  nonisolated(nonsending) public func ask<Value: Sendable>(
    _ action: (Reply<Value>) -> Action
  ) async throws -> Value {
    try await reactor.ask { self.action(action($0)) }
  }

  /// The part as reduced so far.
  ///
  /// **Runs on** the reactor.
  public var currentState: State { get async { part(await reactor.currentState) } }

  /// Watches one value in the part; a value equal to the one before is left out.
  ///
  /// - Parameter value: A key path, or anything that can be made of the part.
  /// - Returns: The values, the current one first.
  public func select<Value: Equatable & Sendable>(
    _ value: @escaping @Sendable (State) -> Value
  ) -> StateSelection<R.State, Value> {
    reactor.state.select { [part] in value(part($0)) }
  }

  /// The same narrowed further.
  ///
  /// - Parameters:
  ///   - part: The part of the part.
  ///   - action: What its actions are to this one.
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
  /// The states of the part, the current one first; one equal to the one before is left out.
  public var state: StateSelection<R.State, State> { select { $0 } }
}

extension Reactor {
  /// The reactor narrowed to a part of its state and to the actions of that part.
  ///
  /// - Parameters:
  ///   - part: A key path, or anything that can be made of a state.
  ///   - action: What an action of the part is to the reactor.
  /// - Returns: The scope, which keeps the reactor.
  public nonisolated func scope<PartAction: Sendable, Part: Sendable>(
    _ part: @escaping @Sendable (State) -> Part,
    action: @escaping @Sendable (PartAction) -> Action
  ) -> ReactorScope<Self, PartAction, Part> {
    ReactorScope(reactor: self, part: part, action: action)
  }
}

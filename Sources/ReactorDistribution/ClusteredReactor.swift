import Foundation
public import Reactor
public import ReactorComposition
public import ReactorJournal

/// A handle for one reactor of a cluster, on whichever host it is.
///
/// ```swift
/// let cart = carts["42"]  // a ClusterRegistry<CartReactor>
/// try await cart.send(.add(price: 7))
/// let total = try await cart.ask { .checkOut($0) }
/// ```
///
/// A call finds the reactor, or makes it, and searches again if its host is lost. The mutations of
/// an action are stored at most once, however often the call had to be tried.
///
/// Creating a handle does nothing. Cancelling a call cancels the work, also on another host.
public struct ClusteredReactor<R: JournaledReactor>: ReactorHandle where R.Action: Codable {
  /// The reactor's actions.
  public typealias Action = R.Action
  /// The reactor's states.
  public typealias State = R.State
  /// The reactor's outputs.
  public typealias Output = R.Output

  /// The identifier among the reactors of its type.
  public let id: String
  let node: ClusterNode
  let kind: ClusterKind<R>

  var caller: Caller<R> { Caller(node: node, kind: kind, id: id) }

  func head(_ verb: CallRequest.Verb, within limit: Duration? = nil) -> CallRequest.Head {
    var head = CallRequest.Head(verb: verb, name: kind.name, id: id)
    head.command = node.options.makeID()
    head.within = limit.map { $0.bounded / .seconds(1) }
    return head
  }

  // MARK: Sending

  /// Sends an action; returns when the reactor has accepted it.
  ///
  /// **Failure**: accepted does not mean stored. If the host is lost before a mutation of the
  /// action is stored, the action is lost.
  ///
  /// - Throws: ``ClusterError``; after a cancellation the action may have been sent or not.
  nonisolated(nonsending) public func send(_ action: R.Action) async throws {
    _ = try await command(head(.send)) { _ in
      action
    } there: {
      try encode(action)
    }
  }

  /// Sends an action, and waits until its work has ended and is stored.
  ///
  /// **Cancellation**: cancelling the task cancels the action.
  ///
  /// - Returns: The outcome of the action; if it failed on another host, the error is a
  ///   ``ClusterFailure``.
  /// - Throws: ``ClusterError`` if the outcome is unknown.
  nonisolated(nonsending) public func outcome(of action: R.Action) async throws -> ActionOutcome {
    do {
      _ = try await command(head(.outcome)) { _ in
        action
      } there: {
        try encode(action)
      }
      return .finished
    } catch ClusterError.failed(_, let failure) where failure.kind != .notMade {
      return failure.outcome
    }
  }

  // MARK: Asking

  /// Sends an action with a reply, and waits for the answer until the mutations before it are
  /// stored.
  ///
  /// **Cancellation**: cancelling the task cancels the action, also on another host.
  ///
  /// - Parameter action: Makes the action with the reply that it carries; called once for each
  ///   attempt.
  /// - Returns: The answer.
  /// - Throws: ``ClusterError`` with the reason why there is no answer.
  nonisolated(nonsending) public func ask<Value: Sendable & Codable>(
    _ action: (Reply<Value>) -> R.Action
  ) async throws -> Value { try await ask(head(.ask), action) }

  /// Sends an action with a reply, and waits for the answer for a limited time; then the action is
  /// cancelled.
  ///
  /// The time is measured by the clock of this host.
  ///
  /// - Parameters:
  ///   - limit: How long to wait.
  ///   - action: Makes the action with the reply that it carries.
  /// - Returns: The answer.
  /// - Throws: ``ClusterError``.
  nonisolated(nonsending) public func ask<Value: Sendable & Codable>(
    within limit: Duration, _ action: (Reply<Value>) -> R.Action
  ) async throws -> Value { try await ask(head(.ask, within: limit), action) }

  private nonisolated(nonsending) func ask<Value: Sendable & Codable>(
    _ head: CallRequest.Head, _ action: (Reply<Value>) -> R.Action
  ) async throws -> Value {
    let outcome = try await command(head) { command in
      action(Reply<Value> { answer in command.reply(answer.map { $0 }) })
    } there: {
      try encode(action(Reply<Value> { _ in }))
    }
    switch outcome {
    case .live(.success(let value as Value)): return value
    case .stored(.done(let data?)): return try JSONDecoder().decode(Value.self, from: data)
    default:
      throw ClusterError.failed(
        kind.key(id), reason: ClusterFailure(.failed, "it was answered with something else"))
    }
  }

  private func encode(_ action: R.Action) throws -> Data {
    do {
      return try JSONEncoder().encode(action)
    } catch {
      let reason = ReportText.text(ofError: error)
      throw ClusterError.invalid("the action cannot be encoded for another host: \(reason)")
    }
  }

  /// Executes a command on this host or another one.
  private nonisolated(nonsending) func command(
    _ head: CallRequest.Head, here: (RunningCommand) -> R.Action, there: () throws -> Data
  ) async throws -> CommandOutcome {
    let outcome = try await caller.call(head) { head -> Caller<R>.LocalOperation<CommandOutcome> in
      let command = RunningCommand(head.command)
      let action = OneTimeValue(here(command))
      return { [self] in
        let outcome = try await kind.perform(id, head, command, action)
        return isWorthAnotherTry(outcome) ? nil : outcome
      }
    } payload: {
      try there()
    } there: { response in
      .stored(try CommandResult(encoded: response.payload))
    }
    switch outcome {
    case .live(.failure(let error)):
      if error is CancellationError { throw error }
      throw ClusterError.failed(kind.key(id), reason: ClusterFailure(error))
    case .stored(.failed(let failure)): throw ClusterError.failed(kind.key(id), reason: failure)
    default: return outcome
    }
  }

  private func isWorthAnotherTry(_ outcome: CommandOutcome) -> Bool {
    switch outcome {
    case .live(.failure(let error)): ClusterFailure(error).isWorthAnotherTry
    case .stored(.failed(let failure)): failure.isWorthAnotherTry
    default: false
    }
  }
}

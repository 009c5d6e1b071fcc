public import Reactor

/// A handle for the reactor of a key, whether or not the reactor exists at the moment:
/// `rooms["lobby"]`.
///
/// Each call creates the reactor if needed, and keeps it until the call has ended. The handle keeps
/// the registry alive, and can be copied and stored.
public struct RegisteredReactor<ID: Hashable & Sendable, R: Reactor>: ReactorHandle {
  /// The reactor's actions.
  public typealias Action = R.Action
  /// The reactor's state.
  public typealias State = R.State
  /// The reactor's outputs.
  public typealias Output = R.Output

  @usableFromInline let registry: ReactorRegistry<ID, R>
  /// The key.
  public let id: ID

  @usableFromInline
  init(_ registry: ReactorRegistry<ID, R>, _ id: ID) {
    self.registry = registry
    self.id = id
  }

  /// Sends an action; returns after the reactor has accepted it.
  ///
  /// - Parameter action: The action.
  /// - Throws: ``RegistryError``, or what the creation threw.
  @inlinable
  nonisolated(nonsending) public func send(_ action: R.Action) async throws {
    let lease = try await registry.lease(id)
    defer { registry.endLease(lease.entry) }
    let receipt = lease.reactor.send(action)
    if receipt.isRefused, let refusal = receipt.refusal { throw RegistryError.refused(refusal) }
  }

  /// Sends an action, and returns how its own work ended.
  ///
  /// **If the task is cancelled**, the action is cancelled.
  ///
  /// - Parameter action: The action.
  /// - Returns: The outcome.
  /// - Throws: ``RegistryError``, or what the creation threw.
  nonisolated(nonsending) public func outcome(of action: R.Action) async throws -> ActionOutcome {
    try await registry.with(id) { await $0.outcome(of: action) }
  }

  /// Sends an action that carries a reply, and returns the answer.
  ///
  /// **If the task is cancelled**, the action is cancelled, unless it has been answered.
  ///
  /// - Parameter action: Creates the action from the reply that it carries.
  /// - Returns: The answer.
  /// - Throws: The error that it was answered with, an ``/Reactor/AskError``, a ``RegistryError``,
  ///   or what the creation threw.
  @inlinable
  nonisolated(nonsending) public func ask<Value: Sendable>(
    _ action: (Reply<Value>) -> R.Action
  ) async throws -> Value {
    let lease = try await registry.lease(id)
    defer { registry.endLease(lease.entry) }
    return try await lease.reactor.ask(action)
  }

  /// Sends an action that carries a reply, and returns the answer if it arrives within a time
  /// limit.
  ///
  /// The time begins with the call and includes the creation of the reactor. A creation that takes
  /// longer continues, for the next use.
  ///
  /// - Parameters:
  ///   - limit: The time limit; when it is reached, the action is cancelled.
  ///   - clock: The clock that measures it.
  ///   - action: Creates the action from the reply that it carries.
  /// - Returns: The answer.
  /// - Throws: As ``ask(_:)``.
  @inlinable
  nonisolated(nonsending) public func ask<Value: Sendable>(
    within limit: Duration, clock: any Clock<Duration> = ContinuousClock(),
    _ action: (Reply<Value>) -> R.Action
  ) async throws -> Value {
    let limit = AskLimit(limit, by: clock)
    let lease = try await registry.lease(id, within: limit)
    defer { registry.endLease(lease.entry) }
    return try await lease.reactor.ask(limit: limit, action)
  }

  /// The states, the current one first; the reactor is in use while they are iterated.
  public var state: HandleStream<R.State> { states(.everyState) }

  /// The states, with a buffering policy for slow observers.
  ///
  /// - Parameter policy: Every state, the newest only, or the last few.
  /// - Returns: A stream for any number of observers.
  public func states(_ policy: StateBuffering) -> HandleStream<R.State> {
    HandleStream { [self] in
      let use = Use(try await registry.lease(id), of: registry)
      let states = use.lease.reactor.state.buffering(policy)
      let iterator = states.makeAsyncIterator()
      return {
        var iterator = iterator
        defer { withExtendedLifetime(use) {} }
        return await iterator.next()
      }
    }
  }

  /// The outputs emitted after the iteration begins; the reactor is in use while they are iterated.
  public var outputs: HandleStream<R.Output> {
    HandleStream { [self] in
      let use = Use(try await registry.lease(id), of: registry)
      let outputs = use.lease.reactor.outputs()
      return {
        defer { withExtendedLifetime(use) {} }
        return await outputs.next()
      }
    }
  }

  /// A lease that is returned when this object is released.
  private final class Use: Sendable {
    let lease: RegistryLease<ID, R>
    private let registry: ReactorRegistry<ID, R>

    init(_ lease: RegistryLease<ID, R>, of registry: ReactorRegistry<ID, R>) {
      self.lease = lease
      self.registry = registry
    }

    deinit { registry.endLease(lease.entry) }
  }
}

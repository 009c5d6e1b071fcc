public import Reactor

/// The reactor of a key, whether there is one at the moment or not: `rooms["lobby"]`.
///
/// Whatever is done with it has the reactor made if need be, and keeps it until it is done. It
/// holds the registry, and may be copied and kept.
public struct RegisteredReactor<ID: Hashable & Sendable, R: Reactor>: ReactorHandle {
  /// What the reactor takes.
  public typealias Action = R.Action
  /// What it shows.
  public typealias State = R.State
  /// What it says beside that.
  public typealias Output = R.Output

  @usableFromInline let registry: ReactorRegistry<ID, R>
  /// The key.
  public let id: ID

  @usableFromInline
  init(_ registry: ReactorRegistry<ID, R>, _ id: ID) {
    self.registry = registry
    self.id = id
  }

  /// Sends an action; returns once the reactor has accepted it.
  ///
  /// - Parameter action: The action.
  /// - Throws: ``RegistryError``, or what the making threw.
  @inlinable
  nonisolated(nonsending) public func send(_ action: R.Action) async throws {
    let lease = try await registry.lease(id)
    defer { registry.giveBack(lease.entry) }
    let receipt = lease.reactor.send(action)
    if receipt.isRefused, let refusal = receipt.refusal { throw RegistryError.refused(refusal) }
  }

  /// Sends an action, and returns how its own work ended.
  ///
  /// **If the task is cancelled**, so is the action.
  ///
  /// - Parameter action: The action.
  /// - Returns: How it ended.
  /// - Throws: ``RegistryError``, or what the making threw.
  nonisolated(nonsending) public func outcome(of action: R.Action) async throws -> ActionOutcome {
    try await registry.with(id) { await $0.outcome(of: action) }
  }

  /// Sends an action that carries a reply, and returns the answer.
  ///
  /// **If the task is cancelled**, so is the action, unless it has been answered.
  ///
  /// - Parameter action: Makes the action from the reply that it is to carry.
  /// - Returns: The answer.
  /// - Throws: The error that it was answered with; ``/Reactor/AskError``; ``RegistryError``, or
  ///   what the making threw.
  @inlinable
  nonisolated(nonsending) public func ask<Value: Sendable>(
    _ action: (Reply<Value>) -> R.Action
  ) async throws -> Value {
    let lease = try await registry.lease(id)
    defer { registry.giveBack(lease.entry) }
    return try await lease.reactor.ask(action)
  }

  /// Sends an action that carries a reply, and returns the answer if it comes within a time.
  ///
  /// The time begins with the call: making the reactor is part of it. A making that takes longer
  /// goes on, for the next use.
  ///
  /// - Parameters:
  ///   - limit: How long that may take; when it has passed, the action is cancelled.
  ///   - clock: What measures it.
  ///   - action: Makes the action from the reply that it is to carry.
  /// - Returns: The answer.
  /// - Throws: As ``ask(_:)``.
  @inlinable
  nonisolated(nonsending) public func ask<Value: Sendable>(
    within limit: Duration, clock: any Clock<Duration> = ContinuousClock(),
    _ action: (Reply<Value>) -> R.Action
  ) async throws -> Value {
    let limit = AskLimit(limit, by: clock)
    let lease = try await registry.lease(id, within: limit)
    defer { registry.giveBack(lease.entry) }
    return try await lease.reactor.ask(limit: limit, action)
  }

  /// The states, the current one first; the reactor is in use while they are iterated.
  public var state: HandleStream<R.State> { states(.everyState) }

  /// The states, with a choice of what a slow observer gets.
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

  /// The outputs from the moment on at which they begin to be iterated; the reactor is in use while
  /// they are.
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

  /// A lease that is given back when it goes.
  private final class Use: Sendable {
    let lease: RegistryLease<ID, R>
    private let registry: ReactorRegistry<ID, R>

    init(_ lease: RegistryLease<ID, R>, of registry: ReactorRegistry<ID, R>) {
      self.lease = lease
      self.registry = registry
    }

    deinit { registry.giveBack(lease.entry) }
  }
}

/// Access to a reactor's engine for code outside this target.
///
/// An action for several engines is admitted to each of them under one lock of the sender's, so
/// that all of them get such actions in the same order. Code of the user's must not run under that
/// lock. So an action is prepared before the lock is taken, admitted under it, and its admission is
/// completed after it.
///
/// **Runs on** any thread, for all members.
@usableFromInline
package protocol EngineAccess<Owner>: AnyObject, Sendable {
  associatedtype Owner: Reactor

  /// The identity of the reactor.
  var identity: ReactorIdentity { get }
  /// What the engine does at this moment.
  var activity: EngineActivity { get }
  /// Whether actions are accepted.
  var isOpen: Bool { get }
  /// Whether states pass a hook on their way out.
  var shapesStates: Bool { get }

  // MARK: Actions

  /// Adds the context of the sender's task; must not be called under a lock, since it may copy
  /// values of the user's.
  func prepare(_ action: Owner.Action) -> Envelope<Owner.Action>

  /// Accepts an action or refuses it; may be called under a lock.
  ///
  /// - Parameters:
  ///   - envelope: The action.
  ///   - decide: Called while the inbox is locked; its argument is true if the action could be
  ///     accepted, or if the reactor has been released. Returns whether to accept the action.
  ///   - marks: Called with the action's number before it can be dequeued; returns the marks to
  ///     set.
  /// - Returns: The result, which has to be completed once the lock has been released.
  func admit(
    _ envelope: Envelope<Owner.Action>, if decide: (_ isAcceptable: Bool) -> Bool,
    marking marks: (_ number: UInt64) -> [EngineMark]
  ) -> EngineAdmission

  /// The receipt of an accepted action.
  func receipt(of number: UInt64) -> ActionReceipt<Owner>

  /// Marks the end of the actions accepted so far; may be called under a lock.
  ///
  /// - Parameter reached: Called once all of them have had their turns.
  /// - Returns: A closure that has to be called once the lock has been released.
  func mark(_ reached: @escaping EngineMark.Reached) -> @Sendable () -> Void

  // MARK: Lifecycle

  /// Begins, although no action has been sent.
  ///
  /// - Parameter reactor: The engine's reactor.
  func start(_ reactor: Owner)

  /// Ends the reactor as ``Reactor/stop(_:)`` does; returns `nil` if it has been released.
  func stop(_ mode: StopMode) -> StopReceipt?

  /// Makes the end of the reactor wait for something, as it waits for its own work.
  func keepOpen(until end: @escaping @Sendable () async -> Void)

  // MARK: The end of a generation

  /// Waits until everything has ended.
  nonisolated(nonsending) func waitUntilAllSettled(in generation: UInt32) async

  /// Whether everything has ended.
  func isEverythingSettled(in generation: UInt32) -> Bool

  /// Waits for the end, and returns the work that the end has cut short.
  nonisolated(nonsending) func abandoned(in generation: UInt32) async -> [OpenAction]

  /// Returns the work that the end has cut short in the engine's followers.
  nonisolated(nonsending) func abandonedByFollowers() async -> [AbandonedWork]

  /// Ends a drain as a second `stop()` would, but not a later generation.
  func expedite(_ generation: UInt32)

  // MARK: Followers

  /// Adds, finds or removes followers, under a lock of the engine's.
  func withFollowers<Result: Sendable>(
    _ body: (inout [any EngineFollower<Owner.State>]) -> Result
  ) -> Result

  /// Reduces a mutation that does not come from an action of the reactor.
  ///
  /// - Returns: Whether it was reduced; false once the reactor has ended, or if the task is
  ///   cancelled.
  func reduceFromOutside(_ mutation: Owner.Mutation) async -> Bool
}

extension ReactorPipeline {
  /// The engine, before its reactor is used.
  @inlinable package var engine: some EngineAccess<R> { core }

  /// Returns the engine of a reactor, and connects it to the reactor.
  @inlinable
  package func engine(of reactor: R) -> some EngineAccess<R> {
    core.connect(reactor)
    return core
  }
}

extension StateStream {
  /// The engine whose reduced states these are; `nil` if they are made of others, by a
  /// `transform(state:)` or by `derived`.
  package var engine: (any EngineAccess)? {
    (source as? any EngineAccess).flatMap { $0.shapesStates ? nil : $0 }
  }
}

/// What an engine does at a moment.
@usableFromInline
package enum EngineActivity: Sendable {
  /// Its reactor has not been used yet.
  case unused
  /// No action waits, and no effect runs.
  case idle
  case working
  /// It accepts no more actions, and some work has not ended yet.
  case ending
  case ended
  /// The reactor has been released.
  case released
}

/// A position in the order of an engine's actions.
@usableFromInline
package struct EngineMark: Sendable {
  /// Called once, on the reactor and under no lock, between two turns: with the number of the
  /// state, and a closure that returns the state.
  ///
  /// If the reactor is released before, or its journal fails, it is called with `nil`, on any
  /// thread.
  @usableFromInline package typealias Reached =
    @Sendable (_ version: UInt64?, _ state: () -> (any Sendable)?) -> Void

  /// How many actions must have had their turns.
  let number: UInt64
  let reached: Reached

  package init(after number: UInt64, _ reached: @escaping Reached) {
    self.number = number
    self.reached = reached
  }
}

/// The result of admitting an action to an engine.
@usableFromInline
package struct EngineAdmission: Sendable {
  @usableFromInline
  package enum Outcome: Sendable {
    /// Contains the action's number.
    case accepted(UInt64)
    case refused(ActionRefusal)
    /// It could have been accepted, but `decide` returned false.
    case withdrawn
    /// The reactor has been released.
    case released
  }

  @usableFromInline package let outcome: Outcome
  /// `nil` for nearly every action.
  @usableFromInline let completion: (@Sendable () -> Void)?

  @inlinable
  init(_ outcome: Outcome, completion: (@Sendable () -> Void)? = nil) {
    self.outcome = outcome
    self.completion = completion
  }

  /// The result for an action that is not sent.
  @usableFromInline
  package init(withdrawing envelope: Envelope<some Sendable>) {
    self.init(.withdrawn) { envelope.context?.member?.leave() }
  }

  package var isAccepted: Bool {
    if case .accepted = outcome { true } else { false }
  }

  /// Schedules the reactor, or reports a refusal; must be called under no lock.
  package func complete() { completion?() }
}

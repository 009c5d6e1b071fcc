/// A reactor's engine, as code outside this target reaches it.
///
/// An action that goes to several engines is admitted to each of them under one lock of the
/// sender's, so that all of them get it in one order. What may run code of the user's is left out
/// of that: an action is prepared before the lock, admitted under it, and its admission is
/// completed after it.
///
/// **Runs on** any thread, all of it.
@usableFromInline
package protocol EngineAccess<Owner>: AnyObject, Sendable {
  associatedtype Owner: Reactor

  /// Which reactor it is.
  var identity: ReactorIdentity { get }
  /// What the engine does at this moment.
  var activity: EngineActivity { get }
  /// Whether actions are accepted.
  var isOpen: Bool { get }
  /// Whether states pass a hook on their way out.
  var shapesStates: Bool { get }

  // MARK: Actions

  /// Adds what the sender's task carries; not under a lock, since it may copy values of the user's.
  func prepare(_ action: Owner.Action) -> Envelope<Owner.Action>

  /// Accepts an action or refuses it; may be called under a lock.
  ///
  /// - Parameters:
  ///   - envelope: The action.
  ///   - decide: Called while the inbox is locked, with whether the action could be accepted, or
  ///     the reactor has been released; returns whether it is to be accepted.
  ///   - marks: Called with the action's number before it can be dequeued; returns what to mark.
  /// - Returns: What became of it, to be completed once the lock has been released.
  func admit(
    _ envelope: Envelope<Owner.Action>, if decide: (_ isAcceptable: Bool) -> Bool,
    marking marks: (_ number: UInt64) -> [EngineMark]
  ) -> EngineAdmission

  /// The receipt of an action that has been accepted.
  func receipt(of number: UInt64) -> ActionReceipt<Owner>

  /// Marks the end of what has been accepted; may be called under a lock.
  ///
  /// - Parameter reached: Called once all of that has had its turn.
  /// - Returns: What has to be called once the lock has been released.
  func mark(_ reached: @escaping EngineMark.Reached) -> @Sendable () -> Void

  // MARK: Life

  /// Begins, although nothing has been sent.
  ///
  /// - Parameter reactor: The engine's.
  func start(_ reactor: Owner)

  /// Ends the reactor as ``Reactor/stop(_:)`` does; `nil` if it has been released.
  func stop(_ mode: StopMode) -> StopReceipt?

  /// Has the reactor wait for something at its end, as for work of its own.
  func keepOpen(until end: @escaping @Sendable () async -> Void)

  // MARK: The end of a life

  /// Waits until everything has ended.
  nonisolated(nonsending) func waitUntilAllSettled(in life: UInt32) async

  /// Whether everything has ended.
  func isEverythingSettled(in life: UInt32) -> Bool

  /// Waits for the end, and returns what it has cut short.
  nonisolated(nonsending) func abandoned(in life: UInt32) async -> [OpenAction]

  /// What the end has cut short in what follows the engine.
  nonisolated(nonsending) func abandonedByFollowers() async -> [AbandonedWork]

  /// Ends a drain as `stop()` called again would, but no life that has begun since.
  func hurry(_ life: UInt32)

  // MARK: Followers

  /// Adds, finds or removes what follows the engine; under a lock of the engine's.
  func withFollowers<Result: Sendable>(
    _ body: (inout [any EngineFollower<Owner.State>]) -> Result
  ) -> Result

  /// Reduces a mutation that no action of the reactor's has led to.
  ///
  /// - Returns: Whether it was; false once the reactor has ended, or the task is cancelled.
  func reduceFromOutside(_ mutation: Owner.Mutation) async -> Bool
}

extension ReactorPipeline {
  /// The engine, before its reactor is used.
  @inlinable package var engine: some EngineAccess<R> { core }

  /// The engine of a reactor, which it knows from here on.
  @inlinable
  package func engine(of reactor: R) -> some EngineAccess<R> {
    core.connect(reactor)
    return core
  }
}

extension StateStream {
  /// The engine whose reduced states these are; `nil` where they are made of others, by a
  /// `transform(state:)` or by `derived`.
  package var engine: (any EngineAccess)? {
    (source as? any EngineAccess).flatMap { $0.shapesStates ? nil : $0 }
  }
}

/// What an engine does at a moment.
@usableFromInline
package enum EngineActivity: Sendable {
  /// Nothing as yet: its reactor has not been used.
  case unused
  /// Nothing: no action waits, no effect runs.
  case idle
  case working
  /// It accepts nothing more, and something has yet to end.
  case ending
  case ended
  /// The reactor has been released.
  case released
}

/// A position in the order of an engine's actions.
@usableFromInline
package struct EngineMark: Sendable {
  /// Called once, on the reactor and under no lock, between two turns: with the number of the
  /// state, and what returns the state.
  ///
  /// With `nil`, and on any thread, if the reactor is released before, or its journal fails.
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

/// What became of an action that was admitted to an engine.
@usableFromInline
package struct EngineAdmission: Sendable {
  @usableFromInline
  package enum Outcome: Sendable {
    /// Its number.
    case accepted(UInt64)
    case refused(ActionRefusal)
    /// It could have been accepted, and was not to be.
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

  /// An action that is not to be sent.
  @usableFromInline
  package init(withdrawing envelope: Envelope<some Sendable>) {
    self.init(.withdrawn) { envelope.context?.member?.leave() }
  }

  package var isAccepted: Bool {
    if case .accepted = outcome { true } else { false }
  }

  /// Wakes the reactor, or reports a refusal; under no lock.
  package func complete() { completion?() }
}

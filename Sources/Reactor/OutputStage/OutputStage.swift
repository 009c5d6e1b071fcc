public import ReactorRuntime

/// Holds back what leaves a reactor until it may be visible outside; a journal implements it.
///
/// The engine has at most one, set before the reactor begins. The engine reports each mutation to
/// it. Everything that leaves the reactor passes it: states, outputs, milestones, the end of the
/// streams, and what waits for receipts and answers.
///
/// **Runs on** the reactor, in order, except where a member says otherwise.
@usableFromInline
package protocol OutputStage<Mutation, State, Output>: AnyObject, Sendable {
  associatedtype Mutation: Sendable
  associatedtype State: Sendable
  associatedtype Output: Sendable

  /// The reactor begins: its hooks have been called, and no action has been taken.
  func begin(in engine: any StagedEngine<State, Output>)

  /// A mutation has been reduced; the stage releases the state, or skips it.
  ///
  /// - Parameters:
  ///   - mutation: The mutation.
  ///   - view: The state after the mutation.
  ///   - action: The number of the action to whose work it belongs, if known.
  func reduced(_ mutation: Mutation, to view: StagedView<State>, of action: UInt64?)

  /// Releases an item, now or once everything reduced before it may be visible outside.
  func leave(_ item: StagedItem<State, Output>)

  /// Returns a latch that opens once everything reduced so far may be visible outside.
  ///
  /// - Parameter isAsked: Whether the latch is requested explicitly. Then it waits even if the
  ///   stage shows states before they are kept.
  /// - Returns: The latch; `nil` if there is nothing to wait for.
  func latch(isAsked: Bool) -> Latch?

  /// Why nothing leaves the reactor any more, if so; callable on any thread.
  var failure: (any Error)? { get }

  /// Waits until everything may be visible outside, unless the end is expedited, and ends the
  /// stage.
  ///
  /// Runs on the reactor, or on any thread once the reactor has been released.
  nonisolated(nonsending) func close() async

  /// What it knows about requests with an idempotency key; callable on any thread.
  var commands: any StoredCommands { get }
}

/// An item that leaves a reactor.
@usableFromInline
package enum StagedItem<State: Sendable, Output: Sendable>: Sendable {
  case state(State, version: UInt64)
  case output(Output)
  /// Reports how far the reactor is: after the state of that moment, if that may be shown, and
  /// before any later state.
  ///
  /// It is called even if the stage fails.
  case milestone(State?, version: UInt64, @Sendable () -> Void)
  /// Ends the streams, once all visible states and outputs have been released.
  ///
  /// It is called even if the stage fails.
  case end(@Sendable () -> Void)
}

/// What is visible of a reactor between two steps.
@usableFromInline
package struct StagedView<State: Sendable>: Sendable {
  package let state: State
  /// How many states there have been.
  package let version: UInt64
  /// Whether the state may be shown: it is not in the middle of several that are shown as one.
  package let isShown: Bool
  /// Whether states are observed.
  package let isObserved: Bool
}

/// The engine of a reactor, as its ``OutputStage`` sees it.
///
/// **Runs on** the reactor, except where a member says otherwise.
@usableFromInline
package protocol StagedEngine<State, Output>: AnyObject, Sendable {
  associatedtype State: Sendable
  associatedtype Output: Sendable

  /// The reactor, if it has not been released; callable on any thread.
  var actor: (any Actor)? { get }

  /// What is visible; `nil` while `reduce` runs.
  var view: StagedView<State>? { get }

  /// Whether no work is left; after an end, work that was cancelled may not have returned yet.
  var isWorkEnded: Bool { get }

  /// Lets an item leave the reactor.
  func release(_ item: StagedItem<State, Output>)

  /// Everything up to a position of the journal is durable.
  func durable(upTo sequence: Int)

  func report(_ problem: ReactorReport.Problem)

  /// Waits until a latch has been opened, or the end of the reactor is expedited.
  nonisolated(nonsending) func waitUnlessExpedited(_ open: (Latch) -> Void) async

  /// Ends the reactor immediately, because its work cannot be kept.
  ///
  /// - Parameters:
  ///   - error: The reason.
  ///   - state: The last state that was shown, with which the reactor ends.
  ///   - shut: Makes the stage release nothing more; called once the reactor is in that state.
  nonisolated(nonsending) func fail(
    with error: any Error, showing state: State?, _ shut: @Sendable () -> Void) async
}

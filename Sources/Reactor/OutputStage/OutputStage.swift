public import ReactorRuntime

/// Holds back what leaves a reactor until it may be known outside: a journal's place in the engine.
///
/// The engine has at most one, from before the reactor begins. It reports each mutation to it, and
/// everything that leaves the reactor passes it: states, outputs, milestones, the end of the
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

  /// A mutation has been reduced; the stage releases the state, or leaves it out.
  ///
  /// - Parameters:
  ///   - mutation: The mutation.
  ///   - view: The state that it led to.
  ///   - action: The number of the action whose work it is, where that is known.
  func reduced(_ mutation: Mutation, to view: StagedView<State>, of action: UInt64?)

  /// Releases an item, now or once everything reduced before it may be known.
  func leave(_ item: StagedItem<State, Output>)

  /// What opens once everything reduced by now may be known.
  ///
  /// - Parameter isAsked: Whether that is asked for explicitly, and so waited for even where the
  ///   stage shows states before it has to.
  /// - Returns: The latch; `nil` if there is nothing to wait for.
  func latch(isAsked: Bool) -> Latch?

  /// Why nothing leaves any more, if that is so; any thread.
  var failure: (any Error)? { get }

  /// Waits until everything may be known, unless the end is hurried, and ends the stage.
  ///
  /// On the reactor, or on any thread once the reactor is gone.
  nonisolated(nonsending) func close() async

  /// What it knows of requests that have a key; any thread.
  var commands: any KeptCommands { get }
}

/// An item on its way out of a reactor.
@usableFromInline
package enum StagedItem<State: Sendable, Output: Sendable>: Sendable {
  case state(State, version: UInt64)
  case output(Output)
  /// Reports how far the reactor is, after the state of that moment, where it may be shown, and
  /// before any later one. It is called even if the stage fails.
  case milestone(State?, version: UInt64, @Sendable () -> Void)
  /// Ends the streams, once all that can be seen has been released. It is called even if the stage
  /// fails.
  case end(@Sendable () -> Void)
}

/// What there is to see of a reactor between two steps.
@usableFromInline
package struct StagedView<State: Sendable>: Sendable {
  package let state: State
  /// How many states there have been.
  package let version: UInt64
  /// Whether the state may be shown: it is not in the middle of what is shown as one.
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

  /// The reactor, if it is still there; any thread.
  var home: (any Actor)? { get }

  /// What there is to see; `nil` while `reduce` runs.
  var view: StagedView<State>? { get }

  /// Has an item leave the reactor.
  func release(_ item: StagedItem<State, Output>)

  /// Everything up to a place of the journal is durable.
  func durable(upTo sequence: Int)

  func report(_ problem: ReactorReport.Problem)

  /// Waits until a latch has been opened, or the end of the reactor is hurried.
  nonisolated(nonsending) func waitUnlessHurried(_ open: (Latch) -> Void) async

  /// Ends the reactor at once, as what it has done cannot be kept.
  ///
  /// - Parameters:
  ///   - error: Why not.
  ///   - state: The last state that was shown, which it ends with.
  ///   - shut: Has the stage release nothing more; called once the reactor is in that state.
  nonisolated(nonsending) func fail(
    with error: any Error, showing state: State?, _ shut: @Sendable () -> Void) async
}

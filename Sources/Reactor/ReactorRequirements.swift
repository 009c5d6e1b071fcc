/// What every author of a ``Reactor`` writes: three types, the first state, and two functions.
///
/// A protocol of its own because the compiler settles one protocol after another: what an action
/// and a mutation are is known here, before it reads ``ReactorHooks``, whose members are told by
/// those types. In one protocol with them, a hook or a lane would be passed over in silence
/// wherever the types have to be inferred themselves. See `docs/decisions/0014-near-misses.md`.
public protocol ReactorRequirements: Actor {
  /// What may be asked of the reactor: the user's intent, or an event from outside.
  associatedtype Action: Sendable

  /// One change of the state; the same as ``Action`` unless the author says otherwise.
  associatedtype Mutation: Sendable = Action

  /// Everything an observer can see.
  associatedtype State: Sendable

  /// The state before the first mutation.
  ///
  /// Read once, on the reactor, when the pipeline starts.
  var initialState: State { get }

  /// Turns an action into mutations: nothing, some at once, or an effect that emits them over time.
  ///
  /// **Runs on** the reactor. Effects of different actions overlap.
  ///
  /// **If it fails**, that effect ends, what it emitted stands, and the error is reported with the
  /// action; see ``ReactorReport``.
  ///
  /// - Parameter action: The action taken.
  /// - Returns: What the action leads to. It has to be written unless `Mutation` is `Action`: then,
  ///   by default, that is the action itself; name ``ActionMutating`` to have the compiler insist.
  func mutate(action: Action) -> MutationStream<Mutation>

  /// Folds one mutation into the state.
  ///
  /// **Runs on** the reactor; must not read `currentState`, which is `state` here, nor emit. It may
  /// send actions, which wait their turn.
  ///
  /// - Parameters:
  ///   - state: The state, edited in place.
  ///   - mutation: The change to make.
  func reduce(state: inout State, mutation: Mutation)
}

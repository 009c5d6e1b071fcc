/// The members that every ``Reactor`` defines: three types, the initial state, and two functions.
///
/// It is a protocol of its own because the compiler resolves one protocol after another. The types
/// of actions and mutations are known before it reads ``ReactorHooks``, whose members depend on
/// those types. In one protocol with them, a hook or a lane would be ignored without a diagnostic
/// wherever the types have to be inferred. See `docs/decisions/0014-near-misses.md`.
public protocol ReactorRequirements: Actor {
  /// A request to the reactor: a user's intent, or an event from outside.
  associatedtype Action: Sendable

  /// One change of the state; the same as ``Action`` unless the author defines it.
  associatedtype Mutation: Sendable = Action

  /// Everything that an observer can see.
  associatedtype State: Sendable

  /// The state before the first mutation.
  ///
  /// Read once, on the reactor, when the pipeline starts.
  var initialState: State { get }

  /// Turns an action into mutations: none, some at once, or an effect that emits them over time.
  ///
  /// It can be left out if `Mutation` is `Action`: by default, the action is then its own mutation.
  /// Name ``ActionMutating`` to make the compiler require it.
  ///
  /// **Runs on** the reactor. Effects of different actions overlap.
  ///
  /// **If it fails**, that effect ends, the mutations that it emitted remain, and the error is
  /// reported with the action; see ``ReactorReport``.
  ///
  /// - Parameter action: The action taken.
  /// - Returns: What the action leads to.
  func mutate(action: Action) -> MutationStream<Mutation>

  /// Applies one mutation to the state.
  ///
  /// **Runs on** the reactor. It must not read `currentState`, which is `state` here, and must not
  /// emit. It may send actions, which are queued.
  ///
  /// - Parameters:
  ///   - state: The state, edited in place.
  ///   - mutation: The change to make.
  func reduce(state: inout State, mutation: Mutation)
}

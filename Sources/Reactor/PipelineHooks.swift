/// The hooks of one reactor that its author wrote, while the pipeline runs.
@usableFromInline
final class PipelineHooks<Action: Sendable, Mutation: Sendable, State: Sendable>: Sendable {
  /// What goes into the hooks, and the tasks that iterate what comes out of them.
  @usableFromInline
  struct Inputs: Sendable {
    @usableFromInline var actions: HookChannel<Action>?
    @usableFromInline var mutations: HookChannel<Mutation>?
    /// The states on their way into the hook.
    @usableFromInline var states: Broadcast<State>?
    @usableFromInline var statesEnd: StateHookEnd?
    @usableFromInline var statesProgress: RelayProgress?
    @usableFromInline var tasks: [Task<Void, Never>] = []

    @inlinable
    init() {}
  }

  /// Where turns are that pass a hook.
  @usableFromInline
  struct Turns {
    /// The action whose turn is under way, for its lane to report.
    @usableFromInline var action: Action?
    /// Whether the hooks have been called.
    @usableFromInline var areCalled = false

    @inlinable
    init() {}
  }

  /// Guard: written by the reactor while it starts, before anybody else has this; only read from
  /// then on.
  @exclusivity(unchecked) @usableFromInline nonisolated(unsafe) var inputs = Inputs()

  /// Guard: the reactor's isolation.
  @exclusivity(unchecked) @usableFromInline nonisolated(unsafe) var turns = Turns()

  @inlinable
  init() {}
}

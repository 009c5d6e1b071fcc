/// The hooks of one reactor that its author wrote, while the pipeline runs.
@usableFromInline
final class PipelineHooks<Action: Sendable, Mutation: Sendable, State: Sendable>: Sendable {
  /// What goes into the hooks, and the tasks that iterate what comes out of them.
  @usableFromInline
  struct Inputs: Sendable {
    @usableFromInline var actions: HookChannel<Action>?
    @usableFromInline var mutations: HookChannel<Mutation>?
    /// The states on their way into the hook.
    @usableFromInline var states: StateBroadcaster<State>?
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
  /// Makes the task that shows what comes out of the hook over the states; when that ends early,
  /// what goes in.
  ///
  /// - Parameters:
  ///   - shaped: What the hook returned.
  ///   - place: The place of its input among the subscribers.
  ///   - outlet: Where the states go.
  ///   - end: Decides when the hook has shown all.
  ///   - progress: How far it has come.
  ///   - endedEarly: Called if it ends before its input does.
  /// - Returns: The task.
  static func show(
    _ shaped: HandedOver<State>, from place: StateReservation<State>,
    in outlet: StateBroadcaster<State>, until end: StateHookEnd, _ progress: RelayProgress,
    endedEarly: @escaping @Sendable () -> Void
  ) -> Task<Void, Never> {
    let input = place.subscription.broadcaster
    let publish = { @Sendable (state: State) in
      outlet.publishNext(state)
      // A hook that makes one of each has taken no other since.
      progress.pass(input.version(at: place.subscription.cursor), shown: outlet.latestVersion)
    }
    return PipelineTasks.make {
      _ = await shaped.forEach { state in
        publish(state)
        end.showed()
        return true
      }
      // It has ended too early if its input goes on, or has states that it never asked for.
      var isReported = !input.isFinished
      if isReported { endedEarly() }
      while let state = await place.subscription.next() {
        if !isReported { endedEarly() }
        isReported = true
        publish(state)
      }
      outlet.finish()
      progress.finish()
    }
  }
}

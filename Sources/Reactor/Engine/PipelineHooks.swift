public import ReactorRuntime

/// The hooks of one reactor that its author wrote, while the pipeline runs: what goes into them,
/// the tasks that iterate what comes out, and their end.
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
    /// The last action that came out of a hook under the number it was sent with.
    @usableFromInline var lastFromHook: UInt64?
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

  @usableFromInline typealias Note = @Sendable (ActionOutcome, UInt64) -> Void
  @usableFromInline typealias Report = @Sendable (ReactorReport.Problem, Action?, UInt64?) -> Void

  /// The life of the reactor that they belong to.
  let generation: UInt32
  /// Says how an action has ended.
  private let note: Note
  @usableFromInline let report: Report

  @usableFromInline
  init(of generation: UInt32, note: @escaping Note, report: @escaping Report) {
    self.generation = generation
    self.note = note
    self.report = report
  }

  // MARK: The beginning

  /// Calls a hook, and makes the task that iterates what it returns.
  ///
  /// - Parameters:
  ///   - kind: Which hook.
  ///   - passedOn: Told the number of each action that the hook is done with.
  ///   - hook: Calls the hook.
  ///   - body: Takes an element that comes out; returns false once there is to be no other.
  /// - Returns: What goes into the hook.
  @inlinable
  func iterate<Element>(
    _ kind: ReactorReport.Hook, passedOn: @escaping @Sendable (UInt64) -> Void,
    calling hook: (HookChannel<Element>) -> HandedOver<Element>,
    taking body: @escaping @Sendable (Element, HookChannel<Element>) async -> Bool
  ) -> HookChannel<Element> {
    let report = report
    let input = HookChannel<Element>(
      passedOn: passedOn, claimedAgain: { report(.hookInputIteratedTwice(kind), nil, nil) })
    let task = input.iterate(hook(input), endedEarly: { report(.hookEnded(kind), nil, nil) }) {
      await body($0, input)
    }
    inputs.tasks.append(task)
    return input
  }

  /// Makes the input of the hook over the states.
  ///
  /// - Parameters:
  ///   - outlet: Where the states go that come out.
  ///   - owner: What makes the states.
  /// - Returns: The place of the hook among the subscribers of its input.
  func openStates(
    to outlet: Broadcast<State>, of owner: any StateOwner<State>
  ) -> StateSubscription<State> {
    let (input, end, progress) = (
      Broadcast<State>(hasValues: true), StateHookEnd(), RelayProgress()
    )
    (inputs.states, inputs.statesEnd, inputs.statesProgress) = (input, end, progress)
    return StateSubscription(input, of: owner) { version, isEnd in
      if isEnd { end.inputEnded() } else { progress.pass(version, shown: outlet.latest) }
    }
  }

  /// Makes the task that shows what comes out of the hook over the states; when that ends early,
  /// what goes in.
  ///
  /// - Parameters:
  ///   - shaped: What the hook returned.
  ///   - place: The place of the hook among the subscribers of its input.
  ///   - outlet: Where the states go.
  func show(
    _ shaped: HandedOver<State>, from place: StateSubscription<State>,
    in outlet: Broadcast<State>
  ) {
    guard let end = inputs.statesEnd, let progress = inputs.statesProgress else { return }
    let (input, report) = (place.broadcast, report)
    let publish = { @Sendable (state: State) in
      outlet.publishNext(state)
      // A hook that makes one of each has taken no other since.
      progress.pass(place.version, shown: outlet.latest)
    }
    let task = PipelineTasks.make {
      _ = await shaped.forEach { state in
        publish(state)
        end.showed()
        return true
      }
      // It has ended too early if its input goes on, or has states that it never asked for.
      var isReported = !input.isFinished
      if isReported { report(.hookEnded(.state), nil, nil) }
      while let state = await place.next() {
        if !isReported { report(.hookEnded(.state), nil, nil) }
        isReported = true
        publish(state)
      }
      outlet.finish()
      progress.finish()
    }
    end.begin(task)
  }

  // MARK: The end

  /// Ends what goes into the hooks; what they never saw is given up.
  @usableFromInline
  func end() {
    let last = turns.lastFromHook
    let dropped = inputs.actions?.finish { held in
      // What has come out of the hook already ends by itself.
      if let number = held.number, number != last { note(.neverBegun, number) }
    } willDrop: { item in
      if let number = item.ticket.number { note(.neverBegun, number) }
    }
    for (action, ticket) in dropped ?? [] { report(.actionDropped, action, ticket.number) }
    endMutations()
    for task in inputs.tasks { task.cancel() }
  }

  /// Ends the input of `transform(mutation:)`, from any thread.
  func endMutations() {
    let dropped = inputs.mutations?.finish(willDrop: { item in
      guard let effect = item.ticket.effect, !effect.isCancelled else { return }
      note(.reactorEnded, effect.number)
    })
    for (mutation, ticket) in dropped ?? [] where ticket.effect?.isCancelled != true {
      report(.mutationDropped(mutation), nil, ticket.number)
    }
  }
}

extension Reactor {
  /// Calls the hooks, here and now, in a task of their own.
  ///
  /// The reactor may begin in the task of something that waits, or looks at the state. What a hook
  /// makes, a task above all, must not have that one's task-local values. In a simulation a task
  /// does not begin in place; there the hooks are called by whatever task it is.
  @inlinable
  func callHooks(of core: Engine<Self>, _ hooks: Engine<Self>.Hooks) {
    if !SimulatedExecutor.isActive {
      _ = PipelineTasks.makeImmediate { core.callHooks(hooks, on: self) }
    }
    // On an executor that does not know itself, it would begin later: too late for what is next.
    core.callHooks(hooks, on: self)
  }
}

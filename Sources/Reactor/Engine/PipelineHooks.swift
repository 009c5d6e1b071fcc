public import ReactorRuntime

/// The hooks that the author of a reactor wrote, while the reactor runs: their inputs, the tasks
/// that iterate their outputs, and their end.
@usableFromInline
final class PipelineHooks<Action: Sendable, Mutation: Sendable, State: Sendable>: Sendable {
  /// The inputs of the hooks, and the tasks that iterate their outputs.
  @usableFromInline
  struct Inputs: Sendable {
    @usableFromInline var actions: HookChannel<Action>?
    @usableFromInline var mutations: HookChannel<Mutation>?
    /// The states that are the hook's input.
    @usableFromInline var states: Broadcast<State>?
    @usableFromInline var statesEnd: StateHookEnd?
    @usableFromInline var statesProgress: RelayProgress?
    @usableFromInline var tasks: [Task<Void, Never>] = []

    @inlinable
    init() {}
  }

  /// The state of turns that pass a hook.
  @usableFromInline
  struct Turns {
    /// The action whose turn is in progress, for its lane to report.
    @usableFromInline var action: Action?
    /// The last action that the hook returned under the number with which it was sent.
    @usableFromInline var lastFromHook: UInt64?
    /// Whether the hooks have been called.
    @usableFromInline var areCalled = false

    @inlinable
    init() {}
  }

  /// Guard: written by the reactor while it starts, before any other code has this; only read from
  /// then on.
  @exclusivity(unchecked) @usableFromInline nonisolated(unsafe) var inputs = Inputs()

  /// Guard: the reactor's isolation.
  @exclusivity(unchecked) @usableFromInline nonisolated(unsafe) var turns = Turns()

  @usableFromInline typealias Note = @Sendable (ActionOutcome, UInt64) -> Void
  @usableFromInline typealias Report = @Sendable (ReactorReport.Problem, Action?, UInt64?) -> Void

  /// The generation of the reactor to which the hooks belong.
  let generation: UInt32
  /// Notes how an action has ended.
  private let note: Note
  @usableFromInline let report: Report

  @usableFromInline
  init(of generation: UInt32, note: @escaping Note, report: @escaping Report) {
    self.generation = generation
    self.note = note
    self.report = report
  }

  // MARK: The beginning

  /// Calls a hook, and creates the task that iterates what it returns.
  ///
  /// - Parameters:
  ///   - kind: Which hook.
  ///   - passedOn: Called with the number of each action that the hook has passed on.
  ///   - hook: Calls the hook.
  ///   - body: Receives an element of the output; returns false to end the iteration.
  /// - Returns: The input of the hook.
  @inlinable
  func iterate<Element>(
    _ kind: ReactorReport.Hook, passedOn: @escaping @Sendable (UInt64) -> Void,
    calling hook: (HookChannel<Element>) -> TransferredSequence<Element>,
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

  /// Creates the input of the hook over the states.
  ///
  /// - Parameters:
  ///   - outlet: Receives the states of the output.
  ///   - owner: The source of the states.
  /// - Returns: The hook's subscription to its input.
  func openStates(
    to outlet: Broadcast<State>, of owner: any StateOwner<State>
  ) -> StateSubscription<State> {
    let (input, end, progress) = (
      Broadcast<State>(hasValues: true), StateHookEnd(), RelayProgress()
    )
    (inputs.states, inputs.statesEnd, inputs.statesProgress) = (input, end, progress)
    return StateSubscription(input, of: owner) { version, isEnd in
      if isEnd { end.setInputEnded() } else { progress.pass(version, shown: outlet.latest) }
    }
  }

  /// Creates the task that publishes the output of the hook over the states; if that ends early,
  /// the task publishes the input.
  ///
  /// - Parameters:
  ///   - shaped: What the hook returned.
  ///   - place: The hook's subscription to its input.
  ///   - outlet: Receives the states.
  func show(
    _ shaped: TransferredSequence<State>, from place: StateSubscription<State>,
    in outlet: Broadcast<State>
  ) {
    guard let end = inputs.statesEnd, let progress = inputs.statesProgress else { return }
    let (input, report) = (place.broadcast, report)
    let publish = { @Sendable (state: State) in
      outlet.publishNext(state)
      // A hook that returns one state for each has taken no other since.
      progress.pass(place.version, shown: outlet.latest)
    }
    let task = PipelineTasks.make {
      _ = await shaped.forEach { state in
        publish(state)
        end.recordOutput()
        return true
      }
      // It has ended too early if its input continues, or has states that it never requested.
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

  /// Ends the inputs of the hooks; elements that the hooks never got are discarded.
  @usableFromInline
  func end() {
    let last = turns.lastFromHook
    let dropped = inputs.actions?.finish { held in
      // An action that the hook has already returned ends by itself.
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
  /// Calls the hooks immediately, in a task of their own.
  ///
  /// The reactor may begin in a task that waits, or that reads the state. A task that a hook
  /// creates must not inherit that task's task-local values. In a simulation a task does not begin
  /// immediately; there the hooks are called by the current task.
  @inlinable
  func callHooks(of core: Engine<Self>, _ hooks: Engine<Self>.Hooks) {
    if !SimulatedExecutor.isActive {
      _ = PipelineTasks.makeImmediate { core.callHooks(hooks, on: self) }
    }
    // On an executor that cannot check its own isolation, the task would begin too late for the
    // next step.
    core.callHooks(hooks, on: self)
  }
}

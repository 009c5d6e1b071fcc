import ReactorRuntime

extension Reactor {
  /// The states as a stream that delivers those of low priority in batches.
  ///
  /// ```swift
  /// extension ImportReactor.Mutation: PrioritizedNotification {
  ///   var isLowPriority: Bool { if case .progressed = self { true } else { false } }
  /// }
  ///
  /// for await state in importer.state(batching: .interval(.milliseconds(16))) { render(state) }
  /// ```
  ///
  /// A state has low priority if its mutation, or the action that led to it, is a
  /// ``PrioritizedNotification`` that says so. The stream delivers the newest of the states of a
  /// batch when the batch ends. A state of normal priority is delivered at once, and ends the
  /// batch. Nothing else changes: mutations are reduced as they come, and ``currentState`` and all
  /// other streams have every state.
  ///
  /// Store the stream if several subscribers are to have the same batches: each call makes another
  /// stream. A subscriber that is added later ends the batch.
  ///
  /// Behind a `transform(state:)`, all states have normal priority, since it is not known which
  /// mutation a state results from. So does the state that a reactor restarts with.
  ///
  /// **Runs on** a task of its own, while there are subscribers. It does not keep the reactor
  /// alive. While there are subscribers, the reactor has an observer of its mutations.
  ///
  /// **Order** and **end** are those of the states; the last state is always delivered.
  ///
  /// - Parameter batching: When a batch ends.
  /// - Returns: The states, the current one first.
  public nonisolated func state(batching: StateBatching) -> StateStream<State> {
    state(batching: batching) { mutation, action in
      (mutation as? any PrioritizedNotification)?.isLowPriority == true
        || (action as? any PrioritizedNotification)?.isLowPriority == true
    }
  }

  /// The states as a stream that delivers those of low priority in batches; see
  /// ``state(batching:)``.
  ///
  /// - Parameters:
  ///   - batching: When a batch ends.
  ///   - isLowPriority: Returns whether the state that a mutation leads to has low priority. The
  ///     action is `nil` for a mutation that a hook has merged. It is called on the reactor, once
  ///     for each mutation.
  /// - Returns: The states, the current one first.
  public nonisolated func state(
    batching: StateBatching,
    where isLowPriority: @escaping @Sendable (_ mutation: Mutation, _ action: Action?) -> Bool
  ) -> StateStream<State> {
    let states = state
    // Of a hook's states, the versions are others.
    let isObservable = states.engine != nil
    let batcher = StateBatcher(states, batching) { [weak self] reached in
      guard let engine = self?.pipeline.engine else { return reached(nil) }
      engine.mark { version, _ in reached(version) }()
    } noting: { [weak self] versions in
      guard isObservable, let self else { return {} }
      let registration = self.addObserver(
        PriorityObserver<Self>(versions: versions, isLowPriority: isLowPriority))
      return { registration.remove() }
    }
    return batcher.stream
  }
}

/// Notes which states of a reactor have low priority.
private struct PriorityObserver<R: Reactor>: ReactorObserver {
  let versions: VersionNotes
  let isLowPriority: @Sendable (R.Mutation, R.Action?) -> Bool

  var needs: ObserverNeeds { [.mutations, .lifecycle] }

  func observe(_ step: ReactorStep) {
    switch step.kind {
    case .started: versions.versions.withLock { $0.noteBeginning() }
    case .reduced(let transition):
      let isLow = (transition.mutation as? R.Mutation).map { mutation in
        isLowPriority(mutation, step.action?.value as? R.Action)
      }
      versions.versions.withLock { $0.note(transition.version, isLow: isLow ?? false) }
    default: break
    }
  }
}

import ReactorMachines

/// The seam through which each step can be told: to a test, to an observer.
///
/// Where nobody listens it costs nothing that would not be looked at anyway. A turn looks whether
/// somebody listens to the actions (`Turn.listening`), a reduction whether somebody looks at the
/// states; both are so while somebody listens to the steps. Then every turn is work that the ledger
/// knows of, so that the ledger alone knows when an action has ended.
extension PipelineCore {
  /// Has every step from now on told to somebody, beside those who are told already.
  ///
  /// A journaled reactor that nobody has opened begins without a journal: a test keeps nothing.
  ///
  /// - Returns: The state at this moment.
  func listen(_ newcomer: Listener, on reactor: isolated R) -> R.State {
    if phase == .idle { startTaking(on: reactor) }
    let everybody = details.steps?.and(newcomer) ?? newcomer
    details.steps = everybody
    events.tellSteps(to: everybody)
    watchForSteps(on: reactor)
    if phase == .stopped { newcomer.tell(.stopped) }
    return current(on: reactor)
  }

  /// Has every state published from now on, so that its step is told.
  private func watchForSteps(on reactor: isolated R) {
    let outlet = outlet
    outlet.change { $0.showsEveryState = true }
    details.hooks?.inputs.states?.change { $0.showsEveryState = true }
    readMailNow(on: reactor)
  }

  /// The reactor has begun again, with streams of its own.
  func goOnWithSteps(on reactor: isolated R) {
    guard let steps = details.steps else { return }
    steps.tell(.began(current(on: reactor)))
    watchForSteps(on: reactor)
  }
}

extension ReactorPipeline {
  package typealias Listener = StepListener<R.Action, R.Mutation, R.State, R.Output>
  package typealias Step = Listener.Step

  /// Has every step from now on told to somebody, beside those who are told already.
  ///
  /// - Parameters:
  ///   - listener: Who is told.
  ///   - reactor: Whose pipeline this is.
  /// - Returns: The state at this moment.
  package func listen(_ listener: Listener, on reactor: isolated R) -> R.State {
    core.listen(listener, on: reactor)
  }

  /// The actions whose work has not ended: those whose effects run, and those that wait in a lane.
  package func openActions(on reactor: isolated R) -> [R.Action] {
    core.ledger.works().map(\.action) + core.details.lanes.parked.values.map(\.action)
  }
}

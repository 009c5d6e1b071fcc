import ReactorMachines

/// Turns of a stub: actions are written down instead of taken, and the states are the test's.
extension PipelineCore {
  /// Writes down what waits.
  @usableFromInline
  func recordTurns(endingJob: Bool, on reactor: isolated R) {
    while let (action, number, _) = nextAction(endingJob: endingJob, on: reactor) {
      let turn = told(openTurn(action, number: number, on: reactor))
      details.recordAction?(action)
      closeTurn(turn, on: reactor)
    }
  }

  /// Makes a stub of a reactor that has yet to begin.
  ///
  /// - Parameters:
  ///   - record: Where its actions go.
  ///   - reactor: The reactor.
  /// - Returns: Whether it had yet to begin; otherwise nothing has been done.
  func becomeStub(
    _ record: @escaping @Sendable (R.Action) -> Void, on reactor: isolated R
  ) -> Bool {
    guard inbox.becomeStub() else { return false }
    details.recordAction = record
    connect(reactor)
    own.state = reactor.initialState
    return true
  }

  /// Shows a state, as if it had been reduced.
  func push(_ state: R.State, on reactor: isolated R) {
    guard phase == .stubbed else { return }
    readMail(on: reactor)
    own.state = state
    version &+= 1
    showToAll(state, version: version, of: details.live)
  }
}

extension ReactorPipeline {
  /// Makes a stub of a reactor that has yet to begin.
  package func becomeStub(
    on reactor: isolated R, _ record: @escaping @Sendable (R.Action) -> Void
  ) -> Bool {
    core.becomeStub(record, on: reactor)
  }

  /// Shows a state of a stub.
  package func push(_ state: R.State, on reactor: isolated R) { core.push(state, on: reactor) }
}

/// What a pipeline does, told to a test as it happens.
///
/// Nothing is told, and next to nothing paid, unless somebody has asked: mutations are told where a
/// state is published, which nobody who is not watched comes to.
@usableFromInline
package struct PipelineJournal<R: Reactor>: Sendable {
  @usableFromInline
  package enum Entry: Sendable {
    /// A mutation was reduced, and this is the state now.
    case reduced(R.Mutation, R.State)
    /// The turn of an action is over; what it emitted at once is reduced.
    case took(R.Action)
    case output(R.Output)
    case report(ReactorReport)
    /// The reactor has begun again, with this state.
    case began(R.State)
    /// The reactor has been stopped, or is gone.
    case ended
  }

  @usableFromInline package let record: @Sendable (Entry) -> Void

  /// Whether it sees to it that nobody misses a report, so that no line about it is needed.
  let answersForReports: @Sendable () -> Bool

  package init(
    answersForReports: @escaping @Sendable () -> Bool = { false },
    _ record: @escaping @Sendable (Entry) -> Void
  ) {
    self.answersForReports = answersForReports
    self.record = record
  }
}

extension ReactorPipeline {
  /// Has everything from now on told to a journal, beside those that are told already.
  ///
  /// - Parameters:
  ///   - journal: Whom to tell.
  ///   - reactor: Whose pipeline this is.
  /// - Returns: The state at this moment.
  package func keep(_ journal: PipelineJournal<R>, on reactor: isolated R) -> R.State {
    core.keep(journal, on: reactor)
  }

  /// The actions whose work has not ended: those whose effects run, and those that wait in a lane.
  package func openActions(on reactor: isolated R) -> [R.Action] {
    core.ledger.works().map(\.action) + core.details.lanes.parked.values.map(\.action)
  }
}

extension PipelineCore {
  func keep(_ newcomer: PipelineJournal<R>, on reactor: isolated R) -> R.State {
    start(on: reactor)
    // Several are one that tells each, so that what runs often has one to look for.
    let journal = details.journal.map { others in
      PipelineJournal<R>(
        answersForReports: { others.answersForReports() || newcomer.answersForReports() }
      ) { entry in
        others.record(entry)
        newcomer.record(entry)
      }
    }
    let everybody = journal ?? newcomer
    details.journal = everybody
    shared.withLock { $0.journal = everybody }
    listeners.tap { everybody.record(.took($0)) }
    outputs.tap { everybody.record(.output($0)) }
    watchForJournal(on: reactor)
    if own.phase == .stopped { newcomer.record(.ended) }
    return current(on: reactor)
  }

  /// Has every state published from now on, so that it comes by the journal.
  private func watchForJournal(on reactor: isolated R) {
    let output = broadcaster
    output.change { $0.isJournaled = true }
    details.hooks?.stateInput?.change { $0.isJournaled = true }
    attend(on: reactor)
  }

  /// The reactor has begun again, with streams of its own.
  func goOnWithJournal(on reactor: isolated R) {
    guard let journal = details.journal else { return }
    journal.record(.began(current(on: reactor)))
    watchForJournal(on: reactor)
  }
}

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
    shared.withLock { $0.rare.journal = everybody }
    events.tap {
      everybody.record(.took($0))
    } outputs: {
      everybody.record(.output($0))
    }
    watchForJournal(on: reactor)
    if own.phase == .stopped { newcomer.record(.ended) }
    return current(on: reactor)
  }

  /// Has every state published from now on, so that it comes by the journal.
  private func watchForJournal(on reactor: isolated R) {
    let output = output
    output.change { $0.isJournaled = true }
    details.hooks?.stateInput?.change { $0.isJournaled = true }
    readMailNow(on: reactor)
  }

  /// The reactor has begun again, with streams of its own.
  func goOnWithJournal(on reactor: isolated R) {
    guard let journal = details.journal else { return }
    journal.record(.began(current(on: reactor)))
    watchForJournal(on: reactor)
  }
}

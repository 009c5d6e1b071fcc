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
  }

  @usableFromInline package let record: @Sendable (Entry) -> Void

  package init(_ record: @escaping @Sendable (Entry) -> Void) { self.record = record }
}

extension ReactorPipeline {
  /// Has everything from now on told to a journal.
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
    core.ledger.works().map(\.action) + core.own.lanes.parked.values.map(\.action)
  }
}

extension PipelineCore {
  func keep(_ journal: PipelineJournal<R>, on reactor: isolated R) -> R.State {
    start(on: reactor)
    own.journal = journal
    shared.withLock { $0.journal = journal }
    listeners.tap { journal.record(.took($0)) }
    outputs.tap { journal.record(.output($0)) }
    // Watched from now on, so that every state comes by.
    let output = broadcaster
    output.change { $0.isJournaled = true }
    own.hooks?.stateInput?.change { $0.isJournaled = true }
    attend(on: reactor)
    return current(on: reactor)
  }
}

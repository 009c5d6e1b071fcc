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

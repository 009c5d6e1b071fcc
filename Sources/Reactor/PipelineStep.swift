/// One step of what a reactor does, as those are told who listen to the steps.
///
/// An action is told as `taken`, then as `begun`, or as `waits` and later `begun`; its work may be
/// told in any number of steps; and at last it is `ended`, exactly once, unless the reactor goes in
/// the middle of it. One that was cancelled or dropped before it was taken is `noted` and `ended`.
///
/// Mutations are numbered in the order in which they are reduced, from where somebody first looked
/// at the states; with a restart from another state one number is left out.
@usableFromInline
package enum PipelineStep<
  Action: Sendable, Mutation: Sendable, State: Sendable, Output: Sendable
>: Sendable {
  // MARK: The reactor

  /// It has begun again, with this state.
  case began(State)
  /// It has been stopped, or is gone. What still runs was cancelled, and may be told to end.
  case stopped
  case output(Output)
  case report(ReactorReport)

  // MARK: Its actions

  /// An action has come out of the inbox, or out of a hook, and its turn begins.
  case taken(Action, number: UInt64)
  /// It waits for a slot in its lane.
  case waits(number: UInt64)
  /// `mutate` is about to be called for it.
  case begun(number: UInt64, lane: LaneKey?)
  /// Its turn is over, whether it has begun or waits: what it emitted at once is reduced.
  case turnEnded(Action, number: UInt64)
  /// It will not finish, and why; told before it has ended.
  case noted(number: UInt64, ActionOutcome)
  /// All its own work has ended. It has finished, unless another end was noted before.
  case ended(number: UInt64)

  // MARK: Its work

  case effectBegun(number: UInt64)
  case effectEnded(number: UInt64)
  /// A mutation was reduced, and this is the state now; with the action whose work emitted it, if
  /// that is known: a hook may have made the mutation, or may read ahead.
  case reduced(Mutation, State, mutation: UInt64, of: UInt64?)
}

/// Who is told of each step of one reactor.
///
/// **Runs on** the reactor, in order, for what the reactor does in a turn; on any thread for an
/// output, a report, and how an action ends. Never under a lock.
@usableFromInline
package struct StepListener<
  Action: Sendable, Mutation: Sendable, State: Sendable, Output: Sendable
>: Sendable {
  @usableFromInline
  package typealias Step = PipelineStep<Action, Mutation, State, Output>

  @usableFromInline package let tell: @Sendable (Step) -> Void

  /// Whether it sees to it that nobody misses a report, so that no line about it is needed.
  let answersForReports: @Sendable () -> Bool

  package init(
    answersForReports: @escaping @Sendable () -> Bool = { false },
    _ tell: @escaping @Sendable (Step) -> Void
  ) {
    self.answersForReports = answersForReports
    self.tell = tell
  }

  /// Several are one that tells each, so that what runs often has one to look for.
  func and(_ other: StepListener) -> StepListener {
    StepListener {
      answersForReports() || other.answersForReports()
    } _: { step in
      tell(step)
      other.tell(step)
    }
  }
}

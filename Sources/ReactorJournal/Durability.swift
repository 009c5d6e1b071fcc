/// When a mutation is on its way to the store, and what may be lost: the levels are named by that.
public enum Durability: Sendable, Hashable {
  /// Nothing that was shown. What is reduced while a batch is being written makes the next batch.
  case group
  /// Nothing that was shown. Each mutation is written by itself: slower, and for a store that
  /// others follow entry by entry. What an action emits at once may then be kept in part.
  case each
  /// What was shown in so long a time. States, outputs and answers wait for nothing, and promise 18
  /// is not made. `stop()` and `emit.durable()` write what is left.
  ///
  /// A batch is written when half of the time is over. If it is not on the disk when all of it is,
  /// because the store stalls, all of these wait as with ``group``, until nothing is open any more.
  case behind(atMost: Duration)
}

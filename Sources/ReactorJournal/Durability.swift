/// When a mutation is on its way to the store, and what may be lost: the levels are named by that.
public enum Durability: Sendable, Hashable {
  /// Nothing that was shown. What is reduced while a batch is being written makes the next batch.
  case group
  /// Nothing that was shown. Each mutation is written by itself: slower, and for a store that
  /// others follow entry by entry. What an action emits at once may then be kept in part.
  case each
  /// What was shown in this time before a crash. States, outputs and answers wait for nothing, and
  /// promise 18 is not made. `stop()` and `emit.durable()` write what is left.
  case behind(atMost: Duration)
}

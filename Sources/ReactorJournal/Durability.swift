/// When a mutation is written to the store, and how much a crash may lose.
public enum Durability: Sendable, Hashable {
  /// A crash loses nothing that was visible. Mutations that are reduced while a batch is being
  /// written form the next batch.
  case group
  /// A crash loses nothing that was visible, and each mutation is written by itself.
  ///
  /// This is slower. It is for a store that others follow entry by entry. If one action emits
  /// several mutations at once, a crash may leave only the first of them stored. Until a mutation
  /// is written, the state after it is retained.
  case each
  /// A crash loses at most what became visible during this time.
  ///
  /// States, outputs and answers do not wait for the store, and promise 18 of *Guarantees* does not
  /// hold. `stop()` and `emit.durable()` write what is pending.
  ///
  /// A batch is written when half of the time has passed. If the store has not made it durable when
  /// all of the time has passed, states, outputs and answers wait as with ``group``, until nothing
  /// is pending.
  case behind(atMost: Duration)
}

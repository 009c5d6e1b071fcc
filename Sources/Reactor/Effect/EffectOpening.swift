/// What an effect that runs away from the reactor emits before it first suspends, and how it ends,
/// if it does.
///
/// Such an effect cannot reduce in place, yet what it emits there belongs to the turn of its
/// action. So it is set aside, and reduced as soon as the effect lets the turn go on. Nothing can
/// see the difference: to look at the state, the effect would have to suspend.
///
/// It stands in the frame of what starts the effect, and is gone when that returns.
@usableFromInline
struct EffectOpening<Mutation: Sendable> {
  @usableFromInline var mutations: [Mutation] = []
  @usableFromInline var ending: EffectEnding?

  @inlinable
  init() {}

  /// How many mutations are set aside before the effect has to wait for the reducer after all.
  @inlinable static var limit: Int { 1024 }

  /// Sets one more aside.
  ///
  /// - Returns: Whether there was room.
  @inlinable
  mutating func append(_ mutation: Mutation) -> Bool {
    guard mutations.count < Self.limit else { return false }
    // Mostly there are a few: one piece of memory for them.
    if mutations.isEmpty { mutations.reserveCapacity(4) }
    mutations.append(mutation)
    return true
  }
}

/// How an effect's body ended.
@usableFromInline
enum EffectEnding: Sendable {
  case finished
  case failed(any Error)
}

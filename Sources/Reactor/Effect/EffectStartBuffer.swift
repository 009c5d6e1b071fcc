/// The mutations that an effect outside the reactor's isolation emits before it first suspends, and
/// its end, if it ends before that.
///
/// Such an effect cannot reduce in place, yet these mutations belong to the turn of its action. So
/// they are stored here, and reduced as soon as the effect returns control to the turn. Nothing can
/// observe the difference: to read the state, the effect would have to suspend.
///
/// It is stored in the frame of the function that starts the effect, and is destroyed when that
/// returns.
@usableFromInline
struct EffectStartBuffer<Mutation: Sendable> {
  @usableFromInline var mutations: [Mutation] = []
  @usableFromInline var ending: EffectEnding?

  @inlinable
  init() {}

  /// The number of mutations that are stored before the effect has to wait for the reducer after
  /// all.
  @inlinable static var limit: Int { 1024 }

  /// Stores one more mutation.
  ///
  /// - Returns: Whether there was capacity for it.
  @inlinable
  mutating func append(_ mutation: Mutation) -> Bool {
    guard mutations.count < Self.limit else { return false }
    // There are usually only a few: one allocation for them.
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

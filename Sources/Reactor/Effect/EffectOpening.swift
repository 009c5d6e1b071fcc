/// What an effect that runs away from the reactor emits before it first suspends, and how it ends,
/// if it does.
///
/// Such an effect cannot reduce in place, yet what it emits there belongs to the turn of its
/// action. So it is set aside, and reduced as soon as the effect lets the turn go on. Nobody can
/// see the difference: to look at the state, the effect would have to suspend.
///
/// It stands in the frame of whoever starts the effect, and is gone when that returns.
@usableFromInline
struct EffectOpening<Mutation: Sendable> {
  // Mostly a few: they need no array.
  @usableFromInline var first: Mutation?
  @usableFromInline var second: Mutation?
  @usableFromInline var third: Mutation?
  @usableFromInline var others: [Mutation] = []
  @usableFromInline var count = 0
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
    switch count {
    case 0: first = mutation
    case 1: second = mutation
    case 2: third = mutation
    default: return appendFurther(mutation)
    }
    count += 1
    return true
  }

  // Away from the above, which is inlined.
  @inlinable @inline(never)
  mutating func appendFurther(_ mutation: Mutation) -> Bool {
    guard count < Self.limit else { return false }
    others.append(mutation)
    count += 1
    return true
  }

  @inlinable
  subscript(index: Int) -> Mutation? {
    switch index {
    case 0: first
    case 1: second
    case 2: third
    default: others[index - 3]
    }
  }
}

/// How an effect's body ended.
@usableFromInline
enum EffectEnding: Sendable {
  case finished
  case failed(any Error)
}

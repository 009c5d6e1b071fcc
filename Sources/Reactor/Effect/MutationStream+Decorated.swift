extension MutationStream {
  /// What the effect as a whole is told apart by.
  var traits: EffectTraits {
    if case .decorated(let effect) = storage { effect.traits } else { EffectTraits() }
  }

  /// Whether something of how it is begun depends on what it is told apart by.
  @inlinable var isBegunApart: Bool {
    guard case .decorated(let effect) = storage else { return false }
    return effect.traits.priority != nil || effect.traits.isCancelledByDrain
  }

  /// The same as one effect, with traits that are changed.
  func decorated(_ change: (inout EffectTraits) -> Void) -> MutationStream {
    var traits = traits
    change(&traits)
    return MutationStream(
      .decorated(
        DecoratedEffect(traits, isIsolated: isIsolated) { emit, isolation in
          try await run(into: emit, isolation: isolation)
        }))
  }
}

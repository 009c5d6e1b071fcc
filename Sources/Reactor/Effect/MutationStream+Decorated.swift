extension MutationStream {
  /// What the effect as a whole is told apart by.
  var traits: EffectTraits {
    if case .decorated(let effect) = storage { return effect.traits }
    return EffectTraits(isCancelledByDrain: isCancelledByDrain)
  }

  /// Whether a drain cancels every effect in it, and there is one.
  @usableFromInline var isCancelledByDrain: Bool {
    switch storage {
    case .empty, .just, .several, .run: return false
    case .decorated(let effect): return effect.traits.isCancelledByDrain
    case .concat(let streams), .merge(let streams):
      var isSo = false
      for stream in streams where stream.isEffect {
        guard stream.isCancelledByDrain else { return false }
        isSo = true
      }
      return isSo
    }
  }

  /// Whether it does not emit all of it at once.
  private var isEffect: Bool {
    switch storage {
    case .empty, .just, .several: false
    case .run, .concat, .merge, .decorated: true
    }
  }

  /// The parts of a `merge(_:)`, and of those in it.
  var mergedParts: [MutationStream] {
    if case .merge(let streams) = storage { streams.flatMap(\.mergedParts) } else { [self] }
  }

  /// Whether it is one effect, and something of how it is begun depends on what it is told apart
  /// by.
  @inlinable var isBegunApart: Bool {
    switch storage {
    case .empty, .just, .several, .run, .merge: false
    case .concat: isCancelledByDrain
    case .decorated(let effect):
      effect.traits.priority != nil || effect.traits.isCancelledByDrain
    }
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

import ReactorRuntime

/// What a stream is made of, as a value that a test compares; nothing in it runs.
package indirect enum EffectOutline<Mutation: Sendable>: Sendable {
  /// Mutations that are emitted at once.
  case emits([Mutation])
  /// A closure.
  case run
  case concat([EffectOutline])
  case merge([EffectOutline])
  case named(String)
  case prioritized(EffectOutline, TaskPriority)
  case cancelledByDrain(EffectOutline)
}

extension MutationStream {
  /// Returns what the stream is made of.
  ///
  /// No effect runs. A `map(_:)` is applied to the mutations that are emitted at once; of effects,
  /// it is left out, and so are `around(_:)` and `onEnd(clock:_:)`. What is in an effect that has a
  /// name is left out as well.
  package func outline() async -> EffectOutline<Mutation> {
    let collected = CollectedMutations<Mutation>()
    return await Self.outline(of: part, collected.emitter, collected)
  }

  private static func outline(
    of part: EffectPart, _ emit: any AnyEmitter, _ collected: CollectedMutations<Mutation>
  ) async -> EffectOutline<Mutation> {
    switch part {
    case .plain(let plain):
      if let parts = plain.partsInOrder {
        return .concat(await outlines(of: parts.map { .plain($0) }, emit, collected))
      }
      if plain.isEffect { return .run }
      // What is emitted at once has no error, and does not suspend.
      try? await plain.run(into: emit, isolation: nil)
      return .emits(collected.takeAll())
    case .tree(let tree):
      switch tree.content {
      case .parts(let parts):
        let outlines = await outlines(of: parts, emit, collected)
        return tree.shape == .merge ? .merge(outlines) : .concat(outlines)
      case .changed(let part, let change):
        switch change {
        case .map(let map): return await outline(of: part, map(emit), collected)
        case .around, .end: return await outline(of: part, emit, collected)
        case .name(let name): return .named(name)
        case .priority(let priority):
          return .prioritized(await outline(of: part, emit, collected), priority)
        case .cancelledByDrain:
          return .cancelledByDrain(await outline(of: part, emit, collected))
        }
      }
    }
  }

  private static func outlines(
    of parts: [EffectPart], _ emit: any AnyEmitter, _ collected: CollectedMutations<Mutation>
  ) async -> [EffectOutline<Mutation>] {
    var outlines: [EffectOutline<Mutation>] = []
    for part in parts { outlines.append(await outline(of: part, emit, collected)) }
    return outlines
  }
}

/// The mutations that streams emit at once.
///
/// Holds: `mutations`, guarded by its own lock.
private final class CollectedMutations<Mutation: Sendable>: Sendable {
  private let mutations = Guarded<[Mutation]>([])

  var emitter: MutationEmitter<Mutation> {
    MutationEmitter(
      accept: { mutation, _ in
        self.mutations.withLock { $0.append(mutation) }
        return .taken
      }, deliver: { mutation, _ in self.mutations.withLock { $0.append(mutation) } }, effect: nil)
  }

  func takeAll() -> [Mutation] {
    mutations.withLock { mutations in
      defer { mutations = [] }
      return mutations
    }
  }
}

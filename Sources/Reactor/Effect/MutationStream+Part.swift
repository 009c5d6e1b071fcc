/// A stream as a part of others.
extension MutationStream: PlainEffect {
  var part: EffectPart { if case .tree(let tree) = storage { .tree(tree) } else { .plain(self) } }

  init(part: EffectPart) {
    switch part {
    case .tree(let tree): self.init(.tree(tree))
    case .plain(let plain):
      guard let stream = plain as? MutationStream else {
        preconditionFailure("a part emits other mutations than its whole")
      }
      self = stream
    }
  }

  /// Whether it does not emit all of its mutations at once.
  var isEffect: Bool {
    switch storage {
    case .empty, .just, .several: false
    case .run, .concat: true
    case .tree(let tree): tree.isEffect
    }
  }

  var partsInOrder: [any PlainEffect]? {
    if case .concat(let streams) = storage { streams } else { nil }
  }

  func run(into emit: any AnyEmitter, isolation: isolated (any Actor)?) async throws {
    try await run(into: MutationEmitter(emit), isolation: isolation)
  }

  /// The stream with a change around it.
  func changed(_ change: EffectChange) -> MutationStream {
    MutationStream(.tree(EffectTree(part, change)))
  }

  /// The stream with a change around it, if it is an effect.
  func changedIfEffect(_ change: EffectChange) -> MutationStream {
    isEffect ? changed(change) : self
  }

  /// The traits of the effect as a whole.
  var traits: EffectTraits { part.traits }
}

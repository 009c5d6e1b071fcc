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

  /// Whether it does not emit all of it at once.
  var isEffect: Bool {
    switch storage {
    case .empty, .just, .several: false
    case .run, .concat: true
    case .tree(let tree): tree.isEffect
    }
  }

  func run(into emit: any AnyEmitter, isolation: isolated (any Actor)?) async throws {
    try await run(into: MutationEmitter(emit), isolation: isolation)
  }

  /// The same with something around it.
  func changed(_ change: EffectChange) -> MutationStream {
    MutationStream(.tree(EffectTree(part, change)))
  }

  /// The same with something around it, if it is an effect.
  func changedIfEffect(_ change: EffectChange) -> MutationStream {
    isEffect ? changed(change) : self
  }

  /// What the effect as a whole is told apart by.
  var traits: EffectTraits { part.traits }
}

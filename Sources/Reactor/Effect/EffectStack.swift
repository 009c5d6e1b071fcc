/// The remaining steps of a running part, the next one last.
///
/// A part may be nested to any depth: the steps are the stack that it needs.
struct EffectStack: Sendable {
  private enum Step: Sendable {
    case run(EffectPart, any AnyEmitter)
    /// Parts one after another, from this index on.
    case concat([EffectPart], from: Int, any AnyEmitter)
    case end(EffectEnd, elapsed: @Sendable () -> Duration)
  }

  private var steps: [Step]
  /// Why no further part is run.
  var failure: (any Error)?
  /// Waits for its end.
  let join: EffectJoin?

  init(_ part: EffectPart, _ emit: any AnyEmitter, of join: EffectJoin? = nil) {
    steps = [.run(part, emit)]
    self.join = join
  }

  /// Runs until nothing is left, or until parts are to run at the same time.
  ///
  /// - Parameter isolation: Where to run parts that have no isolation of their own.
  /// - Returns: Those parts; the remaining steps are for after their end.
  mutating func run(isolation: isolated (any Actor)?) async -> EffectMerge? {
    while let step = steps.popLast() {
      do {
        switch step {
        case .end(let end, let elapsed):
          await end.notify(failure, after: elapsed(), isolation: isolation)
        case .run where failure != nil, .concat where failure != nil: break
        case .run(let part, let emit):
          if let merge = try await run(part, into: emit, isolation: isolation) { return merge }
        case .concat(let parts, let index, let emit):
          try Task.checkCancellation()
          if index + 1 < parts.count { steps.append(.concat(parts, from: index + 1, emit)) }
          if let merge = try await run(parts[index], into: emit, isolation: isolation) {
            return merge
          }
        }
      } catch { failure = error }
    }
    return nil
  }

  /// Runs a part that has no parts, or adds the steps of one that has.
  private mutating func run(
    _ part: EffectPart, into emit: any AnyEmitter, isolation: isolated (any Actor)?
  ) async throws -> EffectMerge? {
    guard case .tree(let tree) = part else {
      if case .plain(let plain) = part { try await plain.run(into: emit, isolation: isolation) }
      return nil
    }
    if tree.shape == .merge { return EffectMerge(parts: tree.mergedParts, emit: emit) }
    switch tree.content {
    case .parts(let parts): steps.append(.concat(parts, from: 0, emit))
    case .changed(let part, let change):
      switch change {
      case .map(let emitter): steps.append(.run(part, emitter(emit)))
      case .around(let wrapper): try await wrapper(part, emit, isolation)
      case .end(let end): steps += [.end(end, elapsed: end.clock.stopwatch()), .run(part, emit)]
      case .name, .priority, .cancelledByDrain: steps.append(.run(part, emit))
      }
    }
    return nil
  }
}

extension EffectPart {
  /// Runs all of it, part by part, into an emitter.
  func run(into emit: any AnyEmitter, isolation: isolated (any Actor)?) async throws {
    var stack = EffectStack(self, emit)
    while let merge = await stack.run(isolation: isolation) {
      stack.failure = await merge.run(isolation: isolation)
    }
    if let failure = stack.failure { throw failure }
  }
}

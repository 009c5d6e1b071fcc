import ReactorRuntime

/// Parts that are to run at the same time.
struct EffectMerge: Sendable {
  let parts: [EffectPart]
  let emit: any AnyEmitter

  /// Runs all parts to their ends, regardless of how the others end.
  ///
  /// There is one task group, also for the parts of parts: nested groups would be cancelled by
  /// recursion.
  ///
  /// - Returns: The first error.
  func run(isolation: isolated (any Actor)?) async -> (any Error)? {
    let join = EffectJoin(self, then: nil)
    let starts = EffectStarts()
    starts.add(self, of: join)
    await withTaskGroup(of: Void.self) { group in
      repeat {
        while let stack = starts.next() {
          group.addImmediateTask { await stack.runToJoin(starts, isolation: isolation) }
        }
      } while await group.next() != nil
    }
    return join.failure
  }
}

extension EffectStack {
  /// Runs until it has to wait for others; the last part of a merge continues with what waits for
  /// that.
  fileprivate func runToJoin(_ starts: EffectStarts, isolation: isolated (any Actor)?) async {
    var stack = self
    while true {
      if let merge = await stack.run(isolation: isolation) {
        if !merge.parts.isEmpty { return starts.add(merge, of: EffectJoin(merge, then: stack)) }
      } else if let next = await stack.join?.ended(
        with: stack.failure, isolation: isolation)
      {
        stack = next
      } else {
        return
      }
    }
  }
}

/// Parts that run at the same time and have not been started yet, the next one last.
private final class EffectStarts: Sendable {
  private let waiting = Guarded<[EffectStack]>([])

  func add(_ merge: EffectMerge, of join: EffectJoin) {
    let stacks = merge.parts.reversed().map { EffectStack($0, merge.emit, of: join) }
    waiting.withLock { $0 += stacks }
  }

  func next() -> EffectStack? { waiting.withLock { $0.popLast() } }
}

/// Waits for the parts of a merge.
///
/// Holds: `state`, guarded by its own lock.
final class EffectJoin: Sendable {
  private struct State: Sendable {
    /// The number of parts that have not ended.
    var count: Int
    var failure: (any Error)?
    /// Continues after the parts; `nil` if the merge itself is all.
    var rest: EffectStack?
  }

  private let state: Guarded<State>
  private let emit: any AnyEmitter

  init(_ merge: EffectMerge, then rest: EffectStack?) {
    state = Guarded(State(count: merge.parts.count, rest: rest))
    emit = merge.emit
  }

  /// The error of the first part that has failed.
  var failure: (any Error)? { state.withLock { $0.failure } }

  /// One part has ended.
  ///
  /// - Returns: The steps to continue with, if it was the last one.
  func ended(
    with failure: (any Error)?, isolation: isolated (any Actor)?
  ) async -> EffectStack? {
    if let failure, !isFirst(failure) { await emit.report(failure) }
    return state.withLock { state in
      state.count -= 1
      guard state.count == 0, var rest = state.rest.take() else { return nil }
      rest.failure = state.failure
      return rest
    }
  }

  private func isFirst(_ failure: any Error) -> Bool {
    state.withLock { state in
      guard state.failure == nil else { return false }
      state.failure = failure
      return true
    }
  }
}

/// The hooks of one reactor that its author wrote, while the pipeline runs.
///
/// Guard of every field that does not say another: written by the reactor while it starts, before
/// anybody else has this; only read from then on.
@usableFromInline
final class PipelineHooks<R: Reactor>: Sendable {
  @usableFromInline nonisolated(unsafe) var actionInput: HookChannel<R.Action>?
  @exclusivity(unchecked)
  @usableFromInline nonisolated(unsafe) var mutationInput: HookChannel<R.Mutation>?
  /// The states on their way into the hook.
  @usableFromInline nonisolated(unsafe) var stateInput: StateBroadcaster<R.State>?
  @usableFromInline nonisolated(unsafe) var stateEnd: StateHookEnd?
  /// What iterates the hooked actions and mutations.
  @usableFromInline nonisolated(unsafe) var tasks: [Task<Void, Never>] = []

  /// Whether they have been called.
  ///
  /// Guard, of this and each field below: the reactor's isolation.
  @usableFromInline nonisolated(unsafe) var areCalled = false

  // MARK: Turns

  /// The turn that only waits for its one mutation to be passed on by the hook.
  @exclusivity(unchecked) @usableFromInline nonisolated(unsafe) var openTurn: Turn<R.Action>?
  /// The action whose turn is under way, for its lane to report.
  @exclusivity(unchecked) @usableFromInline nonisolated(unsafe) var turnAction: R.Action?
  /// How many more turns the hook's task may take before it wakes the drain.
  @exclusivity(unchecked) @usableFromInline nonisolated(unsafe) var turnsLeft = 0
  /// A turn that the hook's task has opened and leaves to the drain, and what `mutate` returned.
  @exclusivity(unchecked)
  @usableFromInline nonisolated(unsafe) var leftTurn: (Turn<R.Action>, MutationStream<R.Mutation>)?

  @inlinable
  init() {}
}

/// A hook's sequence on its way from the reactor, which made it, to the one task that iterates it.
///
/// `@unchecked`, because an author's sequence need not be `Sendable`. Guard: the hand-over itself;
/// the reactor makes the sequence, gives it to one task, and never touches it again.
@usableFromInline
struct HandedOver<Element: Sendable>: @unchecked Sendable {
  @usableFromInline let loop: (@Sendable (Element) async -> Bool) async -> Bool

  @inlinable
  init<S: AsyncSequence<Element, Never>>(_ sequence: S) {
    loop = { body in
      for await element in sequence {
        guard await body(element) else { return false }
      }
      return true
    }
  }

  /// Iterates until the sequence ends, or the body returns false.
  ///
  /// - Returns: Whether the sequence ended.
  @inlinable
  func forEach(_ body: @Sendable (Element) async -> Bool) async -> Bool { await loop(body) }
}

public import ReactorRuntime

/// Says where an element in a hook comes from, so that the pipeline knows when the hook has passed
/// it on.
@usableFromInline
enum HookTicket: Sendable {
  /// An action, by its number, and its context.
  case action(UInt64, in: ActionContext? = nil)
  /// A mutation that an action leads to immediately.
  ///
  /// Its turn waits on the reactor, and continues however the ticket is used.
  case turn(Resumption<Void>, in: ActionContext? = nil)
  /// An effect's mutation: the effect waits at the latch, on the reactor.
  ///
  /// Once the effect is cancelled, the mutation is skipped.
  case mutation(Latch, of: (any PendingMutationSource)?, in: ActionContext? = nil)
  /// An element that the author merged in: its source waits at the latch.
  case outside(Latch)

  /// The context of the element.
  @usableFromInline var context: ActionContext? {
    switch self {
    case .action(_, let context), .turn(_, let context), .mutation(_, _, let context): context
    case .outside: nil
    }
  }

  /// The number of the action, or of the action whose effect emitted the mutation.
  @usableFromInline var number: UInt64? {
    if case .action(let number, _) = self { number } else { effect?.number }
  }

  /// The effect that emitted the mutation, if an effect did.
  @usableFromInline var effect: (any PendingMutationSource)? {
    if case .mutation(_, let effect, _) = self { effect } else { nil }
  }
}

/// The effect that emitted a mutation that waits to enter a hook.
@usableFromInline
protocol PendingMutationSource: AnyObject, Sendable {
  /// The action whose effect it is.
  var number: UInt64 { get }
  var isCancelled: Bool { get }
}

public import ReactorRuntime

/// Whose element is in a hook, so that the pipeline can tell when the hook has passed it on.
@usableFromInline
enum HookTicket: Sendable {
  /// An action, by its number, and what it brings along.
  case action(UInt64, in: ActionContext? = nil)
  /// A mutation that an action leads to at once: its turn waits on the reactor, and goes on however
  /// this is used up.
  case turn(Resumption<Void>, in: ActionContext? = nil)
  /// An effect's mutation: the effect waits at the latch, on the reactor; once it has been
  /// cancelled, the mutation is skipped.
  case mutation(Latch, of: (any HookPassenger)?, in: ActionContext? = nil)
  /// What the author merged in: its source waits at the latch.
  case outside(Latch)

  /// What the element brings along.
  @usableFromInline var context: ActionContext? {
    switch self {
    case .action(_, let context), .turn(_, let context), .mutation(_, _, let context): context
    case .outside: nil
    }
  }

  /// The number of the action that it is, or whose effect has emitted it.
  @usableFromInline var number: UInt64? {
    if case .action(let number, _) = self { number } else { effect?.number }
  }

  /// The effect that has emitted it, if one has.
  @usableFromInline var effect: (any HookPassenger)? {
    if case .mutation(_, let effect, _) = self { effect } else { nil }
  }
}

/// The effect behind a mutation that waits to enter a hook.
@usableFromInline
protocol HookPassenger: AnyObject, Sendable {
  /// The action whose effect it is.
  var number: UInt64 { get }
  var isCancelled: Bool { get }
}

/// What only the reactor's isolation touches: the pipeline's state between two turns.
///
/// Every reactor has this for as long as it lives. So here is only what each of them needs; the
/// rest stands in ``IsolatedExtras``.
@usableFromInline
struct TurnState<R: Reactor> {
  /// The actions taken out of the inbox that have yet to be worked off.
  @usableFromInline var batch = ActionBuffer()
  /// How many actions have been taken: the number of the next.
  @usableFromInline var taken: UInt64 = 0
  /// What few reactors need, and what they need seldom; `nil` until it is first needed.
  @usableFromInline var details: UnsafeMutablePointer<IsolatedExtras<R>>?
  /// The state; `nil` before the pipeline starts, and while `reduce` has it in its hands.
  @usableFromInline var state: R.State?
  @usableFromInline var phase = Lifecycle.idle
  /// Whether an action is being taken now.
  @usableFromInline var isTaking = false
  /// Whether each action has to be looked at before it is taken: some that wait were cancelled, or
  /// there is middleware.
  @usableFromInline var looksAtEach = false
  /// Whether somebody waits for an action.
  @usableFromInline var isAwaited = false
  /// What may be around turns: mostly nothing.
  @usableFromInline var around = TurnSurroundings()
  /// Whether turns are taken in the task of somebody who waits, and has task-local values of its
  /// own.
  @usableFromInline var isBorrowed = false
  /// Whether the turn is inside the body of the effect that is being started.
  @usableFromInline var isInsideEffect = false

  @inlinable
  init() {}

  @inlinable var hasContextOrStage: Bool {
    @inline(__always) get { around.contains(.contexts) }
    set { if newValue { around.insert(.contexts) } else { around.remove(.contexts) } }
  }
}

/// What may be around a turn.
@usableFromInline
struct TurnSurroundings: OptionSet, Sendable {
  @usableFromInline var rawValue: UInt8

  @inlinable
  init(rawValue: UInt8) { self.rawValue = rawValue }

  /// Actions that have left the inbox bring something along, or pass stages.
  @inlinable static var contexts: Self { Self(rawValue: 1) }
  /// Somebody had come when the actions were taken out of the inbox that are in the batch; see
  /// ``Company``.
  @inlinable static var company: Self { Self(rawValue: 2) }
}

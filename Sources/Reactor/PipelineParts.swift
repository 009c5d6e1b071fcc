/// What of a pipeline any thread may touch, behind a pointer.
///
/// An object of a generic class is let go by code that does not know its types, and has to look up
/// each of them for that. So the parts are not fields of such an object: they are made, and let go, by
/// functions that are compiled where the reactor's type is known.
///
/// What only the reactor touches stands behind another pointer: whoever changes a field changes, to the
/// compiler and to the thread sanitizer, all of what the pointer points to.
@usableFromInline
struct PipelineParts<R: Reactor>: ~Copyable {
  @usableFromInline let inbox: ActionInbox<R.Action>
  @usableFromInline let ledger: SettlingLedger<EffectRun<PipelineCore<R>>>
  @usableFromInline let listeners: EventListeners<R.Action>
  @usableFromInline let outputs: EventListeners<R.Output>
  @usableFromInline let restarts: EventListeners<Void>
  @usableFromInline let shared: Guarded<PipelineCore<R>.Shared>

  @inlinable
  init(inbox limit: InboxLimit) {
    inbox = ActionInbox(limit)
    ledger = SettlingLedger()
    listeners = EventListeners()
    outputs = EventListeners()
    restarts = EventListeners()
    shared = Guarded(PipelineCore<R>.Shared())
  }
}

extension PipelineCore {
  // MARK: Any thread's

  @inlinable var inbox: ActionInbox<R.Action> {
    @inline(__always) _read { yield parts.pointee.inbox }
  }

  @inlinable var ledger: SettlingLedger<EffectRun<PipelineCore<R>>> {
    @inline(__always) _read { yield parts.pointee.ledger }
  }

  /// Who listens to the actions that are taken, and to the outputs.
  @inlinable var listeners: EventListeners<R.Action> {
    @inline(__always) _read { yield parts.pointee.listeners }
  }

  @inlinable var outputs: EventListeners<R.Output> {
    @inline(__always) _read { yield parts.pointee.outputs }
  }

  /// Who wants to know that the reactor has begun again.
  @inlinable var restarts: EventListeners<Void> {
    @inline(__always) _read { yield parts.pointee.restarts }
  }

  @inlinable var shared: Guarded<Shared> {
    @inline(__always) _read { yield parts.pointee.shared }
  }

  // MARK: The reactor's

  /// What only the reactor touches.
  ///
  /// Guard: the reactor's isolation.
  @inlinable var own: PipelineState<R> {
    @inline(__always) _read { yield owned.pointee }
    @inline(__always) _modify { yield &owned.pointee }
  }
}

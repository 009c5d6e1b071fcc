public import Synchronization

/// What of a pipeline any thread may touch, and few reactors need: made when it is first needed.
///
/// It stands behind a pointer, and is let go by a closure that is made where the reactor's type is
/// known: an object of a generic class is let go by code that has to look up each type.
@usableFromInline
struct PipelineParts<R: Reactor>: ~Copyable {
  /// First, where it can be found by somebody who knows no types.
  @usableFromInline let letGo: LetGo
  @usableFromInline let inboxExtras: InboxExtras<R.Action>
  @usableFromInline let ledger: SettlingLedger<EffectRun<PipelineCore<R>>>
  @usableFromInline let listeners: EventListeners<R.Action>
  @usableFromInline let outputs: EventListeners<R.Output>
  @usableFromInline let restarts: EventListeners<Void>
  @usableFromInline let shared: Guarded<PipelineCore<R>.Shared>

  @inlinable
  init(inbox limit: InboxLimit, carrying carried: TaskLocals, letGo: LetGo) {
    self.letGo = letGo
    inboxExtras = InboxExtras(limit, carrying: carried)
    ledger = SettlingLedger()
    listeners = EventListeners()
    outputs = EventListeners()
    restarts = EventListeners()
    shared = Guarded(PipelineCore<R>.Shared())
  }
}

extension PipelineCore {
  // MARK: Any thread's

  /// The parts, if anybody has needed them yet.
  @inlinable var partsIfMade: UnsafeMutablePointer<PipelineParts<R>>? {
    @inline(__always) get {
      madeParts.load(ordering: .acquiring)?.assumingMemoryBound(to: PipelineParts<R>.self)
    }
  }

  @inlinable var parts: UnsafeMutablePointer<PipelineParts<R>> {
    @inline(__always) get { partsIfMade ?? makeParts() }
  }

  /// Makes the parts, unless another thread is faster.
  @inlinable @inline(never)
  func makeParts(
    inbox limit: InboxLimit = .unlimited, carrying carried: TaskLocals = .none
  ) -> UnsafeMutablePointer<PipelineParts<R>> {
    let made = UnsafeMutablePointer<PipelineParts<R>>.allocate(capacity: 1)
    made.initialize(
      to: PipelineParts(
        inbox: limit, carrying: carried,
        letGo: LetGo { raw in
          let parts = raw.assumingMemoryBound(to: PipelineParts<R>.self)
          parts.deinitialize(count: 1)
          parts.deallocate()
        }))
    let (isMade, earlier) = madeParts.compareExchange(
      expected: nil, desired: UnsafeMutableRawPointer(made), ordering: .acquiringAndReleasing)
    guard !isMade, let earlier else { return made }
    made.deinitialize(count: 1)
    made.deallocate()
    return earlier.assumingMemoryBound(to: PipelineParts<R>.self)
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

  /// What few reactors need; made here if this one has not needed it yet.
  ///
  /// Guard: the reactor's isolation.
  @inlinable var details: PipelineDetails<R> {
    @inline(__always) _read { yield detailsPointer.pointee }
    @inline(__always) _modify { yield &detailsPointer.pointee }
  }

  @inlinable var detailsPointer: UnsafeMutablePointer<PipelineDetails<R>> {
    @inline(__always) get { own.details ?? makeDetails() }
  }

  @inlinable @inline(never)
  func makeDetails() -> UnsafeMutablePointer<PipelineDetails<R>> {
    let made = UnsafeMutablePointer<PipelineDetails<R>>.allocate(capacity: 1)
    made.initialize(
      to: PipelineDetails(
        letGo: LetGo { raw in
          let details = raw.assumingMemoryBound(to: PipelineDetails<R>.self)
          details.deinitialize(count: 1)
          details.deallocate()
        }))
    own.details = made
    return made
  }
}

public import Synchronization

/// What of a pipeline any thread may touch, and few reactors need: made when it is first needed.
///
/// It stands behind a pointer, and is let go by a closure that is made where the reactor's type is
/// known: an object of a generic class is let go by code that has to look up each type.
///
/// Once made it stays, as any thread may be about to look at it: so what is seldom needed stands
/// behind a pointer of its own in turn, and goes when there is nothing in it.
@usableFromInline
struct AnyThreadParts<R: Reactor>: ~Copyable {
  /// First, where it can be found by somebody who knows no types.
  @usableFromInline let disposer: Disposer
  /// The task-local values that come with actions from their senders.
  @usableFromInline let carried: TaskLocals
  @usableFromInline let ledger: WorkLedger<EffectRun<PipelineCore<R>>>
  @usableFromInline let shared: Guarded<SharedNotes<R>>
  /// See ``PipelineEvents``.
  @usableFromInline let latestListener: Atomic<UInt64>

  // MARK: The reactor's

  /// The effect on the reactor whose body has yet to suspend for the first time.
  @usableFromInline var starting: EffectRun<PipelineCore<R>>?
  /// Nobody waits for an action before this one, unless it has work in the ledger.
  @usableFromInline var awaited = UInt64.max
  /// How many states have been made while there was somewhere for them to go.
  @usableFromInline var version: UInt64 = 0

  @inlinable
  init(carrying carried: TaskLocals, disposer: Disposer) {
    self.disposer = disposer
    ledger = WorkLedger()
    shared = Guarded(SharedNotes<R>())
    latestListener = Atomic(0)
    self.carried = carried
  }
}

extension PipelineCore {
  // MARK: Any thread's

  /// The parts, if anybody has needed them yet.
  @inlinable var partsIfMade: LazyBlock<AnyThreadParts<R>>? {
    @inline(__always) get {
      guard let raw = madeParts.load(ordering: .acquiring) else { return nil }
      return LazyBlock(at: raw)
    }
  }

  @inlinable var parts: LazyBlock<AnyThreadParts<R>> {
    @inline(__always) get { partsIfMade ?? makeParts() }
  }

  /// Makes the parts, unless another thread is faster.
  @inlinable @inline(never)
  func makeParts(carrying carried: TaskLocals = .none) -> LazyBlock<AnyThreadParts<R>> {
    let made = LazyBlock(
      AnyThreadParts<R>(
        carrying: carried,
        disposer: Disposer.shared(of: R.self) { raw in
          LazyBlock<AnyThreadParts<R>>(at: raw).free()
        }))
    let (isMade, earlier) = madeParts.compareExchange(
      expected: nil, desired: made.raw, ordering: .acquiringAndReleasing)
    guard !isMade, let earlier else { return made }
    made.free()
    return LazyBlock(at: earlier)
  }

  @inlinable var ledger: WorkLedger<EffectRun<PipelineCore<R>>> {
    @inline(__always) _read { yield parts.pointee.ledger }
  }

  @inlinable var shared: Guarded<SharedNotes<R>> {
    @inline(__always) _read { yield parts.pointee.shared }
  }

  // MARK: The reactor's

  /// The effect on the reactor whose body has yet to suspend for the first time.
  ///
  /// Guard: the reactor's isolation.
  @inlinable var starting: EffectRun<PipelineCore<R>>? {
    get { partsIfMade?.pointee.starting }
    set { parts.pointee.starting = newValue }
  }

  /// How many states have been made while there was somewhere for them to go.
  ///
  /// Guard: the reactor's isolation; any thread's once the reactor has ended.
  @inlinable var version: UInt64 {
    get { partsIfMade?.pointee.version ?? 0 }
    _modify { yield &parts.pointee.version }
  }
}

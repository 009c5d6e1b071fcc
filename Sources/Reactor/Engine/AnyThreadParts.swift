public import ReactorRuntime
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
  /// First, where it can be found without knowing the type.
  @usableFromInline let disposer: Disposer
  /// The task-local values that come with actions from their senders.
  @usableFromInline let carried: TaskLocals
  @usableFromInline let ledger: WorkLedger
  @usableFromInline let shared: Guarded<SharedNotes<R>>
  /// See ``PipelineEvents``.
  @usableFromInline let latestListener: Atomic<UInt64>

  // MARK: The reactor's

  /// The effect on the reactor whose body has yet to suspend for the first time.
  @usableFromInline var starting: EffectRun<Engine<R>>?
  /// No action before this one is waited for, unless it has work in the ledger.
  @usableFromInline var awaited = UInt64.max
  /// How many states have been made while there was somewhere for them to go.
  @usableFromInline var version: UInt64 = 0

  /// Makes the parts of an engine, unless another thread is faster.
  ///
  /// - Parameters:
  ///   - place: Where the engine keeps them.
  ///   - carried: The task-local values that come with actions from their senders.
  /// - Returns: The parts that the engine has now.
  @inlinable @inline(never)
  static func make(
    in place: borrowing Atomic<UnsafeMutableRawPointer?>, carrying carried: TaskLocals = .none
  ) -> LazyBlock<Self> {
    let disposer = Disposer.shared(of: R.self) { raw in LazyBlock<Self>(at: raw).free() }
    let made = LazyBlock(Self(carrying: carried, disposer: disposer))
    let (isMade, earlier) = place.compareExchange(
      expected: nil, desired: made.raw, ordering: .acquiringAndReleasing)
    guard !isMade, let earlier else { return made }
    made.free()
    return LazyBlock(at: earlier)
  }

  @inlinable
  init(carrying carried: TaskLocals, disposer: Disposer) {
    self.disposer = disposer
    ledger = WorkLedger()
    shared = Guarded(SharedNotes<R>())
    latestListener = Atomic(0)
    self.carried = carried
  }
}

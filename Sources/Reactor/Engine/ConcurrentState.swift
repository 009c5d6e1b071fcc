public import ReactorRuntime
public import Synchronization

/// The fields of an engine that any thread may access and few reactors need; made when first
/// needed.
///
/// They are stored behind a pointer, and freed by a closure that is made where the reactor's type
/// is known. An object of a generic class would be released by code that has to look up each type.
///
/// Once made, it exists as long as the engine, since any thread may be about to read it. So
/// a field that is rarely needed is in turn stored behind a pointer of its own, and is freed when
/// it is empty.
@usableFromInline
struct ConcurrentState<R: Reactor>: ~Copyable {
  /// First, so that it can be found without knowing the type.
  @usableFromInline let disposer: Disposer
  /// The task-local values that actions carry from their senders.
  @usableFromInline let carried: TaskLocals
  @usableFromInline let ledger: WorkLedger
  @usableFromInline let shared: Guarded<LockedState<R>>
  /// The number of the stream of actions that was opened last.
  ///
  /// It is 0 while there is neither a stream nor a sink. See ``PipelineEvents``.
  @usableFromInline let latestListener: Atomic<UInt64>

  // MARK: Fields of the reactor's isolation

  /// The effect on the reactor whose body has not suspended yet.
  @usableFromInline var starting: EffectRun<Engine<R>>?
  /// No action with a lower number is waited for, unless it has work in the ledger.
  @usableFromInline var awaited = UInt64.max
  /// How many states have been made while there was a broadcast for them.
  @usableFromInline var version: UInt64 = 0

  /// Makes the concurrent state of an engine, unless another thread is faster.
  ///
  /// - Parameters:
  ///   - place: Where the engine stores them.
  ///   - carried: The task-local values that actions carry from their senders.
  /// - Returns: The concurrent state that the engine has now.
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
    shared = Guarded(LockedState<R>())
    latestListener = Atomic(0)
    self.carried = carried
  }
}

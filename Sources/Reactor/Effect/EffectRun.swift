public import ReactorRuntime
public import Synchronization

/// Runs effects, and reduces the mutations that they emit.
@usableFromInline
protocol EffectOwner: AnyObject, Sendable {
  associatedtype Action: Sendable
  associatedtype Mutation: Sendable
  /// A value that the owner keeps with an effect.
  associatedtype Slot: AnyObject, Sendable

  /// Takes a mutation without suspending, if that can be done from the caller's isolation.
  func takeEmitted(
    _ mutation: Mutation, of run: EffectRun<Self>, from isolation: (any Actor)?
  ) -> EmittedMutation
  /// Takes a mutation, and returns once it is in the state.
  func deliver(
    _ mutation: Mutation, of run: EffectRun<Self>, isolation: isolated (any Actor)?) async
  /// A part of the effect has failed, and the others continue.
  func partFailed(_ run: EffectRun<Self>, with error: any Error)
  /// Returns once everything that has been reduced by now is durable.
  nonisolated(nonsending) func waitUntilDurable(_ run: EffectRun<Self>) async throws
  /// Ends an effect without a hop to the owner, if that is possible: most end so, and need no
  /// frame.
  func endsOffReactor(_ run: EffectRun<Self>, _ ending: EffectEnding) -> Bool
  /// Ends an effect at the owner.
  func ended(_ run: EffectRun<Self>, _ ending: EffectEnding) async
}

/// One running effect: a part of what one action leads to.
///
/// `@unchecked`, as its fields have several guards, which each of them names: `startBufferLock`,
/// the task that runs the body, the owner's isolation, the ledger's lock.
///
/// An object of a generic class is released by code that does not know its types. So there is no
/// field here whose type would have to be looked up for that, as a lock around something generic
/// would.
@usableFromInline
final class EffectRun<Owner: EffectOwner>: LedgerWork, @unchecked Sendable {
  @usableFromInline let startBufferLock = Guarded(())
  /// Stores what an effect outside the reactor's isolation emits inside the turn of its action;
  /// `nil` once the turn has continued.
  ///
  /// It is in the frame of the function that starts the effect, which returns only after that.
  ///
  /// Guard: the lock beside it, from when the effect begins on.
  @exclusivity(unchecked) @usableFromInline
  var startBuffer: UnsafeMutablePointer<EffectStartBuffer<Owner.Mutation>>?

  @usableFromInline let owner: Owner
  @usableFromInline let action: Owner.Action
  @usableFromInline let number: UInt64
  /// The actor that the owner belongs to, to compare it with an emitter's isolation.
  @usableFromInline let ownerActorID: ObjectIdentifier
  @usableFromInline let status = Atomic(EffectStatus.live)
  /// Whether it may end where it is, without a hop to its owner.
  ///
  /// It may not with a slot in a lane, or with mutations that a hook has. The owner sets this once
  /// the mutations of the effect's start are reduced, or when it evicts the effect.
  @usableFromInline let mayEndOffReactor = Atomic(false)
  /// The number of mutations of this effect that are in a hook.
  @usableFromInline let mutationsInHook = Atomic(0)

  /// The body of the effect.
  ///
  /// Guard: the task; written before that begins, which takes it out.
  @exclusivity(unchecked) @usableFromInline var body: MutationStream<Owner.Mutation>.Effect?
  /// The context that the body runs in, if there is one.
  ///
  /// Guard: the task; written before that begins.
  @exclusivity(unchecked) @usableFromInline var context: ActionContext?

  // MARK: The owner's fields

  /// Runs the body.
  ///
  /// Guard: `startBufferLock`.
  @exclusivity(unchecked) @usableFromInline var task: EffectTask?
  /// The address of the task that runs the body; 0 before that begins.
  @usableFromInline let taskAddress = Atomic<UInt>(0)
  /// Whether a drain cancels it.
  ///
  /// Guard: the owner's isolation.
  var isCancelledByDrain = false
  /// When it was registered, in the ticks of ``WorkTime``.
  ///
  /// Guard: the owner's isolation.
  @usableFromInline var since: Int64 = 0
  /// Opened when a hook has returned a mutation.
  ///
  /// Guard: the owner's isolation.
  @usableFromInline var hookLatch: Latch?
  /// Its place among other effects, such as a slot in a lane, if it has one.
  ///
  /// Guard: the owner's isolation.
  @usableFromInline var slot: Owner.Slot?

  @inlinable
  init(_ action: Owner.Action, number: UInt64, owner: Owner, ownerActorID: ObjectIdentifier) {
    self.action = action
    self.number = number
    self.owner = owner
    self.ownerActorID = ownerActorID
  }

  deinit {}

  /// The owner's address, if it is the given isolation.
  ///
  /// A function of its own: an isolation that is bound to a name is retained until the name's end.
  @inlinable
  func ownerActorAddress(ifIsolatedTo isolation: (any Actor)?) -> UnsafeRawPointer? {
    guard let isolation, ObjectIdentifier(isolation) == ownerActorID else { return nil }
    return UnsafeRawPointer(bitPattern: UInt(bitPattern: ownerActorID))
  }

  /// Whether further mutations of the effect are to be ignored.
  @inlinable var isCancelled: Bool { status.load(ordering: .acquiring) == .cancelled }

  /// Whether the effect's body has returned, or was never started.
  @usableFromInline var hasEnded: Bool {
    switch status.load(ordering: .acquiring) {
    case .live, .cancelled: false
    case .ended, .endedCancelled: true
    }
  }

  /// Ignores further mutations of the effect, and cancels its task, if it has one yet; any thread,
  /// once it is registered.
  @usableFromInline
  func cancel() {
    _ = status.compareExchange(
      expected: .live, desired: .cancelled, ordering: .acquiringAndReleasing)
    startBufferLock.withLock { _ in task }?.cancel()
  }

  /// Cancels the current task, if it runs the effect's body and the effect is still inside the turn
  /// of its action.
  ///
  /// ``cancel()`` has no task then that it could cancel.
  @usableFromInline
  func cancelDuringStart() {
    guard startBufferLock.withLock({ _ in task == nil }),
      TaskAddress.current == taskAddress.load(ordering: .relaxed)
    else { return }
    withUnsafeCurrentTask { $0?.cancel() }
  }

  /// Records that the effect's body has returned.
  @inlinable
  func end() {
    let before = status.compareExchange(
      expected: .live, desired: .ended, ordering: .acquiringAndReleasing)
    if !before.exchanged { status.store(.endedCancelled, ordering: .releasing) }
  }

  /// The emitter of the effect's body.
  @inlinable var emitter: MutationEmitter<Owner.Mutation> {
    MutationEmitter(
      accept: { self.owner.takeEmitted($0, of: self, from: $1) },
      deliver: { mutation, isolation in
        await self.owner.deliver(mutation, of: self, isolation: isolation)
      },
      effect: self)
  }

  // MARK: The start

  /// Stores a mutation, if the effect is still inside the turn of its action.
  @inlinable
  func buffer(_ mutation: Owner.Mutation) -> Bool {
    startBufferLock.withLock { _ in
      guard let startBuffer else { return false }
      return startBuffer.pointee.append(mutation)
    }
  }

  /// Stores the effect's end, if it is still inside the turn of its action.
  @inlinable
  func buffer(_ ending: EffectEnding) -> Bool {
    startBufferLock.withLock { _ in
      guard let startBuffer else { return false }
      startBuffer.pointee.ending = ending
      return true
    }
  }

  /// Ends the start: the body has begun, and has ended or suspended.
  ///
  /// From here on the effect hops to the reactor itself.
  @inlinable
  func attachTask(_ task: EffectTask) {
    startBufferLock.withLock { _ in
      self.task = task
      startBuffer = nil
    }
  }
}

extension EffectRun: EmittingEffect {
  @usableFromInline
  func partFailed(with error: any Error) { owner.partFailed(self, with: error) }

  @usableFromInline
  nonisolated(nonsending) func waitUntilDurable() async throws {
    try await owner.waitUntilDurable(self)
  }
}

/// The task of an effect.
///
/// It never throws. A task whose type does not throw is made through a closure around its body,
/// which can throw: with an allocation and a call of its own.
@usableFromInline
typealias EffectTask = Task<Void, any Error>

/// Whether an effect can still emit.
@usableFromInline
enum EffectStatus: UInt8, AtomicRepresentable, Sendable {
  case live
  case cancelled
  case ended
  case endedCancelled
}

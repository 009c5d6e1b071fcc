import ReactorRuntime
public import Synchronization

/// An action, and everything that it causes in turn: who belongs, and whether all have ended.
///
/// It travels as a task-local value, so whatever an effect calls, in child tasks too, sends into
/// it. Whoever joins leaves again when the work of its own action has ended; when the last one has
/// left, the chain is over, and nobody joins any more.
///
/// A chain may be part of another one, and that of another, without end: each tracked action can
/// send one. So they are left, cancelled and released in a loop.
///
/// Holds: `state`, guarded by its own lock; latches and callbacks run outside it.
@usableFromInline
final class ActionChain: Sendable {
  /// The chain of the work that this is part of, if it is tracked.
  @TaskLocal @usableFromInline static var current: ActionChain?

  /// How many chains there are in the process that are not over.
  ///
  /// Where there are none, which is nearly always, nobody need look for one.
  @usableFromInline static let open = Atomic(0)

  @inlinable
  static var isAnyOpen: Bool { open.load(ordering: .relaxed) != 0 }

  /// Cancels a member, or returns the chain that it is.
  private typealias Cancel = @Sendable () -> ActionChain?

  private struct State: Sendable {
    var members: Set<Int> = []
    var cancels: [Int: Cancel] = [:]
    var lastMember = 0
    var isOver = false
    var isCancelled = false
    var waiters = IdentityList<Latch>()
  }

  private let state = Guarded(State())
  /// The chain that this one is part of, as which member.
  private let outer: Nested<ChainMember>?

  /// A chain; part of the current one, if there is one.
  init() {
    Self.open.add(1, ordering: .relaxed)
    Company.come()
    outer = Self.current?.join().map { Nested($0) }
    guard let outer = outer?.value else { return }
    outer.chain.keep({ [weak self] in self }, of: outer)
  }

  /// Adds a member.
  ///
  /// - Returns: The membership; `nil` once the chain is over.
  func join() -> ChainMember? {
    let id = state.withLock { state -> Int? in
      guard !state.isOver else { return nil }
      state.lastMember += 1
      state.members.insert(state.lastMember)
      return state.lastMember
    }
    return id.map { ChainMember(chain: self, id: $0) }
  }

  /// Says how a member is cancelled; does it at once if the chain has been.
  func setCancel(of member: ChainMember, _ cancel: @escaping @Sendable () -> Void) {
    keep(
      {
        cancel()
        return nil
      }, of: member)
  }

  private func keep(_ cancel: @escaping Cancel, of member: ChainMember) {
    let isCancelled = state.withLock { state in
      if state.members.contains(member.id) { state.cancels[member.id] = cancel }
      return state.isCancelled
    }
    if isCancelled { Self.cancel([cancel]) }
  }

  /// A member leaves.
  ///
  /// - Returns: What this chain was a member of, if it is over now.
  fileprivate func end(_ member: Int) -> ChainMember? {
    let waiters = state.withLock { state -> [Latch]? in
      state.members.remove(member)
      state.cancels[member] = nil
      guard state.members.isEmpty, !state.isOver else { return nil }
      state.isOver = true
      defer { state.waiters = IdentityList() }
      return state.waiters.all
    }
    guard let waiters else { return nil }
    Self.open.subtract(1, ordering: .relaxed)
    Company.go()
    for latch in waiters { latch.open() }
    return outer?.value
  }

  /// Cancels every member, and whoever joins later.
  func cancel() { Self.cancel([{ self }]) }

  private static func cancel(_ cancels: [Cancel]) {
    var waiting = cancels
    while let cancel = waiting.popLast() {
      if let chain = cancel() { waiting += chain.beginCancelling().reversed() }
    }
  }

  private func beginCancelling() -> [Cancel] {
    state.withLock { state in
      state.isCancelled = true
      return state.cancels.sorted { $0.key < $1.key }.map(\.value)
    }
  }

  /// Waits until the chain is over, or the waiting task is cancelled.
  func wait() async {
    let latch = Latch()
    let isOver = state.withLock { state in
      if !state.isOver { state.waiters.append(latch) }
      return state.isOver
    }
    if isOver { return }
    await latch.wait()
    state.withLock { _ = $0.waiters.remove(latch.id) }
  }
}

/// One action's membership in a chain.
@usableFromInline
struct ChainMember: Sendable {
  @usableFromInline let chain: ActionChain
  let id: Int

  /// The action's own work has ended, or it was never accepted.
  @usableFromInline
  func leave() {
    var next: ChainMember? = self
    while let member = next { next = member.chain.end(member.id) }
  }
}

/// What `sendTracked(_:)` returns: the way to wait for an action and everything it causes in turn,
/// or to cancel all of it.
///
/// It does not keep any reactor alive, and can be copied and sent anywhere.
public struct TrackedReceipt: Sendable {
  let chain: ActionChain?

  /// Why the action was refused when it was sent, if it was.
  public let refusal: ActionRefusal?

  /// Whether the action was refused when it was sent: the reactor had been stopped, or its inbox
  /// was full.
  public var isRefused: Bool { refusal != nil }

  /// Waits until the work of the action has ended, and that of every action sent by it, and so on.
  ///
  /// Whatever way each of them ended. Actions sent to other reactors count as well; actions that a
  /// service or an observer sends in answer do not.
  ///
  /// Returns early if the waiting task is cancelled; the work goes on. An effect that waits for the
  /// chain it is part of waits for ever.
  public var settled: Void {
    get async { await chain?.wait() }
  }

  /// Waits as ``settled`` does; if the waiting task is cancelled, so is all that the action has
  /// caused.
  ///
  /// Then it waits all the same, until the last of it has ended.
  ///
  /// - Throws: `CancellationError` if the waiting task has been cancelled, at the latest by the
  ///   time the work had ended.
  public var settledOrCancelled: Void {
    get async throws(CancellationError) {
      await settled
      guard Task.isCancelled else { return }
      cancel()
      // In a task of its own, because waiting ends early in one that has been cancelled.
      await PipelineTasks.inheriting { await settled }.value
      throw CancellationError()
    }
  }

  /// Cancels the action's own work and that of every action it has caused, as
  /// ``ActionReceipt/cancel()`` would; what they send from now on is cancelled as it comes.
  public func cancel() { chain?.cancel() }
}

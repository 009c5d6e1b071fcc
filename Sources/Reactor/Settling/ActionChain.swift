import ReactorRuntime
public import Synchronization

/// An action and all actions that it causes: contains the members, and whether all have ended.
///
/// The chain is passed as a task-local value. So the actions that an effect sends, also in child
/// tasks, join it. A member leaves when the own work of its action has ended. When the last member
/// has left, the chain is over, and no more members can join.
///
/// A chain may be a member of another, and so on without limit: each tracked action can send a
/// tracked action. So memberships are ended, cancelled and released in a loop, not recursively.
///
/// Contains `state`, guarded by its own lock; latches and callbacks run outside it.
@usableFromInline
final class ActionChain: Sendable {
  /// The chain to which the current work belongs, if it is tracked.
  @TaskLocal @usableFromInline static var current: ActionChain?

  /// How many chains in the process are not over.
  ///
  /// If there are none, which is usual, the task-local value need not be read.
  @usableFromInline static let open = Atomic(0)

  @inlinable
  static var isAnyOpen: Bool { open.load(ordering: .relaxed) != 0 }

  /// Cancels a member, or returns the chain that is the member.
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
  /// This chain's membership in another chain.
  private let outer: Nested<ChainMember>?

  /// Creates a chain; it is a member of the current chain, if there is one.
  init() {
    Self.open.add(1, ordering: .relaxed)
    ContextDemand.register()
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

  /// Sets how a member is cancelled, and cancels it immediately if the chain has been cancelled.
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

  /// Removes a member.
  ///
  /// - Returns: This chain's own membership in another, if this chain is over now.
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
    ContextDemand.unregister()
    for latch in waiters { latch.open() }
    return outer?.value
  }

  /// Cancels every member, and every member that joins later.
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

/// The membership of an action in a chain.
@usableFromInline
struct ChainMember: Sendable {
  @usableFromInline let chain: ActionChain
  let id: Int

  /// Ends the membership: the action's own work has ended, or it was never accepted.
  @usableFromInline
  func leave() {
    var next: ChainMember? = self
    while let member = next { next = member.chain.end(member.id) }
  }
}

/// What `sendTracked(_:)` returns: waits for an action and everything that it causes, or cancels
/// all of it.
///
/// It does not keep any reactor alive. It can be copied, and passed to any isolation.
public struct TrackedReceipt: Sendable {
  let chain: ActionChain?

  /// Why the action was refused when it was sent, if it was.
  public let refusal: ActionRefusal?

  /// Whether the action was refused when it was sent, because the reactor had been stopped or its
  /// inbox was full.
  public var isRefused: Bool { refusal != nil }

  /// Waits until the work of the action has ended, and that of every action that it sent, and so
  /// on.
  ///
  /// It does not matter how each of them ended. Actions sent to other reactors count as well.
  /// Actions that a service or an observer sends in response do not.
  ///
  /// Returns early if the waiting task is cancelled; the work continues. An effect that waits for
  /// the chain to which it belongs waits forever.
  public var settled: Void {
    get async { await chain?.wait() }
  }

  /// Waits as ``settled`` does; if the waiting task is cancelled, cancels everything that the
  /// action has caused.
  ///
  /// In that case it still waits until the last of it has ended.
  ///
  /// - Throws: `CancellationError` if the waiting task was cancelled before the work had ended.
  public var settledOrCancelled: Void {
    get async throws(CancellationError) {
      await settled
      guard Task.isCancelled else { return }
      cancel()
      // In a task of its own, because waiting ends early in a cancelled task.
      await PipelineTasks.inheriting { await settled }.value
      throw CancellationError()
    }
  }

  /// Cancels the action's own work and that of every action that it has caused, as
  /// ``ActionReceipt/cancel()`` does.
  ///
  /// Actions that they send from now on are cancelled on arrival.
  public func cancel() { chain?.cancel() }
}

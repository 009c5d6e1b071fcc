public import Reactor
public import ReactorRuntime

/// One reactor for each key: made when it is first wanted, kept while it is used, released when it
/// has been idle for a time, and made again when it is wanted later.
///
/// ```swift
/// let rooms = ReactorRegistry<RoomID, Room>(idle: .seconds(60)) { id in
///   Room(try await store.load(id))
/// }
///
/// try await rooms["lobby"].send(.open)
/// let ticket = try await rooms["lobby"].ask { .reserve(2, $0) }
/// ```
///
/// **One at a time**: of one key there is never more than one reactor that has not ended. A use
/// while it is being made shares that making; one while it ends waits until it has.
///
/// **In use** is a reactor while a task is inside ``with(_:_:)``, an action sent through a handle
/// is under way to it, an `ask` waits for its answer, or a handle's states or outputs are being
/// iterated. Idle is one that is not in use and in which nothing is to be done: no action waits, no
/// effect runs. When it has been idle for long enough, it is drained, so that nothing it has
/// accepted is lost; and whether it is idle is decided under the lock under which it is used.
///
/// **Of one key** there are never two that have not ended, unless one is restarted that has
/// been stopped: the registry may have made another one by then. So a reactor of a registry is not
/// to be restarted; the next use gets a new one.
///
/// **Failure**: an error of the making goes to all that share it; the next use tries again.
///
/// **Cancellation**: a task that is cancelled while a reactor is being made waits no longer. The
/// making goes on for the others.
///
/// **Lifetime**: it holds its reactors, and releases them with itself; to end them in order, see
/// ``drain(within:)``. There is one task for all keys, and none while nothing is idle.
///
/// Holds: `table`, guarded by its own lock; reactors are made, stopped and released outside it.
public final class ReactorRegistry<ID: Hashable & Sendable, R: Reactor>: Sendable {
  @usableFromInline typealias Entry = RegistryEntry<ID, R>
  @usableFromInline typealias Lease = RegistryLease<ID, R>

  @usableFromInline let table = Guarded(RegistryTable<ID, R>())
  @usableFromInline let idle: Duration?
  @usableFromInline let clock: RegistryClock
  let make: @Sendable (ID) async throws -> R

  /// A registry without any reactors as yet.
  ///
  /// - Parameters:
  ///   - idle: For how long a reactor is kept that is idle, more than nothing; `nil` for as long as
  ///     the registry.
  ///   - clock: What measures that.
  ///   - make: Makes the reactor of a key; called when one is wanted and there is none. What
  ///     it asks of this registry, or of another, must not wait for the one that it makes, which is
  ///     refused with the circle. A `Task { }` in it counts as part of it, a `Task.detached` does
  ///     not. A circle that goes by way of a live reactor's effect is not found.
  public init(
    idle: Duration?, clock: any Clock<Duration> = ContinuousClock(),
    make: @escaping @Sendable (_ id: ID) async throws -> R
  ) {
    precondition(idle.map { $0 > .zero } ?? true, "idle: must be more than nothing")
    self.idle = idle
    self.clock = RegistryClock(clock)
    self.make = make
  }

  deinit { table.withLock { $0.sweeper }?.cancel() }

  /// A handle of the reactor of a key, whether there is one or not.
  ///
  /// - Parameter id: The key.
  public subscript(id: ID) -> RegisteredReactor<ID, R> { RegisteredReactor(self, id) }

  /// Does something with the reactor of a key, which is made for it if need be and kept until it is
  /// done.
  ///
  /// ```swift
  /// let free = try await rooms.with("lobby") { room in await room.currentState.free }
  /// ```
  ///
  /// It is for reactors in this process. What is kept of the reactor afterwards may find it
  /// stopped.
  ///
  /// **Runs on** the caller's executor.
  ///
  /// - Parameters:
  ///   - id: The key.
  ///   - body: What to do.
  /// - Returns: What it returns.
  /// - Throws: What it throws, what the making threw, or ``RegistryError``.
  @inlinable
  nonisolated(nonsending) public func with<Result>(
    _ id: ID, _ body: nonisolated(nonsending) (_ reactor: R) async throws -> Result
  ) async throws -> Result {
    let lease = try await lease(id)
    defer { giveBack(lease.entry) }
    return try await body(lease.reactor)
  }

  /// The keys of which there is a reactor now, in the order in which they were made.
  ///
  /// **Runs on** any thread.
  public var ids: [ID] {
    RegistryTable.inOrder(table.withLock { $0.live }).map(\.id)
  }

  /// How many reactors there are now, in any state: being made, live, or ending.
  ///
  /// **Runs on** any thread.
  public var count: Int { table.withLock { $0.entries.count } }

  // MARK: Using

  @inlinable
  nonisolated(nonsending) func lease(_ id: ID) async throws -> Lease {
    if let lease = table.withLock({ $0.lease(id) }) {
      if lease.reactor.pipeline.engine.isOpen { return lease }
      retire(lease)
    }
    return try await leaseOnceLive(id)
  }

  /// A user of the reactor has stopped it: the next use gets another one.
  @usableFromInline
  func retire(_ lease: Lease) {
    let isFirst = table.withLock { _ in
      lease.entry.leases -= 1
      guard lease.entry.phase == .live else { return false }
      // It is in use, and so in no line of idle ones.
      lease.entry.phase = .ending
      return true
    }
    if isFirst { watchEnd(of: lease.entry) }
  }

  @inlinable
  func giveBack(_ entry: Entry) {
    guard idle != nil else { return table.withLock { _ in entry.leases -= 1 } }
    let now = clock.now()
    if table.withLock({ $0.giveBack(entry, at: now) }) { sweep() }
  }
}

public import Reactor
public import ReactorRuntime

/// Manages one reactor for each key.
///
/// A reactor is created at its first use, kept while it is used, released after it has been idle
/// for a time, and created again at a later use.
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
/// **One for each key**: there are never two reactors of one key that have not ended. Concurrent
/// first uses share one creation. A use while the reactor ends waits until it has ended. The
/// exception is a reactor that was stopped and is restarted: the registry may have created another
/// one by then. Do not restart a reactor of a registry; the next use gets a new one.
///
/// **In use**: a reactor is in use while a task is inside ``with(_:_:)``, while an action sent
/// through a handle is on its way to it, while an `ask` waits for its answer, or while a handle's
/// states or outputs are iterated. It is idle if it is not in use and has no work: no action waits,
/// and no effect runs. After the idle time it is drained, so that no accepted action is lost. One
/// lock guards both the check for idleness and the start of a use.
///
/// **Failure**: an error of the creation is thrown to all tasks that share it; the next use tries
/// again.
///
/// **Cancellation**: a task that is cancelled while a reactor is being created stops waiting. The
/// creation continues for the other tasks.
///
/// **Lifetime**: the registry keeps its reactors alive, and releases the remaining ones when it is
/// released. To end them in order, see ``drain(within:)``. One task serves all keys, and none runs
/// while nothing is idle.
///
/// Holds: `table`, guarded by its own lock; reactors are created, stopped and released outside it.
public final class ReactorRegistry<ID: Hashable & Sendable, R: Reactor>: Sendable {
  @usableFromInline typealias Entry = RegistryEntry<ID, R>
  @usableFromInline typealias Lease = RegistryLease<ID, R>

  @usableFromInline let table = Guarded(RegistryTable<ID, R>())
  @usableFromInline let idle: Duration?
  @usableFromInline let clock: RegistryClock
  let make: @Sendable (ID) async throws -> R

  /// Creates a registry without reactors.
  ///
  /// - Parameters:
  ///   - idle: How long an idle reactor is kept, more than zero; `nil` for as long as the registry.
  ///   - clock: The clock that measures the idle time.
  ///   - make: Creates the reactor of a key; called at a use if there is none. It may use this
  ///     registry or another one, but must not wait for the reactor that it creates: that fails
  ///     with ``RegistryError/cycle(_:)``. A `Task { }` in it counts as part of it, a
  ///     `Task.detached` does not. A cycle through an effect of a live reactor is not detected.
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

  /// Returns a handle for the reactor of a key, whether or not the reactor exists.
  ///
  /// - Parameter id: The key.
  public subscript(id: ID) -> RegisteredReactor<ID, R> { RegisteredReactor(self, id) }

  /// Runs a closure with the reactor of a key.
  ///
  /// The reactor is created if needed, and kept until the closure returns.
  ///
  /// ```swift
  /// let free = try await rooms.with("lobby") { room in await room.currentState.free }
  /// ```
  ///
  /// It is for reactors in this process. A reference to the reactor that is kept after the closure
  /// returns may be to a stopped reactor.
  ///
  /// **Runs on** the caller's executor.
  ///
  /// - Parameters:
  ///   - id: The key.
  ///   - body: The closure to run.
  /// - Returns: What the closure returns.
  /// - Throws: What the closure throws, what the creation threw, or ``RegistryError``.
  @inlinable
  nonisolated(nonsending) public func with<Result>(
    _ id: ID, _ body: nonisolated(nonsending) (_ reactor: R) async throws -> Result
  ) async throws -> Result {
    let lease = try await lease(id)
    defer { endLease(lease.entry) }
    return try await body(lease.reactor)
  }

  /// The keys that have a live reactor now, in the order in which the reactors were created.
  ///
  /// **Runs on** any thread.
  public var ids: [ID] {
    RegistryTable.inOrder(table.withLock { $0.live }).map(\.id)
  }

  /// The number of reactors now: being created, live, or ending.
  ///
  /// **Runs on** any thread.
  public var count: Int { table.withLock { $0.entries.count } }

  // MARK: Using

  @inlinable
  nonisolated(nonsending) func lease(_ id: ID) async throws -> Lease {
    if let lease = leaseIfOpen(id) { return lease }
    return try await leaseOnceLive(id)
  }

  /// Leases the live reactor, unless its user has stopped it; then the next use creates another.
  @inlinable
  func leaseIfOpen(_ id: ID) -> Lease? {
    guard let lease = table.withLock({ $0.lease(id) }) else { return nil }
    if lease.reactor.pipeline.engine.isOpen { return lease }
    retire(lease)
    return nil
  }

  /// Handles a reactor that was stopped by its user: the next use creates another.
  @usableFromInline
  func retire(_ lease: Lease) {
    let isFirst = table.withLock { _ in
      lease.entry.leases -= 1
      guard lease.entry.phase == .live else { return false }
      // The entry is in use, and so not in the list of idle ones.
      lease.entry.phase = .ending
      return true
    }
    if isFirst { awaitEnd(of: lease.entry) }
  }

  @inlinable
  func endLease(_ entry: Entry) {
    guard idle != nil else { return table.withLock { _ in entry.leases -= 1 } }
    let now = clock.now()
    if table.withLock({ $0.endLease(entry, at: now) }) { sweep() }
  }
}

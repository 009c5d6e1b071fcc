public import Reactor

/// One instance of one key's reactor: created, used, released.
///
/// Its successor is another entry.
///
/// `@unchecked`. Guard of every field: the lock of the ``ReactorRegistry`` that it belongs to.
@usableFromInline
final class RegistryEntry<ID: Hashable & Sendable, R: Reactor>: @unchecked Sendable {
  @usableFromInline
  enum Phase: Sendable { case creating, live, ending, removed }

  @usableFromInline let id: ID
  /// The position in the order in which creations were requested.
  ///
  /// Operations on all reactors use this order, so that each process does the same.
  let number: UInt64
  @exclusivity(unchecked) @usableFromInline var phase = Phase.creating
  /// Set while the reactor is live, and until it has ended.
  @exclusivity(unchecked) @usableFromInline var reactor: R?
  /// The number of current uses.
  @exclusivity(unchecked) @usableFromInline var leases = 0
  /// The time at which the last use ended.
  @exclusivity(unchecked) @usableFromInline var idleSince = Duration.zero

  // The neighbours in the list of unused entries; the registry's table keeps all of them alive.
  @exclusivity(unchecked) @usableFromInline unowned(unsafe) var before: RegistryEntry?
  @exclusivity(unchecked) @usableFromInline unowned(unsafe) var after: RegistryEntry?

  /// The tasks that wait until the reactor is live, or for its successor, by number.
  var waiters: [UInt64: RegistryWaiter<ID, R>] = [:]
  /// The creation that they wait for.
  var creation: ReactorCreation?

  init(_ id: ID, number: UInt64) {
    self.id = id
    self.number = number
  }
}

/// A task that waits for a reactor to be created.
struct RegistryWaiter<ID: Hashable & Sendable, R: Reactor>: Sendable {
  let number: UInt64
  /// The creation that the waiting task is part of, if there is one.
  let creator: ReactorCreation?
  /// The wait of that creation: an edge of the graph.
  var wait: CreationWait?
  let continuation: CheckedContinuation<RegistryEntry<ID, R>, any Error>
}

/// The use of a reactor: until it is returned, the reactor is not idle.
@usableFromInline
struct RegistryLease<ID: Hashable & Sendable, R: Reactor>: Sendable {
  @usableFromInline let entry: RegistryEntry<ID, R>
  @usableFromInline let reactor: R

  @inlinable
  init(_ entry: RegistryEntry<ID, R>, _ reactor: R) {
    self.entry = entry
    self.reactor = reactor
  }
}

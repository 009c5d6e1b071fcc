public import Reactor

/// One life of one key: made, used, released.
///
/// What comes after it is another entry.
///
/// `@unchecked`. Guard of every field: the lock of the ``ReactorRegistry`` it belongs to.
@usableFromInline
final class RegistryEntry<ID: Hashable & Sendable, R: Reactor>: @unchecked Sendable {
  @usableFromInline
  enum Phase: Sendable { case making, live, ending, gone }

  @usableFromInline let id: ID
  /// Counts what the registry was asked to make: what is done with all is done in this order, the
  /// same in each process.
  let number: UInt64
  @exclusivity(unchecked) @usableFromInline var phase = Phase.making
  /// While it is live, and until it has ended.
  @exclusivity(unchecked) @usableFromInline var reactor: R?
  /// How many use it.
  @exclusivity(unchecked) @usableFromInline var leases = 0
  /// Since when nothing has.
  @exclusivity(unchecked) @usableFromInline var idleSince = Duration.zero

  // Its neighbours among those that are unused; the registry's table holds all three.
  @exclusivity(unchecked) @usableFromInline unowned(unsafe) var before: RegistryEntry?
  @exclusivity(unchecked) @usableFromInline unowned(unsafe) var after: RegistryEntry?

  /// The tasks that wait until it is live, or for the one that comes after it, by number.
  var waiters: [UInt64: RegistryWaiter<ID, R>] = [:]
  /// The making they wait for.
  var making: RegistryMaking?

  init(_ id: ID, number: UInt64) {
    self.id = id
    self.number = number
  }
}

/// A task that waits for a reactor to be made.
struct RegistryWaiter<ID: Hashable & Sendable, R: Reactor>: Sendable {
  let number: UInt64
  /// The making that it waits in, if it does.
  let maker: RegistryMaking?
  /// That this making waits: an edge of the graph.
  var wait: MakingWait?
  let continuation: CheckedContinuation<RegistryEntry<ID, R>, any Error>
}

/// The use of a reactor: until it is given back, the reactor is not idle.
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

import ReactorRuntime
import TestLimits
import Foundation
import Reactor
import ReactorJournal
import ReactorTesting
import TestSupport

@testable import ReactorDistribution

/// A process on a machine of its own, which may be killed, paused, or cut off.
///
/// Whatever goes in or out passes through it: the database's answers, the other hosts' calls, the
/// clock. What it reckons while it is paused stays in it, as with a process that is stopped between
/// any two of its instructions.
final class SimulatedMachine: Sendable {
  struct Dead: Error {}
  struct Lost: Error, ClusterStoreError {}

  struct Cuts: Sendable {
    var toDatabase = false
    /// Its statements wait behind others, and are not begun.
    var beforeDatabase = false
    var fromDatabase = false
    /// The hosts that its messages do not reach.
    var to: Set<String> = []
  }

  private struct State: Sendable {
    var isDead = false
    var pausedUntil = Duration.zero
    var cuts = Cuts()
    var receive: (@Sendable (Data) async -> Data)?
    var secret: (@Sendable () -> String?)?
    var node: ClusterNode?
    var lists: ClusterRegistry<ListReactor>?
  }

  let address: String
  let world: SimulatedWorld
  private let state = Guarded(State())

  init(
    _ address: String, in world: SimulatedWorld, idle: Duration?,
    options change: (inout ClusterOptions) -> Void
  ) {
    (self.address, self.world) = (address, world)
    let clock = MachineClock(machine: self)
    var options = ClusterOptions(
      retryTimeout: .seconds(60),
      journal: JournalOptions(
        snapshotAfter: world.oneIn(2) ? .zero : nil, clock: clock,
        now: { Date(timeIntervalSinceReferenceDate: world.now / .seconds(1)) }))
    options.makeID = { world.makeID() }
    options.report = { _ in }
    change(&options)
    let node = ClusterNode(
      SimulatedConnection(machine: self), SimulatedWire(machine: self), address: address, options)
    let lists = ReactorCluster(node: node)
      .registry(of: ListReactor.self, idle: idle) { [weak self] _ in
        weak let machine = self
        return ListReactor(clock) { if case .crash = $0 { machine?.kill() } }
      }
    state.withLock { ($0.node, $0.lists) = (node, lists) }
  }

  var node: ClusterNode {
    guard let node = state.withLock({ $0.node }) else { preconditionFailure("it is being made") }
    return node
  }

  var lists: ClusterRegistry<ListReactor> {
    guard let lists = state.withLock({ $0.lists }) else { preconditionFailure("it is being made") }
    return lists
  }

  var isDead: Bool { state.withLock { $0.isDead } }
  var cuts: Cuts { state.withLock { $0.cuts } }

  // MARK: What may happen to it

  /// Nothing leaves it from now on, and nothing comes in.
  func kill() {
    state.withLock { $0.isDead = true }
    node.abandon()
  }

  func pause(for time: Duration) { state.withLock { $0.pausedUntil = world.now + time } }
  func cut(_ change: (inout Cuts) -> Void) { state.withLock { change(&$0.cuts) } }
  func heal() { state.withLock { $0.cuts = Cuts() } }

  /// Waits while it is paused: whatever goes in or out passes here.
  func pass() async throws {
    while true {
      let (isDead, until) = state.withLock { ($0.isDead, $0.pausedUntil) }
      if isDead { throw Dead() }
      let rest = until - world.now
      if rest <= .zero { return }
      try await world.sleep(rest)
    }
  }

  // MARK: The wire

  func serve(
    _ secret: @escaping @Sendable () -> String?,
    _ receive: @escaping @Sendable (Data) async -> Data
  ) { state.withLock { ($0.secret, $0.receive) = (secret, receive) } }

  func answer(_ message: Data, _ secret: String) async throws -> Data {
    try await pass()
    let (own, receive) = state.withLock { ($0.secret, $0.receive) }
    guard let receive, own?() == secret else {
      throw HostUnreachable("it does not know the secret")
    }
    let answer = await receive(message)
    try await pass()
    return answer
  }
}

/// A clock that does not wake a machine that is paused or dead.
struct MachineClock: Clock {
  typealias Instant = SimulatedClock.Instant
  let machine: SimulatedMachine

  var now: Instant { machine.world.simulation.clock.now }
  var minimumResolution: Duration { .zero }

  func sleep(until deadline: Instant, tolerance: Duration?) async throws {
    try await machine.world.simulation.clock.sleep(until: deadline, tolerance: tolerance)
    try await machine.pass()
  }
}

/// The network, as one machine sees it.
struct SimulatedWire: ClusterTransport {
  let machine: SimulatedMachine
  private var world: SimulatedWorld { machine.world }

  func serve(
    at address: String, secret: @escaping @Sendable () -> String?,
    _ receive: @escaping @Sendable (Data) async -> Data
  ) { machine.serve(secret, receive) }

  func call(_ message: Data, at address: String, secret: String) async throws -> Data {
    try await machine.pass()
    try await world.delay(upTo: 5)
    if machine.cuts.to.contains(address) { try await hang() }
    guard let other = world.machine(at: address), !other.isDead else {
      throw HostUnreachable("no host answers")
    }
    // The other one goes on if this one no longer waits.
    let answer = Guarded<Result<Data, any Error>?>(nil)
    let done = OneShotEvent()
    PipelineTasks.inheriting {
      let result: Result<Data, any Error>
      do {
        result = .success(try await other.answer(message, secret))
      } catch {
        result = .failure(error)
      }
      answer.withLock { $0 = result }
      done.fire()
    }
    await done.wait()
    guard let result = answer.withLock({ $0 }) else { throw CancellationError() }
    let data = try result.get()
    if other.cuts.to.contains(machine.address) { try await hang() }
    try await world.delay(upTo: 5)
    try await machine.pass()
    return data
  }

  func close() {}

  /// No answer comes, nor ever the news that none will.
  private func hang() async throws -> Never {
    while true { try await world.sleep(.seconds(100_000)) }
  }
}

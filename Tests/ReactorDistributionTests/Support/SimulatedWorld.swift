import Foundation
import Reactor
import ReactorRuntime
import ReactorTesting
import TestLimits
import TestSupport

@testable import ReactorDistribution

/// Several machines, a database and the wires between them, in one simulation.
final class SimulatedWorld: Sendable {
  let simulation: Simulation
  let database: SimulatedDatabase
  private let random: Guarded<SplitMix64>
  private let table = Guarded<[String: SimulatedMachine]>([:])

  init(_ simulation: Simulation, _ faults: SimulatedFaults = SimulatedFaults()) {
    self.simulation = simulation
    random = Guarded(SplitMix64(seed: simulation.seed &+ 77))
    database = SimulatedDatabase(faults)
  }

  var now: Duration { simulation.clock.now.sinceStart }

  func below(_ count: Int) -> Int { random.withLock { $0.below(count) } }
  /// Whether this is the one in so many; `nil` for never.
  func oneIn(_ count: Int?) -> Bool {
    guard let count else { return false }
    return random.withLock { $0.oneIn(count) }
  }

  func makeID() -> UUID {
    let (high, low) = random.withLock { ($0.next(), $0.next()) }
    let text = String(high, radix: 16).leftPadded(16) + String(low, radix: 16).leftPadded(16)
    var parts: [Substring] = []
    var rest = text[...]
    for length in [8, 4, 4, 4, 12] {
      parts.append(rest.prefix(length))
      rest = rest.dropFirst(length)
    }
    return UUID(uuidString: parts.joined(separator: "-")) ?? UUID()
  }

  /// A time on the way, often none.
  func delay(upTo milliseconds: Int) async throws {
    guard oneIn(3) else { return }
    try await sleep(.milliseconds(below(milliseconds) + 1))
  }

  func sleep(_ time: Duration) async throws { try await simulation.clock.sleep(for: time) }

  // MARK: Machines

  func machine(at address: String) -> SimulatedMachine? { table.withLock { $0[address] } }

  var living: [SimulatedMachine] {
    table.withLock { $0.values.filter { !$0.isDead } }.sorted { $0.address < $1.address }
  }

  /// Starts a machine; in the place of one that was killed, if there was.
  @discardableResult
  func start(
    _ address: String, idle: Duration? = .seconds(2),
    options change: @Sendable (inout ClusterOptions) -> Void = { _ in }
  ) async throws -> SimulatedMachine {
    let machine = SimulatedMachine(address, in: self, idle: idle, options: change)
    table.withLock { $0[address] = machine }
    try await machine.node.start()
    return machine
  }

  /// Runs a scenario, and advances the clock until it has ended.
  func run(_ body: @escaping @Sendable () async throws -> Void) async throws {
    try await withThrowingTaskGroup(of: Bool.self) { [simulation] group in
      group.addTask {
        try await body()
        return true
      }
      group.addTask {
        while !Task.isCancelled { await simulation.advance(by: .seconds(1)) }
        return false
      }
      defer { group.cancelAll() }
      while let isBody = try await group.next() { if isBody { break } }
    }
    for machine in living { machine.kill() }
    await simulation.advance(by: .seconds(60))
  }
}

extension String {
  fileprivate func leftPadded(_ count: Int) -> String {
    String(repeating: "0", count: max(0, count - self.count)) + self
  }
}

/// Runs a scenario in a world of its own, once for each seed.
func simulatedWorld(
  seeds: Range<UInt64> = 0..<20, _ faults: SimulatedFaults = SimulatedFaults(),
  _ body: @escaping @Sendable (SimulatedWorld) async throws -> Void
) async throws {
  try await simulate(seeds: seeds) { simulation in
    let world = SimulatedWorld(simulation, faults)
    try await world.run { try await body(world) }
  }
}

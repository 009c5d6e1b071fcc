import ReactorRuntime
import TestLimits
import Foundation
import Reactor
import ReactorJournal
import ReactorTesting
import TestSupport

@testable import ReactorDistribution

/// One run of three hosts and four clients: what these were answered, and whether that was true.
///
/// When all the harm has been done and healed, each host has to answer again.
final class Trial: Sendable {
  /// How much has happened.
  struct Totals: Sendable {
    /// Appends that were answered with their place, and those said to be done without one.
    var acknowledged = 0
    var stored = 0
    var takeovers = 0
    /// States that observers saw, and reads.
    var observed = 0
    var read = 0

    mutating func add(_ other: Totals) {
      acknowledged += other.acknowledged
      stored += other.stored
      takeovers += other.takeovers
      observed += other.observed
      read += other.read
    }
  }

  let world: SimulatedWorld
  let histories = Guarded<[String: History]>([:])
  private let failures = Guarded<[String]>([])
  let isOver = Guarded(false)
  let ids = ["1", "2"]
  private let deletes: Bool

  init(_ simulation: Simulation, _ faults: SimulatedFaults) {
    world = SimulatedWorld(simulation, faults)
    deletes = simulation.seed % 3 == 0
  }

  var commits: [SimulatedDatabase.Commit] { world.database.commits.withLock { $0 } }

  var totals: Totals {
    histories.withLock { histories in
      histories.values.reduce(into: Totals()) { totals, history in
        totals.acknowledged += history.appends.count { $0.place != nil }
        totals.stored += history.appends.count { $0.isStored }
        totals.observed += history.observed.reduce(0) { $0 + $1.count }
        totals.read += history.reads.count
      }
    }.with { $0.takeovers = Set(commits.map { "\($0.key) \($0.epoch)" }).count - ids.count }
  }

  /// Runs it.
  ///
  /// - Returns: A line for each thing that is wrong.
  func problems() async throws -> [String] {
    try await world.run { [self] in
      for address in ["a", "b", "c"] { await start(address) }
      await withTaskGroup(of: Void.self) { group in
        for client in 0..<4 { group.addTask { await self.act(as: client) } }
        for id in ids { group.addTask { await self.observe(id) } }
        group.addTask { await self.injectFault() }
      }
      await recover()
    }
    return try failures.withLock { $0 } + world.database.violations.withLock { $0 }
      + ids.flatMap { id in
        let rows = try world.database.rows(of: id)
        return histories.withLock { $0[id] ?? History() }.problems(beside: rows)
      }
  }

  private func start(_ address: String) async {
    while (try? await world.start(
      address, options: { [deletes] in $0.journal.deletesBeforeSnapshot = deletes })) == nil
    {}
  }

  func change(_ id: String, _ body: (inout History) -> Void) {
    histories.withLock { histories in
      histories[id, default: History()].isDeleted = deletes
      body(&histories[id, default: History()])
    }
  }

  // MARK: What may happen

  private func injectFault() async {
    for _ in 0..<8 {
      try? await world.sleep(.milliseconds(world.below(4_000)))
      if isOver.withLock({ $0 }) { break }
      guard let machine = world.living.randomElement(in: world) else { continue }
      let others = world.living.map(\.address).filter { $0 != machine.address }
      switch world.below(9) {
      case 0:
        machine.kill()
        try? await world.sleep(.milliseconds(world.below(9_000)))
        await start(machine.address)
      case 1: machine.pause(for: .milliseconds(world.below(12_000)))
      case 2: machine.cut { $0.toDatabase = true }
      case 3: machine.cut { $0.fromDatabase = true }
      case 4: machine.cut { $0.to = Set(others) }
      case 5:
        machine.cut { $0.to = Set(others) }
        for other in world.living { other.cut { $0.to.insert(machine.address) } }
      case 6: world.database.slow(to: 1_000 * (1 + world.below(7)))
      case 7: world.database.failOver()
      default: await restart(machine)
      }
      try? await world.sleep(.milliseconds(world.below(9_000)))
      heal()
    }
  }

  /// It goes in order, with as much time as a service has, and comes again.
  private func restart(_ machine: SimulatedMachine) async {
    let stopping = PipelineTasks.inheriting { _ = await machine.node.drain() }
    try? await world.sleep(.seconds(10))
    stopping.cancel()
    await stopping.value
    machine.kill()
    await start(machine.address)
  }

  private func heal() {
    for machine in world.living { machine.heal() }
    world.database.slow(to: 5)
  }

  /// All is well again: every host answers, and says what is in the journal.
  private func recover() async {
    heal()
    try? await world.sleep(.seconds(15))
    for (number, machine) in world.living.enumerated() {
      for id in ids {
        let value = 1_000 + number
        let known = totals.acknowledged
        await append(value, to: id, at: machine, within: .seconds(40)) { .append(value, $0) }
        if totals.acknowledged == known { fail("\(machine.address) does not answer for \(id)") }
        guard let state = try? await machine.lists[id].currentState(.fenced) else {
          fail("\(machine.address) cannot read \(id)")
          continue
        }
        let values = try? world.database.rows(of: id).map(\.value)
        if state != values { fail("\(id) is \(state), and its journal \(values ?? [])") }
      }
    }
  }

  private func fail(_ what: String) { failures.withLock { $0.append(what) } }
}

extension Trial.Totals {
  fileprivate func with(_ change: (inout Self) -> Void) -> Self {
    var copy = self
    change(&copy)
    return copy
  }
}

extension Array {
  func randomElement(in world: SimulatedWorld) -> Element? {
    isEmpty ? nil : self[world.below(count)]
  }
}

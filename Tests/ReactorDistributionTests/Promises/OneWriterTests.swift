import Foundation
import Reactor
import ReactorJournal
import ReactorTesting
import TestSupport
import Testing

@testable import ReactorDistribution

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Three hosts, four clients and everything that may happen to them, in many orders.
///
/// `REACTOR_SEEDS=10000` runs so many of them; a few hundred are part of every run.
@Suite(.timeLimit(.minutes(60))) struct OneWriterTests {
  private static var seeds: UInt64 {
    getenv("REACTOR_SEEDS").flatMap { UInt64(String(cString: $0)) } ?? 150
  }

  @Test func `one writer anywhere: no history has anything wrong with it`() async throws {
    try await simulate(seeds: 0..<Self.seeds) { simulation in
      var faults = SimulatedFaults()
      faults.losesAnswersOneIn = simulation.seed % 2 == 0 ? 40 : 1_000_000
      let problems = try await Trial(simulation, faults).problems()
      #expect(problems == [])
    }
  }

  /// What the simulation is worth: with a database that does something wrong, it has to be seen.
  @Test(arguments: ["loses appends", "repeats commands"])
  func `notices a database that`(_ fault: String) async throws {
    var faults = SimulatedFaults()
    faults.losesAnswersOneIn = 40
    switch fault {
    case "loses appends": faults.losesAppendsOneIn = 20
    default: faults.repeatsCommands = true
    }
    let found = Guarded(false)
    for seed in 0..<UInt64(300) where !found.withLock({ $0 }) {
      try await simulate(seed: seed) { [faults] simulation in
        let problems = try await Trial(simulation, faults).problems()
        if !problems.isEmpty { found.withLock { $0 = true } }
      }
    }
    #expect(found.withLock { $0 }, "nothing of it was seen in 300 orders")
  }

  @Test(arguments: ["as it should", "without lock", "without epoch"])
  func `an append and a taking see each other, where the fence is`(
    _ fence: String
  ) async throws {
    var faults = SimulatedFaults()
    faults.appendsWithoutLock = fence == "without lock"
    faults.appendsWithoutEpoch = fence == "without epoch"
    let found = Guarded(0)
    try await simulate(seeds: 0..<100) { [faults] simulation in
      let world = SimulatedWorld(simulation, faults)
      try await world.run {
        let store = SimulatedConnection(machine: try await world.start("a"))
        let hosts = (0..<2).map { ClusterHost(id: HostID(world.makeID()), address: "\($0)") }
        let key = JournalKey(name: "list", id: "1")
        for host in hosts { _ = try await store.enter(host, lease: .seconds(60)) }
        _ = try await store.take(key, for: hosts[0].id, version: 1, limit: 9)
        try await store.leave(hosts[0].id)
        let entry = JournalEntry(sequence: 1, version: 1, payload: Data("7".utf8), time: Date())
        async let written: Void? = try? store.append(
          ClusterBatch(entries: [entry]), to: key, by: hosts[0].id, epoch: 1)
        _ = try await store.take(key, for: hosts[1].id, version: 1, limit: 9)
        let seen = try await store.extent(of: key).last
        let isWritten = await written != nil
        // Whatever the old owner wrote, the new one has seen.
        if isWritten != (seen == 1) { found.withLock { $0 += 1 } }
      }
    }
    #expect((found.withLock { $0 } == 0) == (fence == "as it should"))
  }
}

/// One run: what its clients were told.
private final class Trial: Sendable {
  private let world: SimulatedWorld
  private let histories = Guarded<[String: History]>([:])
  private let isOver = Guarded(false)
  private let ids = ["1", "2"]

  init(_ simulation: Simulation, _ faults: SimulatedFaults) {
    world = SimulatedWorld(simulation, faults)
  }

  func problems() async throws -> [String] {
    try await world.run { [self] in
      for address in ["a", "b", "c"] {
        while (try? await world.start(address)) == nil {}
      }
      await withTaskGroup(of: Void.self) { group in
        for client in 0..<4 { group.addTask { await self.act(as: client) } }
        for id in ids { group.addTask { await self.observe(id) } }
        group.addTask { await self.disturb() }
      }
    }
    return try world.database.violations.withLock { $0 }
      + ids.flatMap { id in
        let rows = try world.database.book.rows(of: id)
        return histories.withLock { $0[id] ?? History() }.problems(beside: rows)
      }
  }

  private func change(_ id: String, _ body: (inout History) -> Void) {
    histories.withLock { body(&$0[id, default: History()]) }
  }

  // MARK: Clients

  private func act(as client: Int) async {
    for step in 0..<8 {
      let id = ids[world.below(ids.count)]
      guard let machine = world.living.randomElement(in: world) else { return }
      let (value, begun) = (client * 100 + step, world.now)
      let list = machine.lists[id]
      switch world.below(6) {
      case 0:
        guard let state = try? await list.currentState(.fenced) else { break }
        read(id, state, begun, isFenced: true)
      case 1:
        let values: [Int]? = try? await list.ask(within: .seconds(20)) { .read($0) }
        if let values { read(id, values, begun) }
      case let kind:
        change(id) { $0.appends.append(History.Append(value: value, begun: begun)) }
        let place: Int? = try? await list.ask(within: .seconds(20)) { reply in
          kind == 2
            ? .appendSlowly(value, milliseconds: 700, reply) : .append(value, reply)
        }
        guard let place else { break }
        let ended = world.now
        change(id) { history in
          guard let index = history.appends.firstIndex(where: { $0.value == value }) else {
            return
          }
          (history.appends[index].place, history.appends[index].ended) = (place, ended)
        }
      }
      try? await world.sleep(.milliseconds(world.below(3_000)))
    }
    isOver.withLock { $0 = true }
  }

  private func read(_ id: String, _ values: [Int], _ begun: Duration, isFenced: Bool = false) {
    let ended = world.now
    change(id) {
      $0.reads.append(
        History.Read(values: values, begun: begun, ended: ended, isFenced: isFenced))
    }
  }

  private func observe(_ id: String) async {
    while !isOver.withLock({ $0 }) {
      guard let machine = world.living.randomElement(in: world) else { return }
      let watching = SimulatedExecutor.task { [self] in
        var seen: [[Int]] = []
        do {
          for try await state in machine.lists[id].state { seen.append(state) }
        } catch {}
        change(id) { [seen] in $0.observed.append(seen) }
      }
      try? await world.sleep(.seconds(12))
      watching.cancel()
      await watching.value
    }
  }

  // MARK: What may happen

  private func disturb() async {
    for _ in 0..<8 {
      try? await world.sleep(.milliseconds(world.below(4_000)))
      if isOver.withLock({ $0 }) { break }
      guard let machine = world.living.randomElement(in: world) else { continue }
      let others = world.living.map(\.address).filter { $0 != machine.address }
      switch world.below(8) {
      case 0:
        machine.kill()
        try? await world.sleep(.milliseconds(world.below(9_000)))
        while (try? await world.start(machine.address)) == nil {}
      case 1: machine.pause(for: .milliseconds(world.below(12_000)))
      case 2: machine.cut { $0.toDatabase = true }
      case 3: machine.cut { $0.fromDatabase = true }
      case 4: machine.cut { $0.to = Set(others) }
      case 5:
        machine.cut { $0.to = Set(others) }
        for other in world.living { other.cut { $0.to.insert(machine.address) } }
      case 6: world.database.slow(to: 1_000 * (1 + world.below(7)))
      default:
        // It goes in order, and comes again.
        _ = await machine.node.stop()
        machine.kill()
        while (try? await world.start(machine.address)) == nil {}
      }
      try? await world.sleep(.milliseconds(world.below(9_000)))
      for machine in world.living { machine.heal() }
      world.database.slow(to: 5)
    }
  }
}

extension Array {
  fileprivate func randomElement(in world: SimulatedWorld) -> Element? {
    isEmpty ? nil : self[world.below(count)]
  }
}

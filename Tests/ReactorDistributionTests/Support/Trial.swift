import Foundation
import Reactor
import ReactorJournal
import ReactorTesting
import TestSupport

@testable import ReactorDistribution

/// One run of three hosts and four clients: what these were told, and whether that was true.
///
/// When all the harm has been done and healed, each host has to answer again.
final class Trial: Sendable {
  /// How much has happened.
  struct Totals: Sendable {
    /// Appends that were answered with their place, and those said to be done without one.
    var acknowledged = 0
    var kept = 0
    var takeovers = 0
    /// States that observers saw, and reads.
    var observed = 0
    var read = 0

    mutating func add(_ other: Totals) {
      acknowledged += other.acknowledged
      kept += other.kept
      takeovers += other.takeovers
      observed += other.observed
      read += other.read
    }
  }

  private let world: SimulatedWorld
  private let histories = Guarded<[String: History]>([:])
  private let failures = Guarded<[String]>([])
  private let isOver = Guarded(false)
  private let ids = ["1", "2"]
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
        totals.kept += history.appends.count { $0.isKept }
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
        group.addTask { await self.disturb() }
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

  private func change(_ id: String, _ body: (inout History) -> Void) {
    histories.withLock { histories in
      histories[id, default: History()].isDeleted = deletes
      body(&histories[id, default: History()])
    }
  }

  // MARK: Clients

  private func act(as client: Int) async {
    for step in 0..<8 {
      let id = ids[world.below(ids.count)]
      guard let machine = world.living.randomElement(in: world) else { return }
      let value = client * 100 + step
      switch world.below(9) {
      case 0: await readState(id, at: machine)
      case 1: await askState(id, at: machine)
      case 2:
        await append(value, to: id, at: machine) { .appendSlowly(value, milliseconds: 700, $0) }
      case 3: await send(value, to: id, at: machine)
      case 4: await finish(value, to: id, at: machine)
      case 5: try? await machine.lists[id].send(.hang(Reply { _ in }))
      default: await append(value, to: id, at: machine) { .append(value, $0) }
      }
      try? await world.sleep(.milliseconds(world.below(3_000)))
    }
    isOver.withLock { $0 = true }
  }

  private func append(
    _ value: Int, to id: String, at machine: SimulatedMachine,
    within limit: Duration = .seconds(20),
    _ action: (Reply<Int>) -> ListReactor.Action
  ) async {
    begin(value, id)
    let place: Int? = try? await machine.lists[id].ask(within: limit, action)
    let ended = world.now
    if let place { change(id) { $0.end(value) { ($0.place, $0.ended) = (place, ended) } } }
  }

  private func send(_ value: Int, to id: String, at machine: SimulatedMachine) async {
    begin(value, id)
    // That it was accepted says nothing of whether it is kept.
    try? await machine.lists[id].send(.add(value))
  }

  private func finish(_ value: Int, to id: String, at machine: SimulatedMachine) async {
    begin(value, id)
    guard case .finished? = try? await machine.lists[id].outcome(of: .add(value)) else { return }
    let ended = world.now
    change(id) { $0.end(value) { ($0.isKept, $0.ended) = (true, ended) } }
  }

  private func begin(_ value: Int, _ id: String) {
    let begun = world.now
    change(id) { $0.appends.append(History.Append(value: value, begun: begun)) }
  }

  private func readState(_ id: String, at machine: SimulatedMachine) async {
    let begun = world.now
    guard let state = try? await machine.lists[id].currentState(.fenced) else { return }
    read(id, state, begun, isFenced: true)
  }

  private func askState(_ id: String, at machine: SimulatedMachine) async {
    let begun = world.now
    let values: [Int]? = try? await machine.lists[id].ask(within: .seconds(20)) { .read($0) }
    if let values { read(id, values, begun) }
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
    let stopping = SimulatedExecutor.task { _ = await machine.node.stop() }
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

extension History {
  fileprivate mutating func end(_ value: Int, _ change: (inout Append) -> Void) {
    guard let index = appends.firstIndex(where: { $0.value == value }) else { return }
    change(&appends[index])
  }
}

extension Array {
  fileprivate func randomElement(in world: SimulatedWorld) -> Element? {
    isEmpty ? nil : self[world.below(count)]
  }
}

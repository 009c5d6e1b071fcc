import Foundation
import Reactor
import ReactorComposition
import ReactorRuntime
import ReactorTesting
import TestLimits

@testable import ReactorDistribution

/// What the clients do, and what they are answered.
extension Trial {
  func act(as client: Int) async {
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

  func append(
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
    change(id) { $0.end(value) { ($0.isStored, $0.ended) = (true, ended) } }
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

  func observe(_ id: String) async {
    while !isOver.withLock({ $0 }) {
      guard let machine = world.living.randomElement(in: world) else { return }
      let watching = PipelineTasks.inheriting { [self] in
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
}

extension History {
  fileprivate mutating func end(_ value: Int, _ change: (inout Append) -> Void) {
    guard let index = appends.firstIndex(where: { $0.value == value }) else { return }
    change(&appends[index])
  }
}

import ReactorComposition
import ReactorMachines
import TestLimits
import TestSupport
import Testing

@testable import Reactor

/// Many children that come and go.
@Suite(.bounded) struct ChildrenShuffleTests {
  @Test func `with keys added and removed at random, the children are those of the state`() async {
    for seed in TestCounts.seeds() {
      var random = SplitMix64(seed: seed)
      let eventLog = LodgerReactor.EventLog()
      let ending = random.oneIn(3) ? StopMode.drain : .cancel
      let house = HouseReactor(eventLog, ending: ending)
      let watching = Task { await Self.watch(house) }
      var said: [String: (by: ReactorIdentity, step: Int)] = [:]
      var names: Set<String> = []
      for step in 0..<40 {
        let name = "\(random.below(6))"
        switch random.below(10) {
        case 0...3:
          names.formSymmetricDifference([name])
          house.send(.change([.lodgers(names.sorted())]))
        case 4:
          let before = names
          names = []
          house.send(.change([.lodgers([]), .lodgers(before.sorted())]))
          names = before
        case 5: await house.change(.guest(random.oneIn(3) ? nil : name))
        case 6: _ = await house.currentState
        default:
          let line = "\(step)"
          if let child = house.lodgers[name], !child.send(.say(line)).isRefused {
            said[name] = (child.identity, step)
          }
        }
      }
      await house.send(.change([])).settled
      #expect(Set(house.lodgers.all.keys) == names, "seed \(seed)")
      let isDraining = random.oneIn(2)
      let stayed = said.filter { $0.value.by == house.lodgers[$0.key]?.identity }
      await house.stop(isDraining ? .drain : .cancel).settled
      let state = await house.currentState
      // One that drains may be heard beside the next of its key.
      if ending == .cancel { Self.check(state.heard, "seed \(seed)") }
      // The outputs of children that existed at the drain have been read to the end.
      for (name, last) in stayed where isDraining {
        #expect(
          state.heard.contains("\(name): \(last.step)"), "seed \(seed)")
      }
      #expect(house.lodgers.count == 0, "seed \(seed)")
      #expect(await watching.value == [], "seed \(seed)")
      let begun = eventLog.begun.count
      #expect(await eventLog.released.entries(upTo: begun).count == begun, "seed \(seed)")
    }
  }

  /// Looks, at each state, whether all the children of the newest one are there.
  private static func watch(_ house: HouseReactor) async -> [String] {
    var problems: [String] = []
    for await _ in house.state {
      problems += await house.turn { house -> [String] in
        guard !house.pipeline.core.phase.isOver else { return [] }
        let expected = Set(house.currentState.lodgers)
        let found = Set(house.lodgers.all.keys)
        return expected == found ? [] : ["\(expected) are to be there, and \(found) are"]
      }
    }
    return problems
  }

  /// Of each key the lines are in the order in which they were said.
  private static func check(_ heard: [String], _ comment: Comment) {
    var last: [Substring: Int] = [:]
    for line in heard {
      let words = line.split(separator: ": ")
      let step = Int(words[1]) ?? -1
      #expect(step > last[words[0], default: -1], comment)
      last[words[0]] = step
    }
  }

  #if os(Linux) || os(macOS)
    @Test func `ten thousand children come and go, and none is retained`() async {
      // In a process of their own: all other tests take memory meanwhile, and give it back or not.
      await #expect(processExitsWith: .success) {
        await ChildrenShuffleTests.expectNothingLeftBehind()
      }
    }
  #endif

  private static func expectNothingLeftBehind() async {
    let eventLog = LodgerReactor.EventLog(ballast: 64 << 10)
    let house = HouseReactor(eventLog)
    let (rounds, times, atOnce) = (5, TestCounts.rounds(200), 10)
    var growths: [Int] = []
    for round in 0..<rounds {
      let before = Memory.resident
      for time in 0..<times {
        await house.change(.lodgers((0..<atOnce).map { "\(round)-\(time)-\($0)" }))
        for child in house.lodgers.all.values { await child.send(.say("hush")).settled }
        // So that none but ten are there at a time.
        _ = await eventLog.released.entries(upTo: eventLog.begun.count - atOnce)
      }
      await house.change(.lodgers([]))
      let begun = (round + 1) * times * atOnce
      #expect(eventLog.begun.count == begun)
      #expect(await eventLog.released.entries(upTo: begun).count == begun)
      growths.append(Memory.resident - before)
    }
    // If half of them were left behind, it would grow each time.
    #expect(growths.min() ?? 0 < times * atOnce * eventLog.ballast / 2, "\(growths)")
    await house.stop().settled
    let isEmpty = house.pipeline.core.ledger.isEmpty
    #expect(isEmpty)
  }

  @Test func `eight threads send while children come and go`() async {
    let eventLog = LodgerReactor.EventLog()
    let house = HouseReactor(eventLog)
    await withTaskGroup(of: Void.self) { group in
      for seed in 0..<8 {
        group.addTask {
          var random = SplitMix64(seed: UInt64(seed))
          for _ in 0..<TestCounts.rounds(2000) {
            let name = "\(random.below(8))"
            switch random.below(3) {
            case 0: house.send(.change([.lodgers((0..<random.below(8)).map { "\($0)" })]))
            case 1: house.send(.change([.guest(name)]))
            default: house.lodgers[name]?.send(.say("hush"))
            }
          }
        }
      }
    }
    await house.stop(.drain).settled
    let begun = eventLog.begun.count
    #expect(await eventLog.released.entries(upTo: begun).count == begun)
  }
}

extension LifecycleMachine.Phase {
  fileprivate var isOver: Bool { self == .stopped || self == .draining || self == .stopping }
}

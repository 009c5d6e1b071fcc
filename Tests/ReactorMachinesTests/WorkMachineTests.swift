import ReactorMachines
import TestLimits
import Testing

@Suite(.bounded) struct WorkMachineTests {
  private var machine = WorkMachine()

  @Test mutating func `the last piece to end settles the action`() {
    machine.begin(7)
    machine.begin(7)
    #expect(machine.end(7) == nil)
    #expect(machine.isOpen(7))
    #expect(machine.end(7)?.action == 7)
    #expect(machine.end(7) == nil)
    #expect(machine.isIdle)
  }

  @Test mutating func `effects stay in the order in which they began`() {
    let effects = (0..<3).map { _ in machine.beginEffect(1) }
    #expect(machine.endEffect(effects[1], of: 1) == nil)
    #expect(machine.effects(of: 1) == [effects[0], effects[2]])
    let next = machine.beginEffect(2)
    #expect(!effects.contains(next))
    #expect(machine.endEffect(effects[0], of: 1) == nil)
    #expect(machine.endEffect(effects[2], of: 1)?.isIdle == false)
    #expect(machine.effects(of: 2) == [next])
  }

  @Test mutating func `an action does not settle before those that a hook made of it`() {
    machine.begin(1)
    machine.addFurtherAction(5, of: 1)
    machine.addFurtherAction(6, of: 5)
    #expect(machine.origin(of: 6) == 1)
    #expect(machine.furtherActions(of: 1) == [5])
    #expect(machine.end(1) == nil)
    let isIdle = machine.settleIfIdle(6)
    #expect(isIdle)
    #expect(machine.origin(of: 6) == 6)
    #expect(machine.end(5)?.action == 5)
    #expect(machine.end(1)?.outcome == .finished)
  }

  @Test mutating func `the first outcome counts`() {
    machine.begin(1)
    #expect(machine.note(.cancelled, of: 1)?.outcome == .cancelled)
    #expect(machine.note(.failed, of: 1) == nil)
    #expect(machine.end(1)?.outcome == .cancelled)
    #expect(machine.note(.failed, of: 1) == nil)
    #expect(machine.outcome(of: 1) == .cancelled)
  }

  @Test mutating func `an outcome of an action that a hook made is that of the first one`() {
    machine.begin(1)
    machine.addFurtherAction(5, of: 1)
    #expect(machine.note(.neverBegun, of: 5)?.action == 1)
    #expect(machine.outcome(of: 1) == .reactorEnded)
  }

  @Test mutating func `the last sixteen outcomes are stored, and those that were requested`() {
    machine.begin(0)
    machine.requestOutcome(of: 0)
    for action: UInt64 in 0...20 { _ = machine.note(.failed, of: action) }
    _ = machine.end(0)
    for action: UInt64 in 30...60 { _ = machine.note(.cancelled, of: action) }
    #expect(machine.isKnown(0))
    #expect(machine.takeOutcome(of: 0) == .ended(.failed))
    #expect(!machine.isKnown(0))
    machine.requestOutcome(of: 20)
    #expect(machine.takeOutcome(of: 20) == .forgotten)
    machine.requestOutcome(of: 60)
    #expect(machine.takeOutcome(of: 60) == .ended(.cancelled))
    machine.requestOutcome(of: 61)
    #expect(machine.takeOutcome(of: 61) == .ended(.finished))
  }

  @Test mutating func `after an abandonment, effects and what waits for them go on`() {
    machine.begin(1)
    let effect = machine.beginEffect(1)
    machine.begin(2)
    machine.addFurtherAction(7, of: 2)
    let other = machine.beginEffect(7)
    machine.begin(3)
    for _ in 0..<2 { machine.begin(.max) }
    #expect(machine.abandon(except: .max).map(\.action) == [3])
    #expect(machine.openActions == [1, 2, 7, .max])
    // An action that has ended is ended once more.
    #expect(machine.end(1) == nil)
    #expect(machine.endEffect(effect, of: 1)?.outcome == .reactorEnded)
    #expect(machine.endEffect(other, of: 7)?.action == 7)
    #expect(machine.end(2)?.outcome == .reactorEnded)
    #expect(machine.end(.max) == nil)
    #expect(machine.end(.max)?.isIdle == true)
  }

  @Test mutating func `a burst releases its memory`() {
    let effects = (0..<10_000 as Range<UInt64>).map { machine.beginEffect($0) }
    for (action, effect) in effects.enumerated() {
      #expect(machine.endEffect(effect, of: UInt64(action)) != nil)
    }
    #expect(machine == WorkMachine())
  }

  @Test(arguments: TestCounts.seeds(upTo: 200))
  func `effects are those of an action in their order, with any operations`(_ seed: UInt64) {
    var random = SplitMix64(seed: seed)
    var machine = WorkMachine()
    var model: [[UInt64]] = [[], [], []]
    for _ in 0..<500 {
      let list = Int.random(in: 0..<3, using: &random)
      let action = UInt64(list)
      if let effect = model[list].randomElement(using: &random), Bool.random(using: &random) {
        let settlement = machine.endEffect(effect, of: action)
        model[list].removeAll { $0 == effect }
        #expect((settlement != nil) == model[list].isEmpty)
      } else {
        let effect = machine.beginEffect(action)
        #expect(!model.joined().contains(effect))
        model[list].append(effect)
      }
      for list in 0..<3 { #expect(machine.effects(of: UInt64(list)) == model[list]) }
    }
  }
}

import TestLimits
import TestSupport
import Testing

@testable import Reactor

/// What becomes of an ask whose action has a lane.
@Suite(.bounded) struct AskLaneTests {
  private let office = OfficeReactor()

  private func running(_ lane: Lane, _ number: Int) async -> Task<Answer, Never> {
    let asking = office.asking { .laned(lane, number, $0) }
    await office.gates[number].reached()
    return asking
  }

  @Test func `a leading lane drops an ask, and answers at once`() async {
    let first = await running(.leading("desk"), 1)
    #expect(
      await office.asking { .laned(.leading("desk"), 2, $0) }.value == .askError("dropped(desk)"))
    office.gates[1].open()
    #expect(await first.value == .value(1))
  }

  @Test func `a latest lane evicts an ask, and answers`() async {
    let first = await running(.latest("desk"), 1)
    let second = await running(.latest("desk"), 2)
    #expect(await first.value == .askError("evicted(desk)"))
    office.gates[2].open()
    #expect(await second.value == .value(2))
  }

  @Test func `a queue that drops its oldest answers superseded`() async {
    let lane = Lane.sequential("desk", waitingLimit: 1, dropsOldest: true)
    let first = await running(lane, 1)
    let second = office.asking { .laned(lane, 2, $0) }
    await office.wait { $0.depth(ofLane: "desk").waiting == 1 }
    let third = office.asking { .laned(lane, 3, $0) }
    #expect(await second.value == .askError("superseded(desk)"))
    office.gates[1].open()
    office.gates[3].open()
    #expect(await first.value == .value(1))
    #expect(await third.value == .value(3))
  }

  @Test func `a full queue refuses an ask`() async {
    let lane = Lane.sequential("desk", waitingLimit: 1)
    let first = await running(lane, 1)
    let second = office.asking { .laned(lane, 2, $0) }
    await office.wait { $0.depth(ofLane: "desk").waiting == 1 }
    #expect(
      await office.asking { .laned(lane, 3, $0) }.value
        == .askError("refused(laneFull(desk))"))
    office.gates[1].open()
    office.gates[2].open()
    #expect(await first.value == .value(1))
    #expect(await second.value == .value(2))
  }

  @Test func `cancelling a lane answers the asks that run and those that wait`() async {
    let first = await running(.sequential("desk"), 1)
    let second = office.asking { .laned(.sequential("desk"), 2, $0) }
    await office.wait { $0.depth(ofLane: "desk").waiting == 1 }
    office.cancel(lane: "desk")
    #expect(await first.value == .askError("cancelled"))
    #expect(await second.value == .askError("cancelled"))
  }

  @Test func `a stop answers the asks that wait in a lane`() async {
    let first = await running(.sequential("desk"), 1)
    let second = office.asking { .laned(.sequential("desk"), 2, $0) }
    await office.wait { $0.depth(ofLane: "desk").waiting == 1 }
    office.stop()
    #expect(await first.value == .askError("reactorEnded"))
    #expect(await second.value == .askError("neverBegun"))
  }

  @Test func `an ask that waits in a lane is answered in the end`() async {
    let first = await running(.sequential("desk"), 1)
    let second = office.asking { .laned(.sequential("desk"), 2, $0) }
    office.gates[1].open()
    office.gates[2].open()
    #expect(await first.value == .value(1))
    #expect(await second.value == .value(2))
  }

  @Test func `an asker that is cancelled frees its place in the lane`() async {
    let first = await running(.sequential("desk"), 1)
    let second = office.asking { .laned(.sequential("desk"), 2, $0) }
    first.cancel()
    #expect(await first.value == .cancelled)
    office.gates[2].open()
    #expect(await second.value == .value(2))
  }
}

import Reactor
import ReactorJournal
import TestSupport

@testable import CounterDemo

/// A counter, kept in memory, whose changes are made when the test says so.
struct HeldCounter {
  let clock: StoppedClock
  let reactor: CounterReactor

  init() async throws {
    let clock = StoppedClock()
    self.clock = clock
    reactor = try await Journal(.inMemory).open("1") { CounterReactor(clock: clock) }
  }

  /// Sends an action that takes effect at once, and waits until it has.
  func apply(_ action: CounterReactor.Action) async {
    await reactor.send(action).settled
  }

  /// Sends an action and lets its change, the first this counter makes, happen.
  func change(_ action: CounterReactor.Action) async {
    let receipt = reactor.send(action)
    await clock.waitForSleeps(1)
    await clock.wake(0)
    await receipt.settled
  }

  var state: CounterReactor.State {
    get async { await reactor.currentState }
  }
}

extension CounterReactor.State {
  /// A state a test makes up.
  init(value: Int, changesUnderWay: Int = 0) {
    self.init()
    self.value = value
    self.changesUnderWay = changesUnderWay
  }
}

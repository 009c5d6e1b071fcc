import Reactor
import TestLimits
import TestSupport
import Testing

/// The steps of actions that pass `transform(action:)`.
@Suite(.bounded) struct ObserverHookTests {
  private actor Sieve: Reactor {
    typealias Action = Int
    typealias Mutation = Int
    let initialState: [Int] = []
    let pipeline = Pipeline()

    func transform(action: Actions) -> some AsyncSequence<Int, Never> {
      action.filter { $0.isMultiple(of: 2) }
    }

    func reduce(state: inout [Int], mutation: Int) { state.append(mutation) }
  }

  private let log = StepLog()

  @Test func `an action that the hook passes has a beginning`() async {
    let sieve = Sieve()
    sieve.addObserver(log)
    await sieve.send(2).settled
    await log.waitFor("0 finished")
    #expect(
      log.words(of: 0) == [
        "taken", "into transform(action:)", "begun", "reduced 1 '2'", "finished",
      ])
  }

  @Test func `an action that the hook drops ends without a beginning`() async {
    let sieve = Sieve()
    sieve.addObserver(log)
    await sieve.send(1).settled
    await log.waitFor("0 finished")
    #expect(log.words(of: 0) == ["taken", "into transform(action:)", "finished"])
  }
}

import Reactor
import ReactorObservation
import TestLimits
import TestSupport
import Testing

extension MainReactor: MainActorReactor {}

@Suite(.bounded) struct MainActorReactorTests {
  @Test @MainActor func `on the main actor its state is read without waiting`() async {
    let reactor = MainReactor()
    #expect(reactor.stateNow == [])
    await reactor.send(10).settled
    #expect(reactor.stateNow == [10, 11])
  }

  @Test @MainActor func `an action that has just been sent has yet to be taken`() async {
    let reactor = MainReactor()
    let receipt = reactor.send(10)
    #expect(reactor.stateNow == [])
    await receipt.settled
    #expect(reactor.stateNow == [10, 11])
  }

  @Test func `a reactor that is not on the main actor stops the program with the reason`() async {
    await #expect(processExitsWith: .failure) { @MainActor in
      _ = Elsewhere().stateNow
    }
  }
}

private actor Elsewhere: MainActorReactor {
  typealias Action = Int

  let initialState = 0
  let pipeline = Pipeline()

  func reduce(state: inout Int, mutation: Int) {}
}

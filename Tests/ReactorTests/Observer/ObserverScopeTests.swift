import Reactor
import TestLimits
import TestSupport
import Testing

/// Which reactors an observer observes, how often it is notified, and until when.
///
/// One after the other: an observer of a type, or of all, receives the steps of other tests.
@Suite(.serialized, .bounded) struct ObserverScopeTests {
  private actor Lamp: Reactor {
    enum Action: Sendable { case toggle }
    typealias Mutation = Action
    let initialState = false
    let pipeline = Pipeline()
    func reduce(state: inout Bool, mutation: Action) { state.toggle() }
  }

  private final class Object: ReactorObserver {
    let log = Log<ReactorStep>()
    func observe(_ step: ReactorStep) { log.append(step) }
  }

  @Test func `an observer of one reactor receives no steps of another`() async {
    let log = StepLog()
    let (first, second) = (Lamp(), Lamp())
    first.addObserver(log)
    await first.send(.toggle).settled
    await second.send(.toggle).settled
    #expect(Set(log.steps.map(\.reactor)) == [first.identity])
  }

  @Test func `an observer of a type receives the steps of all its reactors`() async {
    let log = StepLog()
    let registration = ReactorObservers.add(log, toAll: Lamp.self)
    defer { registration.remove() }
    let lamps = [Lamp(), Lamp()]
    for lamp in lamps { await lamp.send(.toggle).settled }
    await ScriptedReactor().send(1).settled
    #expect(Set(log.steps.map(\.reactor)) == Set(lamps.map(\.identity)))
  }

  // In a process of its own: else it would receive the steps of all the other tests.
  @Test func `an observer of the process receives steps of reactors that already run`() async {
    await #expect(processExitsWith: .success) {
      let (lamp, reactor) = (Lamp(), ScriptedReactor())
      await lamp.send(.toggle).settled
      let log = StepLog()
      let registration = ReactorObservers.add(log)
      await lamp.send(.toggle).settled
      await reactor.send(1).settled
      registration.remove()
      await reactor.send(2).settled
      precondition(
        log.words == [
          "started", "1 taken", "1 begun", "1 reduced 1 'toggle'", "1 finished",
          "started", "0 taken", "0 begun", "0 reduced 1 '1'", "0 finished",
        ])
    }
  }

  @Test func `an observer that is removed receives no further steps`() async {
    let log = StepLog()
    let lamp = Lamp()
    let registration = lamp.addObserver(log)
    await lamp.send(.toggle).settled
    registration.remove()
    registration.remove()
    let count = log.steps.count
    await lamp.send(.toggle).settled
    #expect(log.steps.count == count)
  }

  @Test func `a reactor whose state is only read has started`() async {
    let (log, lamp) = (StepLog(), Lamp())
    lamp.addObserver(log)
    #expect(await lamp.currentState == false)
    #expect(log.words == ["started"])
    await lamp.send(.toggle).settled
    #expect(log.words.count { $0 == "started" } == 1)
  }

  @Test func `a reactor whose states are only observed has started`() async {
    let (log, lamp) = (StepLog(), Lamp())
    lamp.addObserver(log)
    for await _ in lamp.state { break }
    #expect(log.words == ["started"])
  }

  @Test func `a reactor that is restarted has one more started step`() async {
    let (log, lamp) = (StepLog(), Lamp())
    await lamp.stop().settled
    lamp.addObserver(log)
    await lamp.restart()
    #expect(log.words == ["started"])
    await lamp.stop().settled
    await lamp.restart()
    #expect(log.words.count { $0 == "started" } == 2)
  }

  @Test func `several observers are notified in the order in which they were added`() async {
    struct Named: ReactorObserver {
      let name: String
      let log: Log<String>
      func observe(_ step: ReactorStep) { log.append(name + " " + step.words) }
    }
    let log = Log<String>()
    let lamp = Lamp()
    lamp.addObserver(Named(name: "a", log: log))
    lamp.addObserver(Named(name: "b", log: log))
    await lamp.send(.toggle).settled
    #expect(log.entries.prefix(4) == ["a started", "b started", "a 0 taken", "b 0 taken"])
  }

  @Test func `an object that was added three times is notified once`() async {
    let object = Object()
    let lamp = Lamp()
    let registration = ReactorObservers.add(object, toAll: Lamp.self)
    defer { registration.remove() }
    lamp.addObserver(object)
    lamp.addObserver(object)
    await lamp.send(.toggle).settled
    let words = object.log.entries.filter { $0.reactor == lamp.identity }.map(\.words)
    #expect(words == ["started", "0 taken", "0 begun", "0 reduced 1 'toggle'", "0 finished"])
  }

  @Test func `what an observer sends is observed once, and a cycle is reported`() async {
    struct Sending: ReactorObserver {
      let reactor: ScriptedReactor
      func observe(_ step: ReactorStep) { if case .taken = step.kind { reactor.send(1) } }
    }
    let log = StepLog()
    let reactor = ScriptedReactor()
    reactor.addObserver(log)
    let registration = reactor.addObserver(Sending(reactor: reactor))
    defer { registration.remove() }
    await reactor.sendTracked(0).settled
    // Its own, that of the observer, and that of the observer for that one.
    #expect(await reactor.state.first { $0.count == 3 } == [0, 1, 1])
    #expect(log.words(of: 1) == ["taken", "begun", "reduced 2 '1'", "finished"])
    #expect(log.words(of: 2) == ["reported observationCycle"])
    #expect(reactor.reports.problems == ["observationCycle"])
  }

  @Test func `an observer may add and remove others while it is notified`() async {
    struct Adding: ReactorObserver {
      let reactor: Lamp
      let newcomer: StepLog
      func observe(_ step: ReactorStep) {
        guard case .taken = step.kind, step.action?.number.rawValue == 0 else { return }
        reactor.addObserver(newcomer)
      }
    }
    let log = StepLog()
    let lamp = Lamp()
    let registration = lamp.addObserver(Adding(reactor: lamp, newcomer: log))
    defer { registration.remove() }
    await lamp.send(.toggle).settled
    await lamp.send(.toggle).settled
    #expect(log.words(of: 1) == ["taken", "begun", "reduced 2 'toggle'", "finished"])
  }
}

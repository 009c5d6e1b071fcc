import TestLimits
import TestSupport
import Testing

@testable import Reactor

/// Which steps an observer receives that has declared what it needs.
@Suite(.bounded) struct ObserverNeedsTests {
  private struct Needing: ReactorObserver {
    let needs: ObserverNeeds
    let log = Log<ReactorStep>()
    func observe(_ step: ReactorStep) { log.append(step) }

    var words: [String] { log.entries.map(\.words) }
  }

  /// A reactor each of whose actions has all kinds of steps.
  private func reactor() -> ScriptedReactor {
    ScriptedReactor { _, action in
      .concat(.just(action), .run { emit in await emit(action + 1) })
    }
  }

  private func words(for needs: ObserverNeeds) async -> [String] {
    let (observer, reactor) = (Needing(needs: needs), reactor())
    reactor.addObserver(observer)
    await reactor.send(1).settled
    await reactor.stop().settled
    reactor.send(2)
    return withExtendedLifetime(reactor) { observer.words }
  }

  private static let told: [(needs: ObserverNeeds, words: [String])] = [
    (.taken, ["0 taken"]),
    (.begun, ["0 begun"]),
    (.ended, ["0 finished"]),
    (.actions, ["0 taken", "0 begun", "0 finished"]),
    (.effects, ["0 effect 1 begun", "0 effect 1 finished"]),
    (.mutations, ["0 reduced 1 '1'", "0 reduced 2 '2'"]),
    (.reports, ["reported actionRefused"]),
    (.lifecycle, ["started", "stopping", "stopped"]),
    (.times, []),
    ([], []),
  ]

  @Test(arguments: told)
  func `an observer receives the steps that it needs`(_ needs: ObserverNeeds, _ words: [String])
    async
  {
    #expect(await self.words(for: needs) == words)
  }

  @Test func `each of several observers receives the steps that it needs`() async {
    let (taken, ended) = (Needing(needs: .taken), Needing(needs: .ended))
    let reactor = ScriptedReactor()
    reactor.addObserver(taken)
    reactor.addObserver(ended)
    for action in 0..<3 { await reactor.send(action).settled }
    #expect(taken.words == ["0 taken", "1 taken", "2 taken"])
    #expect(ended.words == ["0 finished", "1 finished", "2 finished"])
  }

  @Test func `an action that waits in a lane is delivered once as taken`() async {
    let taken = Needing(needs: .taken)
    let gate = Gate()
    let reactor = SlowLaned(gate)
    reactor.addObserver(taken)
    let receipts = (0..<3).map { reactor.send($0) }
    await gate.reached()
    gate.open()
    for receipt in receipts { await receipt.settled }
    #expect(taken.words == ["0 taken", "1 taken", "2 taken"])
  }

  private actor SlowLaned: Reactor {
    typealias Action = Int
    typealias Mutation = Int
    let initialState = 0
    let pipeline = Pipeline()
    private let gate: Gate

    init(_ gate: Gate) { self.gate = gate }

    func lane(for action: Int) -> Lane? { .sequential("slow") }

    func mutate(action: Int) -> MutationStream<Int> {
      let gate = gate
      return .run { emit in
        try await gate.wait()
        await emit(action)
      }
    }

    func reduce(state: inout Int, mutation: Int) { state += mutation }
  }

  @Test func `steps have times and causes for observers that need them`() async throws {
    for needs in [ObserverNeeds.steps, .everything] {
      let observer = Needing(needs: needs)
      let other = ScriptedReactor()
      let reactor = ScriptedReactor { _, action in
        other.send(action)
        return .empty
      }
      reactor.addObserver(observer)
      other.addObserver(observer)
      await reactor.sendTracked(1).settled
      let taken = try #require(
        observer.log.entries.first { step in
          guard case .taken = step.kind else { return false }
          return step.reactor == other.identity
        })
      let isAll = needs == .everything
      #expect((taken.time != nil) == isAll)
      #expect((taken.action?.cause != nil) == isAll)
    }
  }

  @Test func `observers that need nothing, or only steps, cost senders nothing`() async {
    await #expect(processExitsWith: .success) {
      let reactor = ScriptedReactor()
      reactor.addObserver(Needing(needs: []))
      precondition(!ContextDemand.isAny && !ReactorObservers.isAny)
      reactor.addObserver(Needing(needs: .steps))
      precondition(ContextDemand.isAny && !ContextDemand.needsSenderContext)
      let registration = reactor.addObserver(Needing(needs: .everything))
      precondition(ContextDemand.needsSenderContext)
      registration.remove()
      precondition(!ContextDemand.needsSenderContext)
    }
  }

  // MARK: Steps that are kept

  @Test func `a step that is stored does not change later`() async {
    let observer = Needing(needs: .everything)
    let reactor = ScriptedReactor()
    reactor.addObserver(observer)
    for action in 0..<100 { await reactor.send(action).settled }
    let values = observer.log.entries.compactMap { step -> String? in
      guard case .reduced(let transition) = step.kind else { return nil }
      return "\(step.action.map { "\($0.number) \($0.value)" } ?? "") \(transition.mutation)"
    }
    #expect(values == (0..<100).map { "\($0) \($0) \($0)" })
  }

  // MARK: What is kept alive

  private final class Thing: Sendable {
    let released: Gate
    init(_ released: Gate) { self.released = released }
    deinit { released.open() }
  }

  private actor Holder: Reactor {
    struct Content: Sendable { var numbers: [Int] = [] }
    typealias Action = Thing
    typealias Mutation = Int
    let initialState = Content()
    let pipeline = Pipeline()
    let places = Log<Int>()

    func mutate(action: Thing) -> MutationStream<Int> { .just(1) }

    func reduce(state: inout Content, mutation: Int) {
      if state.numbers.isEmpty { state.numbers = Array(repeating: 0, count: 100) }
      state.numbers[0] += mutation
      places.append(state.numbers.withUnsafeBufferPointer { Int(bitPattern: $0.baseAddress) })
    }
  }

  @Test(arguments: [ObserverNeeds.everything, .steps, .taken])
  func `an action that has ended is released`(_ needs: ObserverNeeds) async {
    struct Idle: ReactorObserver {
      let needs: ObserverNeeds
      func observe(_ step: ReactorStep) {}
    }
    let holder = Holder()
    holder.addObserver(Idle(needs: needs))
    let released = Gate()
    await holder.send(Thing(released)).settled
    await holder.turn { _ in }
    #expect(released.isOpen)
  }

  @Test func `without old states a state is changed in place`() async {
    struct Idle: ReactorObserver {
      let needs: ObserverNeeds
      func observe(_ step: ReactorStep) {}
    }
    let holder = Holder()
    holder.addObserver(Idle(needs: .everything.subtracting(.oldStates)))
    for _ in 0..<3 { await holder.send(Thing(Gate())).settled }
    #expect(Set(holder.places.entries).count == 1)
  }
}

import Reactor
import Synchronization
import TestLimits
import TestSupport
import Testing

// The samples of the page Seeing what happens, copied by hand.

private actor Counter: Reactor {
  enum Action { case increase }
  enum Mutation { case add }

  let initialState = 0
  let pipeline = Pipeline()

  func mutate(action: Action) -> MutationStream<Mutation> {
    .run { emit in await emit(.add) }
  }

  func reduce(state: inout Int, mutation: Mutation) { state += 1 }
}

private struct Printer: ReactorObserver {
  let print: @Sendable (ReactorStep) -> Void

  func observe(_ step: ReactorStep) { print(step) }
}

private struct Causes: ReactorObserver {
  let print: @Sendable (String) -> Void

  func observe(_ step: ReactorStep) {
    guard case .taken = step.kind, let action = step.action else { return }
    let cause = action.cause.map { "\($0)" } ?? "nobody"
    print("\(action.name) of \(step.reactor) because of \(cause)")
  }
}

private final class Counting: ReactorObserver {
  let needs: ObserverNeeds = [.taken]
  let count = Atomic(0)

  func observe(_ step: ReactorStep) { count.add(1, ordering: .relaxed) }
}

enum SeenRequest { @TaskLocal static var id = "none" }

private struct Requests: ReactorObserver {
  var carried: TaskLocals { TaskLocals(SeenRequest.$id) }

  func observe(_ step: ReactorStep) {}

  func values(for step: ReactorStep) -> TaskLocalValues {
    guard case .effectBegun(let number) = step.kind else { return .none }
    return TaskLocalValues(SeenRequest.$id, "\(SeenRequest.id)/effect \(number)")
  }
}

@Suite(.bounded) struct SeeingWhatHappensTests {
  @Test func `the printed lines are those of the page`() async {
    let lines = Log<String>()
    let counter = Counter()
    counter.addObserver(Printer { lines.append("\($0)") })
    await counter.send(.increase).settled
    let name = "\(counter.identity)"
    #expect(
      lines.entries.map { $0.replacing(name, with: "Counter#1") } == [
        "Counter#1: started",
        "Counter#1 action 0 'increase': taken",
        "Counter#1 action 0 'increase': begun",
        "Counter#1 action 0 'increase': effect 1 begun",
        "Counter#1 action 0 'increase': reduced 1 'add'",
        "Counter#1 action 0 'increase': effect 1 finished",
        "Counter#1 action 0 'increase': finished",
      ])
  }

  @Test func `what the test sends has no cause`() async {
    let lines = Log<String>()
    let counter = Counter()
    counter.addObserver(Causes { lines.append($0) })
    await counter.send(.increase).settled
    #expect(lines.entries == ["increase of \(counter.identity) because of nobody"])
  }

  @Test func `an observer that needs taken actions counts just those`() async {
    let (counter, counting) = (Counter(), Counting())
    counter.addObserver(counting)
    for _ in 0..<3 { await counter.send(.increase).settled }
    #expect(counting.count.load(ordering: .relaxed) == 3)
  }

  @Test func `a value is carried to the effect, and changed for it`() async {
    let seen = Log<String>()
    let reactor = ScriptedReactor { _, _ in .run { _ in seen.append(SeenRequest.id) } }
    reactor.addObserver(Requests())
    await SeenRequest.$id.withValue("4711") { reactor.send(1) }.settled
    #expect(seen.entries == ["4711/effect 1"])
  }
}

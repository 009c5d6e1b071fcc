import Reactor
import ReactorComposition
import TestLimits
import TestSupport
import Testing

private enum User { @TaskLocal static var name = "nobody" }

/// Even numbers pass.
private let evenOnly = ActionStage(for: Int.self) { number in
  number.isMultiple(of: 2) ? .pass : .drop(DropReason("odd"))
}

/// Passes actions whose sender has a name.
private struct Naming: ActionMiddleware {
  func handle<R: Reactor>(
    _ action: R.Action, in context: MiddlewareContext<R>
  ) -> ActionVerdict<R.Action> {
    User.name == "nobody" ? .drop(DropReason("nobody")) : .pass
  }
}

/// With all three hooks, and a lane.
private actor HookedNumbers: Reactor {
  typealias Action = Int
  nonisolated let initialState: [Int] = []
  nonisolated let pipeline: Pipeline
  nonisolated let reports = ReportLog()

  init(_ middleware: any ActionMiddleware...) { pipeline = Pipeline(through: middleware) }

  func transform(action: Actions) -> some AsyncSequence<Int, Never> { action.map { $0 * 10 } }
  func lane(for action: Int) -> Lane? { .sequential("one") }

  func mutate(action: Int) -> MutationStream<Int> { .run { emit in await emit(action) } }

  func transform(mutation: Mutations) -> some AsyncSequence<Int, Never> { mutation.map { $0 + 1 } }
  func reduce(state: inout [Int], mutation: Int) { state.append(mutation) }
  func transform(state: States) -> some AsyncSequence<[Int], Never> { state.map { $0 } }

  nonisolated func report(_ report: ReactorReport) { reports.append(report) }
}

/// Without any.
private actor PlainNumbers: Reactor {
  typealias Action = Int
  nonisolated let initialState: [Int] = []
  nonisolated let pipeline: Pipeline

  init(carrying locals: TaskLocals = .none, _ middleware: any ActionMiddleware...) {
    pipeline = Pipeline(carrying: locals, through: middleware)
  }

  func reduce(state: inout [Int], mutation: Int) { state.append(mutation) }

  nonisolated func report(_ report: ReactorReport) {}
}

/// Middleware beside all else that is on an action's way.
@Suite(.bounded) struct MiddlewareCornerTests {
  @Test func `the middleware comes before the hooks and the lanes`() async {
    let numbers = HookedNumbers(evenOnly)
    let receipts = (1...6).map { numbers.send($0) }
    var dropped: [Int] = []
    for (index, receipt) in receipts.enumerated() {
      await receipt.settled
      if case .droppedByMiddleware = await receipt.outcome { dropped.append(index + 1) }
    }
    #expect(dropped == [1, 3, 5])
    #expect(numbers.reports.count == 3)
    await numbers.stop(.drain).settled
    #expect(await numbers.currentState == [21, 41, 61])
  }

  @Test func `a stage has the sender's task-local values that are carried`() async {
    let numbers = PlainNumbers(carrying: TaskLocals(User.$name), Naming())
    await User.$name.withValue("ann") { await numbers.send(1).settled }
    await numbers.send(2).settled
    _ = User.$name.withValue("bob") { numbers.send(3) }
    await numbers.send(4).settled
    #expect(await numbers.currentState == [1, 3])
  }

  @Test func `observers are notified of a dropped action, and of its outcome`() async {
    let (numbers, steps) = (PlainNumbers(evenOnly), StepLog())
    numbers.addObserver(steps)
    await numbers.send(1).settled
    await numbers.send(2).settled
    let dropped = steps.steps.filter { $0.action?.number.rawValue == 0 }
    #expect(dropped.map(\.kind.text).first?.hasPrefix("taken") == true)
    guard case .ended(.droppedByMiddleware, _) = dropped.last?.kind else {
      return #expect(Bool(false), "\(dropped.map(\.kind.text))")
    }
    #expect(!dropped.contains { if case .begun = $0.kind { true } else { false } })
  }

  @Test func `a group's receipt reports a member whose middleware dropped the action`() async {
    let (one, two) = (PlainNumbers(evenOnly), PlainNumbers())
    let group = ReactorGroup<Int>()
    group.add(one)
    group.add(two)
    let receipt = group.send(7)
    await receipt.settled
    #expect(receipt.refusals.isEmpty)
    #expect(await one.currentState == [])
    #expect(await two.currentState == [7])
  }

  @Test func `eight threads send, and each action has its outcome`() async {
    let numbers = PlainNumbers(evenOnly)
    let times = TestCounts.rounds(5000)
    let wrong = await withTaskGroup(of: Int.self) { group in
      for thread in 0..<8 {
        group.addTask {
          var wrong = 0
          for number in 0..<times {
            let isEven = (thread + number).isMultiple(of: 2)
            if number.isMultiple(of: 50) {
              let isFinished = await numbers.outcome(of: thread + number).isFinished
              if isFinished != isEven { wrong += 1 }
            } else {
              numbers.send(thread + number)
            }
          }
          return wrong
        }
      }
      return await group.reduce(0, +)
    }
    #expect(wrong == 0)
    await numbers.stop(.drain).settled
    let state = await numbers.currentState
    #expect(state.count == 8 * times / 2)
    #expect(state.allSatisfy { $0.isMultiple(of: 2) })
  }
}

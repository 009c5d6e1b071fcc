import Reactor
import ReactorRuntime
import TestLimits
import TestSupport
import Testing

/// Writes down what comes by, and how many it has seen, which is for each reactor alone.
private struct Listing: ActionMiddleware {
  let name: String
  let log: Log<String>
  private var count = 0

  init(_ name: String, _ log: Log<String>) {
    self.name = name
    self.log = log
  }

  mutating func handle<R: Reactor>(
    _ action: R.Action, in context: MiddlewareContext<R>
  ) -> ActionVerdict<R.Action> {
    count += 1
    log.append("\(name) \(count): \(action)")
    return .pass
  }
}

/// Drops an action that is the same as the one before, in the same reactor.
private struct Deduplicating: ActionMiddleware {
  private var last: (any Sendable)?

  mutating func handle<R: Reactor>(
    _ action: R.Action, in context: MiddlewareContext<R>
  ) -> ActionVerdict<R.Action> {
    defer { last = action }
    guard let action = action as? any Equatable, let last, action.isEqual(to: last) else {
      return .pass
    }
    return .drop(DropReason("the same again"))
  }
}

extension Equatable {
  fileprivate func isEqual(to other: any Sendable) -> Bool { other as? Self == self }
}

private enum Closed: ExpectedError { case closed }

/// Takes what comes by into its own hands by a closure over the state.
private struct Judging: ActionMiddleware {
  let judge: @Sendable (Int, [Int]) -> ActionVerdict<Int>

  func handle<R: Reactor>(
    _ action: R.Action, in context: MiddlewareContext<R>
  ) -> ActionVerdict<R.Action> {
    guard let number = action as? Int, let state = context.state as? [Int] else { return .pass }
    switch judge(number, state) {
    case .pass: return .pass
    case .change(let other): return (other as? R.Action).map { .change($0) } ?? .pass
    case .drop(let reason): return .drop(reason)
    }
  }
}

/// Keeps the numbers it is sent.
private actor NumbersReactor: Reactor {
  typealias Action = Int
  nonisolated let initialState: [Int] = []
  nonisolated let pipeline: Pipeline
  nonisolated let reports = ReportLog()

  init(_ middleware: any ActionMiddleware...) { pipeline = Pipeline(through: middleware) }

  func reduce(state: inout [Int], mutation: Int) { state.append(mutation) }

  nonisolated func report(_ report: ReactorReport) { reports.append(report) }
}

/// Answers, and keeps words.
private actor WordsReactor: Reactor {
  enum Action { case count(Reply<Int>), keep(String) }
  nonisolated let initialState: [String] = []
  nonisolated let pipeline: Pipeline

  init(_ middleware: any ActionMiddleware...) { pipeline = Pipeline(through: middleware) }

  func mutate(action: Action) -> MutationStream<String> {
    switch action {
    case .count(let reply):
      reply(currentState.count)
      return .empty
    case .keep(let word): return .just(word)
    }
  }

  func reduce(state: inout [String], mutation: String) { state.append(mutation) }

  nonisolated func report(_ report: ReactorReport) {}
}

@Suite(.bounded) struct MiddlewareTests {
  private let log = Log<String>()

  @Test func `an action passes the stages in their order, before mutate`() async {
    let numbers = NumbersReactor(Listing("first", log), Listing("second", log))
    await numbers.send(7).settled
    #expect(log.entries == ["first 1: 7", "second 1: 7"])
    #expect(await numbers.currentState == [7])
  }

  @Test func `a list is given to reactors of several types, and each has a copy`() async {
    let list: [any ActionMiddleware] = [Listing("all", log), Deduplicating()]
    let (one, two) = (NumbersReactor(list[0], list[1]), NumbersReactor(list[0], list[1]))
    let words = WordsReactor(list[0], list[1])
    await one.send(7).settled
    await two.send(7).settled
    await words.send(.keep("seven")).settled
    await one.send(7).settled
    await one.send(8).settled
    #expect(
      log.entries == ["all 1: 7", "all 1: 7", "all 1: keep(\"seven\")", "all 2: 7", "all 3: 8"])
    #expect(await one.currentState == [7, 8])
    #expect(await two.currentState == [7])
  }

  @Test func `a changed action replaces the one that was sent`() async {
    let numbers = NumbersReactor(
      ActionStage(for: Int.self) { .change($0 * 2) }, Listing("then", log))
    let receipt = numbers.send(21)
    await receipt.settled
    #expect(await numbers.currentState == [42])
    #expect(log.entries == ["then 1: 42"])
    #expect(await receipt.outcome.isFinished)
  }

  @Test func `a stage for one type lets all others pass`() async {
    let words = WordsReactor(ActionStage(for: Int.self) { _ in .drop(DropReason("no numbers")) })
    await words.send(.keep("one")).settled
    #expect(await words.currentState == ["one"])
  }

  @Test func `a dropped action settles, and its outcome has the reason`() async {
    let numbers = NumbersReactor(
      ActionStage(for: Int.self) { $0 < 0 ? .drop(Failure(number: $0)) : .pass },
      Listing("then", log))
    let dropped = numbers.send(-1)
    await dropped.settled
    let outcome = await dropped.outcome
    guard case .droppedByMiddleware(let reason as Failure) = outcome else {
      return #expect(Bool(false), "\(outcome)")
    }
    #expect(reason.number == -1)
    #expect(log.entries.isEmpty)
    #expect(numbers.reports.problems == ["droppedByMiddleware(Failure(number: -1))"])
    #expect(await numbers.outcome(of: 1).isFinished)
    #expect(await numbers.currentState == [1])
  }

  @Test func `a report of a drop has the reason, and is routine where it was expected`() async {
    let numbers = NumbersReactor(
      ActionStage(for: Int.self) { $0 == 0 ? .drop(Closed.closed) : .drop(DropReason("too late")) })
    await numbers.send(0).settled
    await numbers.send(1).settled
    #expect(numbers.reports.entries.map(\.isRoutine) == [true, false])
    #expect(
      numbers.reports.entries.last?.description
        == "\(numbers.identity): action 1 '1' was dropped by the middleware: too late")
  }

  @Test func `an asker gets the reason why its action was dropped`() async throws {
    let closed = Guarded(true)
    let gate = GateKeeping(isClosed: { closed.withLock { $0 } })
    let words = WordsReactor(gate)
    await #expect(throws: Closed.closed) { try await words.ask { .count($0) } }
    closed.withLock { $0 = false }
    let count: Int = try await words.ask { .count($0) }
    #expect(count == 0)
    let strict = WordsReactor(
      ActionStage(for: WordsReactor.Action.self) { _ in .drop(DropReason("not today")) })
    let error = await #expect(throws: AskError.self) { try await strict.ask { .count($0) } }
    guard case .droppedByMiddleware(let reason as DropReason) = error?.reason else {
      return #expect(Bool(false), "\(String(describing: error))")
    }
    #expect(reason == DropReason("not today"))
    #expect(error?.description.contains("dropped by the middleware: not today") == true)
  }

  @Test func `a stage reads the state that the actions before have made`() async {
    let numbers = NumbersReactor(
      Judging { number, state in
        state.contains(number) ? .drop(DropReason("there already")) : .pass
      })
    for number in [1, 2, 1, 3, 2] { numbers.send(number) }
    await numbers.send(4).settled
    #expect(await numbers.currentState == [1, 2, 3, 4])
  }

  @Test func `a stage may send, which waits its turn`() async {
    let numbers = NumbersReactor(Echoing())
    await numbers.sendTracked(3).settled
    #expect(await numbers.currentState == [3, 2, 1, 0])
  }

  @Test func `a cancelled action does not reach the middleware`() async {
    let (numbers, gate) = (NumbersReactor(Listing("all", log)), Gate())
    let receipt = await numbers.turn { numbers in
      let receipt = numbers.send(1)
      receipt.cancel()
      return receipt
    }
    await receipt.settled
    gate.open()
    #expect(log.entries.isEmpty)
    let outcome = await receipt.outcome
    guard case .cancelled = outcome else { return #expect(Bool(false), "\(outcome)") }
  }

  @Test func `an action that is dropped is not delivered to streams of actions`() async {
    let numbers = NumbersReactor(
      ActionStage(for: Int.self) { $0 == 1 ? .drop(DropReason("one")) : .pass })
    let actions = numbers.actions()
    numbers.send(1)
    numbers.send(2)
    #expect(await actions.next() == 2)
  }

  @Test func `middleware remains after a restart`() async {
    let numbers = NumbersReactor(Listing("all", log))
    await numbers.send(1).settled
    await numbers.restart()
    await numbers.send(2).settled
    #expect(log.entries == ["all 1: 1", "all 2: 2"])
  }
}

/// Says no while it is closed.
private struct GateKeeping: ActionMiddleware {
  let isClosed: @Sendable () -> Bool

  func handle<R: Reactor>(
    _ action: R.Action, in context: MiddlewareContext<R>
  ) -> ActionVerdict<R.Action> { isClosed() ? .drop(Closed.closed) : .pass }
}

/// Sends the next smaller number.
private struct Echoing: ActionMiddleware {
  func handle<R: Reactor>(
    _ action: R.Action, in context: MiddlewareContext<R>
  ) -> ActionVerdict<R.Action> {
    if let number = action as? Int, number > 0, let next = number - 1 as? R.Action {
      context.send(next)
    }
    return .pass
  }
}

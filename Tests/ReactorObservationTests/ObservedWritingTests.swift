import Observation
import Reactor
import ReactorObservation
import TestLimits
import TestSupport
import Testing

/// What is written through a mirror remains until its reactor has it, and retains nothing.
@MainActor @Suite(.bounded) struct ObservedWritingTests {
  @Test func `a value that is written during a notification is kept`() async {
    let form = await ObservedReactor(FieldReactor())
    withObservationTracking {
      _ = form.count
    } onChange: {
      MainActor.assumeIsolated { _ = form.set(\.text, to: "told") { .setText($0) } }
    }
    form.set(\.count, to: 1) { .setCount($0) }
    #expect(form.count == 1)
    #expect(form.text == "told")
  }

  @Test func `of two values written inside each other, the later one is kept`() async {
    let form = await ObservedReactor(FieldReactor())
    withObservationTracking {
      _ = form.count
    } onChange: {
      MainActor.assumeIsolated { _ = form.set(\.count, to: 2) { .setCount($0) } }
    }
    form.set(\.count, to: 1) { .setCount($0) }
    #expect(form.count == 2)
    await form.send(.touch).settled
    #expect(await form.reactor.currentState.count == 2)
  }

  @Test func `a value that is written after the end is reverted`() async {
    let form = await ObservedReactor(FieldReactor())
    await form.reactor.send(.setText("kept")).settled
    await form.reactor.stop().settled
    form.set(\.text, to: "late") { .setText($0) }
    #expect(form.text == "late")
    await form.until { $0.text == "kept" }
  }

  @Test func `a value that waits in its lane retains neither mirror nor reactor`() async {
    let released = Gate()
    do {
      let form = await ObservedReactor(FieldReactor(clock: StandingClock(), released))
      form.set(\.text, to: "held") { .setTextLater($0) }
      // It has been taken, and waits.
      await form.reactor.send(.touch).settled
    }
    // The mirror retains its reactor: the reactor is released with the mirror.
    await released.pass()
  }

  @Test func `two thousand characters are typed while other actions flow`() async {
    let count = TestCounts.rounds(2000)
    let form = await ObservedReactor(FieldReactor())
    let text = form.property(\.text) { .setText($0) }
    let others = Task.detached { [reactor = form.reactor] in
      for number in 1...count { await reactor.send(.setCount(number)).settled }
    }
    var typed = ""
    for number in 0..<count {
      typed.append("a")
      text.value = typed
      #expect(text.value == typed)
      if number % 3 == 0 { await form.send(.touch).settled }
      #expect(text.value == typed)
    }
    await others.value
    await form.send(.touch).settled
    await form.until { $0.count == count }
    #expect(text.value == typed)
    #expect(await form.reactor.currentState.text == typed)
  }

  @Test func `two thousand characters are typed into a lane that waits for a pause`() async {
    let count = TestCounts.rounds(2000)
    let form = await ObservedReactor(FieldReactor(clock: ImpatientClock()))
    let text = form.property(\.text) { .setTextLater($0) }
    var typed = ""
    for number in 0..<count {
      typed.append("a")
      text.value = typed
      form.send(.setCount(number))
      if number % 3 == 0 { await form.send(.touch).settled }
      #expect(text.value == typed)
    }
    for await state in form.reactor.state where state.text == typed { break }
    #expect(text.value == typed)
  }
}

/// A form whose text is set at once, or once its lane lets it.
private actor FieldReactor: Reactor {
  enum Action {
    case setCount(Int), setText(String), setTextLater(String), touch
  }
  struct State: Equatable {
    var count = 0
    var text = ""
  }

  let initialState = State()
  let pipeline = Pipeline()
  private let clock: any Clock<Duration>
  private let released: Gate?

  init(clock: any Clock<Duration> = ContinuousClock(), _ released: Gate? = nil) {
    self.clock = clock
    self.released = released
  }

  deinit { released?.open() }

  func lane(for action: Action) -> Lane? {
    if case .setTextLater = action {
      .latest("text").debounced(for: .seconds(1), clock: clock)
    } else {
      nil
    }
  }

  func reduce(state: inout State, mutation: Action) {
    switch mutation {
    case .setCount(let count): state.count = count
    case .setText(let text), .setTextLater(let text): state.text = text
    case .touch: break
    }
  }
}

/// A stopped clock: a sleep lasts until it is cancelled.
private final class StandingClock: Clock, Sendable {
  typealias Instant = ContinuousClock.Instant

  let now = ContinuousClock.now
  var minimumResolution: Duration { .zero }

  func sleep(until deadline: Instant, tolerance: Duration?) async throws {
    for await _ in AsyncStream<Never>(Never.self, { _ in }) {}
    try Task.checkCancellation()
  }
}

/// Time is always up at once.
private struct ImpatientClock: Clock {
  typealias Instant = ContinuousClock.Instant

  var now: Instant { .now }
  var minimumResolution: Duration { .zero }

  func sleep(until deadline: Instant, tolerance: Duration?) async throws {
    try Task.checkCancellation()
  }
}

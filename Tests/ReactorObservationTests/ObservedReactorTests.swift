import Observation
import Reactor
import ReactorObservation
import TestLimits
import TestSupport
import Testing

/// What ReactorKit's tests of its SwiftUI mirror assert, as far as it does not need SwiftUI.
@MainActor @Suite(.bounded) struct ObservedReactorTests {
  @Test func `it begins with the current state`() async {
    let reactor = FormReactor()
    await reactor.send(.setCount(3)).settled
    let form = await ObservedReactor(reactor)
    #expect(form.count == 3)
  }

  @Test func `a send updates it`() async {
    let form = await ObservedReactor(FormReactor())
    form.send(.setCount(1))
    await form.until { $0.count == 1 }
    #expect(form.state.count == 1)
  }

  @Test func `several actions update several properties`() async {
    let form = await ObservedReactor(FormReactor())
    form.send(.setCount(2))
    form.send(.setText("a"))
    await form.until { $0.count == 2 && $0.text == "a" }
  }

  @Test func `a hundred increments arrive`() async {
    let form = await ObservedReactor(FormReactor())
    for count in 1...100 { form.send(.setCount(count)) }
    await form.until { $0.count == 100 }
  }

  @Test func `it never shows an older state after a newer one`() async {
    let form = await ObservedReactor(FormReactor())
    var seen: [Int] = [0]
    let sender = Task.detached { [reactor = form.reactor] in
      for count in 1...2000 { reactor.send(.setCount(count)) }
    }
    while form.count < 2000 {
      await form.change { $0.count }
      #expect(form.count >= seen.last ?? 0)
      seen.append(form.count)
    }
    await sender.value
  }

  @Test func `an observer of a property is notified of that property only`() async {
    let form = await ObservedReactor(FormReactor())
    let (counts, texts, all) = (Flag(), Flag(), Flag())
    withObservationTracking {
      _ = form.count
    } onChange: {
      counts.raise()
    }
    withObservationTracking {
      _ = form.text
    } onChange: {
      texts.raise()
    }
    withObservationTracking {
      _ = form.state
    } onChange: {
      all.raise()
    }
    form.send(.setCount(1))
    await form.until { $0.count == 1 }
    #expect(counts.isRaised && all.isRaised && !texts.isRaised)
  }

  @Test func `an equal value notifies no observer`() async {
    let form = await ObservedReactor(FormReactor())
    let flag = Flag()
    withObservationTracking {
      _ = form.text
    } onChange: {
      flag.raise()
    }
    form.send(.setText(""))
    form.send(.setCount(1))
    await form.until { $0.count == 1 }
    #expect(!flag.isRaised)
  }

  @Test func `a notified observer reads the new value on the next turn, five times in a row`() async
  {
    let form = await ObservedReactor(FormReactor())
    for count in 1...5 {
      form.send(.setCount(count))
      await form.change { $0.count }
      #expect(form.count == count)
    }
  }

  @Test func `an observer that reads again while being notified is notified again`() async {
    let form = await ObservedReactor(FormReactor())
    let (first, second) = (Flag(), Flag())
    withObservationTracking {
      _ = form.count
    } onChange: {
      first.raise()
      MainActor.assumeIsolated {
        withObservationTracking {
          _ = form.count
        } onChange: {
          second.raise()
        }
      }
    }
    form.send(.setCount(1))
    await form.until { $0.count == 1 }
    form.send(.setCount(2))
    await form.until { $0.count == 2 }
    #expect(first.isRaised && second.isRaised)
  }

  @Test func `a written value is shown at once, and sent`() async {
    let form = await ObservedReactor(FormReactor())
    let receipt = form.set(\.text, to: "a") { .setText($0) }
    #expect(form.text == "a")
    await receipt.settled
    #expect(await form.reactor.currentState.text == "a")
  }

  @Test func `a write sends exactly one action`() async {
    let form = await ObservedReactor(FormReactor())
    let actions = form.reactor.actions()
    form.property(\.text) { .setText($0) }.value = "a"
    form.send(.refuse)
    guard case .setText("a") = await actions.next(), case .refuse = await actions.next() else {
      Issue.record("one action for the write, and then the other")
      return
    }
  }

  @Test func `a pulse is read like any other property`() async {
    let form = await ObservedReactor(FormReactor())
    form.send(.alert("saved"))
    await form.until { $0.alert == "saved" }
    #expect(form.alert == "saved")
  }

  @Test func `a written value is not overwritten by an older echo`() async {
    let form = await ObservedReactor(FormReactor())
    let text = form.property(\.text) { .setText($0) }
    for length in 1...200 {
      text.value = String(repeating: "a", count: length)
      #expect(text.value.count == length)
      // The main actor is free meanwhile, for whatever echo there is.
      await form.send(.refuse).settled
      #expect(text.value.count == length)
    }
    await form.reactor.send(.setCount(1)).settled
    await form.until { $0.count == 1 }
    #expect(text.value.count == 200)
  }

  @Test func `a later effect's result is not overwritten by an older echo either`() async {
    let form = await ObservedReactor(FormReactor())
    let text = form.property(\.text) { .checkText($0) }
    for length in 1...200 {
      text.value = String(repeating: "a", count: length)
      if length % 3 == 0 { await form.send(.refuse).settled }
      #expect(text.value.count == length)
    }
    await form.reactor.stop(.drain).settled
    // In the end it is the reactor's own, whichever effect came last.
    let last = await form.reactor.currentState.text
    await form.until { $0.text == last }
  }

  @Test func `the value that the reactor makes of it is shown in the end`() async {
    let form = await ObservedReactor(FormReactor())
    let receipt = form.set(\.text, to: "loud") { .setShouted($0) }
    #expect(form.text == "loud")
    await receipt.settled
    await form.until { $0.text == "LOUD" }
  }

  @Test func `a value that the reactor refuses is reverted`() async {
    let form = await ObservedReactor(FormReactor())
    form.set(\.text, to: "no") { _ in .refuse }
    #expect(form.text == "no")
    await form.until { $0.text == "" }
  }

  @Test func `a mirror is released, and so is its reactor`() async {
    let released = Gate()
    do {
      let form = await ObservedReactor(FormReactor(released))
      form.send(.setCount(1))
      await form.until { $0.count == 1 }
    }
    await released.pass()
  }

  @Test func `it follows its reactor after a restart`() async {
    let form = await ObservedReactor(FormReactor())
    form.send(.setCount(1))
    await form.until { $0.count == 1 }
    await form.reactor.restart(from: FormReactor.State(count: 7))
    await form.until { $0.count == 7 }
    await form.reactor.stop().settled
    await form.reactor.restart()
    form.send(.setCount(8))
    await form.until { $0.count == 8 }
  }
}

private actor FormReactor: Reactor {
  enum Action {
    case setCount(Int), setText(String), setShouted(String), checkText(String), alert(String),
      refuse
  }
  struct State: Equatable {
    var count = 0
    var text = ""
    @Pulse var alert: String?
  }

  let initialState = State()
  let pipeline = Pipeline()
  private let released: Gate?

  init(_ released: Gate? = nil) { self.released = released }

  deinit { released?.open() }

  /// Away from the reactor and back: a real suspension.
  @concurrent private static func leave() async {}

  func mutate(action: Action) -> MutationStream<Action> {
    guard case .checkText(let text) = action else { return .just(action) }
    return .run { emit in
      await Self.leave()
      await emit(.setText(text))
    }
  }

  func reduce(state: inout State, mutation: Action) {
    switch mutation {
    case .setCount(let count): state.count = count
    case .setText(let text): state.text = text
    case .setShouted(let text): state.text = text.uppercased()
    case .alert(let text): state.alert = text
    case .checkText, .refuse: break
    }
  }
}

@MainActor private final class Flag {
  nonisolated init() {}
  private(set) var isRaised = false
  nonisolated func raise() { MainActor.assumeIsolated { isRaised = true } }
}

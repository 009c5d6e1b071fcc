import Reactor
import TestLimits
import TestSupport
import Testing

// The sample of a user and toasts on the page Coming from redux-saga, copied by hand.

private actor GreetingReactor: LanedReactor {
  enum Action { case requestUser(String), toast(String) }
  enum Mutation { case user(String), showToast(String?) }
  struct State { var user: String?, toast: String? }

  let initialState = State()
  let pipeline = Pipeline()
  private let service: HeldService
  private let clock: any Clock<Duration>

  init(_ service: HeldService, _ clock: any Clock<Duration>) {
    (self.service, self.clock) = (service, clock)
  }

  func lane(for action: Action) -> Lane? {
    switch action {
    case .requestUser: .latest("user")
    case .toast: .sequential("toast")  // one after the other
    }
  }

  func mutate(action: Action) -> MutationStream<Mutation> {
    switch action {
    case .requestUser(let id):
      .run { emit in
        do {
          let user = try await self.service.get(id)  // call
          await emit(.user(user))
          self.send(.toast("Hello, \(user)"))  // put
        } catch is Failure {
          self.send(.toast("No such user"))
        }
      }
    case .toast(let text):
      .run { emit in
        await emit(.showToast(text))
        try await self.clock.sleep(for: .seconds(2))
        await emit(.showToast(nil))
      }
    }
  }

  func reduce(state: inout State, mutation: Mutation) {
    switch mutation {
    case .user(let user): state.user = user
    case .showToast(let text): state.toast = text
    }
  }
}

@Suite(.bounded) struct ToastTests {
  private func toasts(_ reactor: GreetingReactor) -> Task<[String?], Never> {
    Task.immediate {
      var shown: [String?] = []
      for await toast in reactor.state.select(\.toast) { shown.append(toast) }
      return shown
    }
  }

  @Test func `a user is asked for, and greeted`() async {
    let (service, clock) = (HeldService(), MillisecondClock())
    service.answer("ann")
    let reactor = GreetingReactor(service, clock)
    let shown = toasts(reactor)
    let receipt = reactor.sendTracked(.requestUser("ann"))
    await clock.hand.advance(past: 2000)
    await receipt.settled
    await reactor.stop().settled
    #expect(await reactor.currentState.user == "ann")
    #expect(await shown.value == [nil, "Hello, ann", nil])
  }

  @Test func `a request that fails is a toast, and toasts wait for one another`() async {
    let (service, clock) = (HeldService(failing: 1), MillisecondClock())
    let reactor = GreetingReactor(service, clock)
    let shown = toasts(reactor)
    await reactor.send(.requestUser("nobody")).settled
    let last = reactor.send(.toast("Saved"))
    await clock.hand.advance(past: 2000)
    await clock.hand.advance(past: 4000)
    await last.settled
    await reactor.stop().settled
    #expect(await shown.value == [nil, "No such user", nil, "Saved", nil])
  }
}

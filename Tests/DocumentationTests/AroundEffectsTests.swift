import Reactor
import TestLimits
import TestSupport
import Testing

// The samples of the page Effects about code and values around an effect, copied by hand.

enum Request { @TaskLocal static var id: String? }

private enum Label { @TaskLocal static var current = "" }

private final class Meter: Sendable {
  let entries = Log<String>()

  func record(_ name: String, _ outcome: EffectOutcome, _ duration: Duration) {
    if case .finished = outcome { entries.append("\(name) finished") }
  }
}

extension MutationStream {
  fileprivate func measured(as name: String, by meter: Meter) -> MutationStream {
    onEnd { outcome, duration in meter.record(name, outcome, duration) }
  }

  fileprivate func labelled(_ name: String) -> MutationStream {
    around { emit, body, _ in
      try await Label.$current.withValue(name) { try await body(emit) }
    }
  }
}

private actor OrderReactor: Reactor {
  typealias Action = OrderAction
  enum Mutation { case reserved(String) }
  struct State { var reserved: [String] = [] }

  let initialState = State()
  let pipeline = Pipeline(carrying: TaskLocals(Request.$id))
  let meter = Meter()
  var attempts = 0

  func mutate(action: Action) -> MutationStream<Mutation> {
    let meter = meter
    switch action {
    case .reserve(let seat):
      return .run { emit in
        self.attempts += 1  // still on the reactor
        await emit(.reserved("\(seat) \(Label.current) \(Request.id ?? "none")"))
      }
      .labelled("reserve")
      .measured(as: "reserve", by: meter)
    }
  }

  func reduce(state: inout State, mutation: Mutation) {
    switch mutation {
    case .reserved(let text): state.reserved.append(text)
    }
  }

  /// The sample of how the handler of a request waits.
  nonisolated func reserve(_ seat: String) async throws -> [String] {
    try await send(.reserve(seat)).settledOrCancelled
    return await currentState.reserved
  }
}

private enum OrderAction { case reserve(String) }

@Suite(.bounded) struct AroundEffectsTests {
  @Test func `an effect has the request's identifier, and what its helpers bind`()
    async throws
  {
    let reactor = OrderReactor()
    let reserved = try await Request.$id.withValue("r1") { try await reactor.reserve("4A") }
    #expect(reserved == ["4A reserve r1"])
    #expect(await reactor.attempts == 1)
    #expect(reactor.meter.entries.entries == ["reserve finished"])
  }
}

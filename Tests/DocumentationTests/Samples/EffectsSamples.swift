import Reactor

// Short samples of the page Effects: compiled, and not run.

private enum EffectsSamples {
  struct Order: Sendable {}

  struct Service: Sendable {
    func get(_ text: String) async throws -> [String] { [text] }
    func reserve(_ seat: String) async throws -> String { seat }
  }

  actor NotesReactor: Reactor {
    enum Action { case search(String), pay(Order) }
    struct State { var results: [String] = [] }

    let initialState = State()
    let pipeline = Pipeline()

    func reduce(state: inout State, mutation: Action) {}
  }

  struct Handler {
    let reactor: NotesReactor
    var saving: ActionReceipt<NotesReactor>?

    func search(_ text: String) async throws -> [String] {
      try await reactor.send(.search(text)).settledOrCancelled
      return await reactor.currentState.results
    }

    func pay(_ order: Order) async -> Int {
      let receipt = reactor.send(.pay(order))
      switch await receipt.outcome {
      case .finished: return 200
      default: return 500
      }
    }

    func end(_ logger: inout [String], clock: any Clock<Duration>) async {
      let late = await reactor.stop(.drain, within: .seconds(5), clock: clock)
      for work in late { logger.append("\(work)") }
    }
  }

  enum BookingRefusal: ExpectedError { case soldOut }

  actor Office: Reactor {
    enum Action: Equatable, Sendable { case book(seats: Int) }

    let initialState = 0
    let pipeline = Pipeline()

    func reduce(state: inout Int, mutation: Action) {}

    static func status(of office: Office) async -> Int {
      switch await office.outcome(of: .book(seats: 2)) {
      case .finished: return 201
      case .failed(BookingRefusal.soldOut): return 409
      default: return 500
      }
    }
  }

  struct Meter: Sendable {
    func record(_ name: String, _ outcome: EffectOutcome, _ duration: Duration) {}
  }

  actor Seats: Reactor {
    enum Action { case reserve(String) }
    enum Mutation { case reserved(String) }

    let initialState = 0
    let pipeline = Pipeline()
    let service = Service()
    var attempts = 0

    func mutate(action: Action) -> MutationStream<Mutation> {
      let meter = Meter()
      switch action {
      case .reserve(let seat):
        return .run { emit in
          self.attempts += 1
          await emit(.reserved(try await self.service.reserve(seat)))
        }
        .labelled("reserve")
        .measured(as: "reserve", by: meter)
      }
    }

    func reduce(state: inout Int, mutation: Mutation) {}
  }
}

extension MutationStream {
  fileprivate func measured(as name: String, by meter: EffectsSamples.Meter) -> MutationStream {
    onEnd { outcome, duration in meter.record(name, outcome, duration) }
  }

  fileprivate func labelled(_ name: String) -> MutationStream {
    around { emit, body, _ in try await body(emit) }
  }
}

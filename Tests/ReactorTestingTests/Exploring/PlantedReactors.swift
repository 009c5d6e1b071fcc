import Reactor
import ReactorTesting
import Synchronization

// Reactors with a mistake each, and without it.

/// A lost update: the balance is read, the bank is asked, and the balance that was read is changed.
actor Account: LanedReactor {
  enum Action: Equatable { case withdraw(Int) }
  enum Mutation { case setBalance(Int), withdraw(Int) }
  struct State: Equatable { var balance = 10 }

  let initialState = State()
  let pipeline = Pipeline()
  private let isRight: Bool
  private let ask: @Sendable () async throws -> Void

  init(isRight: Bool, ask: @escaping @Sendable () async throws -> Void) {
    (self.isRight, self.ask) = (isRight, ask)
  }

  func lane(for action: Action) -> Lane? { isRight ? .sequential("account") : nil }

  func mutate(action: Action) -> MutationStream<Mutation> {
    switch action {
    case .withdraw(let amount):
      .run { emit in
        let balance = self.currentState.balance
        guard balance >= amount else { return }
        try await self.ask()
        await emit(self.isRight ? .withdraw(amount) : .setBalance(balance - amount))
      }
    }
  }

  func reduce(state: inout State, mutation: Mutation) {
    switch mutation {
    case .setBalance(let balance): state.balance = balance
    case .withdraw(let amount): if state.balance >= amount { state.balance -= amount }
    }
  }
}

/// A stale result: an answer that comes late replaces that of a newer search.
actor Finder: LanedReactor {
  enum Action: Equatable { case search(String) }
  enum Mutation { case setQuery(String), setFound(String) }
  struct State: Equatable { var query = "", found = "" }

  let initialState = State()
  let pipeline = Pipeline()
  private let isRight: Bool
  private let find: @Sendable (String) async throws -> String

  init(isRight: Bool, find: @escaping @Sendable (String) async throws -> String) {
    (self.isRight, self.find) = (isRight, find)
  }

  func lane(for action: Action) -> Lane? { isRight ? .latest("search") : nil }

  func mutate(action: Action) -> MutationStream<Mutation> {
    switch action {
    case .search(let text):
      .concat(
        .just(.setQuery(text)), .run { emit in await emit(.setFound(try await self.find(text))) })
    }
  }

  func reduce(state: inout State, mutation: Mutation) {
    switch mutation {
    case .setQuery(let query): state.query = query
    case .setFound(let found): state.found = found
    }
  }
}

/// A missing lane, and saves in the wrong order: each save is an effect of its own.
actor Editor: LanedReactor {
  enum Action: Equatable { case write(String) }
  struct State: Equatable { var text = "" }

  let initialState = State()
  let pipeline = Pipeline()
  private let isRight: Bool
  private let save: @Sendable (String) async throws -> Void

  init(isRight: Bool, save: @escaping @Sendable (String) async throws -> Void) {
    (self.isRight, self.save) = (isRight, save)
  }

  func lane(for action: Action) -> Lane? { isRight ? .sequential("save") : nil }

  func mutate(action: Action) -> MutationStream<String> {
    switch action {
    case .write(let text): .concat(.just(text), .run { _ in try await self.save(text) })
    }
  }

  func reduce(state: inout State, mutation: String) { state.text = mutation }
}

/// A double submit: the button is disabled only once the form was validated.
actor Form: Reactor {
  enum Action: CaseIterable { case submit }
  enum Mutation { case setSubmitting }
  struct State: Equatable { var isSubmitting = false }

  let initialState = State()
  let pipeline = Pipeline()
  private let isRight: Bool
  private let validate: @Sendable () async throws -> Void
  private let order: @Sendable () -> Void

  init(
    isRight: Bool, validate: @escaping @Sendable () async throws -> Void,
    order: @escaping @Sendable () -> Void
  ) {
    (self.isRight, self.validate, self.order) = (isRight, validate, order)
  }

  func mutate(action: Action) -> MutationStream<Mutation> {
    guard !currentState.isSubmitting else { return .empty }
    return .run { emit in
      if self.isRight { await emit(.setSubmitting) }
      try await self.validate()
      if !self.isRight { await emit(.setSubmitting) }
      self.order()
    }
  }

  func reduce(state: inout State, mutation: Mutation) { state.isSubmitting = true }
}

/// A spinner that stays: an error ends the effect before loading ends.
actor Loader: Reactor {
  enum Action: CaseIterable { case load }
  enum Mutation { case setLoading(Bool), setItems(Int) }
  struct State: Equatable { var isLoading = false, items = 0 }

  let initialState = State()
  let pipeline = Pipeline()
  private let isRight: Bool
  private let fetch: @Sendable () async throws -> Int

  init(isRight: Bool, fetch: @escaping @Sendable () async throws -> Int) {
    (self.isRight, self.fetch) = (isRight, fetch)
  }

  func lane(for action: Action) -> Lane? { .leading("load") }

  func mutate(action: Action) -> MutationStream<Mutation> {
    .run { emit in
      await emit(.setLoading(true))
      do {
        await emit(.setItems(try await self.fetch()))
      } catch  where self.isRight {}
      await emit(.setLoading(false))
    }
  }

  func reduce(state: inout State, mutation: Mutation) {
    switch mutation {
    case .setLoading(let isLoading): state.isLoading = isLoading
    case .setItems(let items): state.items = items
    }
  }
}

/// An undo that forgets: it has one step only.
actor Sketch: Reactor {
  enum Action: Equatable { case draw(Int), undo }
  struct State: Equatable { var lines: [Int] = []; var undone: [[Int]] = [] }

  let initialState = State()
  let pipeline = Pipeline()
  private let isRight: Bool

  init(isRight: Bool) { self.isRight = isRight }

  func reduce(state: inout State, mutation: Action) {
    switch mutation {
    case .draw(let line):
      if !isRight { state.undone = [] }
      state.undone.append(state.lines)
      state.lines.append(line)
    case .undo: if let lines = state.undone.popLast() { state.lines = lines }
    }
  }
}

/// An event that is shown twice: each appearance of the screen greets, also while one does.
actor Greeter: Reactor {
  enum Action: CaseIterable { case appear, disappear }
  enum Output: Equatable { case welcome }
  struct State: Equatable { var isVisible = false, hasGreeted = false }

  let initialState = State()
  let pipeline = Pipeline()
  private let isRight: Bool
  private let fetch: @Sendable () async throws -> Void

  init(isRight: Bool, fetch: @escaping @Sendable () async throws -> Void) {
    (self.isRight, self.fetch) = (isRight, fetch)
  }

  func mutate(action: Action) -> MutationStream<State> {
    switch action {
    case .disappear: .just(State(isVisible: false, hasGreeted: currentState.hasGreeted))
    case .appear:
      .run { emit in
        try await self.fetch()
        // What was true before the wait may not be true after it.
        if self.currentState.hasGreeted { return }
        if !self.isRight { try await self.fetch() }
        self.output(.welcome)
        await emit(State(isVisible: true, hasGreeted: true))
      }
    }
  }

  func reduce(state: inout State, mutation: State) { state = mutation }
}

/// A cancelled effect that still emits: it continues after the cancellation, and sends.
actor Upload: LanedReactor {
  enum Action: CaseIterable { case upload, cancel, done }
  struct State: Equatable { var isRunning = false, isDone = false }

  let initialState = State()
  let pipeline = Pipeline()
  private let isRight: Bool
  private let clock: any Clock<Duration>

  init(isRight: Bool, clock: any Clock<Duration>) { (self.isRight, self.clock) = (isRight, clock) }

  func lane(for action: Action) -> Lane? { action == .upload ? .leading("upload") : nil }

  func mutate(action: Action) -> MutationStream<State> {
    switch action {
    case .upload:
      return .concat(
        .just(State(isRunning: true)),
        .run { emit in
          if self.isRight {
            try await self.clock.sleep(for: .seconds(1))
            await emit(State(isDone: true))
          } else {
            try? await self.clock.sleep(for: .seconds(1))
            self.send(.done)
          }
        })
    case .cancel:
      cancel(lane: "upload")
      return .just(State())
    case .done: return .just(State(isDone: true))
    }
  }

  func reduce(state: inout State, mutation: State) { state = mutation }
}

/// A wrong debounce: the first text is kept while it waits, and not the last.
actor Draft: LanedReactor {
  enum Action: Equatable { case write(String), save(String) }
  enum Mutation { case setText(String), setSaved(String) }
  struct State: Equatable { var text = "", saved = "" }

  let initialState = State()
  let pipeline = Pipeline()
  private let isRight: Bool
  private let clock: any Clock<Duration>

  init(isRight: Bool, clock: any Clock<Duration>) { (self.isRight, self.clock) = (isRight, clock) }

  func lane(for action: Action) -> Lane? {
    guard case .save = action else { return nil }
    let time = Duration.milliseconds(300)
    return isRight
      ? .latest("save").debounced(for: time, clock: clock)
      : .leading("save").throttled(for: time, latest: false, clock: clock)
  }

  func mutate(action: Action) -> MutationStream<Mutation> {
    switch action {
    case .write(let text):
      send(.save(text))
      return .just(.setText(text))
    case .save(let text): return .just(.setSaved(text))
    }
  }

  func reduce(state: inout State, mutation: Mutation) {
    switch mutation {
    case .setText(let text): state.text = text
    case .setSaved(let text): state.saved = text
    }
  }
}

import Reactor
import ReactorComposition

enum Action: Sendable {
  case set
  case work
  case wait
  case fail
  case ask(Reply<Int>)
}

struct Failure: Error {}

private func answered(_ reply: Reply<Int>) -> MutationStream<Int> {
  reply(1)
  return .just(1)
}

private func mutations(of action: Action) -> MutationStream<Int> {
  switch action {
  case .set: .just(1)
  case .work: .run { emit in await emit(2) }
  case .wait:
    .run { emit in
      await Task.yield()
      await emit(3)
    }
  case .fail: .run { _ in throw Failure() }
  case .ask(let reply): answered(reply)
  }
}

actor Plain: Reactor {
  let initialState = 0
  let pipeline = Pipeline()

  func mutate(action: Action) -> MutationStream<Int> { mutations(of: action) }
  func reduce(state: inout Int, mutation: Int) { state = mutation }
  nonisolated func report(_ report: ReactorReport) {}
}

actor Laned: LanedReactor {
  let initialState = 0
  let pipeline = Pipeline()

  func lane(for action: Action) -> Lane? { .sequential("one") }
  func mutate(action: Action) -> MutationStream<Int> { mutations(of: action) }
  func reduce(state: inout Int, mutation: Int) { state = mutation }
  nonisolated func report(_ report: ReactorReport) {}
}

actor Bounded: Reactor {
  let initialState = 0
  let pipeline = Pipeline(inboxLimit: 10)

  func mutate(action: Action) -> MutationStream<Int> { mutations(of: action) }
  func reduce(state: inout Int, mutation: Int) { state = mutation }
}

actor Debounced: LanedReactor {
  let initialState = 0
  let pipeline = Pipeline()

  func lane(for action: Action) -> Lane? {
    .latest("one").debounced(for: .nanoseconds(1), clock: .continuous)
  }
  func mutate(action: Action) -> MutationStream<Int> { mutations(of: action) }
  func reduce(state: inout Int, mutation: Int) { state = mutation }
}

/// Has a child while its state is 1.
actor Parent: Reactor {
  let initialState = 0
  let pipeline = Pipeline()
  private let child: ReactorChild<Plain>

  init() {
    child = pipeline.child({ $0 == 1 ? 1 : nil }) { _, _ in Plain() }
  }

  func mutate(action: Action) -> MutationStream<Int> { mutations(of: action) }
  func reduce(state: inout Int, mutation: Int) { state = mutation }
}

struct Idle: ReactorObserver {
  func observe(_ step: ReactorStep) {}
}

actor ActionHooked: ActionTransforming {
  let initialState = 0
  let pipeline = Pipeline()

  func mutate(action: Action) -> MutationStream<Int> { mutations(of: action) }
  func transform(action: Actions) -> some AsyncSequence<Action, Never> & Sendable {
    action.map { $0 }
  }
  func reduce(state: inout Int, mutation: Int) { state = mutation }
}

actor MutationHooked: MutationTransforming {
  let initialState = 0
  let pipeline = Pipeline()

  func mutate(action: Action) -> MutationStream<Int> { mutations(of: action) }
  func transform(mutation: Mutations) -> some AsyncSequence<Int, Never> & Sendable {
    mutation.map { $0 }
  }
  func reduce(state: inout Int, mutation: Int) { state = mutation }
}

actor StateHooked: StateTransforming {
  let initialState = 0
  let pipeline = Pipeline()

  func mutate(action: Action) -> MutationStream<Int> { mutations(of: action) }
  func reduce(state: inout Int, mutation: Int) { state = mutation }
  func transform(state: States) -> some AsyncSequence<Int, Never> & Sendable { state.map { $0 } }
}

actor Merging: MutationTransforming {
  private static let events = EventBroadcaster<Int>()
  let initialState = 0
  let pipeline = Pipeline()

  func mutate(action: Action) -> MutationStream<Int> { mutations(of: action) }
  func transform(mutation: Mutations) -> some AsyncSequence<Int, Never> & Sendable {
    mutation.merging(Self.events.stream())
  }
  func reduce(state: inout Int, mutation: Int) { state = mutation }
}

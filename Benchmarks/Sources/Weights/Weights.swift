import CProcess
import Reactor

// What a reactor that does nothing weighs, by what it has done before: bytes of the heap beside its
// state, and resident ones. Each story in a process of its own, so that nothing of another counts.
//
//     Weights          the stories' names
//     Weights <name>   heap and resident bytes of one such reactor

@main
struct Weights {
  static func main() async {
    let arguments = CommandLine.arguments.dropFirst()
    guard let name = arguments.first, let story = stories.first(where: { $0.name == name }) else {
      for story in stories { print(story.name) }
      return
    }
    let (heap, resident) = await story.weigh(Int(arguments.dropFirst().first ?? "") ?? 10_000)
    print(heap, resident)
  }

  /// What reactors have done before they do nothing; beside them, each holds nothing.
  static let stories = [
    Story("made") {
      Plain()
    } _: { _ in
    },
    Story("used once, awaited") {
      Plain()
    } _: {
      await $0.send(.set).settled
    },
    Story("an effect") {
      Plain()
    } _: {
      await $0.send(.work).settled
    },
    Story("two effects that suspend") {
      Plain()
    } _: {
      await $0.twice(.wait)
    },
    Story("an effect that failed") {
      Plain()
    } _: {
      await $0.send(.fail).settled
    },
    Story("twenty effects that failed") {
      Plain()
    } _: { reactor in
      for _ in 0..<20 { await reactor.send(.fail).settled }
    },
    Story("an outcome asked for") {
      Plain()
    } _: {
      _ = await $0.outcome(of: .wait)
    },
    Story("cancelled") {
      Plain()
    } _: { reactor in
      let receipt = reactor.send(.wait)
      receipt.cancel()
      await receipt.settled
    },
    Story("a lane") {
      Laned()
    } _: {
      await $0.send(.set).settled
    },
    Story("two effects in a lane") {
      Laned()
    } _: {
      await $0.twice(.wait)
    },
    Story("an observer, gone") {
      Plain()
    } _: { reactor in
      var states = reactor.state.makeAsyncIterator()
      _ = await states.next()
      await reactor.send(.set).settled
      _ = await states.next()
    },
    Story("a stream of actions, gone") {
      Plain()
    } _: { reactor in
      let actions = reactor.actions()
      await reactor.send(.set).settled
      _ = await actions.next()
    },
    Story("tracked") {
      Plain()
    } _: {
      await $0.sendTracked(.wait).settled
    },
    Story("stopped") {
      Plain()
    } _: { reactor in
      await reactor.send(.wait).settled
      await reactor.stop().settled
    },
    Story("all of these but the stop") {
      Laned()
    } _: { reactor in
      var states = reactor.state.makeAsyncIterator()
      let actions = reactor.actions()
      await reactor.twice(.wait)
      await reactor.send(.fail).settled
      _ = await reactor.outcome(of: .wait)
      let receipt = reactor.send(.wait)
      receipt.cancel()
      await receipt.settled
      await reactor.sendTracked(.wait).settled
      _ = await states.next()
      _ = await actions.next()
    },
    Story("hooks, used once") {
      Hooked()
    } _: {
      await $0.send(.set).settled
    },
  ]
}

/// One story: what it makes, and what that does.
struct Story: Sendable {
  let name: String
  let weigh: @Sendable (Int) async -> (heap: Int, resident: Int)

  init<R: Reactor>(
    _ name: String, _ make: @escaping @Sendable () -> R,
    _ live: @escaping @Sendable (R) async -> Void
  ) {
    self.name = name
    weigh = { count in
      // What the first of a process make once for all is not theirs, nor is what the process keeps
      // of those whose actions ended otherwise than by finishing: its place for that is full by now.
      let failed = await Self.lived(70_000, Plain.init) { await $0.send(.fail).settled }
      let first = await Self.lived(140_000, make, live)
      defer { withExtendedLifetime((failed, first)) {} }
      let before = (heap_in_use(), Self.resident())
      let reactors = await Self.lived(count, make, live)
      let after = (heap_in_use(), Self.resident())
      defer { withExtendedLifetime(reactors) {} }
      let own = reactors.capacity * MemoryLayout<R>.stride
      return (
        (after.0 - before.0 - own) / count - 2 * MemoryLayout<R.State>.size,
        (after.1 - before.1) / count
      )
    }
  }

  /// Reactors that do nothing any more: no task holds them.
  private static func lived<Lived: Reactor>(
    _ count: Int, _ make: () -> Lived, _ live: (Lived) async -> Void
  ) async -> [Lived] {
    var reactors: [Lived] = []
    reactors.reserveCapacity(count)
    for index in 0..<count {
      reactors.append(make())
      await live(reactors[index])
      while !isKnownUniquelyReferenced(&reactors[index]) { await Task.yield() }
    }
    return reactors
  }

  private static func resident() -> Int { Int(resident_bytes()) }
}

extension Reactor {
  func twice(_ action: Action) async {
    let receipts = [send(action), send(action)]
    for receipt in receipts { await receipt.settled }
  }
}

enum Action: Sendable {
  case set
  case work
  case wait
  case fail
}

struct Failure: Error {}

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

actor Hooked: MutationTransforming {
  let initialState = 0
  let pipeline = Pipeline()

  func mutate(action: Action) -> MutationStream<Int> { mutations(of: action) }
  func transform(mutation: ReactorMutations<Hooked>) -> some AsyncSequence<Int, Never> & Sendable {
    mutation.map { $0 }
  }
  func reduce(state: inout Int, mutation: Int) { state = mutation }
  nonisolated func report(_ report: ReactorReport) {}
}

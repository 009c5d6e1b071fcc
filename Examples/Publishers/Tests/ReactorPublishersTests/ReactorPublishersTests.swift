import OpenCombine
import Reactor
import Synchronization
import Testing

@testable import ReactorPublishers

private struct Offline: Error {}

/// Answers at once, and publishes the news that the test sends.
///
/// A subject can be used on any thread.
private final class FakeService: UserService, @unchecked Sendable {
  let news = PassthroughSubject<User, Never>()

  func user(_ id: Int) -> AnyPublisher<User, any Error> {
    Just(User(name: "Ada")).setFailureType(to: (any Error).self).eraseToAnyPublisher()
  }

  var changes: AnyPublisher<User, Never> { news.eraseToAnyPublisher() }
}

private actor Counter: Reactor {
  typealias Action = Int
  typealias Mutation = Int
  let initialState = 0
  let pipeline = Pipeline()

  func reduce(state: inout Int, mutation: Int) { state += mutation }
}

@Suite(.timeLimit(.minutes(2))) struct ReactorPublishersTests {
  /// The elements of a publisher, until it ends or the condition holds.
  private func all<Value: Sendable>(
    _ publisher: some Publisher<Value, Never>, until isLast: (Value) -> Bool = { _ in false }
  ) async -> [Value] {
    var found: [Value] = []
    for await value in publisher.elements() {
      found.append(value)
      if isLast(value) { break }
    }
    return found
  }

  @Test func `every state is published, then the end`() async {
    let counter = Counter()
    let states = counter.state.publisher
    for _ in 1...100 { counter.send(1) }
    async let found = all(states)
    await counter.stop(.drain).settled
    #expect(await found.last == 100)
  }

  @Test func `a subscriber gets as many elements as it demands`() async {
    let counter = Counter()
    let received = Mutex<[Int]>([])
    let (stream, continuation) = AsyncStream<Int>.makeStream()
    let subscriber = AnySubscriber<Int, Never>(
      receiveSubscription: { $0.request(.max(2)) },
      receiveValue: { value in
        received.withLock { $0.append(value) }
        continuation.yield(value)
        return .none
      })
    counter.state.publisher.subscribe(subscriber)
    var values = stream.makeAsyncIterator()
    #expect(await values.next() == 0)
    await counter.send(1).settled
    #expect(await values.next() == 1)
    await counter.send(1).settled
    await counter.stop().settled
    for await _ in counter.state {}
    #expect(received.withLock { $0 } == [0, 1])
  }

  @Test func `a cancelled subscription receives nothing more`() async {
    let counter = Counter()
    let received = Mutex<[Int]>([])
    let (stream, continuation) = AsyncStream<Int>.makeStream()
    let subscription = counter.state.publisher.sink { value in
      received.withLock { $0.append(value) }
      continuation.yield(value)
    }
    var values = stream.makeAsyncIterator()
    #expect(await values.next() == 0)
    subscription.cancel()
    await counter.send(1).settled
    await counter.stop().settled
    #expect(await all(counter.state.publisher) == [1])
    #expect(received.withLock { $0 } == [0])
  }

  @Test func `no element of a subject is lost`() async {
    let counter = Counter()
    let numbers = PassthroughSubject<Int, Never>()
    let feed = counter.send(contentsOf: numbers.elements())
    for number in 1...100 { numbers.send(number) }
    numbers.send(completion: .finished)
    guard case .finished = await feed.end else { return #expect(Bool(false), "another end") }
    await counter.stop(.drain).settled
    #expect(await counter.currentState == 5050)
  }

  @Test func `an effect reads a publisher, and a failure is an error`() async {
    let reactor = UserReactor(service: FakeService())
    await reactor.send(.load(1)).settled
    #expect(await reactor.currentState.user == User(name: "Ada"))
    let second = UserReactor(service: Failing())
    await second.send(.load(2)).settled
    #expect(await second.currentState.error == "Offline()")
  }

  @Test func `a hook merges a publisher`() async {
    let service = FakeService()
    let reactor = UserReactor(service: service)
    await reactor.send(.rename("Ada")).settled  // the hook has begun
    service.news.send(User(name: "Grace"))
    for await state in reactor.state where state.user?.name == "Grace" { break }
  }

  @Test func `messages are followed until they fail`() async {
    let reactor = UserReactor(service: FakeService())
    let (messages, input) = AsyncThrowingStream<String, any Error>.makeStream()
    input.yield("Ada")
    input.finish(throwing: Offline())
    await follow(messages, with: reactor)
    for await state in reactor.state where state.user?.name == "offline" { break }
    await follow(Just("Grace"), with: reactor)
    for await state in reactor.state where state.user?.name == "Grace" { break }
  }

  @MainActor @Test func `a view of publishers is bound both ways`() async {
    let reactor = UserReactor(service: FakeService())
    let (stream, continuation) = AsyncStream<String>.makeStream()
    let view = UserView()
    view.bind(reactor) { continuation.yield($0) }
    view.names.send("Ada")
    var names = stream.makeAsyncIterator()
    #expect(await names.next() == "Ada")
  }
}

/// Fails at once.
private struct Failing: UserService {
  func user(_ id: Int) -> AnyPublisher<User, any Error> {
    Fail(error: Offline()).eraseToAnyPublisher()
  }

  var changes: AnyPublisher<User, Never> { Empty(completeImmediately: false).eraseToAnyPublisher() }
}

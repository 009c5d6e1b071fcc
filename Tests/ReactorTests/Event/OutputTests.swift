import AsyncAlgorithms
import Reactor
import ReactorRuntime
import TestLimits
import TestSupport
import Testing

@Suite(.bounded) struct OutputTests {
  @Test func `outputs are delivered beside the state, in order, to every subscriber`() async {
    let editor = EditorReactor()
    let (first, second) = (editor.outputs(), editor.outputs())
    editor.send(.type("a"))
    editor.send(.save)
    for outputs in [first, second] {
      #expect(await outputs.next() == .typed)
      #expect(await outputs.next() == .saved("a"))
    }
    #expect(await editor.currentState.text == "a")
  }

  @Test func `a subscriber may filter`() async {
    let editor = EditorReactor()
    let saved = editor.outputs { $0 != .typed }
    editor.send(.type("a"))
    editor.send(.save)
    #expect(await saved.next() == .saved("a"))
  }

  @Test func `when an output is delivered, the state before it is readable`() async {
    let editor = EditorReactor()
    let outputs = editor.outputs()
    editor.send(.type("a"))
    _ = await outputs.next()
    #expect(await editor.currentState.text == "a")
  }

  @Test func `outputs end with the reactor`() async {
    let editor = EditorReactor()
    let outputs = editor.outputs()
    editor.send(.save)
    await editor.stop().settled
    #expect(await outputs.collected() == [.saved("")])
    #expect(await editor.outputs().next() == nil)
  }

  @Test func `a child's outputs become a parent's mutations`() async {
    let editor = EditorReactor()
    let parent = ParentReactor(editor)
    await parent.send("begin").settled
    editor.send(.type("x"))
    editor.send(.save)
    #expect(await parent.state.first { $0.count == 3 } == ["begin", "typed", #"saved("x")"#])
  }
}

extension OutputTests {
  @Test func `one reactor's states become another's mutations`() async {
    let source = TickReactor()
    let mirror = EchoOfReactor(source)
    await mirror.send(-1).settled
    // The merge begins to watch when it likes; what it sees first is the state of then.
    _ = await mirror.state.first { $0.contains(0) }
    for _ in 0..<3 { await source.send(1).settled }
    let seen = await mirror.state.first { $0.contains(3) }
    #expect(seen?.filter { $0 >= 0 } == [0, 1, 2, 3])
  }
}

@Suite(.bounded) struct EventBroadcasterTests {
  @Test func `every open stream has every event, in the order sent`() async {
    let events = EventBroadcaster<Int>()
    let streams = [events.stream(), events.stream { $0 % 2 == 0 }]
    for event in 1...4 { events.send(event) }
    events.finish()
    #expect(await streams[0].collected() == [1, 2, 3, 4])
    #expect(await streams[1].collected() == [2, 4])
  }

  @Test func `events from several threads reach every stream in the same order`() async {
    let events = EventBroadcaster<Int>()
    let streams = (0..<4).map { _ in events.stream() }
    await withTaskGroup(of: Void.self) { group in
      for sender in 0..<4 {
        group.addTask { for number in 0..<250 { events.send(sender * 1000 + number) } }
      }
    }
    events.finish()
    let seen = await streams[0].collected()
    #expect(seen.count == 1000)
    for stream in streams.dropFirst() { #expect(await stream.collected() == seen) }
  }

  @Test func `releasing the broadcaster ends its streams`() async {
    var events: EventBroadcaster<Int>? = EventBroadcaster()
    let stream = events?.stream()
    events?.send(1)
    events = nil
    #expect(await stream?.collected() == [1])
  }

  @Test func `nothing is lost between a screen's first read and its subscription`() async {
    for _ in 0..<200 {
      let service = CountingService()
      let screen = CountingScreen(service)
      let writer = Task.detached { for _ in 0..<10 { service.increase() } }
      screen.send(.load)
      await writer.value
      #expect(await screen.state.first { $0 == 10 } == 10)
    }
  }
}

private actor EditorReactor: Reactor {
  enum Action { case type(String), save }
  enum Output: Equatable { case typed, saved(String) }
  struct State { var text = "" }

  let initialState = State()
  let pipeline = Pipeline()

  func mutate(action: Action) -> MutationStream<Action> {
    switch action {
    case .type:
      .run { emit in
        await emit(action)
        self.output(.typed)
      }
    case .save:
      .run { _ in self.output(.saved(self.currentState.text)) }
    }
  }

  func reduce(state: inout State, mutation: Action) {
    if case .type(let text) = mutation { state.text += text }
  }
}

private actor ParentReactor: Reactor {
  typealias Action = String
  typealias Mutation = String

  let initialState: [String] = []
  let pipeline = Pipeline()
  private let editor: EditorReactor

  init(_ editor: EditorReactor) { self.editor = editor }

  func transform(mutation: Mutations) -> some AsyncSequence<String, Never> {
    merge(mutation, editor.outputs().map { "\($0)" })
  }

  func reduce(state: inout [String], mutation: String) { state.append(mutation) }
}

/// Owns a number; says what it has become.
private final class CountingService: Sendable {
  let events = EventBroadcaster<Int>()
  private let value = Guarded(0)

  var current: Int { value.withLock { $0 } }

  func increase() {
    value.withLock { value in
      value += 1
      events.send(value)
    }
  }
}

/// Opens its stream when the pipeline starts, and reads afterwards.
private actor CountingScreen: Reactor {
  enum Action { case load, show(Int) }

  let initialState = 0
  let pipeline = Pipeline()
  private let service: CountingService

  init(_ service: CountingService) { self.service = service }

  func transform(mutation: Mutations) -> some AsyncSequence<Action, Never> {
    merge(mutation, service.events.stream().map { .show($0) })
  }

  func mutate(action: Action) -> MutationStream<Action> { .just(.show(service.current)) }

  func reduce(state: inout Int, mutation: Action) {
    if case .show(let value) = mutation { state = max(state, value) }
  }
}

/// Writes down another reactor's states.
private actor EchoOfReactor: Reactor {
  typealias Action = Int
  typealias Mutation = Int

  let initialState: [Int] = []
  let pipeline = Pipeline()
  private let source: TickReactor

  init(_ source: TickReactor) { self.source = source }

  func transform(mutation: Mutations) -> some AsyncSequence<Int, Never> {
    merge(mutation, source.state)
  }

  func reduce(state: inout [Int], mutation: Int) { state.append(mutation) }
}

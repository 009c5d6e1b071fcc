import Reactor
import ReactorComposition
import ReactorJournal
import TestLimits
import TestSupport
import Testing

/// Says a number twice.
private actor EchoReactor: Reactor {
  typealias Action = Int
  typealias Output = Int
  let initialState = 0
  let pipeline = Pipeline()

  func mutate(action: Int) -> MutationStream<Int> {
    output(action)
    return .just(action)
  }

  func reduce(state: inout Int, mutation: Int) { state = mutation }
}

/// A journaled reactor with children.
private actor ChoirReactor: Reactor, JournaledReactor {
  typealias Action = [String]

  enum Mutation: Codable, Sendable, Equatable {
    case voices([String])
    case sang(String, Int)
  }

  struct State: Codable, Sendable, Equatable {
    var voices: [String] = []
    var sung: [String] = []
  }

  static let journalName = "choir"
  static let journalVersion = 1
  static let initialState = State()
  let pipeline = Pipeline()
  nonisolated let voices: ReactorChildren<String, EchoReactor>

  init() {
    voices = pipeline.children(\.voices) { _, _ in
      EchoReactor()
    } output: { name, number in
      .sang(name, number)
    }
  }

  func mutate(action: [String]) -> MutationStream<Mutation> { .just(.voices(action)) }

  static func reduce(state: inout State, mutation: Mutation) {
    switch mutation {
    case .voices(let voices): state.voices = voices
    case .sang(let name, let number): state.sung.append("\(name) \(number)")
    }
  }
}

/// Children of a journaled reactor: made of what is kept, and what they say is kept.
@Suite(.bounded) struct JournaledChildrenTests {
  @Test func `children exist again when their parent is opened again`() async throws {
    let journal = try await Journal(.store(MemoryStore()))
    let choir = try await journal.open("1") { ChoirReactor() }
    await choir.send(["ann", "bob"]).settled
    choir.voices["ann"]?.send(7)
    for await state in choir.state where state.sung == ["ann 7"] { break }
    await choir.send(["bob"]).settled
    await choir.stop(.drain).settled
    #expect(choir.voices.count == 0)
    let again = try await journal.open("1") { ChoirReactor() }
    #expect(await again.currentState == ChoirReactor.State(voices: ["bob"], sung: ["ann 7"]))
    #expect(Array(again.voices.all.keys) == ["bob"])
    again.voices["bob"]?.send(8)
    for await state in again.state where state.sung.count == 2 { break }
    #expect(await again.currentState.sung == ["ann 7", "bob 8"])
  }

  @Test func `a parent that no journal has opened has no children`() async {
    let choir = ChoirReactor()
    await choir.send(["ann"]).settled
    #expect(choir.voices.count == 0)
  }
}

import Reactor
import ReactorRuntime

/// Two diagrams, and the actions that the characters of the first one name.
struct Marbles<R: Reactor>: Sendable {
  /// The values that were observed, each with its tick.
  private struct Seen<Value: Sendable>: Sendable {
    var tick = 0
    var values: [(tick: Int, value: Value)] = []
    var end: Int?
  }

  let actions: MarbleDiagram
  let letters: [Character: R.Action]
  /// What is compared: `states` or `outputs`.
  let kind: String
  let expected: MarbleDiagram

  init(
    actions: String, _ letters: [Character: R.Action], kind: String, _ expected: String,
    known: Set<Character>?
  ) throws(MarbleDiagram.Malformed) {
    self.actions = try MarbleDiagram(actions, name: "actions", known: Set(letters.keys))
    self.letters = letters
    self.kind = kind
    self.expected = try MarbleDiagram(expected, name: kind, known: known)
  }

  /// Sends the actions, and compares the values that arrive.
  ///
  /// `name` returns the character of a value, or `nil` if it cannot be drawn, and a text that says
  /// which value it is.
  func run<Value: Sendable>(
    _ reactor: R, _ values: some AsyncSequence<Value, Never> & Sendable, in simulation: Simulation,
    tick: Duration, at place: TestPlace, name: (Value) -> (Character?, String)
  ) async {
    NearMisses.fail(R.self, at: place)
    let seen = await observe(reactor, values, in: simulation, tick: tick)
    var actual = MarbleDiagram(ticks: Array(repeating: [], count: expected.ticks.count))
    var unnamed: [String] = []
    func add(_ character: Character?, at tick: Int) {
      while actual.ticks.count <= tick { actual.ticks.append([]) }
      actual.ticks[tick].append(character)
    }
    for (tick, value) in seen.values {
      let (character, text) = name(value)
      add(character, at: tick)
      if character == nil { unnamed.append("? at tick \(tick) is \(text)") }
    }
    if let end = seen.end { add(MarbleDiagram.end, at: end) }
    guard let first = expected.firstDifference(from: actual) else { return }
    place.fail(explain(actual, from: first, tick: tick, unnamed))
  }

  private func observe<Value: Sendable>(
    _ reactor: R, _ values: some AsyncSequence<Value, Never> & Sendable, in simulation: Simulation,
    tick: Duration
  ) async -> Seen<Value> {
    let seen = Shared(Seen<Value>())
    let observation = Task(executorPreference: simulation.executor) {
      for await value in values { seen.value.withLock { $0.values.append(($0.tick, value)) } }
      seen.value.withLock { if !Task.isCancelled { $0.end = $0.tick } }
    }
    for number in 0..<max(actions.ticks.count, expected.ticks.count, 1) {
      seen.value.withLock { $0.tick = number }
      if number > 0 { await simulation.advance(by: tick) } else { await simulation.settle() }
      for letter in actions[number] {
        if let action = letter.flatMap({ letters[$0] }) { reactor.send(action) }
        if letter == MarbleDiagram.end { reactor.stop() }
      }
      await simulation.settle()
    }
    observation.cancel()
    await observation.value
    return seen.value.withLock { $0 }
  }

  private func explain(
    _ actual: MarbleDiagram, from first: Int, tick: Duration, _ unnamed: [String]
  ) -> String {
    let drawing = MarbleDiagram.draw(
      [("actions", actions), ("expected", expected), ("actual", actual)], mark: first)
    return """
      the \(kind) differ from the expected ones, from tick \(first) (\(tick * first)) on; \
      correct the reactor, or write \(kind): "\(actual.text)"

      \(drawing)
      """ + unnamed.map { "\n  \($0)" }.joined()
  }
}

/// A lock that a closure can capture.
private final class Shared<Value: Sendable>: Sendable {
  let value: Guarded<Value>

  init(_ value: Value) { self.value = Guarded(value) }
}

public import Reactor
import Synchronization

/// Asserts which states come when, with time as a string: actions in, states out.
///
/// ```swift
/// try await simulate { simulation in
///   await marbles(
///     LateCounter(by: .milliseconds(200), clock: simulation.clock), in: simulation,
///     actions: "-a-b--|", ["a": .increase, "b": .decrease],
///     states:  "0--1-0|") { $0.value }
/// }
/// ```
///
/// One character is one tick:
///
/// | Character | Actions | States |
/// | --- | --- | --- |
/// | `-` | nothing | nothing |
/// | a letter | the action is sent | the state comes |
/// | `[ab]` | both at this tick, in this order | both at this tick, in this order |
/// | `\|` | the reactor is stopped | the states end |
/// | a space | takes no time | takes no time |
///
/// The first state, at the first tick, is the one that the reactor begins with. States are those that an
/// observer sees, shaped by `transform(state:)`; one that is like the last comes all the same. What
/// happens between two ticks shows at the later one. At each tick sleepers wake before actions are sent.
///
/// **Runs** in the simulation, for as many ticks as the longer diagram has; what comes later is not
/// looked at, nor is the reactor stopped.
///
/// **If other states come**, both diagrams are reported, one below the other, where the call stands. So
/// is, in one line and before anything runs, a diagram that cannot be read.
///
/// - Parameters:
///   - reactor: The reactor; give it the simulation's clock.
///   - simulation: Where it runs.
///   - tick: How long a tick is.
///   - actions: When which action is sent.
///   - letters: What the letters in `actions` stand for.
///   - states: When which state is expected.
///   - show: What a state is called in `states`: anything that prints as one character.
///   - fileID: Where the call stands; leave it and the others out.
///   - filePath: As above.
///   - line: As above.
///   - column: As above.
public func marbles<R: Reactor>(
  _ reactor: R, in simulation: Simulation, tick: Duration = .milliseconds(100), actions: String,
  _ letters: [Character: R.Action], states: String,
  showing show: @Sendable (R.State) -> some CustomStringConvertible,
  fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
  column: UInt = #column
) async {
  let place = TestPlace(fileID, filePath, line, column)
  let marbles: Marbles<R>
  do {
    marbles = try Marbles(actions: actions, letters, states: states, known: nil)
  } catch { return place.fail(error.description) }
  await marbles.run(reactor, in: simulation, tick: tick, at: place) { state in
    let text = show(state).description
    guard let name = text.first, text.count == 1, !MarbleDiagram.reserved.contains(name) else {
      return (nil, "'\(text)'; show it as one character, and none of - | [ ] ?")
    }
    return (name, text)
  }
}

/// Asserts which states come when, with time as a string, and a letter for each state.
///
/// ```swift
/// await marbles(
///   reactor, in: simulation,
///   actions: "-a--|", ["a": .load],
///   states:  "0l-d|", ["0": .idle, "l": .loading, "d": .done])
/// ```
///
/// As for the form with a closure in all else.
///
/// - Parameters:
///   - reactor: The reactor; give it the simulation's clock.
///   - simulation: Where it runs.
///   - tick: How long a tick is.
///   - actions: When which action is sent.
///   - letters: What the letters in `actions` stand for.
///   - states: When which state is expected.
///   - names: What the letters in `states` stand for.
///   - fileID: Where the call stands; leave it and the others out.
///   - filePath: As above.
///   - line: As above.
///   - column: As above.
public func marbles<R: Reactor>(
  _ reactor: R, in simulation: Simulation, tick: Duration = .milliseconds(100), actions: String,
  _ letters: [Character: R.Action], states: String, _ names: [Character: R.State],
  fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
  column: UInt = #column
) async where R.State: Equatable {
  let place = TestPlace(fileID, filePath, line, column)
  let marbles: Marbles<R>
  do {
    marbles = try Marbles(actions: actions, letters, states: states, known: Set(names.keys))
  } catch { return place.fail(error.description) }
  await marbles.run(reactor, in: simulation, tick: tick, at: place) { state in
    // Of several for one state, always the same.
    let name = names.filter { $0.value == state }.keys.min()
    return (name, "\(state); give it a letter")
  }
}

/// Two diagrams, and what the letters in the first stand for.
private struct Marbles<R: Reactor>: Sendable {
  /// What the observer has seen, and at which tick.
  private struct Seen: Sendable {
    var tick = 0
    var states: [(tick: Int, state: R.State)] = []
    var end: Int?
  }

  let actions: MarbleDiagram
  let letters: [Character: R.Action]
  let expected: MarbleDiagram

  init(
    actions: String, _ letters: [Character: R.Action], states: String, known: Set<Character>?
  ) throws(MarbleDiagram.Malformed) {
    self.actions = try MarbleDiagram(actions, name: "actions", known: Set(letters.keys))
    self.letters = letters
    expected = try MarbleDiagram(states, name: "states", known: known)
  }

  /// Runs the actions, and compares the states; a state's name is none if it cannot be drawn, and beside
  /// it stands which state it is.
  func run(
    _ reactor: R, in simulation: Simulation, tick: Duration, at place: TestPlace,
    name: (R.State) -> (Character?, String)
  ) async {
    let seen = await observe(reactor, in: simulation, tick: tick)
    var actual = MarbleDiagram(ticks: Array(repeating: [], count: expected.ticks.count))
    var nameless: [String] = []
    func add(_ character: Character?, at tick: Int) {
      while actual.ticks.count <= tick { actual.ticks.append([]) }
      actual.ticks[tick].append(character)
    }
    for (tick, state) in seen.states {
      let (character, text) = name(state)
      add(character, at: tick)
      if character == nil { nameless.append("? at tick \(tick) is \(text)") }
    }
    if let end = seen.end { add(MarbleDiagram.end, at: end) }
    guard let first = expected.firstDifference(from: actual) else { return }
    place.fail(explain(actual, from: first, tick: tick, nameless))
  }

  private func observe(
    _ reactor: R, in simulation: Simulation, tick: Duration
  ) async -> Seen {
    let seen = Guarded(Seen())
    let states = reactor.state
    let watching = Task(executorPreference: simulation.executor) {
      for await state in states { seen.value.withLock { $0.states.append(($0.tick, state)) } }
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
    watching.cancel()
    await watching.value
    return seen.value.withLock { $0 }
  }

  private func explain(
    _ actual: MarbleDiagram, from first: Int, tick: Duration, _ nameless: [String]
  ) -> String {
    let drawing = MarbleDiagram.draw(
      [("actions", actions), ("expected", expected), ("actual", actual)], mark: first)
    return """
      the states are others than expected, from tick \(first) (\(tick * first)) on; correct the reactor, or \
      write states: "\(actual.text)"

      \(drawing)
      """ + nameless.map { "\n  \($0)" }.joined()
  }
}

/// A lock that a task may refer to.
private final class Guarded<Value: Sendable>: Sendable {
  let value: Mutex<Value>

  init(_ value: Value) { self.value = Mutex(value) }
}

public import Reactor

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
/// The first state, at the first tick, is the one that the reactor begins with. States are those
/// that an observer sees, shaped by `transform(state:)`; one that is like the last comes all the
/// same. What happens between two ticks shows at the later one. At each tick sleepers wake before
/// actions are sent.
///
/// **Runs** in the simulation, for as many ticks as the longer diagram has; what comes later is not
/// looked at, nor is the reactor stopped.
///
/// **If other states come**, both diagrams are reported, one below the other, where the call
/// stands. So is, in one line and before anything runs, a diagram that cannot be read.
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
    marbles = try Marbles(actions: actions, letters, what: "states", states, known: nil)
  } catch { return place.fail(error.description) }
  await marbles.run(
    reactor, reactor.state, in: simulation, tick: tick, at: place
  ) { state in
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
    marbles = try Marbles(
      actions: actions, letters, what: "states", states, known: Set(names.keys))
  } catch { return place.fail(error.description) }
  await marbles.run(
    reactor, reactor.state, in: simulation, tick: tick, at: place, name: letter(in: names))
}

/// Asserts which outputs come when, with time as a string, and a letter for each output.
///
/// ```swift
/// await marbles(
///   reactor, in: simulation,
///   actions: "-a----|", ["a": .search("swift")],
///   outputs: "----f-|", ["f": .found(1)])
/// ```
///
/// As for states in all else, except that nothing comes before the first action.
///
/// - Parameters:
///   - reactor: The reactor; give it the simulation's clock.
///   - simulation: Where it runs.
///   - tick: How long a tick is.
///   - actions: When which action is sent.
///   - letters: What the letters in `actions` stand for.
///   - outputs: When which output is expected.
///   - names: What the letters in `outputs` stand for.
///   - fileID: Where the call stands; leave it and the others out.
///   - filePath: As above.
///   - line: As above.
///   - column: As above.
public func marbles<R: Reactor>(
  _ reactor: R, in simulation: Simulation, tick: Duration = .milliseconds(100), actions: String,
  _ letters: [Character: R.Action], outputs: String, _ names: [Character: R.Output],
  fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
  column: UInt = #column
) async where R.Output: Equatable {
  let place = TestPlace(fileID, filePath, line, column)
  let marbles: Marbles<R>
  do {
    marbles = try Marbles(
      actions: actions, letters, what: "outputs", outputs, known: Set(names.keys))
  } catch { return place.fail(error.description) }
  await marbles.run(
    reactor, reactor.outputs(), in: simulation, tick: tick, at: place, name: letter(in: names))
}

/// What a value is called.
private func letter<Value: Equatable>(
  in names: [Character: Value]
) -> (Value) -> (Character?, String) {
  { value in
    // Of several for one value, always the same.
    (names.filter { $0.value == value }.keys.min(), "\(value); give it a letter")
  }
}

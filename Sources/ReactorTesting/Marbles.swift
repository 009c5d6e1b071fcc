public import Reactor

/// Asserts which states arrive when, with time as a string: actions in, states out.
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
/// | another character | the action is sent | the state arrives |
/// | `[ab]` | both at this tick, in this order | both at this tick, in this order |
/// | `\|` | the reactor is stopped | the states end |
/// | a space | takes no time | takes no time |
///
/// The state at the first tick is the reactor's initial one. States are those that an observer
/// receives, after `transform(state:)`; a state equal to the previous one counts as well. What
/// happens between two ticks is shown at the later one. At each tick, sleeping tasks wake before
/// actions are sent.
///
/// **Runs** in the simulation, for the ticks of the longer diagram. What happens later is not
/// checked, and the reactor is not stopped then.
///
/// **If other states arrive**, both diagrams are reported at the call, below each other. A diagram
/// that cannot be parsed is reported in one line, before anything runs.
///
/// - Parameters:
///   - reactor: The reactor; give it the simulation's clock.
///   - simulation: The simulation that it runs in.
///   - tick: The duration of a tick.
///   - actions: The diagram of the actions to send.
///   - letters: The actions for the characters in `actions`.
///   - states: The diagram of the expected states.
///   - show: Returns the name of a state in `states`: any value whose description is one character.
///   - fileID: The source location of the call; leave it and the next three parameters out.
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
    marbles = try Marbles(actions: actions, letters, kind: "states", states, known: nil)
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

/// Asserts which states arrive when, with time as a string, and a character for each state.
///
/// ```swift
/// await marbles(
///   reactor, in: simulation,
///   actions: "-a--|", ["a": .load],
///   states:  "0l-d|", ["0": .idle, "l": .loading, "d": .done])
/// ```
///
/// Everything else is as for the form with a closure.
///
/// - Parameters:
///   - reactor: The reactor; give it the simulation's clock.
///   - simulation: The simulation that it runs in.
///   - tick: The duration of a tick.
///   - actions: The diagram of the actions to send.
///   - letters: The actions for the characters in `actions`.
///   - states: The diagram of the expected states.
///   - names: The states for the characters in `states`.
///   - fileID: The source location of the call; leave it and the next three parameters out.
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
      actions: actions, letters, kind: "states", states, known: Set(names.keys))
  } catch { return place.fail(error.description) }
  await marbles.run(
    reactor, reactor.state, in: simulation, tick: tick, at: place, name: letter(in: names))
}

/// Asserts which outputs arrive when, with time as a string, and a character for each output.
///
/// ```swift
/// await marbles(
///   reactor, in: simulation,
///   actions: "-a----|", ["a": .search("swift")],
///   outputs: "----f-|", ["f": .found(1)])
/// ```
///
/// Everything else is as for states, except that nothing arrives before the first action.
///
/// - Parameters:
///   - reactor: The reactor; give it the simulation's clock.
///   - simulation: The simulation that it runs in.
///   - tick: The duration of a tick.
///   - actions: The diagram of the actions to send.
///   - letters: The actions for the characters in `actions`.
///   - outputs: The diagram of the expected outputs.
///   - names: The outputs for the characters in `outputs`.
///   - fileID: The source location of the call; leave it and the next three parameters out.
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
      actions: actions, letters, kind: "outputs", outputs, known: Set(names.keys))
  } catch { return place.fail(error.description) }
  await marbles.run(
    reactor, reactor.outputs(), in: simulation, tick: tick, at: place, name: letter(in: names))
}

/// Returns a function that names values.
private func letter<Value: Equatable>(
  in names: [Character: Value]
) -> (Value) -> (Character?, String) {
  { value in
    // If several characters name one value, always the same one.
    (names.filter { $0.value == value }.keys.min(), "\(value); give it a character")
  }
}

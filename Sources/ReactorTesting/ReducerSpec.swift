import CustomDump
public import Reactor

/// Asserts how mutations change a state: given, when, and a closure with the expected change.
///
/// ```swift
/// await spec(CounterReactor(), given: .init(value: 1), when: .add(1), .add(2)) { $0.value = 4 }
/// ```
///
/// Only `reduce(state:mutation:)` is called: no hook, no effect, no pipeline.
///
/// **Runs on** the reactor, since `reduce` is isolated to it; the function suspends for nothing
/// else.
///
/// **If the state differs**, the difference is reported at the call. For several mutations, it also
/// reports what each has changed.
///
/// - Parameters:
///   - reactor: The reactor whose `reduce` is called.
///   - state: The state before; by default the reactor's initial state.
///   - mutations: The mutations, which are reduced one after the other.
///   - change: Modifies the previous state to the expected one; by default, no change is expected.
///   - fileID: The source location of the call; leave it and the next three parameters out.
///   - filePath: As above.
///   - line: As above.
///   - column: As above.
public func spec<R: Reactor>(
  _ reactor: R, given state: R.State? = nil, when mutations: R.Mutation...,
  change: @Sendable (inout R.State) throws -> Void = { _ in },
  fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
  column: UInt = #column
) async where R.State: Equatable {
  let place = TestPlace(fileID, filePath, line, column)
  NearMisses.fail(R.self, at: place)
  let fold = await reactor.fold(mutations, from: state)
  var expected = fold.before
  do { try change(&expected) } catch {
    return place.fail("the closure that says what changes threw: \(error)")
  }
  guard expected != fold.after else {
    let message = PulseFirings.difference(from: fold.before, expected: expected, actual: fold.after)
    if let message { place.fail("after \(fold.name): \(message)") }
    return
  }
  if expected == fold.before {
    return place.fail(
      "\(fold.name) changed the state unexpectedly; state the change in a closure:\n\n"
        + changes(from: fold.before, to: fold.after))
  }
  place.fail(fold.unequal(to: expected))
}

/// Asserts how mutations change a state: given, when, then.
///
/// ```swift
/// await spec(CounterReactor(), given: .init(value: 1), when: .add(1), then: .init(value: 2))
/// ```
///
/// Everything else is as for the form with a closure.
///
/// - Parameters:
///   - reactor: The reactor whose `reduce` is called.
///   - state: The state before; by default the reactor's initial state.
///   - mutations: The mutations, which are reduced one after the other.
///   - expected: The state after.
///   - fileID: The source location of the call; leave it and the next three parameters out.
///   - filePath: As above.
///   - line: As above.
///   - column: As above.
public func spec<R: Reactor>(
  _ reactor: R, given state: R.State? = nil, when mutations: R.Mutation..., then expected: R.State,
  fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
  column: UInt = #column
) async where R.State: Equatable {
  let place = TestPlace(fileID, filePath, line, column)
  NearMisses.fail(R.self, at: place)
  let fold = await reactor.fold(mutations, from: state)
  guard expected != fold.after else { return }
  place.fail(fold.unequal(to: expected))
}

/// A state, and the states that mutations produced from it, one by one.
private struct Fold<R: Reactor>: Sendable {
  let before: R.State
  var steps: [(mutation: R.Mutation, state: R.State)] = []

  var after: R.State { steps.last?.state ?? before }

  /// The mutations that were reduced.
  var name: String {
    steps.isEmpty ? "no mutation" : steps.map { "\($0.mutation)" }.joined(separator: ", ")
  }

  func unequal(to expected: R.State) -> String {
    "after \(name), the state differs from the expected one; correct reduce, or the expectation; "
      + "expected (-), actual (+):\n\n" + changes(from: expected, to: after) + course
  }

  /// For several mutations, what each has changed.
  private var course: String {
    guard steps.count > 1 else { return "" }
    var last = before
    return "\n\nstep by step:"
      + steps.map { mutation, state in
        defer { last = state }
        return "\n\n\(mutation):\n" + changes(from: last, to: state)
      }.joined()
  }
}

extension Reactor {
  fileprivate func fold(_ mutations: [Mutation], from state: State?) -> Fold<Self> {
    var state = state ?? initialState
    var fold = Fold<Self>(before: state)
    for mutation in mutations {
      reduce(state: &state, mutation: mutation)
      fold.steps.append((mutation, state))
    }
    return fold
  }
}

/// How a value has changed, line by line.
func changes<Value>(from old: Value, to new: Value) -> String {
  diff(old, new)
    ?? PulseFirings.summary(from: old, to: new).map { "(\($0), and nothing else changed)" }
    ?? "(no change)"
}

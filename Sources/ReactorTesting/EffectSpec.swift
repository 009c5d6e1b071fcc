public import Reactor

/// Asserts what `mutate` returns for an action: given, when, then.
///
/// ```swift
/// await spec(
///   SearchReactor(clock: clock), given: .init(query: "a"), mutate: .search,
///   returns: .concat(.just(.setLoading(true)), .run("load")))
/// ```
///
/// No effect runs, and nothing is reduced. `mutate(action:)` itself is called, so what it sends and
/// cancels happens.
///
/// **Runs on** the reactor.
///
/// **If the plan differs**, both are reported at the call. An effect without a name equals nothing:
/// name it with ``/Reactor/MutationStream/named(_:)``.
///
/// - Parameters:
///   - reactor: The reactor; with a state, it must not have been used yet.
///   - state: The state before; by default that of the reactor.
///   - action: The action.
///   - expected: The expected plan.
///   - fileID: The source location of the call; leave it and the next three parameters out.
///   - filePath: As above.
///   - line: As above.
///   - column: As above.
public func spec<R: Reactor>(
  _ reactor: R, given state: R.State? = nil, mutate action: R.Action,
  returns expected: EffectPlan<R.Mutation>, fileID: StaticString = #fileID,
  filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
) async where R.Mutation: Equatable {
  let place = TestPlace(fileID, filePath, line, column)
  await check(reactor, state, action, expected, at: place)
}

/// Asserts what `mutate` returns for an action, and in which lane the action is.
///
/// ```swift
/// await spec(
///   search, mutate: .search("a"), returns: .run("load"),
///   in: .latest("search").debounced(for: .milliseconds(300), clock: clock))
/// ```
///
/// Everything else is as for the form without a lane.
///
/// - Parameters:
///   - reactor: The reactor; with a state, it must not have been used yet.
///   - state: The state before; by default that of the reactor.
///   - action: The action.
///   - expected: The expected plan.
///   - lane: The expected lane, or `nil` if the action has none; its clock is not compared.
///   - fileID: The source location of the call; leave it and the next three parameters out.
///   - filePath: As above.
///   - line: As above.
///   - column: As above.
public func spec<R: Reactor>(
  _ reactor: R, given state: R.State? = nil, mutate action: R.Action,
  returns expected: EffectPlan<R.Mutation>, in lane: Lane?, fileID: StaticString = #fileID,
  filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
) async where R.Mutation: Equatable {
  let place = TestPlace(fileID, filePath, line, column)
  await check(reactor, state, action, expected, at: place)
  let actual = await reactor.laneOf(action)
  switch (lane, actual) {
  case (nil, nil): return
  case (let lane?, let actual?) where lane.isSame(as: actual): return
  default:
    place.fail(
      "'\(action)' is in another lane than expected; expected (-), actual (+):\n\n"
        + "- \(lane?.text ?? "nil")\n+ \(actual?.text ?? "nil")")
  }
}

private func check<R: Reactor>(
  _ reactor: R, _ state: R.State?, _ action: R.Action, _ expected: EffectPlan<R.Mutation>,
  at place: TestPlace
) async where R.Mutation: Equatable {
  NearMisses.fail(R.self, at: place)
  let (_, hasBegun) = await reactor.begin(from: state.map { Beginning($0) })
  if !hasBegun { place.fail(Beginning<R>.begunText) }
  let actual = await EffectPlan(of: reactor.streamOf(action))
  guard actual != expected else { return }
  let advice =
    actual.content.hasUnnamed
    ? "; an effect without a name equals nothing: name it with .named(_:), and expect .run(_:)"
    : ""
  place.fail(
    "mutate returns something else for '\(action)' than expected\(advice); expected (-), actual "
      + "(+):\n\n- \(expected)\n+ \(actual)")
}

extension Reactor {
  fileprivate func streamOf(_ action: Action) -> MutationStream<Mutation> { mutate(action: action) }

  func laneOf(_ action: Action) -> Lane? { lane(for: action)._lane }
}

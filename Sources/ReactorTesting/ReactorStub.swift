public import Reactor

/// Wraps a reactor that records its actions and shows the states that a test chooses, to test a
/// view or a terminal screen without the reactor's logic.
///
/// ```swift
/// let stub = try await ReactorStub(SearchReactor(find: { _ in [] }))
/// screen.binding.reactor = stub.reactor
///
/// screen.press(.search("swift"))
/// #expect(await stub.actions(upTo: 1) == [.search("swift")])
/// await stub.show(SearchReactor.State(results: ["swift!"]))
/// ```
///
/// No hook, `mutate` or `reduce` of the reactor runs. Create a reactor for the stub: one that has
/// already started cannot become a stub, and the attempt does not change it.
///
/// The idea comes from ReactorKit's `stub`.
public final class ReactorStub<R: Reactor>: Sendable {
  /// The reactor to pass to the code under test.
  public let reactor: R

  private struct Contents: Sendable {
    var actions: [R.Action] = []
    var hasEnded = false
  }

  private let contents: AwaitableValue<Contents>

  /// Creates a stub.
  ///
  /// - Parameters:
  ///   - reactor: A reactor that has not been used yet.
  ///   - state: The state of the stub; by default the reactor's initial one.
  ///   - fileID: The source location of the call; leave it and the next three parameters out.
  ///   - filePath: As above.
  ///   - line: As above.
  ///   - column: As above.
  /// - Throws: ``StubError`` if the reactor has been used.
  public init(
    _ reactor: R, from state: R.State? = nil, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) async throws {
    NearMisses.fail(R.self, at: TestPlace(fileID, filePath, line, column))
    let contents = AwaitableValue(Contents())
    guard
      await reactor.becomeStub(
        from: state, { action in contents.change { $0.actions.append(action) } })
    else {
      throw StubError(
        description: "\(R.self) has begun already; make the stub of an unused one")
    }
    self.reactor = reactor
    self.contents = contents
    await reactor.deliverSteps(
      to: StepListener { [weak contents] step in
        switch step {
        case .began: contents?.change { $0.hasEnded = false }
        case .stopped: contents?.change { $0.hasEnded = true }
        default: break
        }
      })
  }

  /// The actions that the reactor has received so far.
  public var actions: [R.Action] { contents.withLock { $0.actions } }

  /// Waits until the reactor has received a number of actions.
  ///
  /// **If it does not receive them**, because it has ended or the waiting task was cancelled (by a
  /// time limit, for example), an issue is reported at the call.
  ///
  /// - Parameters:
  ///   - count: The number of actions.
  ///   - fileID: The source location of the call; leave it and the next three parameters out.
  ///   - filePath: As above.
  ///   - line: As above.
  ///   - column: As above.
  /// - Returns: The actions received; fewer than `count` if an issue was reported.
  public func actions(
    upTo count: Int, fileID: StaticString = #fileID, filePath: StaticString = #filePath,
    line: UInt = #line, column: UInt = #column
  ) async -> [R.Action] {
    await contents.wait { $0.actions.count >= count || $0.hasEnded }
    let (actions, hasEnded) = contents.withLock { ($0.actions, $0.hasEnded) }
    if actions.count < count {
      let cause = hasEnded ? "the reactor has ended" : "the waiting was cancelled"
      TestPlace(fileID, filePath, line, column).fail(
        "\(cause), and \(actions.count) of \(count) actions had come; send more, or expect less: "
          + "\(actions)")
    }
    return actions
  }

  /// Shows a state to all observers, and as `currentState`.
  ///
  /// - Parameter state: The state.
  public func show(_ state: R.State) async { await reactor.push(state) }

  /// Emits an output to all subscribers.
  ///
  /// - Parameter output: The output.
  public func output(_ output: R.Output) async { await reactor.output(output) }
}

/// The reason why a stub could not be created.
public struct StubError: Error, CustomStringConvertible {
  /// One line: what was wrong, and how to correct it.
  public let description: String
}

extension Reactor {
  fileprivate func becomeStub(
    from state: State?, _ record: @escaping @Sendable (Action) -> Void
  ) -> Bool {
    pipeline.becomeStub(on: self, from: state, record)
  }

  fileprivate func deliverSteps(to listener: Pipeline.Listener) {
    _ = pipeline.listen(listener, on: self)
  }

  fileprivate func push(_ state: State) { pipeline.push(state, on: self) }
}

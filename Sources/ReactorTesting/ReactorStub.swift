public import Reactor

/// A reactor that writes down what it is asked and shows what the test says: to test a view, or a
/// terminal's screen, without the reactor behind it.
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
/// No hook, `mutate` or `reduce` of it runs. It is a reactor of its own, made for the purpose: one
/// that has begun cannot be made a stub of, and is not touched by the attempt.
///
/// The idea is ReactorKit's.
public final class ReactorStub<R: Reactor>: Sendable {
  /// What to give to the code under test.
  public let reactor: R

  private struct Contents: Sendable {
    var actions: [R.Action] = []
    var hasEnded = false
  }

  private let contents: Watched<Contents>

  /// Makes a stub; its state is the initial one.
  ///
  /// - Parameters:
  ///   - reactor: A reactor that has not been used yet.
  ///   - fileID: Where the stub is made; leave it and the others out.
  ///   - filePath: As above.
  ///   - line: As above.
  ///   - column: As above.
  /// - Throws: ``StubError`` if it has.
  public init(
    _ reactor: R, fileID: StaticString = #fileID, filePath: StaticString = #filePath,
    line: UInt = #line, column: UInt = #column
  ) async throws {
    NearMisses.fail(R.self, at: TestPlace(fileID, filePath, line, column))
    let contents = Watched(Contents())
    guard
      await reactor.becomeStub({ action in contents.change { $0.actions.append(action) } })
    else {
      throw StubError(
        description: "\(R.self) has begun already; make the stub of one that nobody has used")
    }
    self.reactor = reactor
    self.contents = contents
    await reactor.tellSteps(
      to: StepListener { [weak contents] step in
        switch step {
        case .began: contents?.change { $0.hasEnded = false }
        case .stopped: contents?.change { $0.hasEnded = true }
        default: break
        }
      })
  }

  /// What the reactor has been asked so far.
  public var actions: [R.Action] { contents.withLock { $0.actions } }

  /// Waits until the reactor has been asked so often.
  ///
  /// **If it is not**, because the reactor has ended or the waiting task was cancelled (by a time
  /// limit, say), an issue is reported where the call stands.
  ///
  /// - Parameters:
  ///   - count: How often.
  ///   - fileID: Where the call stands; leave it and the others out.
  ///   - filePath: As above.
  ///   - line: As above.
  ///   - column: As above.
  /// - Returns: What it has been asked; less than that if an issue was reported.
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

  /// Puts something out, to all listeners.
  ///
  /// - Parameter output: What to say.
  public func put(out output: R.Output) async { await reactor.output(output) }
}

/// Why there is no stub.
public struct StubError: Error, CustomStringConvertible {
  /// One line: what was wrong, and what would do.
  public let description: String
}

extension Reactor {
  fileprivate func becomeStub(_ record: @escaping @Sendable (Action) -> Void) -> Bool {
    pipeline.becomeStub(on: self, record)
  }

  fileprivate func tellSteps(to listener: Pipeline.Listener) {
    _ = pipeline.listen(listener, on: self)
  }

  fileprivate func push(_ state: State) { pipeline.push(state, on: self) }
}

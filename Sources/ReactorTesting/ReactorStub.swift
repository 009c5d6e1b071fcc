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
    var waiters: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []
  }

  private let contents: Box

  /// Holds: `contents`, guarded by its own lock; continuations are resumed outside it.
  private final class Box: Sendable {
    let contents = Guarded(Contents())

    func append(_ action: R.Action) {
      let reached = contents.withLock { contents in
        contents.actions.append(action)
        let (count, all) = (contents.actions.count, contents.waiters)
        contents.waiters = all.filter { $0.count > count }
        return all.filter { $0.count <= count }.map(\.continuation)
      }
      for waiter in reached { waiter.resume() }
    }
  }

  /// Makes a stub; its state is the initial one.
  ///
  /// - Parameter reactor: A reactor that has not been used yet.
  /// - Throws: ``StubError`` if it has.
  public init(_ reactor: R) async throws {
    let box = Box()
    guard await reactor.becomeStub({ box.append($0) }) else {
      throw StubError(
        description: "\(R.self) has begun already; make the stub of one that nobody has used")
    }
    self.reactor = reactor
    contents = box
  }

  /// What the reactor has been asked so far.
  public var actions: [R.Action] { contents.contents.withLock { $0.actions } }

  /// Waits until the reactor has been asked so often.
  ///
  /// - Parameter count: How often.
  /// - Returns: What it has been asked.
  public func actions(upTo count: Int) async -> [R.Action] {
    await withCheckedContinuation { continuation in
      let isThere = contents.contents.withLock { contents in
        if contents.actions.count >= count { return true }
        contents.waiters.append((count, continuation))
        return false
      }
      if isThere { continuation.resume() }
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

  fileprivate func push(_ state: State) { pipeline.push(state, on: self) }
}

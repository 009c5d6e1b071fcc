import Reactor
import Testing
import TestLimits

/// Errors that are forgotten, with which goes what their authors have put into them.
@Suite(.bounded) struct EndReleaseTests {
  /// Does something as it goes.
  private final class Parting: Error {
    private let body: @Sendable () -> Void
    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    deinit { body() }
  }

  private actor Failing: Reactor {
    enum Action: Sendable {
      case nothing
      case fail(@Sendable () -> Void)
    }
    typealias Mutation = Int

    let initialState = 0
    let pipeline = Pipeline()

    func mutate(action: Action) -> MutationStream<Int> {
      switch action {
      case .nothing: .empty
      case .fail(let parting): .run { _ in throw Parting(parting) }
      }
    }

    func reduce(state: inout Int, mutation: Int) { state += mutation }

    nonisolated func report(_ report: ReactorReport) {}
  }

  // In a process of its own: a lock that is taken again ends it.
  @Test func `an error may call its reactor when it is released`() async {
    await #expect(processExitsWith: .success) {
      let reactor = Failing()
      let first = reactor.send(.nothing)
      // More than the reactor remembers.
      for _ in 0..<40 { await reactor.send(.fail { first.cancel() }).settled }
    }
  }
}

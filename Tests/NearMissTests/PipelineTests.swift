import Reactor
import Testing
import TestLimits

/// What an author may do to a pipeline, and hears of at the first start.
@Suite(.bounded) struct PipelineTests {
  #if os(Linux) || os(macOS)
    @Test func `a pipeline that two reactors share is refused`() async {
      let result = await #expect(
        processExitsWith: .failure, observing: [\.standardErrorContent]
      ) {
        let (one, other) = (SharingReactor(), SharingReactor())
        defer { withExtendedLifetime(one) {} }
        await one.send(1).settled
        // What comes while the first one's job goes on is taken by that; what comes later needs its
        // own.
        while true { await other.send(2).settled }
      }
      #expect(
        said(result).contains("SharingReactor: two reactors share one pipeline; give each its own"))
    }

    @Test func `a pipeline that outlives its reactor cannot be used by another one`() async {
      let result = await #expect(
        processExitsWith: .failure, observing: [\.standardErrorContent]
      ) {
        // Its job may hold it for a moment longer than its receipt says.
        for await _ in await SharingReactor.used() {}
        let second = SharingReactor()
        while true { await second.send(2).settled }
      }
      #expect(
        said(result).contains("SharingReactor: two reactors share one pipeline; give each its own"))
    }

    @Test func `a pipeline that is created at each access is refused`() async {
      let result = await #expect(
        processExitsWith: .failure, observing: [\.standardErrorContent]
      ) {
        await ForgetfulReactor().send(1).settled
      }
      #expect(said(result).contains("ForgetfulReactor: 'pipeline' makes a new pipeline each time"))
    }

    private func said(_ result: ExitTest.Result?) -> String {
      String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    }
  #endif
}

private actor SharingReactor: Reactor {
  private static let shared = ReactorPipeline<SharingReactor>()
  let initialState = 0
  nonisolated var pipeline: Pipeline { _read { yield Self.shared } }

  private let (released, going) = AsyncStream<Never>.makeStream()

  deinit { going.finish() }

  /// A pipeline that is used, and released.
  ///
  /// - Returns: What ends when it has been released.
  static func used() async -> AsyncStream<Never> {
    let reactor = SharingReactor()
    await reactor.send(1).settled
    return reactor.released
  }

  func mutate(action: Int) -> MutationStream<Int> { .just(action) }
  func reduce(state: inout Int, mutation: Int) { state += mutation }
}

private actor ForgetfulReactor: Reactor {
  let initialState = 0
  nonisolated var pipeline: Pipeline { Pipeline() }
  func mutate(action: Int) -> MutationStream<Int> { .just(action) }
  func reduce(state: inout Int, mutation: Int) { state += mutation }
}

import Hummingbird
import NIOCore
import NIOPosix
import Reactor
import ReactorHummingbird
import ReactorLifecycle
import TestLimits
import TestSupport
import Testing

/// Reactors that say where they run, behind a server.
@Suite(.bounded) struct ExecutorTests {
  /// Tells where its turns and its effects are.
  private actor Placed: Reactor {
    enum Action: Sendable { case whereTurn(Reply<Bool>), whereEffect(Reply<Bool>) }
    typealias Mutation = Int

    nonisolated let initialState = 0
    nonisolated let pipeline = Pipeline()
    /// Where it runs; `nil` for the main actor.
    nonisolated private let executor: (any SerialExecutor)?
    private let isThere: @Sendable () -> Bool

    nonisolated var unownedExecutor: UnownedSerialExecutor {
      executor?.asUnownedSerialExecutor() ?? MainActor.sharedUnownedExecutor
    }

    init(on executor: (any SerialExecutor)?, isThere: @escaping @Sendable () -> Bool) {
      self.executor = executor
      self.isThere = isThere
    }

    func mutate(action: Action) -> MutationStream<Int> {
      switch action {
      case .whereTurn(let reply):
        reply(isThere())
        return .empty
      case .whereEffect(let reply):
        return .run { emit in
          await emit(1)
          reply(self.isThere())
        }
      }
    }

    func reduce(state: inout Int, mutation: Int) { state += mutation }
  }

  private func check(_ reactor: Placed) async throws {
    let router = Router()
    router.post("turn", asking: reactor) { (_: Int, reply: Reply<Bool>) in .whereTurn(reply) }
    router.post("effect", asking: reactor) { (_: Int, reply: Reply<Bool>) in .whereEffect(reply) }
    router.get("state", of: reactor) { $0 }
    try await ServerFixture.with(ReactorService(reactor, logger: .silent), router) { fixture in
      for path in ["turn", "effect"] {
        let answer = try await fixture.post(path, "1").body
        #expect(answer == "true", "\(path)")
      }
      let state = try await fixture.get("state").text
      #expect(state == "1")
    }
  }

  @Test func `a reactor runs on an event loop`() async throws {
    let loop = MultiThreadedEventLoopGroup.singleton.next()
    try await check(Placed(on: loop.executor) { loop.inEventLoop })
  }

  @Test func `a reactor runs on an executor of its own`() async throws {
    let executor = ThreadExecutor()
    try await check(Placed(on: executor) { executor.isCurrent })
  }

  @Test func `a reactor runs on the main actor`() async throws {
    let reactor = Placed(on: nil) {
      MainActor.assertIsolated()
      return true
    }
    try await check(reactor)
  }
}

/// A thread of its own, for as long as it lives.
private final class ThreadExecutor: SerialExecutor {
  private let threads = MultiThreadedEventLoopGroup(numberOfThreads: 1)

  var isCurrent: Bool { threads.next().inEventLoop }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    threads.next().execute { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
  }

  deinit { threads.shutdownGracefully { _ in } }
}

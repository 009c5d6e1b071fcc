import InMemoryLogging
import Logging
import Reactor
import ReactorInstrumentation
import TestLimits
import TestSupport
import Testing

/// What a log has of reactors.
@Suite(.bounded) struct LoggingObserverTests {
  private let handler = InMemoryLogHandler()

  private func logger(_ level: Logger.Level) -> Logger {
    var logger = Logger(label: "test", factory: { _ in handler })
    logger.logLevel = level
    return logger
  }

  private func lines(_ level: Logger.Level? = nil) -> [String] {
    handler.entries.filter { level == nil || $0.level == level }.map { "\($0.message)" }
  }

  @Test func `actions are debug, mutations trace`() async {
    let reactor = ScriptedReactor()
    reactor.addObserver(LoggingObserver(logger(.trace)))
    await reactor.send(7).settled
    #expect(lines(.debug) == ["started", "taken", "begun", "finished"])
    #expect(lines(.trace) == ["reduced 1 '7'"])
  }

  @Test func `a failure is one warning, with the error`() async {
    let reactor = ScriptedReactor { _, _ in .run { _ in throw Failure(number: 3) } }
    reactor.addObserver(LoggingObserver(logger(.warning)))
    await reactor.send(7).settled
    #expect(lines().count == 1)
    #expect(lines(.warning).first?.hasSuffix("the effect of action 0 '7' failed: Failure") == true)
  }

  @Test func `an expected error is logged like a finished action, as declined`() async {
    let reactor = ScriptedReactor { _, _ in .run { _ in throw Refusal.closed } }
    reactor.addObserver(LoggingObserver(logger(.trace)))
    await reactor.send(7).settled
    #expect(
      lines(.debug) == [
        "started", "taken", "begun", "effect 1 begun", "effect 1 declined: Refusal.closed",
        "declined",
      ])
    #expect(handler.entries.count == 6)
  }

  @Test func `an expected error of the middleware is no warning, another error is one`() {
    let observer = LoggingObserver(logger(.trace))
    let reactor = ReactorIdentity(type: ScriptedReactor.self, number: 1, name: nil)
    for reason in [Refusal.closed, Failure()] as [any Error] {
      let report = ReactorReport(
        reactor: ScriptedReactor.self, identity: reactor, action: 7,
        problem: .droppedByMiddleware(reason))
      observer.observe(ReactorStep(.report(report), in: reactor))
    }
    #expect(handler.entries.map(\.level) == [.debug, .warning])
  }

  @Test func `an action that is dropped, and one that is refused, are warnings`() async {
    let door = Door()
    door.addObserver(LoggingObserver(logger(.warning)))
    let first = door.send(1)
    await door.send(2).settled
    door.gate.open()
    await first.settled
    await door.stop().settled
    door.send(3)
    #expect(lines(.warning).count == 2)
    #expect(lines(.warning).first?.contains("action 1 '2' was dropped") == true)
    #expect(lines(.warning).last?.contains("'3'") == true)
  }

  @Test func `a mutation is logged with its number, version and effect`()
    async throws
  {
    let reactor = ScriptedReactor { _, action in .run { emit in await emit(action) } }
    reactor.addObserver(LoggingObserver(logger(.trace)))
    await reactor.send(7).settled
    let entry = try #require(handler.entries.first { $0.level == .trace })
    #expect(entry.metadata["mutation"] == "1")
    #expect(entry.metadata["version"] == "1")
    #expect(entry.metadata["effect"] == "1")
  }

  @Test func `the metadata name the reactor and the action`() async throws {
    let reactor = ScriptedReactor()
    reactor.addObserver(LoggingObserver(logger(.debug)))
    await reactor.send(7).settled
    let entry = try #require(handler.entries.last)
    #expect(entry.metadata["reactor"] == "ScriptedReactor")
    #expect(entry.metadata["id"] == "\(reactor.identity.number)")
    #expect(entry.metadata["action"] == "Int#0")
    #expect(entry.metadata["took"] != nil)
  }

  @Test func `a cause over two reactors is logged`() async {
    let other = ScriptedReactor()
    let reactor = ScriptedReactor { _, _ in
      other.send(1)
      return .empty
    }
    let observer = LoggingObserver(logger(.debug))
    for one in [reactor, other] { one.addObserver(observer) }
    await reactor.send(7).settled
    await other.send(2).settled
    let causes = handler.entries.filter {
      "\($0.message)" == "taken" && $0.metadata["id"] == "\(other.identity.number)"
    }.map { $0.metadata["cause"] }
    #expect(causes == ["\(reactor.identity) action 0", nil])
  }

  @Test func `the state's difference is logged on request`() async {
    let reactor = ScriptedReactor()
    reactor.addObserver(LoggingObserver(logger(.trace), showsDifferences: true))
    await reactor.send(7).settled
    let differences = handler.entries.compactMap { $0.metadata["difference"] }
    #expect(differences == ["- []\n+ 1 elements\n+   [0]: 7"])
  }

  @Test func `levels can be chosen, and kinds left out`() async {
    var levels = LoggingObserver.Levels()
    levels.mutations = .notice
    levels.actions = nil
    levels.reactors = nil
    let reactor = ScriptedReactor()
    reactor.addObserver(LoggingObserver(logger(.trace), levels: levels))
    await reactor.send(7).settled
    #expect(lines(.notice) == ["reduced 1 '7'"])
    #expect(handler.entries.count == 1)
  }
}

enum Refusal: ExpectedError { case closed }

/// While one action runs, all others are dropped.
private actor Door: LanedReactor {
  typealias Action = Int
  typealias Mutation = Int
  let initialState = 0
  let pipeline = Pipeline()
  nonisolated let gate = Gate()

  func lane(for action: Int) -> Lane? { .leading("door") }

  func mutate(action: Int) -> MutationStream<Int> {
    .run { [gate] emit in
      await gate.pass()
      await emit(action)
    }
  }

  func reduce(state: inout Int, mutation: Int) {}

  nonisolated func report(_ report: ReactorReport) {}
}

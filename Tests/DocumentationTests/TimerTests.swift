import Foundation
import Logging
import Reactor
import ReactorComposition
import ReactorJournal
import ReactorTesting
import ServiceLifecycle
import TestLimits
import TestSupport
import Testing

// The samples under Timers on the page Resuming work after a crash, copied by hand.

private actor Auction: JournaledReactor, LanedReactor {
  enum Action { case bid(Int), close }
  enum Mutation: Codable { case bid(Int, closesAt: Date), closed }
  struct State: Codable, Equatable { var highest = 0, closesAt: Date?, isClosed = false }

  static let journalName = "auction"
  static let journalVersion = 1
  static let initialState = State()
  let pipeline = Pipeline()
  let clock: any Clock<Duration>
  let now: @Sendable () -> Date

  init(clock: any Clock<Duration> = ContinuousClock(), now: @escaping @Sendable () -> Date) {
    (self.clock, self.now) = (clock, now)
  }

  func recovered() {
    if currentState.closesAt != nil, !currentState.isClosed { send(.close) }
  }

  func lane(for action: Action) -> Lane? {
    if case .close = action { .latest("close") } else { nil }
  }

  func mutate(action: Action) -> MutationStream<Mutation> {
    switch action {
    case .bid(let amount):
      guard amount > currentState.highest, !currentState.isClosed else { return .empty }
      send(.close)  // taken after this: it sees the new date
      return .just(.bid(amount, closesAt: now() + 10))
    case .close:
      return .run { emit in
        while let wait = self.currentState.closesAt?.timeIntervalSince(self.now()), wait > 0 {
          try await self.clock.sleep(for: .seconds(wait))
        }
        await emit(.closed)
      }
      .cancelledByDrain()
    }
  }

  static func reduce(state: inout State, mutation: Mutation) {
    switch mutation {
    case .bid(let amount, let time): (state.highest, state.closesAt) = (amount, time)
    case .closed: state.isClosed = true
    }
  }
}

private func keepOpen(_ auctions: ReactorRegistry<String, Auction>, _ journal: Journal) async {
  while !Task.isCancelled {
    do {
      for try await id in journal.ids(of: Auction.self) { try? await auctions.with(id) { _ in } }
    } catch {}  // the store is away: once more later
    try? await Task.sleep(for: .seconds(60))
  }
}

private struct TimerKeeper: Service {
  let auctions: ReactorRegistry<String, Auction>
  let journal: Journal

  func run() async { await cancelWhenGracefulShutdown { await keepOpen(auctions, journal) } }
}

@Suite(.bounded) struct TimerTests {
  @Test func `an auction closes when it should, though the process ended meanwhile`() async throws {
    try await simulate { simulation in
      let clock = simulation.clock
      let now = { @Sendable in
        Date(timeIntervalSince1970: clock.now.sinceStart / .seconds(1))
      }
      let journal = try await Journal(.inMemory, options: JournalOptions(clock: clock, now: now))
      let auction = try await journal.open("1") { Auction(clock: clock, now: now) }
      await auction.send(.bid(5)).settled
      await simulation.advance(by: .seconds(6))
      await auction.stop(.drain).settled

      let again = try await journal.open("1") { Auction(clock: clock, now: now) }
      await simulation.advance(by: .seconds(3))
      #expect(await again.currentState.isClosed == false)
      await simulation.advance(by: .seconds(1))
      #expect(await again.currentState.isClosed)
    }
  }

  @Test func `an auction of a registry is opened at the start`() async throws {
    let (clock, now) = (ManualClock(), { @Sendable in Date(timeIntervalSince1970: 0) })
    let journal = try await Journal(.inMemory)
    for id in ["1", "2"] {
      let auction = try await journal.open(id) { Auction(clock: clock, now: now) }
      await auction.send(.bid(5)).settled
      await auction.stop(.drain).settled
    }
    let opened = Log<String>()
    let auctions = ReactorRegistry<String, Auction>(idle: nil) { id in
      opened.append(id)
      return try await journal.open(id) { Auction(clock: clock, now: now) }
    }
    let group = ServiceGroup(
      services: [TimerKeeper(auctions: auctions, journal: journal)],
      logger: Logger(label: "timers") { _ in SwiftLogNoOpLogHandler() })
    let running = Task { try await group.run() }
    _ = await opened.entries(upTo: 2)
    await group.triggerGracefulShutdown()
    // It has ended, without an error.
    try await running.value
    #expect(Set(opened.entries) == ["1", "2"])
    await auctions.stop(.drain)
  }
}

import Reactor
import ReactorComposition
import ReactorJournal
import ReactorLifecycle
import ServiceLifecycle
import ProgramTesting
import TestLimits
import TestSupport
import Testing

/// The end of reactors whose mutations are kept.
@Suite(.bounded) struct StoredOutcomeTests {
  /// How the end of a group begins.
  enum Ending: CaseIterable { case asked, cancelled }

  private actor Purse: JournaledReactor {
    typealias Action = Int
    typealias Mutation = Int
    typealias State = Int
    static let journalName = "purse"
    static let journalVersion = 1
    static let initialState = 0
    nonisolated let pipeline = Pipeline()
    nonisolated let reports: ReportLog
    let paying: Gate

    init(_ paying: Gate, _ reports: ReportLog = Log()) {
      (self.paying, self.reports) = (paying, reports)
    }

    func mutate(action: Int) -> MutationStream<Int> {
      .run { [paying] emit in
        await paying.pass()
        await emit(action)
      }
    }

    static func reduce(state: inout Int, mutation: Int) { state += mutation }
    nonisolated func report(_ report: ReactorReport) { reports.append(report) }
  }

  private func end(
    _ group: ServiceGroup, _ running: Task<Void, any Error>, _ ending: Ending
  ) async {
    switch ending {
    case .asked: await group.triggerGracefulShutdown()
    case .cancelled: running.cancel()
    }
  }

  @Test(arguments: Ending.allCases)
  func `the journal of a group that ends is held until its last reactor has ended`(ending: Ending)
    async throws
  {
    let directory = try ScratchDirectory()
    let (path, paying, clock) = ("\(directory.path)/purses.sqlite", Gate(), ManualClock())
    let journal = try await Journal(.sqlite(at: path))
    let first = try await journal.open("1") { Purse(paying) }
    let second = try await journal.open("2") { Purse(paying) }
    let service = ReactorService(
      first, second, drain: .steps(5), clock: clock, logger: .silent)
    let group = ServiceGroup(services: [service], logger: .silent)
    let running = Task { try await group.run() }
    first.send(5)
    await paying.reached()
    await end(group, running, ending)
    _ = await clock.sleeps.entries(upTo: 1)
    let next = try await Journal(.sqlite(at: path))
    await #expect(throws: JournalError.self) { try await next.open("1") { Purse(paying) } }
    paying.open()
    _ = await running.result
    #expect(service.abandoned.isEmpty)
    for (id, sum) in [("1", 5), ("2", 0)] {
      let purse = try await next.open(id) { Purse(paying) }
      #expect(await purse.currentState == sum)
      await purse.stop().settled
    }
  }

  @Test(arguments: Ending.allCases)
  func `what is unwritten when a group's end begins is written before the release`(
    ending: Ending
  ) async throws {
    let (store, paying, clock) = (StalledStore(), Gate(), ManualClock())
    paying.open()
    let purse = try await Journal(.store(store)).open("1") { Purse(paying) }
    let service = ReactorService(purse, drain: .steps(5), clock: clock, logger: .silent)
    let group = ServiceGroup(services: [service], logger: .silent)
    let running = Task { try await group.run() }
    let receipt = purse.send(5)
    await store.writing.reached()
    await end(group, running, ending)
    _ = await clock.sleeps.entries(upTo: 1)
    let next = try await Journal(.store(store))
    await #expect(throws: JournalError.self) { try await next.open("1") { Purse(paying) } }
    store.writing.open()
    _ = await running.result
    await receipt.settled
    #expect(store.story.entries == ["wrote purse '1'", "released purse '1'"])
    #expect(service.abandoned.isEmpty)
    let again = try await next.open("1") { Purse(paying) }
    #expect(await again.currentState == 5)
    await again.stop().settled
  }

  @Test(arguments: Ending.allCases)
  func `a registry whose store is stuck ends in time, and what is unconfirmed is reported`(
    ending: Ending
  ) async throws {
    let (store, paying, clock, reports) = (StalledStore(), Gate(), ManualClock(), ReportLog())
    paying.open()
    let journal = try await Journal(.store(store))
    let purses = ReactorRegistry<String, Purse>(idle: nil) { id in
      try await journal.open(id) { Purse(paying, reports) }
    }
    let service = ReactorService(purses, drain: .steps(5), clock: clock, logger: .silent)
    let group = ServiceGroup(services: [service], logger: .silent)
    let running = Task { try await group.run() }
    try await purses["1"].send(5)
    await store.writing.reached()
    await end(group, running, ending)
    await clock.advance(past: 5)
    // The gate of the store stays closed.
    _ = await running.result
    #expect(service.phase == .ended)
    #expect(reports.problems == ["unconfirmed(1)"])
    store.writing.open()
    #expect(await store.story.entries(upTo: 2) == ["wrote purse '1'", "released purse '1'"])
  }
}

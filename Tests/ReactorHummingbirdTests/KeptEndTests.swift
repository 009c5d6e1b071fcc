import Reactor
import ReactorJournal
import ReactorLifecycle
import ServiceLifecycle
import TerminalTesting
import TestSupport
import Testing

/// The end of reactors whose mutations are kept.
@Suite(.timeLimit(.minutes(10))) struct KeptEndTests {
  private actor Purse: JournaledReactor {
    typealias Action = Int
    typealias Mutation = Int
    typealias State = Int
    static let journalName = "purse"
    static let journalVersion = 1
    static let initialState = 0
    nonisolated let pipeline = Pipeline()
    let paying: Gate

    init(_ paying: Gate) { self.paying = paying }

    func mutate(action: Int) -> MutationStream<Int> {
      .run { [paying] emit in
        await paying.pass()
        await emit(action)
      }
    }

    static func reduce(state: inout Int, mutation: Int) { state += mutation }
  }

  @Test func `of a cancelled group the journal is held until its last reactor has ended`()
    async throws
  {
    let directory = try ScratchDirectory()
    let (path, paying, clock) = ("\(directory.path)/purses.sqlite", Gate(), HandClock())
    let journal = try await Journal(.sqlite(at: path))
    let first = try await journal.open("1") { Purse(paying) }
    let second = try await journal.open("2") { Purse(paying) }
    let service = ReactorService(
      first, second, drain: .steps(5), clock: clock, logger: .silent)
    let group = ServiceGroup(services: [service], logger: .silent)
    let running = Task { try await group.run() }
    first.send(5)
    await paying.reached()
    running.cancel()
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
}

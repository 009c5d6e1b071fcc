import TestLimits
import TestSupport
import Testing

@testable import Reactor

/// How actions ended, kept in one place for reactors that do nothing now.
@Suite(.bounded) struct EndArchiveTests {
  @Test func `a reactor that does nothing keeps no book of its own`() async {
    let reactor = failing()
    let receipt = reactor.send(1)
    await receipt.settled
    let core = reactor.pipeline.core
    #expect(core.ledger.contents.withLock { $0.ends.isKept })
    #expect(EndArchive.has(core.endsKey))
    #expect(await receipt.outcome.text == "failed")
  }

  @Test func `the book is put away although somebody waited`() {
    let ledger = SettlingLedger<Work>()
    let key: UInt = 1
    ledger.begin(7)
    let latch = ledger.latch(for: 7, isTaken: true)
    ledger.note(.cancelled, of: 7, key: key)
    ledger.end(7)
    let isKept = ledger.contents.withLock { $0.ends.isKept }
    #expect(latch != nil && isKept)
    ledger.forgetEnds(key: key)
    #expect(!EndArchive.has(key))
  }

  @Test func `what is asked late is answered from the archive, again and again`() async {
    let reactor = failing()
    let receipts = (0..<16).map { _ in reactor.send(1) }
    for receipt in receipts { await receipt.settled }
    for _ in 0..<3 {
      for receipt in receipts { #expect(await receipt.outcome.text == "failed") }
    }
    await reactor.send(1).settled
    #expect(await receipts[0].outcome.text == "forgotten")
    #expect(await receipts[1].outcome.text == "failed")
  }

  @Test func `with the last one who could ask, the book goes`() async throws {
    let gone = Gate()
    weak var book: EndBook?
    do {
      let reactor = LeavingReactor(Canary(gone))
      await reactor.send(1).settled
      book = EndArchive.look(reactor.pipeline.core.endsKey)
      #expect(book != nil)
      await reactor.stop().settled
    }
    // What has stopped it may have had it a moment longer.
    try await gone.wait()
    // Not by its key: another may stand at that address now.
    #expect(book == nil)
  }

  @Test func `where there is no room the book that came first goes`() {
    var archive = EndArchive.Shelf(room: 2)
    for key: UInt in 1...2 { #expect(archive.keep(EndBook(key)) == nil) }
    _ = archive.take(1)
    #expect(archive.keep(EndBook(1)) == nil)
    #expect(archive.keep(EndBook(3))?.key == 2)
    #expect(archive.places.keys.sorted() == [1, 3])
  }

  @Test func `books are taken out from anywhere, and the rest go in the order they came`() {
    var archive = EndArchive.Shelf(room: 5)
    for key: UInt in 1...5 { _ = archive.keep(EndBook(key)) }
    for key: UInt in [3, 1, 5] { #expect(archive.take(key)?.key == key) }
    #expect(archive.take(3) == nil)
    archive.room = 2
    #expect((6...8).map { archive.keep(EndBook($0))?.key } == [2, 4, 6])
  }

  private func failing() -> LanedReactor {
    LanedReactor(script: { _, _ in .run { _ in throw Failure() } }) { _, _ in nil }
  }

  private struct Failure: Error {}
  private final class Work: Sendable, Identifiable {}
}

/// Fails with whatever it is sent.
private actor LeavingReactor: Reactor {
  typealias Action = Int
  typealias Mutation = Int

  let initialState: Canary
  let pipeline = Pipeline()

  init(_ canary: Canary) { initialState = canary }

  func mutate(action: Int) -> MutationStream<Int> { .run { _ in throw Failure() } }

  func reduce(state: inout Canary, mutation: Int) {}

  nonisolated func report(_ report: ReactorReport) {}
}

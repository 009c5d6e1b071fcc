import ReactorRuntime
import TestLimits
import TestSupport
import Testing

@testable import Reactor

@Suite(.bounded) struct WorkLedgerTests {
  @Test func `an action that is taken and has no work is settled`() {
    let ledger = Ledger()
    #expect(ledger.latch(for: 0, isTaken: true) == nil)
    #expect(!ledger.hasWaiters)
  }

  @Test func `an action opens its latches when its last piece of work ends`() async throws {
    let ledger = Ledger()
    ledger.begin(7)
    ledger.begin(7)
    let latch = try #require(ledger.latch(for: 7, isTaken: true))
    ledger.end(7)
    #expect(ledger.isOpen(7))
    #expect(ledger.hasWaiters)
    ledger.end(7)
    #expect(!ledger.isOpen(7))
    #expect(!ledger.hasWaiters)
    await latch.wait()
  }

  @Test func `an action not yet taken opens its latches when it turns out idle`() async throws {
    let ledger = Ledger()
    let latch = try #require(ledger.latch(for: 3, isTaken: false))
    ledger.settleIfIdle(3)
    await latch.wait()
    #expect(!ledger.hasWaiters)
  }

  @Test func `an action with work is not settled by the end of its turn`() throws {
    let ledger = Ledger()
    _ = try #require(ledger.latch(for: 3, isTaken: false))
    ledger.begin(3)
    ledger.settleIfIdle(3)
    #expect(ledger.hasWaiters)
  }

  @Test func `a latch that is removed is released, and the others remain`() throws {
    let ledger = Ledger()
    let first = try #require(ledger.latch(for: 1, isTaken: false))
    let second = try #require(ledger.latch(for: 1, isTaken: false))
    ledger.remove(first, for: 1)
    #expect(ledger.hasWaiters)
    ledger.remove(second, for: 1)
    #expect(!ledger.hasWaiters)
    ledger.remove(second, for: 1)
  }

  @Test func `an effect that has left does not change how its action ended`() {
    let ledger = WorkLedger()
    let work = LedgerWork()
    ledger.begin(3, work)
    _ = ledger.end(3, work)
    let isNoted = ledger.note(.reactorEnded, of: 3, ifOpen: work)
    let outcome = ledger.end(of: 3)
    #expect(!isNoted)
    #expect(outcome == nil)
  }

  @Test func `a latch for an idle moment opens with the last work, or at once`() async {
    let ledger = Ledger()
    ledger.begin(1)
    let latch = Latch()
    ledger.openWhenIdle(latch)
    ledger.begin(2)
    ledger.end(1)
    #expect(ledger.hasIdleWaiters)
    ledger.end(2)
    #expect(!ledger.hasIdleWaiters)
    await latch.wait()

    let late = Latch()
    ledger.openWhenIdle(late)
    #expect(!ledger.hasIdleWaiters)
    await late.wait()
  }

  @Test func `an abandoned ledger opens the latches of all waiters`() async throws {
    let ledger = Ledger()
    ledger.begin(1)
    let latches = [
      try #require(ledger.latch(for: 1, isTaken: true)),
      try #require(ledger.latch(for: 2, isTaken: false)),
      Latch(),
    ]
    ledger.openWhenIdle(latches[2])
    ledger.abandon()
    for latch in latches { await latch.wait() }
    #expect(!ledger.isOpen(1))
  }

  @Test func `an abandoned ledger opens latches that wait for earlier actions first`() {
    let (ledger, order) = (Ledger(), Log<UInt64>())
    for number: UInt64 in 0..<50 {
      ledger.add(Latch { order.append(number) }, for: number)
    }
    ledger.abandon()
    #expect(order.entries == Array(0..<50))
  }

  @Test func `effects can be cancelled until each has ended, and are released then`() {
    let ledger = Ledger()
    var pieces = [Piece(), Piece(), Piece()]
    for piece in pieces { ledger.begin(1, piece) }
    #expect(ledger.works(of: 1).map(ObjectIdentifier.init) == pieces.map(ObjectIdentifier.init))
    #expect(!ledger.end(1, pieces[0]))
    #expect(!ledger.end(1, pieces[2]))
    #expect(ledger.works().map(ObjectIdentifier.init) == [ObjectIdentifier(pieces[1])])
    #expect(ledger.end(1, pieces[1]))
    weak let last = pieces.removeLast()
    pieces = []
    #expect(last == nil)
  }

  @Test func `an abandoned ledger waits for the effects that run`() async throws {
    let (ledger, piece) = (Ledger(), Piece())
    ledger.begin(1)
    ledger.begin(1, piece)
    let latch = try #require(ledger.latch(for: 1, isTaken: true))
    ledger.abandon()
    // An action that has ended is ended once more.
    ledger.end(1)
    #expect(ledger.isOpen(1))
    #expect(ledger.end(1, piece))
    await latch.wait()
  }

  @Test func `ending an action that never began changes nothing`() {
    let ledger = Ledger()
    ledger.end(5)
    ledger.begin(5)
    #expect(ledger.isOpen(5))
  }
}

private final class Piece: LedgerWork, @unchecked Sendable {}

/// A copyable handle, which `#expect` needs.
private final class Ledger {
  private let base = WorkLedger()

  func begin(_ number: UInt64) { base.begin(number) }
  func begin(_ number: UInt64, _ piece: Piece) { base.begin(number, piece) }
  func end(_ number: UInt64, _ piece: Piece) -> Bool {
    let settled = base.end(number, piece)
    settled?.open()
    return settled != nil
  }
  func works(of number: UInt64) -> [LedgerWork] { Array(base.works(of: number)) }
  func works() -> [LedgerWork] { base.works() }
  func end(_ number: UInt64) { base.end(number)?.open() }
  func settleIfIdle(_ number: UInt64) { _ = base.settleIfIdle(number) }
  func isOpen(_ number: UInt64) -> Bool {
    base.isOpen(number)
  }
  var hasWaiters: Bool { base.contents.withLock { !$0.waiters.isEmpty } }
  func latch(for number: UInt64, isTaken: Bool) -> Latch? {
    base.latch(for: number, isTaken: isTaken)
  }
  func add(_ latch: Latch, for number: UInt64) {
    _ = base.add(latch, for: number, isTaken: false)
  }
  func remove(_ latch: Latch, for number: UInt64) { base.remove(latch, for: number) }
  func openWhenIdle(_ latch: Latch) { base.openWhenIdle(latch) }
  var hasIdleWaiters: Bool { base.contents.withLock { !$0.idleWaiters.isEmpty } }
  func abandon() { base.abandon(except: .max) }
}

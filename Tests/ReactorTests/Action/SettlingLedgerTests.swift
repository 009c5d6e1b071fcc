import TestLimits
import TestSupport
import Testing

@testable import Reactor

@Suite(.bounded) struct SettlingLedgerTests {
  @Test func `a taken action without work has nothing to wait for`() {
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

  @Test func `an action with work is not settled by its turn`() throws {
    let ledger = Ledger()
    _ = try #require(ledger.latch(for: 3, isTaken: false))
    ledger.begin(3)
    ledger.settleIfIdle(3)
    #expect(ledger.hasWaiters)
  }

  @Test func `a forgotten latch leaves nothing, others stay`() throws {
    let ledger = Ledger()
    let first = try #require(ledger.latch(for: 1, isTaken: false))
    let second = try #require(ledger.latch(for: 1, isTaken: false))
    ledger.forget(first, for: 1)
    #expect(ledger.hasWaiters)
    ledger.forget(second, for: 1)
    #expect(!ledger.hasWaiters)
    ledger.forget(second, for: 1)
  }

  @Test func `everything has ended when stopped and no work is left, whichever comes last`()
    async throws
  {
    let ledger = Ledger()
    ledger.begin(1)
    let latch = try #require(ledger.latchForEverything())
    ledger.stop()
    #expect(ledger.latchForEverything() != nil)
    ledger.end(1)
    #expect(ledger.latchForEverything() == nil)
    await latch.wait()

    let idle = Ledger()
    let early = try #require(idle.latchForEverything())
    idle.stop()
    #expect(idle.latchForEverything() == nil)
    await early.wait()
  }

  @Test func `abandoned, it lets everybody go`() async throws {
    let ledger = Ledger()
    ledger.begin(1)
    let latches = [
      try #require(ledger.latch(for: 1, isTaken: true)),
      try #require(ledger.latch(for: 2, isTaken: false)),
      try #require(ledger.latchForEverything()),
    ]
    ledger.abandon()
    for latch in latches { await latch.wait() }
    #expect(!ledger.isOpen(1))
  }

  @Test func `abandoned, it lets those go first who wait for an earlier action`() {
    let (ledger, order) = (Ledger(), Log<UInt64>())
    for number: UInt64 in 0..<50 {
      ledger.add(Latch { order.append(number) }, for: number)
    }
    ledger.abandon()
    #expect(order.entries == Array(0..<50))
  }

  @Test func `ending what never began changes nothing`() {
    let ledger = Ledger()
    ledger.end(5)
    ledger.begin(5)
    #expect(ledger.isOpen(5))
  }
}

/// A copyable handle, which `#expect` needs.
private final class Ledger {
  private let base = SettlingLedger<Gate>()

  func begin(_ number: UInt64) { base.begin(number) }
  func end(_ number: UInt64) { base.end(number) }
  func settleIfIdle(_ number: UInt64) { _ = base.settleIfIdle(number) }
  func isOpen(_ number: UInt64) -> Bool {
    base.contents.withLock { $0.open.contains(number) }
  }
  var hasWaiters: Bool { base.contents.withLock { !$0.waiters.isEmpty } }
  func latch(for number: UInt64, isTaken: Bool) -> Latch? {
    base.latch(for: number, isTaken: isTaken)
  }
  func add(_ latch: Latch, for number: UInt64) {
    _ = base.add(latch, for: number, isTaken: false)
  }
  func forget(_ latch: Latch, for number: UInt64) { base.forget(latch, for: number) }
  func latchForEverything() -> Latch? { base.latchForEverything(in: 0) }
  func stop() { base.stop() }
  func abandon() { base.abandon(sparing: .max, key: 0) }
}

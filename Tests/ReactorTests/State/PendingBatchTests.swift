@testable import Reactor
import TestLimits
import Testing

/// The decisions of a batched stream, without a reactor.
@Suite(.bounded) struct PendingBatchTests {
  private typealias Batch = PendingBatch<String>

  /// What a step does, to compare.
  private func text(_ step: Batch.Step) -> String {
    switch step {
    case .publish(let newest): "publish \(newest.state)"
    case .wait(let number): "wait \(number)"
    case .none: "none"
    }
  }

  private func state(_ version: UInt64) -> Batch.Versioned {
    Batch.Versioned(state: "s\(version)", version: version)
  }

  @Test func `a batch publishes the newest of its states once`() {
    var batch = Batch()
    #expect(text(batch.receive(state(1), isLow: false)) == "publish s1")
    #expect(text(batch.receive(state(2), isLow: true)) == "wait 1")
    #expect(text(batch.receive(state(3), isLow: true)) == "none")
    #expect(batch.published == 1)
    #expect(text(batch.waitEnded(1, at: nil)) == "publish s3")
    #expect(batch.published == 3)
    #expect(text(batch.flush()) == "none")
  }

  @Test func `a state of normal priority ends the batch, and its wait means nothing more`() {
    var batch = Batch()
    _ = batch.receive(state(1), isLow: true)
    #expect(text(batch.receive(state(2), isLow: false)) == "publish s2")
    #expect(text(batch.receive(state(3), isLow: true)) == "wait 2")
    #expect(text(batch.waitEnded(1, at: nil)) == "none")
    #expect(text(batch.waitEnded(2, at: nil)) == "publish s3")
  }

  @Test func `a tick waits for the states up to its version`() {
    var batch = Batch()
    _ = batch.receive(state(1), isLow: true)
    #expect(text(batch.waitEnded(1, at: 3)) == "none")
    #expect(text(batch.receive(state(2), isLow: true)) == "none")
    #expect(text(batch.receive(state(3), isLow: true)) == "publish s3")
    #expect(text(batch.receive(state(4), isLow: true)) == "wait 2")
    #expect(text(batch.waitEnded(2, at: 4)) == "publish s4")
  }

  @Test func `versions are low if an observer has seen all of them, and none was normal`() {
    var versions = BatchedVersions()
    func areLow(after published: UInt64, through last: UInt64) -> Bool {
      versions.areLow(after: published, through: last)
    }
    #expect(!areLow(after: 0, through: 1))
    versions.note(3, isLow: true)
    versions.note(4, isLow: true)
    #expect(!areLow(after: 1, through: 4))  // 2 was not seen
    #expect(areLow(after: 2, through: 4))
    #expect(!areLow(after: 2, through: 5))  // 5 has not been seen yet
    versions.note(5, isLow: false)
    #expect(areLow(after: 2, through: 4))  // what comes after them does not matter
    #expect(!areLow(after: 2, through: 5))
    versions.note(6, isLow: true)
    #expect(!areLow(after: 4, through: 6))
    #expect(areLow(after: 5, through: 6))
    versions.noteBeginning()
    versions.note(8, isLow: true)
    #expect(!areLow(after: 6, through: 7))
    #expect(areLow(after: 7, through: 8))
  }
}

import Foundation
import Reactor
import ReactorJournal
import ReactorTesting
import TestLimits
import TestSupport
import Testing

@testable import ReactorDistribution

/// Calls that a host refuses.
@Suite(.bounded) struct RefusalTests {
  private func key(_ id: String) -> JournalKey { JournalKey(name: "list", id: id) }

  @Test func `a reactor that crashes every owner is poisoned, until it is cleared`() async throws {
    try await simulatedWorld(seeds: 0..<5) { world in
      let one = try await world.start("a")
      let store = SimulatedConnection(machine: one)
      // Owners that never come so far as to recover.
      for number in 0..<5 {
        let host = ClusterHost(id: HostID(world.makeID()), address: "\(number)")
        _ = try await store.join(host, lease: .seconds(60))
        let taking = try await store.take(key("1"), for: host.id, version: 1, limit: 5)
        #expect(taking == .taken(epoch: number + 1, takings: number + 1))
        try await store.leave(host.id)
      }
      await #expect {
        try await one.lists["1"].ask { .append(1, $0) }
      } throws: { error in
        // Over HTTP it is a 503: nothing has been done.
        guard case .unreachable? = (error as? any ErrorWithKind)?.kindOfError else { return false }
        return if case ClusterError.poisoned(_, attempts: 5) = error { true } else { false }
      }
      try await store.clearPoisoned(key("1"))
      #expect(try await one.lists["1"].ask { .append(1, $0) } == 1)
    }
  }

  @Test func `a cluster clears a poisoned reactor by its identifier`() async throws {
    try await simulatedWorld(seeds: 0..<1) { world in
      let one = try await world.start("a")
      let store = SimulatedConnection(machine: one)
      for number in 0..<5 {
        let host = ClusterHost(id: HostID(world.makeID()), address: "\(number)")
        _ = try await store.join(host, lease: .seconds(60))
        _ = try await store.take(key("1"), for: host.id, version: 1, limit: 5)
        try await store.leave(host.id)
      }
      await #expect(throws: ClusterError.self) {
        try await one.lists["1"].ask { .append(1, $0) }
      }
      try await ReactorCluster(node: one.node).clearPoisoned("1", of: ListReactor.self)
      #expect(try await one.lists["1"].ask { .append(1, $0) } == 1)
    }
  }

  @Test func `does not take a journal of a later version`() async throws {
    try await simulatedWorld(seeds: 0..<5) { world in
      let one = try await world.start("a")
      let store = SimulatedConnection(machine: one)
      let host = ClusterHost(id: HostID(world.makeID()), address: "new")
      _ = try await store.join(host, lease: .seconds(60))
      guard
        case .taken(let epoch, _) = try await store.take(
          key("1"), for: host.id, version: 2, limit: 5)
      else {
        Issue.record("it could not be taken")
        return
      }
      let entry = JournalEntry(sequence: 1, version: 2, payload: Data("{}".utf8), time: Date())
      try await store.append(
        ClusterBatch(entries: [entry], isFirst: true), to: key("1"), by: host.id, epoch: epoch)
      try await store.release(key("1"), by: host.id, epoch: epoch)
      try await store.leave(host.id)
      await #expect {
        try await one.lists["1"].ask { .append(1, $0) }
      } throws: { error in
        if case ClusterError.tooNew(_, version: 2) = error { true } else { false }
      }
      #expect(world.database.contents.entries(of: key("1"), after: 0, limit: 9) == [entry])
    }
  }

  @Test func `reports that it is overloaded`() async throws {
    try await simulatedWorld(seeds: 0..<3) { world in
      let one = try await world.start("a") { $0.callLimit = 2 }
      _ = try await one.lists["1"].ask { .append(1, $0) }
      let head = CallRequest.Head(
        verb: .follow, name: "list", id: "1", command: world.makeID(), after: 99)
      let frame = try CallRequest(head).encoded()
      async let first = one.answer(frame, "secret")
      async let second = one.answer(frame, "secret")
      try await world.sleep(.milliseconds(100))
      let third = try CallResponse(frame: try await one.answer(frame, "secret"))
      #expect(third.head.word == .overloaded)
      _ = try await (first, second)
    }
  }

  @Test func `work that outlasts its caller's wait counts as a call until it is done`()
    async throws
  {
    try await simulatedWorld(seeds: 0..<3) { world in
      let one = try await world.start("a") { $0.callLimit = 1 }
      func ask(_ action: ListReactor.Action, _ command: UUID) async throws -> CallResponse.Word {
        let head = CallRequest.Head(verb: .ask, name: "list", id: "1", command: command)
        let frame = try CallRequest(head, payload: JSONEncoder().encode(action)).encoded()
        return try CallResponse(frame: try await one.answer(frame, "secret")).head.word
      }
      let long = world.makeID()
      #expect(try await ask(.hang(Reply { _ in }), long) == .working)
      #expect(try await ask(.append(1, Reply { _ in }), world.makeID()) == .overloaded)
      // A repeated call for the same command makes no more work.
      #expect(try await ask(.hang(Reply { _ in }), long) == .working)
      let cancel = CallRequest.Head(verb: .cancel, name: "list", id: "1", command: long)
      _ = try await one.answer(try CallRequest(cancel).encoded(), "secret")
      try await world.sleep(.seconds(1))
      #expect(one.node.slots.count == 0)
      #expect(try await ask(.append(1, Reply { _ in }), world.makeID()) == .result)
    }
  }

  @Test func `gives a clear error for unknown kinds and broken bodies`() async throws {
    try await simulatedWorld(seeds: 0..<2) { world in
      let one = try await world.start("a")
      var head = CallRequest.Head(verb: .ask, name: "nothing", id: "1")
      var answer = try CallResponse(
        frame: try await one.answer(try CallRequest(head).encoded(), "secret"))
      #expect(answer.head.word == .unknownKind)
      head.name = "list"
      answer = try CallResponse(
        frame: try await one.answer(
          try CallRequest(head, payload: Data("{}".utf8)).encoded(), "secret"))
      #expect(answer.head.word == .invalid)
      answer = try CallResponse(frame: try await one.answer(Data("nonsense".utf8), "secret"))
      #expect(answer.head.word == .invalid)
    }
  }
}

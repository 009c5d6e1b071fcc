import Foundation
import Reactor
import ReactorJournal
import ReactorTesting
import TestSupport
import Testing

@testable import ReactorDistribution

/// What becomes of a command that goes wrong.
@Suite(.timeLimit(.minutes(40))) struct CommandTests {
  @Test func `a command that takes its host with it takes two at most`() async throws {
    try await simulatedWorld { world in
      var machines: [SimulatedMachine] = []
      for address in ["a", "b", "c", "d", "e", "f"] {
        machines.append(try await world.start(address))
      }
      _ = try await machines[0].lists["1"].ask { .append(0, $0) }
      let asker = try #require(machines.first { $0.lists.idsHere.isEmpty })
      _ = try? await asker.lists["1"].ask { .crash($0) }
      try await world.sleep(.seconds(30))
      #expect(machines.filter(\.isDead).count <= 2)
    }
  }

  @Test func `an end that another owner may better is not kept as the answer`() {
    for kind in [ClusterFailure.Kind.ended, .neverBegun] {
      let command = RunningCommand(UUID())
      command.answer(.failure(ClusterFailure(kind, "the reactor ended")))
      #expect(command.record(at: 1)?.answer == nil)
    }
    let command = RunningCommand(UUID())
    command.answer(.failure(ClusterFailure(.failed, "sold out")))
    #expect(command.record(at: 1)?.answer != nil)
  }

  @Test func `a repetition that comes before what it repeats is the only one`() async throws {
    try await simulatedWorld(seeds: 0..<5) { world in
      let one = try await world.start("a", idle: nil)
      var head = CallRequest.Head(verb: .ask, name: "list", id: "1", command: world.makeID())
      let payload = try JSONEncoder().encode(ListReactor.Action.append(7, Reply { _ in }))
      head.attempt = 2
      let frame = try CallRequest(head, payload: payload).encoded()
      _ = try await one.answer(frame, "secret")
      head.attempt = 1
      let late = try CallRequest(head, payload: payload).encoded()
      _ = try await one.answer(late, "secret")
      #expect(try await one.lists["1"].ask { .read($0) } == [7])
    }
  }

  @Test func `cancelling finds room where there is none for calls`() async throws {
    try await simulatedWorld(seeds: 0..<3) { world in
      let one = try await world.start("a") { $0.callLimit = 0 }
      let head = CallRequest.Head(verb: .cancel, name: "list", id: "1", command: world.makeID())
      let frame = try CallRequest(head).encoded()
      let answer = try CallResponse(frame: try await one.answer(frame, "secret"))
      #expect(answer.head.word == .result)
    }
  }
}

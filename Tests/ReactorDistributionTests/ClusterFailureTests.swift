import Foundation
import Reactor
import ReactorJournal
import ReactorRuntime
import ReactorTesting
import TestLimits
import TestSupport
import Testing

@testable import ReactorDistribution

/// How it is said that an action did not end as it should.
@Suite(.bounded) struct ClusterFailureTests {
  @Test(arguments: [ActionOutcome.forgotten, .open])
  func `an unknown outcome is a failure`(_ outcome: ActionOutcome) {
    #expect(ClusterFailure(outcome) != nil)
  }

  @Test func `a thrown error is a failure, and does not end the reactor that threw it`() {
    let errors: [any Error] = [
      JournalError.ended(JournalKey(name: "other", id: "1")), ClusterFailure(.ended, "it ended"),
    ]
    for error in errors {
      #expect(ClusterFailure(.failed(error))?.isWorthAnotherTry == false, "\(error)")
      let command = RunningCommand(UUID())
      command.reply(.failure(error))
      guard case .failure(let failure)? = command.answer else {
        Issue.record("it was not answered")
        continue
      }
      #expect(!ClusterFailure(failure).isWorthAnotherTry, "\(error)")
    }
  }

  @Test func `an effect that failed because another reactor had ended is not run again`()
    async throws
  {
    try await simulatedWorld { world in
      let machines = [try await world.start("a"), try await world.start("b")]
      for machine in machines {
        let begun = world.now
        await #expect {
          try await machine.lists["1"].ask { .consult($0) }
        } throws: { error in
          if case ClusterError.failed(_, let failure) = error {
            failure.kind == .failed
          } else {
            false
          }
        }
        #expect(world.now - begun < .seconds(5))
      }
    }
  }

  @Test func `an expected error is named, on its own host and on another`() async throws {
    try await simulatedWorld(seeds: 0..<5) { world in
      let machines = [try await world.start("a"), try await world.start("b")]
      for machine in machines {
        await #expect {
          try await machine.lists["1"].ask { .refuse($0) }
        } throws: { error in
          guard case ClusterError.failed(_, let failure) = error else { return false }
          guard case .declined("SoldOut")? = (error as? ClusterError)?.kindOfError else {
            return false
          }
          return failure.kind == .failed && failure.refusal == "SoldOut"
        }
      }
    }
  }

  @Test func `a failure that an older host wrote can be read`() throws {
    let failure = ClusterFailure(.failed, "it failed")
    let old = Data(#"{"kind":"failed","text":"it failed"}"#.utf8)
    #expect(try JSONDecoder().decode(ClusterFailure.self, from: old) == failure)
  }

  @Test func `an answer that cannot be encoded is a failure that reports it`() {
    let result = CommandResult(.success(Double.nan))
    guard case .failed(let failure) = result else {
      Issue.record("\(result)")
      return
    }
    #expect(failure.kind == .failed)
  }

  @Test func `an overloaded host does not report work in progress as not done`()
    async throws
  {
    try await simulatedWorld(seeds: 0..<5) { world in
      let machines = [
        try await world.start("a", idle: nil) { $0.callLimit = 1 },
        try await world.start("b", idle: nil) { $0.callLimit = 1 },
      ]
      #expect(try await machines[0].lists["1"].ask { .append(1, $0) } == 1)
      let owner = try #require(machines.first { !$0.lists.idsHere.isEmpty })
      let other = try #require(machines.first { $0.lists.idsHere.isEmpty })
      let slow = PipelineTasks.inheriting {
        // Longer than a lease: the host says once that it works on it, and is asked again.
        do {
          let count = try await other.lists["1"]
            .ask { .appendSlowly(2, milliseconds: 8_000, $0) }
          #expect(count == 2)
        } catch { Issue.record("\(error)") }
      }
      try await world.sleep(.seconds(4))
      // Another call takes the slot as soon as it is free, and keeps it for a lease.
      let head = CallRequest.Head(verb: .ask, name: "list", id: "1", command: world.makeID())
      let payload = try JSONEncoder().encode(ListReactor.Action.hang(Reply { _ in }))
      let frame = try CallRequest(head, payload: payload).encoded()
      while try CallResponse(frame: await owner.answer(frame, "secret")).head.word == .overloaded {
        try await world.sleep(.milliseconds(1))
      }
      await slow.value
    }
  }
}

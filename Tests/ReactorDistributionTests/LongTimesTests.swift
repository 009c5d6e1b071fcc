import Foundation
import Reactor
import ReactorJournal
import ReactorTesting
import TestLimits
import TestSupport
import Testing

@testable import ReactorDistribution

/// Times longer than any process runs: they are as good as none, and end no process.
@Suite(.bounded) struct LongTimesTests {
  private static let longest = Duration(
    secondsComponent: .max, attosecondsComponent: 999_999_999_999_999_999)

  @Test func `no time is longer than a hundred years, or less than none`() {
    #expect(Duration.bounded(seconds: 1.5) == .seconds(1.5))
    #expect(Duration.bounded(seconds: 1e300) == .seconds(3_155_760_000))
    #expect(Duration.bounded(seconds: .infinity) == .seconds(3_155_760_000))
    for nothing in [-1, -1e300, -.infinity, .nan] {
      #expect(Duration.bounded(seconds: nothing) == .zero)
    }
    #expect(Self.longest.bounded == .seconds(3_155_760_000))
    #expect((Duration.zero - Self.longest).bounded == .zero)
  }

  @Test(arguments: [1e300, 9.3e18, -1e300])
  func `a call with such a time ends no host`(_ within: Double) async throws {
    try await simulatedWorld(seeds: 0..<2) { world in
      let one = try await world.start("a")
      for verb in [CallRequest.Verb.ask, .outcome, .send] {
        var head = CallRequest.Head(verb: verb, name: "list", id: "1", command: world.makeID())
        head.within = within
        let frame = try CallRequest(
          head, payload: try JSONEncoder().encode(ListReactor.Action.append(1, Reply { _ in }))
        ).encoded()
        let answer = try CallResponse(frame: try await one.answer(frame, "secret"))
        #expect(answer.head.word == .result)
      }
      // It lives.
      #expect(try await one.lists["2"].ask { .append(1, $0) } == 1)
    }
  }

  @Test func `an ask within such a time waits for as long as the work takes`() async throws {
    try await simulatedWorld(seeds: 0..<2) { world in
      let one = try await world.start("a")
      let two = try await world.start("b")
      for machine in [one, two] {
        let list = machine.lists["1"]
        #expect(try await list.ask(within: Self.longest) { .append(1, $0) } > 0)
      }
    }
  }

  @Test func `options with such times are those of a hundred years`() async throws {
    let options = ClusterOptions(
      lease: Self.longest, retryTimeout: Self.longest, commandRetention: Self.longest)
    let cluster = try await ReactorCluster(.inMemory, options: options)
    let lists = cluster.registry(of: ListReactor.self) { _ in ListReactor() }
    #expect(try await lists["1"].ask { .append(1, $0) } == 1)
    await cluster.drain()
  }
}

import InMemoryLogging
import Reactor
import ServiceLifecycle
import TestLimits
import TestSupport
import Testing

@testable import ReactorLifecycle

/// The log of a drain names what is abandoned, and shows nothing of what that carries.
@Suite(.bounded) struct SecretLogTests {
  private let fixture = ServiceFixture()

  private actor Vault: Reactor {
    typealias Action = any Sendable
    typealias Mutation = Int
    nonisolated let initialState = 0
    nonisolated let pipeline = Pipeline()
    nonisolated let gate = Gate()

    func lane(for action: any Sendable) -> Lane? { .sequential(Secret.Carrier()) }
    func mutate(action: any Sendable) -> MutationStream<Int> {
      .run { _ in await self.gate.pass() }
    }
    func reduce(state: inout Int, mutation: Int) {}
    nonisolated func report(_ report: ReactorReport) {}
  }

  @Test(arguments: Secret.values)
  func `what an abandoned action carries is not shown`(
    _ sample: Secret.Sample<any Sendable>
  ) async throws {
    let vault = Vault()
    vault.send(sample.value)
    // It waits in the lane.
    vault.send(sample.value)
    await vault.gate.reached()
    let service = fixture.service(vault as any Reactor)
    let group = fixture.group(service)
    let running = Task { try await group.run() }
    await group.triggerGracefulShutdown()
    await fixture.clock.advance(past: 5)
    try await running.value
    vault.gate.open()
    #expect(!fixture.warnings.isEmpty)
    for entry in fixture.log.entries {
      let text = "\(entry.message) \(entry.metadata)"
      #expect(!text.contains(Secret.text), "\(text)")
    }
  }
}

import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Reactor
import ReactorHummingbird
import TestLimits
import TestSupport
import Testing

/// The ten-thousandth request costs as much as one of the first.
@Suite(.bounded) struct RequestGrowthTests {
  // How many times as much, in the life of one router; `key` makes the key of a request of its
  // number.
  private func ratio(_ key: @escaping @Sendable (Int) -> String) async throws -> Double {
    try await CountedThread.run {
      let desk = Desk()
      desk.gate.open()
      let router = Router()
      // So few are kept that they come and go.
      let options = ActionOptions(answerLimit: 100, clock: HandClock())
      router.post("tickets", asking: desk, options: options) {
        (order: Desk.Order, reply: Reply<Desk.Ticket>) in .buy(order.seats, reply)
      }
      return try await Application(router: router, logger: .silent).test(.router) { client in
        try await Growth.ratioLate(0) { _, number in
          let response = try await client.json(
            "tickets", #"{"seats":2}"#, [.idempotencyKey: key(number)])
          #expect(response.status == .ok)
        }
      }
    }
  }

  @Test func `a request with a key of its own`() async throws {
    var least = Double.infinity
    for _ in 1...3 where least > Growth.mostLate / 1.5 {
      least = try await min(least, ratio { "\($0)" })
    }
    #expect(least < Growth.mostLate)
  }

  @Test func `a request that comes a second time`() async throws {
    var least = Double.infinity
    for _ in 1...3 where least > Growth.mostLate / 1.5 {
      least = try await min(least, ratio { "\($0 / 2)" })
    }
    #expect(least < Growth.mostLate)
  }
}

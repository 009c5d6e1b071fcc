import Logging
import Reactor
import ReactorComposition
import ReactorTesting
import Testing

@testable import RepositoryDemo

/// How many sessions are allowed, and what becomes of the seat of one that has ended.
@Suite(.timeLimit(.minutes(2))) struct SeatTests {
  @Test func `one address has part of the seats, and gets back those it has left`() throws {
    let seats = Seats(limit: 3, limitOfAddress: 2)
    var held = [try seats.take("a"), try seats.take("a")]
    #expect(throws: SessionsFull.address) { try seats.take("a") }
    let other = try seats.take("b")
    #expect(throws: SessionsFull.house) { try seats.take("c") }
    held.removeLast()
    held.append(try seats.take("a"))
    #expect(seats.count == 3)
    withExtendedLifetime((held, other)) {}
  }

  /// An app without a server, on a stopped clock.
  private func app(
    _ change: @escaping @Sendable (inout App.Options) -> Void = { _ in },
    _ body: @escaping @Sendable (App, Simulation) async throws -> Void
  ) async throws {
    try await simulate { simulation in
      var options = App.Options()
      (options.clock, options.announcements, options.rounds) = (simulation.clock, nil, 16)
      change(&options)
      try await body(try await App(options, logger: .silent), simulation)
    }
  }

  @Test func `an unused session is released, and its seat is used again`() async throws {
    try await app({ $0.sessions = 1 }) { app, simulation in
      let (gate, cookie) = (app.desk.gate, VisitorCookie())
      try await gate.join(cookie, from: "a") { _, _ in }
      await simulation.advance(by: .seconds(599))
      await #expect(throws: SessionsFull.house) {
        try await gate.join(VisitorCookie(), from: "b") { _, _ in }
      }
      await simulation.advance(by: .seconds(1))
      #expect(app.sessions.count == 0)
      #expect(app.seats.count == 0)
      try await gate.join(VisitorCookie(), from: "b") { _, _ in }
      #expect(app.seats.count == 1)
    }
  }

  @Test func `a session that is used stays`() async throws {
    try await app { app, simulation in
      let (gate, cookie) = (app.desk.gate, VisitorCookie())
      for _ in 1...3 {
        try await gate.join(cookie, from: "a") { _, _ in }
        await simulation.advance(by: .seconds(599))
      }
      #expect(app.sessions.count == 1)
      // As a page's stream does, which may be open for hours.
      try await gate.join(cookie, from: "a") { _, _ in
        await simulation.advance(by: .seconds(3600))
        #expect(app.sessions.count == 1)
      }
    }
  }
}

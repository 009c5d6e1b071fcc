import Foundation
import HTTPTypes
import Logging
import Reactor
import RepositoryCore
import Testing

@testable import RepositoryDemo

/// What an operator sees: health, metrics, logs with traces, and the inside page.
@Suite(.timeLimit(.minutes(2))) struct RunningTests {
  @Test func `without running reactors the app is alive, but not ready`() async throws {
    // As in a test of the router, which has no services.
    try await demo { client in
      let visitor = Visitor(client)
      for (path, status) in [("/health", 503), ("/health/ready", 503), ("/health/live", 200)] {
        let answer = try await visitor.get(path)
        #expect(answer.status == status)
      }
    }
  }

  @Test func `requests and actions are measured`() async throws {
    try await demo { client in
      let visitor = Visitor(client)
      try await visitor.list()
      let metrics = try await visitor.get("/metrics").text
      #expect(metrics.contains("http_requests_total{method=\"GET\",status=\"200\"}"))
      #expect(metrics.contains("# TYPE reactor_action_took_seconds summary"))
    }
  }

  /// The lines that were logged with a trace, with their sources.
  private func traced(_ id: String, _ lines: Lines) throws -> [(source: String, text: String)] {
    try lines.all.compactMap { line in
      let fields = try JSONDecoder().decode([String: String].self, from: Data(line.utf8))
      guard fields["trace_id"] == id else { return nil }
      return (fields["reactor"] ?? "server", "\(fields["action"] ?? "") \(fields["message"] ?? "")")
    }
  }

  @Test func `the trace of a request is in what its reactors and their effects log`() async throws {
    let lines = Lines()
    var logger = Logger(label: "test") { JSONLogHandler(label: $0) { lines.append($0) } }
    logger.logLevel = .trace
    let (id, other) = ("4bf92f3577b34da6a3ce929d0e0e4736", "00000000000000000000000000000abc")
    try await demo(logger: logger) { client in
      let visitor = Visitor(client)
      for (number, one) in [id, other].enumerated() {
        let header = HTTPField.Name.known("traceparent")
        let trace = [header: "00-\(one)-00f067aa0ba902b7-01"] as HTTPFields
        try await visitor.get("/?q=\(["swift", "rust"][number])", headers: trace)
      }
    }
    for one in [id, other] {
      let found = try traced(one, lines)
      #expect(found.contains { $0.source == "server" && $0.text.contains("answered") })
      let list = found.filter { $0.source == "ListsReactor" }
      #expect(list.contains { $0.text.hasPrefix("list#") })
      // Emitted by its effect after GitHub had answered, long after the action was sent.
      #expect(list.contains { $0.text.contains("'everything.loaded'") })
    }
  }

  @Test func `the inside page exists only where it is enabled`() async throws {
    for (hasInside, status) in [(false, 404), (true, 200)] {
      try await demo({ $0.hasInside = hasInside }) { client in
        let page = try await Visitor(client).get("/inside")
        #expect(page.status == status)
      }
    }
  }
}

/// The log of steps, fed by hand.
@Suite(.timeLimit(.minutes(2))) struct StepLogTests {
  @Test func `the inside page keeps the last hundred, the newest first`() async throws {
    let steps = StepLog()
    let registration = ReactorObservers.add(steps)
    defer { withExtendedLifetime(registration) {} }
    // It also receives the steps of other tests in this process.
    let settings = SettingsReactor()
    for _ in 1...80 { await settings.send(.setAnnouncements(true)).settled }
    let lines = steps.lines
    #expect(lines.count == 100)
    #expect(zip(lines, lines.dropFirst()).allSatisfy { $0.number == $1.number + 1 })
  }
}

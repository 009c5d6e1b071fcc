import Reactor
import TestLimits
import TestSupport
import Testing

@Suite(.serialized, .bounded) struct ReactorReportTests {
  @Test(arguments: [
    (ReactorReport.Problem.effectFailed(Failure(number: 3)), "failed"),
    (.actionRefused, "refused"),
    (.actionDropped, "dropped"),
    (.emittedTooLate(5), "mutation '5'"),
    (.hookEnded(.state), "transform(state:)"),
    (.hookInputIteratedTwice(.mutation), "transform(mutation:)"),
  ])
  func `a report's description is one line with the reactor and what happened`(
    _ problem: ReactorReport.Problem, _ word: String
  ) {
    let report = ReactorReport(reactor: ScriptedReactor.self, action: "a\nb", problem: problem)
    #expect(report.description.hasPrefix("ScriptedReactor: "))
    #expect(report.description.contains(word))
    #expect(!report.description.contains("\n"))
  }

  @Test func `an effect's failure names the action and the error`() {
    let report = ReactorReport(
      reactor: ScriptedReactor.self,
      identity: ReactorIdentity(type: ScriptedReactor.self, number: 3, name: "main"), action: 7,
      actionNumber: ActionNumber(rawValue: 12), problem: .effectFailed(Failure(number: 4)))
    #expect(
      report.description
        == "ScriptedReactor#3 'main': the effect of action 12 '7' failed: Failure")
  }

  @Test func `a reactor without a report function sends reports to the default`() async {
    let reports = ReportLog()
    ReactorReports.setHandler { report in
      if report.reactor is PlainReactor.Type { reports.append(report) }
    }
    await PlainReactor().send(1).settled
    #expect(reports.problems == ["effectFailed"])
    ReactorReports.setHandler(nil)
  }

  @Test func `a report costs the same after many`() async {
    // Each delivery once wrapped the handler anew, until the stack was full.
    let heard = Log<String>()
    ReactorReports.setHandler { report in
      if report.reactor == Reporting.self { heard.append("heard") }
    }
    defer { ReactorReports.setHandler(nil) }
    let reactor = Reporting()
    await reactor.stop().settled
    let count = TestCounts.rounds(100_000)
    for _ in 0..<count { reactor.send(0) }
    #expect(heard.entries.count == count)
  }
}

/// Leaves `report` as it is.
private actor PlainReactor: Reactor {
  typealias Action = Int
  typealias State = Int

  let initialState = 0
  let pipeline = Pipeline()

  func mutate(action: Int) -> MutationStream<Int> { .run { _ in throw Failure() } }

  func reduce(state: inout Int, mutation: Int) {}
}

private actor Reporting: Reactor {
  typealias Action = Int
  typealias Mutation = Int
  let initialState = 0
  let pipeline = Pipeline()
  func reduce(state: inout Int, mutation: Int) { state += mutation }
}

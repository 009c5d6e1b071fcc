import Reactor
import ReactorMachines
import TestLimits
import TestSupport
import Testing

/// Which reports are alike where they become lines.
@Suite(.bounded) struct ReportKindTests {
  private func kind(_ problem: ReactorReport.Problem = .actionRefused, _ action: any Sendable = 1)
    -> ReportKind
  {
    ReportKind(ReactorReport(reactor: ScriptedReactor.self, action: action, problem: problem))
  }

  @Test func `reports are alike if type, problem, kind of action and error are equal`() {
    enum Command { case rename(String), remove(Int) }
    enum Wrong: Error { case offline(Int), full }

    #expect(kind(.actionRefused, Command.rename("a")) == kind(.actionRefused, Command.rename("b")))
    #expect(kind(.actionRefused, Command.rename("a")) != kind(.actionRefused, Command.remove(1)))
    #expect(kind(.actionRefused) != kind(.inboxFull))
    #expect(kind(.effectFailed(Wrong.offline(1))) == kind(.effectFailed(Wrong.offline(2))))
    #expect(kind(.effectFailed(Wrong.offline(1))) != kind(.effectFailed(Wrong.full)))
    #expect(kind(.hookEnded(.state)) != kind(.hookEnded(.action)))
    let other = ReactorReport(reactor: LanedReactor.self, action: 1, problem: .actionRefused)
    #expect(kind() != ReportKind(other))
  }
}

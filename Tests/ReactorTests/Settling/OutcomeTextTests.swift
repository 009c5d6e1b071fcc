import Reactor
import Testing
import TestLimits

/// An outcome in a log: a word that can be looked up, and nothing that anything carries.
@Suite(.bounded) struct OutcomeTextTests {
  private enum SignInError: Error { case wrong(password: String) }
  private enum Lock: Hashable { case door }

  @Test(arguments: [
    (ActionOutcome.finished, "finished"), (.cancelled, "cancelled"), (.open, "open"),
    (.neverBegun, "neverBegun"), (.reactorEnded, "reactorEnded"), (.forgotten, "forgotten"),
    (.dropped(LaneKey("disk")), "dropped(disk)"),
    (.evicted(LaneKey(Lock.door)), "evicted(door)"),
    (.superseded(LaneKey("disk")), "superseded(disk)"),
    (.refused(.inboxFull), "refused(inboxFull)"),
    (.refused(.laneFull(LaneKey("disk"))), "refused(laneFull(disk))"),
  ])
  func `an outcome's text has its case and its lane`(outcome: ActionOutcome, text: String) {
    #expect("\(outcome)" == text)
  }

  @Test func `an error's text is as in a report, without its associated values`() {
    let error = SignInError.wrong(password: "secret")
    #expect("\(ActionOutcome.failed(error))" == "failed(SignInError.wrong)")
    #expect(
      "\(ActionOutcome.droppedByMiddleware(error))"
        == "droppedByMiddleware(SignInError.wrong)")
  }
}

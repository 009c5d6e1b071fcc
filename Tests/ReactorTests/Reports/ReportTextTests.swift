import Reactor
import TestLimits
import TestSupport
import Testing

@Suite(.bounded) struct ReportTextTests {
  private enum Command: Sendable {
    case reload
    case rename(String)
    case move(from: Int, to: Int)
    case many([Command])
  }

  private enum Spoken: CustomStringConvertible {
    case reload
    case rename(String)

    var description: String { "spoken" }
  }

  private enum Refused: Error, CustomDebugStringConvertible {
    case soldOut

    var debugDescription: String { "spoken" }
  }

  private struct Shown: CustomReactorReportable, CustomStringConvertible {
    var reportDescription: String { "for reports" }
    var description: String { "for everybody" }
  }

  private struct Debugged: CustomDebugStringConvertible { var debugDescription: String { "debug" } }

  private struct Both: CustomStringConvertible, CustomDebugStringConvertible {
    var description: String { "redacted" }
    var debugDescription: String { "everything" }
  }

  private struct Written: TextOutputStreamable {
    func write<Target: TextOutputStream>(to target: inout Target) { target.write("written") }
  }

  private struct Envelope<Content>: CustomReactorReportable {
    let content: Content
    var reportDescription: String { "\(ReportText.text(of: content)) in an envelope" }
  }

  private struct Plain { let text = "secret" }

  @Test func `an enum is the name of its case`() {
    #expect(ReportText.text(of: Command.reload) == "reload")
    #expect(ReportText.text(of: Command.rename("secret")) == "rename")
    #expect(ReportText.text(of: Command.move(from: 1, to: 2)) == "move")
    #expect(ReportText.text(of: Command.many([.rename("secret")])) == "many")
    #expect(ReportText.text(of: Result<Int, Failure>.success(1)) == "success")
  }

  @Test func `a type that declares how it is shown is shown so`() {
    #expect(ReportText.text(of: Shown()) == "for reports")
    #expect(ReportText.text(of: Both()) == "redacted")
    #expect(ReportText.text(of: Debugged()) == "debug")
    #expect(ReportText.text(of: Written()) == "written")
    #expect(ReportText.text(of: Spoken.rename("secret")) == "spoken")
  }

  @Test func `a name does not call code of the value`() {
    #expect(ReportText.name(of: Spoken.reload) == "reload")
    #expect(ReportText.name(of: Spoken.rename("secret")) == "rename")
    #expect(ReportText.name(ofError: Refused.soldOut) == "Refused.soldOut")
    #expect(ReportText.name(of: Shown()) == "Shown")
    #expect(ReportText.name(of: Both()) == "Both")
  }

  @Test func `an envelope can show what is in it by the same rules`() {
    #expect(
      ReportText.text(of: Envelope(content: Command.rename("secret"))) == "rename in an envelope")
  }

  @Test func `a number or a string by itself is shown`() {
    #expect(ReportText.text(of: 7) == "7")
    #expect(ReportText.text(of: "text") == "text")
    #expect(ReportText.text(of: true) == "true")
    #expect(ReportText.text(of: 1.5) == "1.5")
    #expect(ReportText.text(of: Duration.seconds(1)) == "1.0 seconds")
  }

  @Test func `an optional is what it holds`() {
    #expect(ReportText.text(of: Optional(Command.rename("secret")) as Any) == "rename")
    #expect(ReportText.text(of: Optional(Optional(7)) as Any) == "7")
    #expect(ReportText.text(of: Int?.none as Any) == "nil")
    #expect(ReportText.text(of: AnyHashable(7)) == "7")
  }

  @Test func `anything else is the name of its type`() {
    #expect(ReportText.text(of: Plain()) == "Plain")
    #expect(ReportText.text(of: [1, 2]) == "Array<Int>")
    #expect(ReportText.text(of: (1, "secret")) == "(Int, String)")
    #expect(ReportText.text(of: ["secret": Plain()]) == "Dictionary<String, Plain>")
  }

  @Test func `the name is of the case or the type, whatever the value's description`() {
    #expect(ReportText.name(of: Spoken.rename("secret")) == "rename")
    #expect(ReportText.name(of: "secret") == "String")
    #expect(ReportText.name(of: Shown()) == "Shown")
    #expect(ReportText.name(of: Command.reload) == "reload")
    #expect(ReportText.name(of: Command?.some(.rename("")) as Any) == "rename")
  }

  @Test func `an error's case comes with its type`() {
    enum ServiceError: Error { case offline, status(Int) }
    struct Timeout: Error, CustomStringConvertible { var description: String { "after 3 seconds" } }

    #expect(ReportText.text(ofError: ServiceError.offline) == "ServiceError.offline")
    #expect(ReportText.text(ofError: ServiceError.status(500)) == "ServiceError.status")
    #expect(ReportText.text(ofError: Failure(number: 3)) == "Failure")
    #expect(ReportText.text(ofError: Timeout()) == "after 3 seconds")
    #expect(ReportText.name(ofError: Timeout()) == "Timeout")
    let context = DecodingError.Context(codingPath: [], debugDescription: "secret")
    #expect(
      ReportText.text(ofError: DecodingError.dataCorrupted(context))
        == "DecodingError.dataCorrupted")
  }
}

import Glibc
import ProgramTesting
import Testing
import TestLimits

@Suite(.bounded) struct PipeTests {
  private let fixture = "ReadlineFixture"

  @Test func `lines come in order, without prompts or escape codes`() async throws {
    let run = try await PipedRun.of(fixture, input: "one\ntwo\n")
    #expect(run.output == "plain\ntext 3: one\ntext 3: two\nno more lines\n")
    #expect(run.errorOutput == "")
    #expect(run.status == .exited(0))
  }

  @Test func `CRLF ends a line`() async throws {
    let run = try await PipedRun.of(fixture, input: "one\r\n\r\n")
    #expect(run.output == "plain\ntext 3: one\ntext 0: \nno more lines\n")
  }

  @Test func `a last line needs no line feed`() async throws {
    let run = try await PipedRun.of(fixture, input: "one\ntwo")
    #expect(run.output == "plain\ntext 3: one\ntext 3: two\nno more lines\n")
  }

  @Test func `empty input has no line at all`() async throws {
    #expect(try await PipedRun.of(fixture, input: "").output == "plain\nno more lines\n")
  }

  @Test func `bytes that are not UTF-8 are reported, and the next line is read`() async throws {
    let run = try await PipedRun.of(fixture, input: [0xFF, 0xFE, 0x0A] + Array("two\n".utf8))
    #expect(run.output == "plain\ntext 3: two\nno more lines\n")
    #expect(run.errorOutput == "not UTF-8\n")
  }

  @Test func `NUL is a character like any other`() async throws {
    let run = try await PipedRun.of(fixture, input: "a\0b\n")
    #expect(run.output == "plain\ntext 3: a\0b\nno more lines\n")
  }

  @Test func `a line of one mebibyte is one line too long`() async throws {
    let long = String(repeating: "quit ", count: 1 << 18)
    let run = try await PipedRun.of(fixture, input: "\(long)\nafter\n")
    #expect(run.output == "plain\ntext 5: after\nno more lines\n")
    #expect(run.errorOutput == "too long\n")
  }

  @Test func `a closed standard output ends the program as a shell expects`() async throws {
    let run = try await PipedRun.of(fixture, input: Array("one\n".utf8), reader: .closed)
    #expect(run.status == .signalled(SIGPIPE))
    #expect(run.errorOutput == "")
  }

  @Test func `what follows the last command is not read`() async throws {
    let run = try await PipedRun.of(fixture, input: "quit\nafter\n")
    #expect(run.output == "plain\n")
    #expect(run.status == .exited(0))
  }

  @Test(arguments: ["<&-", ">&-", "2>&-", "<&- >&- 2>&-"])
  func `no file gets the number of a standard descriptor`(closed: String) async throws {
    let run = try await PipedRun.of(
      "/bin/sh", arguments: ["-c", "exec \"$0\" lowest \(closed)", BuiltProduct.path(fixture)],
      input: [])
    let standard = (0...2).map { ExitStatus.exited($0) }
    #expect(run.status != .exited(255) && !standard.contains(run.status))
  }

  @Test func `lines that several threads print without a console do not mix`() async throws {
    let run = try await PipedRun.of(fixture, arguments: ["threads"], input: [])
    let lines = run.output.split(separator: "\n").map { Set($0.utf8) }
    #expect(lines.count == 40)
    #expect(lines.count { $0.count != 1 } == 0)
    #expect(run.status == .exited(0))
  }

  @Test func `the program may end while a line is awaited`() async throws {
    #expect(try await PipedRun.of(fixture, input: "exit\n").status == .exited(3))
  }
}

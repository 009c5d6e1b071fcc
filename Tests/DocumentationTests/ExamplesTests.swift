import Foundation
import ProgramTesting
import TestLimits
import Testing

/// The examples that take their input from their arguments, run as programs.
@Suite(.bounded) struct ExamplesTests {
  @Test func `the bar serves what was ordered while it was open`() async throws {
    let run = try await PipedRun.of(
      "TeaBar", arguments: ["mint", "oolong", "close", "sencha", "pay", "open", "gyokuro", "pay"],
      input: [UInt8]())
    #expect(
      run.output == """
        closed: no sencha
        paid: 8
        paid: 4
        served: gyokuro, mint, oolong

        """)
    #expect(run.errorOutput == "")
    #expect(run.status == .exited(0))
  }

  @Test func `the bar serves two orders of the same tea`() async throws {
    let run = try await PipedRun.of(
      "TeaBar", arguments: ["mint", "mint", "pay"], input: [UInt8]())
    #expect(run.output == "paid: 8\nserved: mint, mint\n")
    #expect(run.errorOutput == "")
    #expect(run.status == .exited(0))
  }

  @Test func `the dial is on the new target at once, and a recording has each turn`() async throws {
    let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).recording")
    defer { try? FileManager.default.removeItem(at: file) }
    let turned = try await PipedRun.of(
      "Thermostat", arguments: [file.path, "21", "18"], input: [UInt8]())
    #expect(lines(of: turned, after: "dial: ").first == "20")
    #expect(lines(of: turned, after: "thermostat: ") == ["21", "18"])
    #expect(turned.errorOutput == "")
    #expect(turned.status == .exited(0))
    let shown = try await PipedRun.of("Thermostat", arguments: [file.path], input: [UInt8]())
    #expect(shown.output == "recorded: set(21)\nrecorded: set(18)\nreplayed: 18\n")
    #expect(shown.status == .exited(0))
  }

  @Test func `a file that is no recording is refused`() async throws {
    let run = try await PipedRun.of("Thermostat", arguments: ["/dev/null"], input: [UInt8]())
    #expect(run.output.hasPrefix("error: the journal in '/dev/null' cannot be used: "))
    #expect(run.status == .exited(1))
  }

  private func lines(of run: PipedRun, after prefix: String) -> [Substring] {
    run.output.split(separator: "\n").filter { $0.hasPrefix(prefix) }.map {
      $0.dropFirst(prefix.count)
    }
  }
}

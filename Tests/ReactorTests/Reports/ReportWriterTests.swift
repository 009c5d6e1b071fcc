import Dispatch
import Reactor
import ReactorRuntime
import TestLimits
import TestSupport
import Testing

/// What is written without a custom handler (promise 12).
@Suite(.bounded) struct ReportWriterTests {
  private func report(_ action: any Sendable) -> ReactorReport {
    ReactorReport(reactor: ScriptedReactor.self, action: action, problem: .actionRefused)
  }

  /// How many reports lines stand for.
  private func count(_ lines: [String]) -> Int {
    lines.map { line in
      line.contains(" more like this: ") ? Int(line.prefix { $0 != " " }) ?? 0 : 1
    }.reduce(0, +)
  }

  @Test func `a reporting thread does not wait, and no report is lost`() async {
    let lines = Log<String>()
    let reader = DispatchSemaphore(value: 0)
    let writer = ReportWriter { line in
      reader.wait()
      lines.append(line)
    }
    let count = TestCounts.rounds(5_000)
    await withTaskGroup { group in
      for _ in 0..<4 {
        group.addTask { for _ in 0..<count { writer.report(report(1)) } }
      }
    }
    #expect(lines.entries.isEmpty)
    for _ in 0..<1_000 { reader.signal() }
    writer.flush(within: .seconds(60))
    #expect(self.count(lines.entries) == 4 * count)
  }

  @Test func `a thousand equal reports are one line, and one with the count`() async {
    let lines = Log<String>()
    let reader = DispatchSemaphore(value: 0)
    let writer = ReportWriter { line in
      reader.wait()
      lines.append(line)
    }
    for _ in 0..<1_000 { writer.report(report(1)) }
    for _ in 0..<10 { reader.signal() }
    writer.flush(within: .seconds(60))
    let line = "ScriptedReactor: action '1' was refused: the reactor has been stopped"
    #expect(lines.entries.first == line)
    // Where the machine stalls for a second, the count comes in parts.
    #expect(lines.entries.dropFirst().allSatisfy { $0.hasSuffix(" more like this: \(line)") })
    #expect(count(lines.entries) == 1_000)
  }

  @Test func `an action that reports while it is described causes no deadlock`() async {
    let lines = Log<String>()
    let writer = ReportWriter { lines.append($0) }
    writer.report(report(Chatty { writer.report(report(1)) }))
    _ = await lines.entries(upTo: 2)
    writer.flush(within: .seconds(60))
    #expect(lines.entries.count == 2)
  }

  @Test func `the handler for the exit is installed before a report returns`() async {
    let (calls, done, place) = (Log<Int>(), Log<Int>(), Log<Bool>())
    let writer = Guarded<ReportWriter?>(nil)
    let report = report(1)
    let made = ReportWriter {
      calls.append(0)
      // Another thread reports meanwhile, and has by then.
      if calls.count == 1 {
        writer.withLock { $0 }?.report(report)
        place.append(done.count > 0)
      }
      done.append(0)
    } write: { _ in
    }
    writer.withLock { $0 = made }
    made.report(report)
    #expect(place.entries == [true])
  }

  @Test func `a flush waits for a line that is being made`() async {
    let lines = Log<String>()
    let writer = ReportWriter { lines.append($0) }
    let (describing, goOn) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let slow = report(
      Chatty {
        describing.signal()
        goOn.wait()
      })
    DispatchQueue.global().async { writer.report(slow) }
    await withCheckedContinuation { continuation in
      DispatchQueue.global().async {
        describing.wait()
        DispatchQueue.global().async { goOn.signal() }
        writer.flush(within: .seconds(60))
        continuation.resume()
      }
    }
    #expect(lines.count == 1)
  }

  @Test func `without reports, a flush does not wait`() {
    let writer = ReportWriter { _ in Issue.record("there is nothing to write") }
    writer.flush(within: .seconds(60))
  }
}

/// Does something while it is described.
private struct Chatty: CustomStringConvertible, Sendable {
  let talk: @Sendable () -> Void

  var description: String {
    talk()
    return "chatty"
  }
}

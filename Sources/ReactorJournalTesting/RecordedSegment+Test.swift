import Foundation
public import Reactor
public import ReactorJournal
import ReactorRuntime
public import ReactorTesting

extension RecordedSegment where R.State: Equatable {
  /// Generates the source of a test that passes: the recorded actions at their times, and their
  /// mutations.
  ///
  /// ```swift
  /// let source = try await segment.testSource(
  ///   named: "the cart lost a book", importing: ["Shop"],
  ///   making: "CartReactor(clock: simulation.clock)"
  /// ) { CartReactor(clock: $0.clock) }
  /// ```
  ///
  /// To generate it, the recording is run in a simulation. The dependencies of the reactor must
  /// behave there as they did when it was recorded. Actions from outside are sent at their recorded
  /// times. Actions that the reactor sent itself are not sent; the reactor sends them again.
  ///
  /// - Parameters:
  ///   - name: The name of the test, in words.
  ///   - modules: The modules that the test imports as testable, besides those of Reactor.
  ///   - expression: The source that makes the reactor; it can use `simulation`.
  ///   - make: The same as code, which runs in the simulation.
  /// - Returns: The source of one file.
  /// - Throws: ``RecordingTestError`` if the simulation and the recording differ;
  ///   ``/ReactorJournal/JournalError``, or what `make` throws.
  public func testSource(
    named name: String, importing modules: [String], making expression: String,
    _ make: @escaping @Sendable (Simulation) throws -> R
  ) async throws -> String {
    let script = ScriptBox()
    try await simulate { simulation in
      let reactor = try await R.forked(
        from: state, JournalKey(name: R.journalName, id: "recording"), codec
      ) { try make(simulation) }
      script.lines = try await ScriptWriter(self, reactor, simulation).lines()
    }
    let imports = modules.map { "@testable import \($0)\n" }.joined()
    return """
      import Foundation
      import Reactor
      import ReactorJournal
      import ReactorJournalTesting
      import ReactorTesting
      import Testing

      \(imports)
      /// Made from a recording.
      @Test func `\(name)`() async throws {
        try await simulate { simulation in
          let reactor: \(R.self) = try await recorded(
            from: \(literal(try codec.encode(state)))
          ) { \(expression) }
          let test = await ReactorTest(reactor, in: simulation\(script.strictness))
      \(script.lines.map { "    \($0)\n" }.joined())    await test.finish()
        }
      }

      """
  }
}

/// Passes lines out of a simulation; it is used by one task after another.
private final class ScriptBox: Sendable {
  private let box = Guarded<[String]>([])

  var lines: [String] {
    get { box.withLock { $0.filter { $0 != ScriptBox.relaxed } } }
    set { box.withLock { $0 = newValue } }
  }

  var strictness: String {
    box.withLock { $0.contains(Self.relaxed) } ? ", strictness: .relaxed" : ""
  }

  /// Marks that there are outputs or reports, which are not asserted.
  static let relaxed = "// relaxed"
}

/// A simulation emitted other mutations than the recording.
public struct RecordingTestError: Error, CustomStringConvertible {
  /// The number of the first mutation that differs, from 1 on.
  public let mutation: Int

  /// A description with a remedy.
  public var description: String {
    "the simulation takes another way than the recording at mutation \(mutation): give the reactor"
      + " what does there what the world did"
  }
}

/// Runs a recording, and writes the lines of its test.
private struct ScriptWriter<R: JournaledReactor>
where R.Action: Codable, R.State: Equatable {
  let segment: RecordedSegment<R>
  let reactor: R
  let simulation: Simulation

  init(_ segment: RecordedSegment<R>, _ reactor: R, _ simulation: Simulation) {
    (self.segment, self.reactor, self.simulation) = (segment, reactor, simulation)
  }

  func lines() async throws -> [String] {
    let recorder = await Recorder(reactor)
    var (lines, seen, now): ([String], Int, Duration) = ([], 1, .zero)
    for step in segment.steps where step.kind == .mutation || !step.isOwn {
      let isLast = step == segment.steps.last
      if step.time > now, step.kind == .action || isLast {
        lines.append("await test.advance(by: \(text(step.time - now)))")
        await simulation.advance(by: step.time - now)
        now = step.time
      }
      await simulation.settle()
      lines += try receives(recorder.entries[seen...])
      seen = recorder.entries.count
      guard step.kind == .action else { continue }
      let action = try segment.codec.decode(R.Action.self, from: step.payload)
      reactor.send(action)
      await simulation.settle()
      let newEntries = recorder.entries[seen...]
      seen = recorder.entries.count
      let turn = newEntries.prefix { $0.action == nil }
      let changes = try turn.compactMap(\.mutation).map { ", \(try text(of: $0))" }
      lines.append(
        "try await test.sendRecorded(\(literal(step.payload))"
          + changes.joined().replacing(/^,/, with: ", reducing:") + ")")
      lines += try receives(newEntries.dropFirst(turn.count))
    }
    try compare(recorder)
    if recorder.entries.contains(where: { $0.output != nil || $0.report != nil }) {
      lines.append(ScriptBox.relaxed)
    }
    lines.append("await test.reactor.stop().settled")
    return lines
  }

  private func receives(_ entries: ArraySlice<RecordedEntry<R>>) throws -> [String] {
    try entries.compactMap(\.mutation).map {
      "try await test.receiveRecorded(\(try text(of: $0)))"
    }
  }

  private func text(of mutation: R.Mutation) throws -> String {
    literal(try segment.codec.encode(mutation))
  }

  private func text(_ duration: Duration) -> String {
    let micros = Int64(duration / .microseconds(1))
    return micros.isMultiple(of: 1_000)
      ? ".milliseconds(\(micros / 1_000))" : ".microseconds(\(micros))"
  }

  /// Checks that the simulation emitted the recorded mutations.
  private func compare(_ recorder: Recorder<R>) throws {
    let recorded = try segment.mutations().map { try CanonicalHash.of($0) }
    let simulated = try recorder.all(\.mutation).map { try CanonicalHash.of($0) }
    guard recorded != simulated else { return }
    let same = zip(recorded, simulated).prefix { $0 == $1 }.count
    throw RecordingTestError(mutation: same + 1)
  }
}

/// Returns a raw string literal, so that JSON needs no escapes.
private func literal(_ data: Data) -> String {
  let text = String(decoding: data, as: UTF8.self)
  var pounds = "#"
  while text.contains("\"" + pounds) { pounds += "#" }
  return "\(pounds)\"\(text)\"\(pounds)"
}

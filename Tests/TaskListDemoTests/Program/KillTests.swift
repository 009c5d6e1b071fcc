import Foundation
import ReactorREPLTesting
import TestLimits
import TestSupport
import Testing

@testable import TaskListDemo
@testable import TaskStore

/// The program, killed while it works.
///
/// With `--json` each change is acknowledged with a line. `REACTOR_SEED` gives another seed.
@Suite(.serialized, .bounded(minutes: 10))
struct KillTests {
  private static let kills = 10 * TestCounts.kills
  private static let seed = TestCounts.seed ?? 20_260_131

  @Test func `an acknowledged change outlives kills at any moment`() async throws {
    let program = try TaskProgram()
    var changes = ScriptedChanges(seed: Self.seed)
    var moment = ScriptedChanges.Moment()
    for kill in 1...Self.kills {
      let script = changes.script(of: 40, from: moment)
      let acknowledged = try await killed(program, after: changes.below(12), script.lines, &changes)
      // The last request may have gone unacknowledged.
      let possible = script.moments[acknowledged...].prefix(2)
      let found = try await program.contents().visible
      let match = possible.first { $0.list.visible == found }
      moment = try #require(
        match, "kill \(kill) of seed \(Self.seed), \(acknowledged) acknowledged: found \(found)")
    }
    try await expectUndo(of: moment, program)
  }

  /// How many changes were acknowledged.
  private func killed(
    _ program: TaskProgram, after count: Int, _ lines: [String], _ changes: inout ScriptedChanges
  ) async throws -> Int {
    let session = try program.start("--json")
    await session.send(lines.map { "\($0)\n" }.joined())
    var answers: [String] = []
    // Now and then before it is well under way.
    if count > 0 || !changes.below(4).isMultiple(of: 4) {
      while answers.count < max(1, count), let line = try await session.nextLine() {
        answers.append(line)
      }
    }
    // At some moment or other of what comes next.
    usleep(UInt32(changes.below(answers.isEmpty ? 40_000 : 4_000)))
    session.signal(SIGKILL)
    answers += try await session.remainingLines()
    let end = await session.waitForExit()
    #expect(end.errorOutput == "")
    #expect(answers.allSatisfy { $0.hasPrefix(#"{"outcome":"#) })
    return answers.count
  }

  /// Takes everything back, step by step.
  private func expectUndo(of moment: ScriptedChanges.Moment, _ program: TaskProgram) async throws {
    let service = try SQLiteTaskService(.file(program.database))
    defer { service.close() }
    for previous in moment.past.reversed() {
      _ = try #require(try await service.undo())
      #expect(try await service.list().visible == previous.visible)
    }
    try await service.expectOrder()
  }

  @Test func `an import that is killed has added all or nothing`() async throws {
    let program = try TaskProgram()
    try program.directory.write(TaskProgram.manyTasks(2_000, in: "A"), to: "many.json")
    try await program.add("first")
    var random = SplitMix64(seed: Self.seed)
    for _ in 1...max(1, Self.kills / 20) {
      let session = try program.start("--json")
      await session.send("1\nimport \(program.path("many.json"))\n")
      _ = try await session.nextLine()
      usleep(UInt32(random.below(200_000)))
      session.signal(SIGKILL)
      _ = try await session.remainingLines()
      _ = await session.waitForExit()
      #expect(try await program.contents().items.count % 2_000 == 1)
    }
  }
}

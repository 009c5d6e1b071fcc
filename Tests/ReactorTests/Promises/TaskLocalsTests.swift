import Reactor
import TestLimits
import TestSupport
import Testing

/// Which task-local values the work of an action has: its sender's, of those that are carried; and
/// no others.
@Suite(.bounded) struct TaskLocalsTests {
  private static let count = TestCounts.rounds(2000)

  /// How the senders send.
  enum Sending: CaseIterable { case plainly, awaiting, tracked, whenRoom, asking }

  private static func burst<L: TaskLocalReader>(_ looker: L, _ sending: Sending) async {
    await withTaskGroup { group in
      for action in 1...count {
        group.addTask {
          await Request.with(action) {
            switch sending {
            case .plainly: looker.send(action)
            case .awaiting: await looker.send(action).settled
            case .tracked: await looker.sendTracked(action).settled
            case .whenRoom: await looker.sendWhenRoom(action)
            case .asking: _ = await looker.outcome(of: action)
            }
          }
        }
      }
    }
    _ = await looker.setup.ended.entries(upTo: count)
  }

  /// Whether no place has a value that is not carried, and every place the sender's of the one that
  /// is.
  private static func check<L: TaskLocalReader>(
    _: L.Type, _ sending: Sending,
    _ change: @Sendable (inout TaskLocalReaderSetup) -> Void = { _ in }
  ) async {
    for usesReactor in [true, false] {
      for isNamed in [false, true] {
        let looker = L.with { setup in
          setup.usesReactor = usesReactor
          if isNamed { setup.carried = TaskLocals(Request.$id) }
          change(&setup)
        }
        await burst(looker, sending)
        let readings = looker.setup.readings.entries
        let effects = readings.filter { $0.place == .opening || $0.place == .effect }
        #expect(effects.count == 2 * count)
        #expect(effects.allSatisfy { $0.other == 0 })
        #expect(effects.allSatisfy { $0.id == (isNamed ? $0.action : 0) })
        guard isNamed else { continue }
        let others = readings.filter { $0.place == .mutate || $0.place == .reduce }
        #expect(others.allSatisfy { $0.id == $0.action })
      }
    }
  }

  @Test(arguments: Sending.allCases)
  func `an effect has those of its own sender that are carried, and no others`(
    sending: Sending
  ) async {
    await Self.check(PlainTaskLocalReader.self, sending)
  }

  @Test(arguments: [Sending.plainly, .awaiting])
  func `so it has where actions wait in lanes`(sending: Sending) async {
    await Self.check(LaneTaskLocalReader.self, sending)
  }

  @Test(arguments: Sending.allCases)
  func `so it has behind transform(action:)`(sending: Sending) async {
    await Self.check(ActionHookTaskLocalReader.self, sending)
  }

  @Test(arguments: Sending.allCases)
  func `so it has before transform(mutation:)`(sending: Sending) async {
    await Self.check(MutationHookTaskLocalReader.self, sending)
  }

  @Test func `so it has between both`() async {
    await Self.check(TwoHookTaskLocalReader.self, .awaiting)
  }

  @Test func `so it has where the inbox has a limit`() async {
    await Self.check(PlainTaskLocalReader.self, .whenRoom) {
      $0.inboxLimit = 10
      $0.suspendsSenders = true
    }
  }
}

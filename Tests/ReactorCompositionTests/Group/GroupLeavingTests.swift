import Reactor
import ReactorComposition
import ReactorRuntime
import TestLimits
import TestSupport
import Testing

/// What is left of members and actions once they are released, and what is sent meanwhile.
@Suite(.bounded) struct GroupLeavingTests {
  /// An action that does something when its last copy is released.
  final class Letter: Sendable {
    private let whenReleased: @Sendable () -> Void

    init(_ whenReleased: @escaping @Sendable () -> Void) { self.whenReleased = whenReleased }

    deinit { whenReleased() }
  }

  actor Reader: Reactor {
    typealias Action = Letter
    typealias Mutation = Never
    let initialState = 0
    let pipeline = Pipeline()

    func mutate(action: Letter) -> MutationStream<Never> { .empty }
    func reduce(state: inout Int, mutation: Never) {}
    nonisolated func report(_ report: ReactorReport) {}
  }

  @Test func `an action may send to its group when it is released`() async throws {
    let (login, reader, other) = (HeldReactor(), Reader(), ScriptedReactor())
    let group = ReactorGroup<Letter?>()
    group.add(login) { _ in 1 }
    try group.add(reader, after: login) { $0 }
    group.add(other) { $0 == nil ? 7 : nil }
    login.hold()
    for _ in 0..<3 { group.send(Letter { group.send(nil) }) }
    login.release()
    #expect(await other.state.first { $0.count == 3 } == [7, 7, 7])
  }

  @Test(arguments: [false, true], [false, true])
  func `a receipt does not retain the action`(isAfter: Bool, isStopped: Bool) async throws {
    let (other, reader, released) = (ScriptedReactor(), Reader(), Gate())
    let group = ReactorGroup<Letter>()
    group.add(other) { _ in 1 }
    if isAfter { try group.add(reader, after: other) } else { group.add(reader) }
    if isStopped { await reader.stop().settled }
    let receipt = group.send(Letter { released.open() })
    await receipt.settled
    await released.pass()
    #expect(receipt.recipients == [other.identity, reader.identity])
    #expect(receipt.refusals.map(\.reactor) == (isStopped ? [reader.identity] : []))
  }

  @Test func `a reactor released while its group sends to all or to none is no member`() async {
    let group = ReactorGroup<Int>(delivering: .allOrNone)
    let stays = ScriptedReactor()
    let goes = Guarded<ScriptedReactor?>(ScriptedReactor())
    let released = goes.withLock { $0 }?.released
    group.add(stays) { action in
      // The other one's last reference, while the sender has it among the members.
      goes.withLock { $0 = nil }
      return action
    }
    goes.withLock { goes in
      if let goes { group.add(goes) }
    }
    let receipt = group.send(1)
    await receipt.settled
    await released?.pass()
    #expect(await stays.currentState == [1])
    #expect(receipt.recipients == [stays.identity] && receipt.refusals.isEmpty)
  }

  @Test func `a released member's order is removed with it`() throws {
    let stays = ScriptedReactor()
    let group = ReactorGroup<Int>()
    var goes: ScriptedReactor? = ScriptedReactor()
    if let goes { try group.add(goes, after: stays) }
    #expect(stays.pipeline.orderCount == 1)
    // This is the last reference: it is released here.
    goes = nil
    #expect(stays.pipeline.orderCount == 0)
  }

  @Test func `a member that is not retained leaves once it has been added`() throws {
    let stays = ScriptedReactor()
    let group = ReactorGroup<Int>()
    try group.add(ScriptedReactor(), after: stays)
    group.add(ScriptedReactor())
    group.index { $0 }.add(ScriptedReactor(), at: 1)
    #expect(group.members.isEmpty && stays.pipeline.orderCount == 0)
  }

  @Test func `an order that was declared in a group is released with it`() throws {
    let (one, two) = (ScriptedReactor(), ScriptedReactor())
    do {
      let group = ReactorGroup<Int>()
      try group.add(one, after: two)
      #expect(one.pipeline.orderCount == 1 && two.pipeline.orderCount == 1)
    }
    #expect(one.pipeline.orderCount == 0 && two.pipeline.orderCount == 0)
    // The other way round is no cycle now.
    let other = ReactorGroup<Int>()
    try other.add(two, after: one)
  }

  @Test func `a member that is added again gets every action, and none twice`() async throws {
    let group = ReactorGroup<Int>()
    let (member, other) = (ScriptedReactor(), ScriptedReactor())
    let (odd, even) = (group.index { _ in 1 }, group.index { _ in 2 })
    group.add(member)
    await withTaskGroup(of: Void.self) { tasks in
      tasks.addTask {
        for way in 0..<TestCounts.rounds(5000) {
          switch way % 4 {
          case 0: group.add(member)
          case 1: odd.add(member, at: [1, 3])
          case 2: even.add(member, at: 2)
          default: try? group.add(member, after: other)
          }
        }
      }
      tasks.addTask {
        for number in 0..<TestCounts.rounds(5000) {
          let recipients = group.send(number).recipients
          if recipients != [member.identity] {
            Issue.record("\(number) was sent to \(recipients)")
            break
          }
        }
      }
    }
  }

  @Test func `a cycle that is refused leaves everything as it was`() throws {
    let (one, two) = (ScriptedReactor(), ScriptedReactor())
    let group = ReactorGroup<Int>()
    try group.add(one, after: two)
    let counts = [one.pipeline.orderCount, two.pipeline.orderCount]
    #expect(throws: CyclicOrderError.self) { try group.add(two, after: one) }
    #expect([one.pipeline.orderCount, two.pipeline.orderCount] == counts)
    #expect(group.members == [one.identity])
  }
}

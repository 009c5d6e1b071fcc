import Reactor
import ReactorComposition
import TestLimits
import TestSupport
import Testing

/// What Flux promises of its dispatcher, case by case, as a group keeps it or does better.
@Suite(.bounded) struct FluxDispatcherTests {
  private let group = ReactorGroup<Int>()
  private let log = Log<String>()

  private func store(_ name: String) -> ScriptedReactor {
    ScriptedReactor(
      onReduce: { [log] _, action in log.append("\(name)\(action)") },
      script: ScriptedReactor.echo)
  }

  @Test func `every store gets every action, once`() async {
    let (one, two) = (store("a"), store("b"))
    group.add(one)
    group.add(two)
    await group.send(1).settled
    await group.send(2).settled
    #expect(log.entries.sorted() == ["a1", "a2", "b1", "b2"])
  }

  @Test func `a store can wait for one that was added before it`() async throws {
    let (one, two) = (store("a"), store("b"))
    group.add(one)
    try group.add(two, after: one)
    await group.send(1).settled
    #expect(log.entries == ["a1", "b1"])
  }

  @Test func `a store can wait for one that is added after it`() async throws {
    let (one, two) = (store("a"), store("b"))
    try group.add(one, after: two)
    group.add(two)
    await group.send(1).settled
    #expect(log.entries == ["b1", "a1"])
  }

  @Test func `two stores that wait for a third have it act once`() async throws {
    let (one, two, three) = (store("a"), store("b"), store("c"))
    try group.add(one, after: three)
    try group.add(two, after: three)
    group.add(three)
    await group.send(1).settled
    #expect(log.entries.first == "c1")
    #expect(log.entries.sorted() == ["a1", "b1", "c1"])
  }

  @Test func `sending while an action is handled is no error: it waits its turn`() async {
    let again = ScriptedReactor(
      onReduce: { [group, log] _, action in
        log.append("begin \(action)")
        if action == 1 { group.send(2) }
        log.append("end \(action)")
      }, script: ScriptedReactor.echo)
    group.add(again)
    group.send(1)
    #expect(await log.entries(upTo: 4) == ["begin 1", "end 1", "begin 2", "end 2"])
  }

  @Test func `a store that comes after one outside the group waits for no member`() async throws {
    let (one, stranger) = (store("a"), store("b"))
    try group.add(one, after: stranger)
    await group.send(1).settled
    #expect(log.entries == ["a1"])
  }

  @Test func `a store cannot wait for itself`() {
    let one = store("a")
    #expect(throws: CyclicOrderError.self) { try group.add(one, after: one) }
  }

  @Test func `two stores cannot wait for one another`() async throws {
    let (one, two) = (store("a"), store("b"))
    try group.add(one, after: two)
    #expect(throws: CyclicOrderError.self) { try group.add(two, after: one) }
    // The one that was refused is no member.
    await group.send(1).settled
    #expect(log.entries == ["a1"])
  }

  @Test func `after an action that failed in one store, the dispatcher goes on`() async {
    let one = store("a")
    let failing = ScriptedReactor { [log] _, action in
      .run { emit in
        if action == 1 { throw Failure() }
        log.append("b\(action)")
      }
    }
    group.add(one)
    group.add(failing)
    await group.send(1).settled
    await group.send(2).settled
    #expect(log.entries.sorted() == ["a1", "a2", "b2"])
    #expect(failing.reports.problems == ["effectFailed"])
  }

  @Test func `a store that was removed gets no further actions`() async {
    let (one, two) = (store("a"), store("b"))
    group.add(one)
    group.add(two)
    await group.send(1).settled
    group.remove(two)
    await group.send(2).settled
    #expect(log.entries.sorted() == ["a1", "a2", "b1"])
  }
}
